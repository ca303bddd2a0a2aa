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
    /// - Returns: the sources of which the service refused a content; those behind it are still to come.
    func readStreams(
        of sources: [DownloadSource], _ work: DownloadWork
    ) throws -> [SourceRefusal] {
        let (store, choice) = (scope.store, scope.choice)
        let mapping = try store.mapping()
        let download = StreamDownload(
            store: store, connection: scope.connection, world: scope.world,
            settings: work.settings, supportsBatch: work.supportsBatch,
            cancellation: cancellation)
        var refused: [SourceRefusal] = []
        for source in sources {
            let set = source.entitySet
            guard let table = mapping.table(path: set), Self.hasStreams(table, mapping.graph)
            else { continue }
            let isWanted =
                source.name == nil
                ? !choice.unwantedStreams.contains(set) && !choice.withoutStreams.contains(set)
                : source.streams
            guard isWanted else { continue }
            let hasQueries = try !store.downloadQueries(of: set).isEmpty
            do {
                _ = try download.run(table: set, bit: hasQueries ? 1 << Int64(source.bit) : nil)
            } catch let error as ODataError
                where SourceRefusal.isAboutOneSource(error) && error.status != 401
            {
                refused.append(
                    SourceRefusal(
                        source, reason: "content of a stream: \(error.message)",
                        status: error.status))
            }
        }
        try store.sweepStreams()
        return refused
    }

    private static func hasStreams(_ table: TableMapping, _ graph: MetadataGraph) -> Bool {
        table.hasStream
            || graph[table.structure].properties.contains { $0.type.primitive == .stream }
    }
}
