import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText

extension Download {
    /// Brings the contents that belong to the rows of these sources: those of download queries that ask for streams, and
    /// of sets whose streams are downloaded by default.
    ///
    /// - Returns: the sources of which the service refused contents; all others have come.
    /// - Throws: what the network says where nothing more can come.
    mutating func readStreams(
        of sources: [DownloadSource], _ work: DownloadWork
    ) throws -> [SourceRefusal] {
        let (store, choice) = (scope.store, scope.choice)
        let mapping = try store.mapping()
        let download = StreamDownload(
            store: store, connection: connection, world: scope.world,
            settings: work.settings, supportsBatch: work.supportsBatch,
            cancellation: cancellation)
        var refused: [SourceRefusal] = []
        for source in sources {
            let set = source.entitySet
            guard let table = mapping.table(path: set), Self.hasStreams(table, mapping.graph)
            else { continue }
            let isWanted =
                source.isDefault
                ? !choice.unwantedStreams.contains(set) && !choice.withoutStreams.contains(set)
                : source.streams
            guard isWanted else { continue }
            do {
                let failures = try download.run(
                    table: set, hold: try store.holds(of: source).own)
                if let error = failures.broken, failures.end == nil {
                    refused.append(Self.refusal(source, error, count: 1, isBroken: true))
                    broken.append(error)
                }
                if let error = failures.refusal {
                    refused.append(Self.refusal(source, error, count: failures.refusalCount))
                }
                if let end = failures.end, !Self.isAboutOneSource(end) { throw end }
            } catch let error as ODataError where Self.isAboutOneSource(error) {
                refused.append(Self.refusal(source, error, count: 1))
            }
        }
        try store.sweepStreams()
        return refused
    }

    private static func isAboutOneSource(_ error: any Error) -> Bool {
        guard let error = error as? ODataError else { return false }
        return SourceRefusal.isAboutOneSource(error) && error.status != 401
    }

    private static func refusal(
        _ source: DownloadSource, _ error: ODataError, count: Int, isBroken: Bool = false
    ) -> SourceRefusal {
        let what = count == 1 ? "content of a stream" : "contents of \(count) streams, the first"
        return SourceRefusal(
            source, reason: "\(what): \(error.message)", status: error.status, isBroken: isBroken)
    }

    private static func hasStreams(_ table: TableMapping, _ graph: MetadataGraph) -> Bool {
        table.hasStream
            || graph[table.structure].properties.contains { $0.type.primitive == .stream }
    }
}
