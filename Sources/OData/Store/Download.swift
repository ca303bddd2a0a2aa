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

    /// - Returns: by set, what fitted the service when an earlier opening said it and no longer does: the service has dropped
    ///   something since. It keeps no store closed, and no change from being sent.
    /// - Throws: `unknownName` and `invalidQuery` for what does not fit the service, and what the store throws.
    func run() throws -> [String: ODataError] {
        var misfits: [String: ODataError] = [:]
        let graph = try scope.store.graph()
        let queries = DownloadQueries(scope)
        var known = Set(try scope.store.downloadQueries().compactMap(\.name))
        var counts: [String: Int] = [:]
        for download in downloads {
            let set = download.shape.set
            counts[set, default: 0] += 1
            let name = set + (counts[set] == 1 ? "" : "-\(counts[set] ?? 0)")
            let isKnown = known.remove(name) != nil
            let query: ODataQuery.Query
            do {
                query = try ODataError.translating { try download.shape.checked(in: graph) }
            } catch let error as ODataError where isKnown {
                // Of another word than before nobody can say that the service has changed.
                guard try !stillFits(name, graph) else { throw error }
                misfits[set] = error
                continue
            }
            if isKnown {
                _ = try queries.replace(name, with: query, streams: download.streams)
            } else {
                try queries.create(name, query, streams: download.streams)
            }
        }
        for name in known.sorted() {
            do {
                try queries.delete(name)
            } catch let error as EngineError where error.code == .conflict {
                // Its rows have changes that wait: it goes with an opening after they are sent.
            }
        }
        return misfits
    }

    /// Whether the query of this name that the store has fits the service as it is now.
    private func stillFits(_ name: String, _ graph: MetadataGraph) throws -> Bool {
        guard let known = try scope.store.downloadQuery(name) else { return false }
        do {
            var query = try URLParser.parse(
                known.url, graph: graph, dialect: Dialect.of(graph.version))
            try QueryChecker.check(&query, graph: graph)
            return true
        } catch is EngineError {
            return false
        }
    }
}
