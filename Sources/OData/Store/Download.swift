import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// What a store holds: entities of a set, all of them or those that a query asks for.
public struct Download: Sendable {
    let shape: QueryShape
    /// The contents of the entities' streams come, too.
    var streams = false

    /// The entities of a set that a query asks for, whole, with what it expands.
    ///
    /// ```swift
    /// .set(WorkOrder.self) { $0.where { $0.status != .done }.expand(\.timeEntries) }
    /// ```
    public static func set<E: Entity>(
        _ type: E.Type, _ query: (Query<E, E>) -> Query<E, E> = { $0 }
    ) -> Download {
        Download(shape: query(.all(type)).shape)
    }

    /// The same with the contents of its entities' streams, so that ``OfflineStore/bytes(of:)`` needs no network for them.
    /// Those of expanded entities do not come along.
    public func withStreams() -> Download {
        var download = self
        download.streams = true
        return download
    }
}

/// Brings the download queries of a store to what the app has said at opening.
struct DownloadArrangement {
    let scope: SyncScope
    let downloads: [Download]

    /// - Throws: `unknownName` and `invalidQuery` for what does not fit the service.
    func run() throws {
        let graph = try scope.store.graph()
        let queries = DownloadQueries(scope)
        var known = Set(try scope.store.downloadQueries().compactMap(\.name))
        var counts: [String: Int] = [:]
        for download in downloads {
            let set = download.shape.set
            counts[set, default: 0] += 1
            let name = set + (counts[set] == 1 ? "" : "-\(counts[set] ?? 0)")
            let isKnown = known.remove(name) != nil
            do {
                let query = try download.shape.checked(in: graph)
                if isKnown {
                    _ = try queries.replace(name, with: query, streams: download.streams)
                } else {
                    try queries.create(name, query, streams: download.streams)
                }
            } catch  where isKnown {
                // It fitted before: what the service has dropped since keeps no store closed, and no change from being sent.
            }
        }
        for name in known.sorted() {
            do {
                try queries.delete(name)
            } catch let error as EngineError where error.code == .conflict {
                // Its rows have changes that wait: it goes with an opening after they are sent.
            }
        }
    }
}
