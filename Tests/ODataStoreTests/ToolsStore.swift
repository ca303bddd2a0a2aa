import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataWire
import ODataWorld

/// A store with one set, of tools, and downloads into it; gone with this object.
final class ToolsStore {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Tool">
        <Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/></EntityType><EntityContainer Name="C">
        <EntitySet Name="Tools" EntityType="Ws.Tool"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    let file: String
    let store: LocalStore
    let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    /// - Parameter watch: sees what is done to the files, and may refuse it.
    init(watch: (any FileWatch)? = nil) throws {
        let world = LiveWorld()
        file = "/tmp/odata-tools-\(world.random())/store.db"
        var configuration = LocalStore.Configuration()
        configuration.watch = watch
        store = try LocalStore(path: file, world: world, configuration: configuration)
        try store.adopt(
            metadata: Self.metadata, graph: CSDLReader.read(Array(Self.metadata.utf8)))
    }

    deinit { try? store.clear() }

    /// A download that begins.
    func makeIngest(
        _ adjust: (inout SourceIngest.Context) -> Void = { _ in }
    ) throws -> SourceIngest {
        let mapping = try store.mapping()
        let store = store
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } },
            uptime: { .zero }, now: { 7 })
        adjust(&context)
        return SourceIngest(
            source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: "Tools"), graph: mapping.graph),
            identity: "me", isSingle: false, context: context)
    }
}
