import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTransport
import ODataText
import ODataWorld

extension CloudSyncEngine {
    /// Brings the contents that belong to the rows of these sources: those of download queries that ask for streams, and
    /// of sets whose streams are downloaded by default.
    ///
    /// - Returns: the sources of which the service refused a content; those behind it are still to come.
    func downloadStreams(
        of sources: [DownloadSource], _ store: LocalStore, _ settings: SyncSettings,
        _ capabilities: ServiceCapabilities, _ flag: CancellationFlag
    ) throws -> [SourceRefusal] {
        let mapping = try store.mapping()
        let document = try offlineStore.document()
        let download = StreamDownload(
            store: store, connection: onlineProvider.connection, world: world, settings: settings,
            supportsBatch: capabilities.supportsBatch, cancellation: flag)
        let without = selection.setsWithoutStreams(of: sources.map(\.entitySet))
        var refused: [SourceRefusal] = []
        for source in sources {
            guard let table = mapping.table(path: source.entitySet),
                Self.hasStreams(table, mapping.graph)
            else { continue }
            let set = document.entitySet(named: source.entitySet)
            let isWanted =
                source.name == nil
                ? set?.downloadStreamsByDefault != false && !without.contains(source.entitySet)
                : source.streams
            guard isWanted else { continue }
            let hasQueries = try !store.downloadQueries(of: source.entitySet).isEmpty
            do {
                _ = try download.run(
                    table: source.entitySet, bit: hasQueries ? 1 << Int64(source.bit) : nil)
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
