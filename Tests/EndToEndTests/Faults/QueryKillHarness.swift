import Foundation
import GRDB
import ODataTesting
import ODataText
import SAPOData

/// A service, a store that reads orders by queries only, and a child that is killed while it changes these queries and changes of
/// rows wait. The orders of the old query are there or those of the new one, and no change is lost.
final class QueryKillHarness {
    private let place: KillPlace
    private let child: KilledWork
    private let store: KilledStore
    private static let others = ["Customers", "Sites", "Equipment", "TimeEntries", "Photos"]

    var acknowledged: Int { place.acknowledged }
    /// How often a kill left the queries as they were, and others.
    private(set) var states = (before: 0, after: 0)

    /// - Parameter isDefective: a query is replaced by deleting it and making the other.
    init(key: String?, isDefective: Bool = false) throws {
        place = try KillPlace()
        child = KilledWork(place, defect: isDefective ? "replacesInParts" : "")
        store = place.store("store.db", key: key)
        try store.drain {
            let orders = $0.metadata.entitySet(withName: "WorkOrders")
            $0.noDefaultEntityDownload(orders)
            let query = DataQuery().from(orders)
            query.url = "WorkOrders?$filter=Priority eq 1"
            try $0.createDownloadQuery(name: "main", query: query, streams: false)
        }
        // How long it takes.
        _ = try run(0, nil)
        states = (0, 0)
    }

    func close() throws { try place.close() }

    // MARK: A round

    /// Where a round is killed.
    static func trap(_ random: inout SeededGenerator, _ microseconds: Int) -> KillingWorld.Trap {
        let (point, passages, delay) =
            switch random.below(5) {
            case 0: ("release.commit", 1 + random.below(3), random.below(2) * 500)
            case 1: ("ingest.commit", 1 + random.below(12), 0)
            case 2: ("store.write", 1 + random.below(24), 0)
            case 3: ("store.write", 1 + random.below(24), 1 + random.below(1_000))
            default: ("work.begin", 1, 1 + random.below(max(1, microseconds * 95 / 100)))
            }
        return KillingWorld.Trap(
            point: point, passages: passages, then: nil, delayMicroseconds: UInt32(delay))
    }

    /// - Parameter seed: nil for a child that is not killed.
    /// - Returns: whether it was killed.
    func run(_ number: Int, _ seed: UInt64?) throws -> Bool {
        let before = try queries()
        let notesFile = try place.emptyFile("notes")
        var random = SeededGenerator(seed: (seed ?? 0) &+ UInt64(number) &* 0x9E37_79B9)
        let trap =
            seed == nil ? KilledWork.never : Self.trap(&random, child.microseconds)
        let wasKilled = try child.wait(
            for: try child.start(
                ["queries", store.path, store.url, notesFile.path, String(number)], trap,
                key: store.key))
        let all = try WriteNotes(notesFile)
        var notes = WriteNotes()
        for (name, row) in all.rows where !name.hasPrefix("query ") && name != "download" {
            if let title = row.acknowledged { notes.acknowledge(name, title) }
            notes.rows[name] = row
        }
        try store.check(notes)
        let after = try queries()
        for name in ["main", "more"] {
            let row = all.rows["query " + name] ?? WriteNotes.Row()
            let found = after[name] ?? "-"
            guard found == row.acknowledged ?? before[name] ?? "-" || row.later.contains(found)
            else {
                throw KillLoss("the query \(name) is \(found), \(row)")
            }
        }
        if after == before { states.before += 1 } else { states.after += 1 }
        try checkOrders(before, notesFile, changed: Set(notes.rows.keys))
        try drain()
        try place.check(notes, [store], only: Self.others)
        try compareOrders()
        return wasKilled
    }

    /// The priorities that the queries ask for, by their names.
    private func queries() throws -> [String: String] {
        try store.read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, url FROM _odata_download_query")
            return Dictionary(
                rows.map { ($0[0] as String, String(($0[1] as String).suffix(1))) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    private static func numbers(_ database: Database, _ rest: String) throws -> Set<String> {
        try String.fetchSet(
            database, sql: "SELECT Number FROM \(rest) AND Number LIKE 'WO-%'")
    }

    private func orders(of priority: String?) throws -> Set<String> {
        guard let priority = priority.flatMap({ Int($0) }) else { return [] }
        return try place.atService {
            try Self.numbers($0, "WorkOrders WHERE Priority = \(priority)")
        }
    }

    /// What the kill left: all orders of one of the queries that `main` was, none that nobody asked for, and those with
    /// changes that wait.
    private func checkOrders(
        _ before: [String: String], _ notes: URL, changed: Set<String>
    ) throws {
        let present = try store.read { try Self.numbers($0, "_odata_view_WorkOrders WHERE 1") }
        var asked: [String: [String]] = before.mapValues { [$0] }
        for line in try String(contentsOf: notes, encoding: .utf8).split(separator: "\n") {
            let words = line.split(separator: "\t").map(String.init)
            guard words.count == 3, words[1].hasPrefix("query ") else { continue }
            asked[String(words[1].dropFirst(6)), default: []].append(words[2])
        }
        let more = try (asked["more"] ?? []).map { try orders(of: $0) }
        let allowed = more.reduce(changed) { $0.union($1) }
        let needed = asked["more"]?.count == 1 && before["more"] != nil ? more[0] : []
        let isWhole = try (asked["main"] ?? []).contains {
            let main = try orders(of: $0)
            return main.isSubset(of: present) && needed.isSubset(of: present)
                && present.subtracting(main).isSubset(of: allowed)
        }
        guard isWhole else {
            throw KillLoss("neither the old orders nor the new, of \(asked): \(present.sorted())")
        }
    }

    private func drain() throws {
        try store.drain {
            $0.noDefaultEntityDownload($0.metadata.entitySet(withName: "WorkOrders"))
        }
    }

    /// The store has what the queries ask for, and nothing else, as the service has it.
    private func compareOrders() throws {
        let asked = try queries().values.compactMap { Int($0) }.map(String.init)
            .joined(separator: ",")
        func rows(_ table: String, _ condition: String) -> String {
            "SELECT Number || ' ' || Title FROM \(table) WHERE \(condition) ORDER BY 1"
        }
        let expected = try place.atService {
            try String.fetchAll($0, sql: rows("WorkOrders", "Priority IN (\(asked))"))
        }
        let found = try store.read {
            try String.fetchAll($0, sql: rows("_odata_view_WorkOrders", "1"))
        }
        guard expected == found else {
            let only = Set(found).subtracting(expected).sorted().prefix(5)
            let missing = Set(expected).subtracting(found).sorted().prefix(5)
            throw KillLoss("orders of \(asked) differ: only here \(only), missing \(missing)")
        }
    }
}
