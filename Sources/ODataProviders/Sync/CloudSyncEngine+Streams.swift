import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTransport
import ODataWorld

extension CloudSyncEngine {
    /// Brings the contents that belong to the rows of these sources: those of download queries that ask for streams, and
    /// of sets whose streams are downloaded by default.
    func downloadStreams(
        of sources: [DownloadSource], _ store: LocalStore, _ settings: SyncSettings,
        _ capabilities: ServiceCapabilities, _ flag: CancellationFlag
    ) throws {
        let mapping = try store.mapping()
        let document = try offlineStore.document()
        let download = StreamDownload(
            store: store, connection: onlineProvider.connection, world: world, settings: settings,
            supportsBatch: capabilities.supportsBatch, cancellation: flag)
        let without = selection.setsWithoutStreams(of: sources.map(\.entitySet))
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
            _ = try download.run(
                table: source.entitySet, bit: hasQueries ? 1 << Int64(source.bit) : nil)
        }
        try store.sweepStreams()
    }

    private static func hasStreams(_ table: TableMapping, _ graph: MetadataGraph) -> Bool {
        table.hasStream
            || graph[table.structure].properties.contains { $0.type.primitive == .stream }
    }
}
