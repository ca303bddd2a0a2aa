import Foundation
import ODataQuery
import ODataServer

/// A client that knows a collection by one read and deltas behind it.
final class Follower {
    /// The rows by the values of their keys.
    private(set) var rows: [String: NSDictionary] = [:]
    /// What came last, in its order: `+1` for a row, `-1 deleted` and `-1 changed` for one that is removed.
    private(set) var told: [String] = []
    private(set) var link: String?
    /// Where the next page is; nil behind the last one.
    private(set) var next: String?
    private let url: String
    private let key: [String]
    var pageSize: Int

    init(_ url: String, key: [String], pageSize: Int = 100) {
        (self.url, self.key, self.pageSize) = (url, key, pageSize)
    }

    /// Reads everything, until the last page.
    func begin(_ service: ODataService) -> Int {
        rows = [:]
        told = []
        next = TwinServices.encoded(url)
        return read(service)
    }

    /// As ``begin(_:)``, of which the first page only; ``followOnePage(_:)`` reads on.
    func beginOnePage(_ service: ODataService) -> Int {
        next = TwinServices.encoded(url)
        return page(service)
    }

    /// Reads what changed, until the last page.
    func follow(_ service: ODataService) -> Int {
        told = []
        next = link
        return read(service)
    }

    /// As ``follow(_:)``, of which one page only.
    func followOnePage(_ service: ODataService) -> Int {
        if next == nil {
            told = []
            next = link
        }
        return page(service)
    }

    private func read(_ service: ODataService) -> Int {
        var status = 200
        for _ in 0..<Self.maximumPages where next != nil && status == 200 {
            status = page(service)
        }
        // Pages that never end are none.
        return next == nil ? status : 508
    }

    private static let maximumPages = 3_000

    private func page(_ service: ODataService) -> Int {
        guard let url = next else { return 0 }
        let answer = ChangingService.Answer(
            service.respond(
                to: RequestMessage(
                    method: "GET", url: url,
                    headers: [
                        "Prefer": "odata.track-changes,odata.maxpagesize=\(pageSize)",
                        "OData-MaxVersion": "4.01",
                    ], body: [])))
        guard answer.status == 200 else {
            next = nil
            return answer.status
        }
        for case let item as [String: Any] in answer.json["value"] as? [Any] ?? [] {
            let name = key.map { "\(item[$0] ?? "?")" }.joined(separator: ",")
            if let removed = item["@removed"] as? [String: Any] {
                rows[name] = nil
                told.append("-\(name) \(removed["reason"] ?? "?")")
            } else {
                rows[name] = item as NSDictionary
                told.append("+\(name)")
            }
        }
        next = answer.json["@nextLink"] as? String
        link = answer.json["@deltaLink"] as? String
        return 200
    }

    /// Reads the collection anew with another client, and compares.
    func difference(_ service: ODataService) -> String? {
        let fresh = Follower(url, key: key, pageSize: 1_000)
        let status = fresh.begin(service)
        guard status == 200 else { return "status \(status)" }
        let names = Set(rows.keys).union(fresh.rows.keys).sorted()
        let different = names.filter { rows[$0] != fresh.rows[$0] }
        guard !different.isEmpty else { return nil }
        return different.prefix(5).map { name in
            "\(name): has \(rows[name].map { "\($0)" } ?? "none"), is "
                + (fresh.rows[name].map { "\($0)" } ?? "none")
        }.joined(separator: "; ")
    }
}
