import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// What a V2 service tells of changes in Atom leads to the same rows as the same changes in JSON.
@Suite final class AtomDeltaTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
        m:DataServiceVersion="2.0"><Schema Namespace="Ws" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Tool" OpenType="true"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Bought" Type="Edm.DateTime"/><Property Name="Size" Type="Ws.Size"/>
        <NavigationProperty Name="Parts" Relationship="Ws.ToolParts" FromRole="Tool" ToRole="Part"/></EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="Code"/></Key>
        <Property Name="Code" Type="Edm.String" Nullable="false"/><Property Name="Note" Type="Edm.String"/></EntityType>
        <ComplexType Name="Size"><Property Name="Width" Type="Edm.Int32"/><Property Name="Unit" Type="Edm.String"/>
        </ComplexType><Association Name="ToolParts"><End Role="Tool" Type="Ws.Tool" Multiplicity="*"/>
        <End Role="Part" Type="Ws.Part" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="Tools" EntityType="Ws.Tool"/>
        <EntitySet Name="Parts" EntityType="Ws.Part"/><AssociationSet Name="ToolPartsSet" Association="Ws.ToolParts">
        <End Role="Tool" EntitySet="Tools"/><End Role="Part" EntitySet="Parts"/></AssociationSet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private var stores: [LocalStore] = []

    deinit { for store in stores { try? store.clear() } }

    private func makeStore() throws -> LocalStore {
        let world = LiveWorld()
        let store = try LocalStore(
            path: "/tmp/odata-atom-\(world.random())/store.db", world: world)
        stores.append(store)
        try store.adopt(
            metadata: Self.metadata, graph: CSDLReader.read(Array(Self.metadata.utf8)))
        return store
    }

    /// As a new start of the app: only what is in the file counts.
    private func makeIngest(_ store: LocalStore, memory: Int = 4 << 20) throws -> SourceIngest {
        let mapping = try store.mapping()
        let url = "Tools?$expand=Parts"
        let source = DownloadSource(entitySet: "Tools", url: url, bit: 0)
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } }, uptime: { .zero },
            now: { 7 })
        context.stagedBytesInMemory = memory
        let query = try URLParser.parse(url, graph: mapping.graph, dialect: .v2)
        let ingest = SourceIngest(
            source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: "Tools"), mapping: mapping,
                selection: nil, expanding: query.expand),
            identity: "me", isSingle: false, context: context)
        try store.read {
            try ingest.load(
                try DownloadBookkeeping($0).state(of: source, identity: "me").resume, from: $0)
        }
        return ingest
    }

    private func load(_ store: LocalStore) throws {
        let ingest = try makeIngest(store)
        let tools = (1...4).map {
            #"{"ID":\#($0),"Title":"t\#($0)","Price":"1.25","Bought":"/Date(0)/","#
                + #""Size":{"Width":\#($0),"Unit":"mm"},"Parts":{"results":[{"Code":"a","Note":"n"},{"Code":"b"}]}}"#
        }
        let text = #"{"d":{"results":[\#(tools.joined(separator: ","))],"__delta":"D1"}}"#
        _ = try ingest.take(ByteParts([Array(text.utf8)]), mode: .first)
        try ingest.endPage()
        try ingest.finish(mode: .first, deltaLink: "D1")
    }

    private static func feed(_ content: String) -> [UInt8] {
        Array(
            ("""
            <?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"
            xmlns:at="http://purl.org/atompub/tombstones/1.0"
            xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
            xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
            """ + content + "</feed>").utf8)
    }

    private static func entry(_ id: Int, _ properties: String, _ links: String = "") -> String {
        """
        <entry m:etag="W/&quot;\(id)&quot;"><id>http://h/s/Tools(\(id))</id>
        <link rel="edit" href="Tools(\(id))"/>\(links)<content type="application/xml"><m:properties>
        \(properties)</m:properties></content></entry>
        """
    }

    /// Updates with escapes, a null, a complex value, expanded rows and a dynamic property; a row that is new, one without
    /// its key, tombstones of rows that are there and that are not.
    private static let pages = [
        feed(
            entry(
                1,
                "<d:ID>1</d:ID><d:Title>a &amp; \"b\"</d:Title><d:Price m:null=\"true\"/>"
                    + "<d:Bought>2031-05-01T08:30:00</d:Bought>"
                    + "<d:Size><d:Width>9</d:Width><d:Unit>cm</d:Unit></d:Size>"
                    + "<d:Colour>red</d:Colour>",
                """
                <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Parts"
                href="Tools(1)/Parts"><m:inline><feed><entry><content type="application/xml">
                <m:properties><d:Code>b</d:Code><d:Note>new</d:Note></m:properties></content></entry>
                <entry><content type="application/xml"><m:properties><d:Code>c</d:Code></m:properties>
                </content></entry></feed></m:inline></link>
                """)
                + #"<at:deleted-entry ref="http://h/s/Tools(2)" when="2031-05-01T08:30:00Z"/>"#
                + #"<link rel="next" href="N"/>"#),
        feed(
            entry(7, "<d:ID>7</d:ID><d:Title>seven</d:Title><d:Price>12.50</d:Price>")
                + entry(3, "<d:Title>by its id</d:Title>")
                + #"<at:deleted-entry ref="http://h/s/Tools(99)" when="2031-05-01T08:30:00Z"/>"#
                + #"<link rel="delta" href="D2"/>"#),
    ]

    /// Every row of every table of the store, but for bookkeeping of the pages themselves.
    private func dump(_ store: LocalStore) throws -> [String] {
        try store.read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name IN ('Tools',"
                    + " 'Parts', '_odata_delta', '_odata_upserted') OR name LIKE '_odata_link%')"
                    + " ORDER BY 1")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"").map {
                    "\(table): \($0)"
                }.sorted()
            }
        }
    }

    private func apply(
        _ pages: [[UInt8]], to store: LocalStore, isAtom: Bool, restarts: Bool = false
    ) throws -> IngestCounts {
        var ingest = try makeIngest(store, memory: restarts ? 1 : 4 << 20)
        var deltaLink: String?
        for page in pages {
            if restarts { ingest = try makeIngest(store, memory: 1) }
            let control = try ingest.take(ByteParts([page]), mode: .delta, isAtom: isAtom)
            try ingest.endPage()
            deltaLink = control.deltaLink
        }
        try ingest.finish(mode: .delta, deltaLink: deltaLink)
        return ingest.counts
    }

    /// The pages as JSON of the same values.
    private func json(_ graph: MetadataGraph) throws -> [[UInt8]] {
        let set = try #require(graph.entitySet(named: "Tools"))
        let type = graph[set].type
        return try Self.pages.map { bytes in
            try EntityJSONWriter(graph, dialect: .v4).page(
                AtomReader(graph).page(bytes, of: type, in: set), of: type, in: set)
        }
    }

    @Test(arguments: [false, true])
    func aDeltaInAtomLeadsToTheSameRowsAsInJSON(restarts: Bool) throws {
        let (atom, json) = (try makeStore(), try makeStore())
        try load(atom)
        try load(json)
        let before = try dump(atom)
        #expect(try before == dump(json))
        let counts = try apply(Self.pages, to: atom, isAtom: true, restarts: restarts)
        let others = try apply(self.json(json.graph()), to: json, isAtom: false)
        #expect(try dump(atom) == dump(json))
        #expect(try dump(atom) != before)
        if !restarts { #expect(counts == others) }
        #expect(
            try atom.read {
                try String.fetchAll($0, sql: "SELECT ID || ' ' || Title FROM Tools ORDER BY ID")
            } == ["1 a & \"b\"", "3 by its id", "4 t4", "7 seven"])
        #expect(
            try atom.read {
                try String.fetchAll($0, sql: "SELECT Code || ' ' || coalesce(Note, '-') FROM Parts")
                    .sorted()
            } == ["a n", "b new", "c -"])
    }

    @Test func aFirstLoadInAtomIsStoredInPartsToo() throws {
        let store = try makeStore()
        let ingest = try makeIngest(store)
        let entries = (1...5).map { Self.entry($0, "<d:ID>\($0)</d:ID><d:Title>t</d:Title>") }
        let control = try ingest.take(
            ByteParts([Self.feed(entries.joined())]), mode: .first, isAtom: true)
        try ingest.endPage()
        try ingest.finish(mode: .first, deltaLink: nil)
        #expect(control.nextLink == nil)
        #expect(ingest.counts.received == 5)
        #expect(
            try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Tools") } == 5)
    }
}
