import FieldSimulation
import Foundation
import GRDB
import ODataQuery
import ODataTesting
import ODataText
import ODataTransport
import Synchronization
import Testing

/// A defect that is put into a simulated client, to see that the simulation finds it: in what it sends and reads, or, as a trigger in
/// its file, in what it keeps.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    typealias Page = (inout JSONObject) -> Void

    let name: String
    /// What is done in the store's file after each opening.
    var sql: [String] = []
    var wrap: (@Sendable (any HTTPTransport) -> any HTTPTransport)?

    var testDescription: String { name }

    init(
        name: String, wrap: (@Sendable (any HTTPTransport) -> any HTTPTransport)? = nil
    ) {
        self.name = name
        self.wrap = wrap
    }

    init(_ trigger: PlantedTrigger) {
        name = trigger.name
        sql = [trigger.sql]
    }

    /// The store is open, and nobody works with it yet.
    func install(in path: String) throws {
        guard !sql.isEmpty else { return }
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in for text in sql { try database.execute(sql: text) } }
        try queue.close()
    }

    static let all = ofTheStore + ofTheWire

    /// Those that are tried each time, or all.
    static var chosen: [PlantedDefect] {
        guard ProcessInfo.processInfo.environment["ODATA_SOAK"] == nil else { return all }
        return all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    }

    // MARK: The store

    private static func trigger(_ name: String, _ rest: String) -> PlantedDefect {
        PlantedDefect(PlantedTrigger(name, rest))
    }

    private static func ignoring(_ name: String, _ event: String) -> PlantedDefect {
        trigger(name, "BEFORE \(event) BEGIN SELECT RAISE(IGNORE); END")
    }

    private static let ofTheStore: [PlantedDefect] = [
        PlantedDefect(.requestIsLost),
        PlantedDefect(.rowIsAnother),
        PlantedDefect(.refusalIsForgotten),
        PlantedDefect(.silenceIsAcceptance),
        PlantedDefect(.frozenIsThawed),
        PlantedDefect(.nextIsTakenAlong),
        trigger(
            "the bytes of a request change before they are sent",
            """
            AFTER INSERT ON _odata_attempt
            BEGIN UPDATE _odata_attempt SET body =
            CAST(replace(CAST(new.body AS TEXT), 'text', 'test') AS BLOB) WHERE id = new.id; END
            """),
        ignoring("a deletion of others is not taken over", "DELETE ON Photos"),
        ignoring("an accepted deletion leaves its row", "DELETE ON Sites"),
        ignoring("a change of others is not taken over", "UPDATE ON Equipment"),
        ignoring("a row of others is not taken over", "INSERT ON Sites WHEN new.Name = 'others'"),
        trigger(
            "a property of others is not taken over",
            """
            AFTER UPDATE OF Priority ON WorkOrders WHEN new.Priority <> old.Priority
            BEGIN UPDATE WorkOrders SET Priority = old.Priority
            WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "a number is stored wrong",
            """
            AFTER UPDATE OF Priority ON WorkOrders WHEN new.Priority = old.Priority + 1
            BEGIN UPDATE WorkOrders SET Priority = new.Priority + 1
            WHERE _odata_id = new._odata_id; END
            """),
        trigger(
            "the key that the service gave is not taken",
            """
            AFTER UPDATE OF Id ON Sites WHEN old.Id < 0 AND new.Id > 0
            BEGIN UPDATE Sites SET Id = old.Id WHERE _odata_id = new._odata_id; END
            """),
        PlantedDefect(.pageIsLost),
        trigger(
            "rows go when a delta link is kept",
            """
            AFTER UPDATE OF link ON _odata_delta
            BEGIN DELETE FROM Customers WHERE _odata_id % 7 = 0; END
            """),
        trigger(
            "the row loses its text when its request is done",
            """
            AFTER DELETE ON _odata_request WHEN old."table" = 'WorkOrders'
            BEGIN UPDATE WorkOrders SET Title = '' WHERE _odata_id = old."row"; END
            """),
        trigger(
            "the delta link of one set is kept for another",
            """
            AFTER UPDATE OF link ON _odata_delta WHEN new.query LIKE '%Equipment%'
            BEGIN UPDATE _odata_delta SET link =
            (SELECT link FROM _odata_delta WHERE query LIKE '%Photos%')
            WHERE query = new.query; END
            """),
        PlantedDefect(.identityIsRenewed),
        trigger(
            "a change overwrites what was read of other properties",
            """
            AFTER INSERT ON _odata_request WHEN new."table" = 'WorkOrders'
            BEGIN UPDATE WorkOrders SET Priority = 9 WHERE _odata_id = new."row";
            UPDATE _odata_base_WorkOrders SET Priority = 9 WHERE _odata_id = new."row"; END
            """),
    ]

    // MARK: The wire

    private static let ofTheWire: [PlantedDefect] = [
        sending("a text is changed on its way") { request in
            var request = request
            request.body = Array(
                String(decoding: request.body, as: UTF8.self)
                    .replacing("text ", with: "test ").utf8)
            return request
        },
        sending("a change of the second row goes to the third") { request in
            var request = request
            guard request.method == "PATCH" else { return request }
            request.url = request.url.replacing("(2)", with: "(3)")
            return request
        },
        claiming("each third deletion counts as made", "DELETE") { $0 % 3 == 0 },
        claiming("each second change counts as made", "PATCH") { $0 % 2 == 0 },
        claiming("each second batch counts as made", "POST", batches: true) { $0 % 2 == 0 },
        PlantedDefect(name: "creations are sent twice", wrap: { TwiceTransport(base: $0) }),
        answering("each refusal counts as acceptance") { request, answer in
            guard request.method != "GET", answer.status == 412 else { return answer }
            return ResponseMessage(status: 204, headers: ["OData-Version": "4.0"])
        },
        reading("tombstones are passed over") { page in
            page.change("value") { rows in
                rows.removeAll { $0["@removed"] != nil || $0["@odata.removed"] != nil }
            }
        },
        reading("the last row of each page is left out") { page in
            page.change("value") { rows in if rows.count > 1 { rows.removeLast() } }
        },
        reading("the next page is not asked for") { page in
            page["@odata.nextLink"] = nil
            page["@nextLink"] = nil
        },
        reading("every page is empty") { $0.change("value") { $0 = [] } },
        reading("street and city change places") { page in
            page.each { row in
                let (street, city) = (row["Street"], row["City"])
                guard let street, let city else { return }
                row["Street"] = city
                row["City"] = street
            }
        },
        reading("notes come without their text") { page in
            page.each { row in if row["Notes"] != nil { row["Notes"] = .null } }
        },
        reading("a truth comes as its opposite") { page in
            page.each { row in
                if case .boolean(let value)? = row["HasParking"] {
                    row["HasParking"] = .boolean(!value)
                }
            }
        },
        reading("rows of others are passed over") { page in
            page.change("value") { rows in rows.removeAll { $0["Name"]?.string == "others" } }
        },
        reading("changes of equipment are passed over", only: "Equipment", inDeltas: true) {
            $0.change("value") { $0 = [] }
        },
        reading("changes of orders are passed over", only: "WorkOrders", inDeltas: true) {
            $0.change("value") { $0 = [] }
        },
        PlantedDefect(
            name: "a delta is answered from an older one", wrap: { StaleTransport(base: $0) }),
        PlantedDefect(
            name: "identities are dropped", wrap: { DefectTransport($0, .dropsIdentities) }),
        PlantedDefect(
            name: "identities are renewed", wrap: { DefectTransport($0, .renewsIdentities) }),
        PlantedDefect(name: "success is claimed", wrap: { DefectTransport($0, .claimsSuccess) }),
        PlantedDefect(name: "a page is skipped", wrap: { DefectTransport($0, .skipsPage) }),
        PlantedDefect(name: "deltas are emptied", wrap: { DefectTransport($0, .emptiesDelta) }),
    ]

    private static func sending(
        _ name: String, _ change: @escaping @Sendable (RequestMessage) -> RequestMessage?
    ) -> PlantedDefect {
        PlantedDefect(
            name: name, wrap: { RewritingTransport(base: $0) { request, _ in change(request) } })
    }

    /// Answers some requests of a method with success that never left.
    private static func claiming(
        _ name: String, _ method: String, batches: Bool = false,
        _ isClaimed: @escaping @Sendable (Int) -> Bool
    ) -> PlantedDefect {
        PlantedDefect(
            name: name,
            wrap: { base in
                // Of this client alone: equal schedules do the same, whatever ran before them.
                let count = CallCount()
                return RewritingTransport(base: base) { request, _ in
                    let isBatch = request.url.hasSuffix("$batch")
                    let isRead = String(decoding: request.body, as: UTF8.self).contains("\r\nGET ")
                    guard request.method == method, isBatch == batches, !(isBatch && isRead),
                        isClaimed(count.next())
                    else { return request }
                    return nil
                }
            })
    }

    private static func answering(
        _ name: String,
        _ change: @escaping @Sendable (RequestMessage, ResponseMessage) -> ResponseMessage
    ) -> PlantedDefect {
        PlantedDefect(name: name, wrap: { RewritingTransport(base: $0, answer: change) })
    }

    /// Changes pages of rows on their way to the reader, those in batches left aside.
    private static func reading(
        _ name: String, only set: String? = nil, inDeltas: Bool = false,
        _ change: @escaping @Sendable (inout JSONObject) -> Void
    ) -> PlantedDefect {
        answering(name) { request, answer in
            guard request.method == "GET", set.map(request.url.contains) ?? true,
                !inDeltas || request.url.contains("deltatoken"),
                let json = try? JSONValue(parsing: answer.body, duplicates: .keepLast),
                case .object(var page) = json, page["value"] != nil
            else { return answer }
            change(&page)
            var answer = answer
            answer.body = Array(JSONValue.object(page).text.utf8)
            return answer
        }
    }
}

extension JSONObject {
    /// Changes the list of a member.
    fileprivate mutating func change(_ name: String, _ change: (inout [JSONValue]) -> Void) {
        guard var list = self[name]?.array else { return }
        change(&list)
        self[name] = .array(list)
    }

    /// Changes each row of a page.
    fileprivate mutating func each(_ body: (inout JSONObject) -> Void) {
        change("value") { rows in
            rows = rows.map { row in
                guard case .object(var object) = row else { return row }
                body(&object)
                return .object(object)
            }
        }
    }
}

private final class CallCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
