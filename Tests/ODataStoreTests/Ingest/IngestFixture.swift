import GRDB
import ODataSQL
import ODataStore
import ODataText
import ODataWire

/// A store in memory with tools, their parts and the like, and ways to bring pages in and look at tables.
final class IngestFixture {
    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int64" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
        <Property Name="Price" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Exact" Type="Edm.Decimal" Scale="variable"/>
        <Property Name="Weight" Type="Edm.Double"/><Property Name="Ratio" Type="Edm.Single"/>
        <Property Name="Open" Type="Edm.Boolean"/><Property Name="Count" Type="Edm.Int16"/>
        <Property Name="At" Type="Edm.DateTimeOffset"/><Property Name="Day" Type="Edm.Date"/>
        <Property Name="Clock" Type="Edm.TimeOfDay"/><Property Name="Took" Type="Edm.Duration"/>
        <Property Name="Mark" Type="Edm.Guid"/><Property Name="Raw" Type="Edm.Binary"/>
        <Property Name="Colour" Type="Ws.Colour"/><Property Name="Tags" Type="Collection(Edm.String)"/>
        <Property Name="Size" Type="Ws.Size"/>
        <NavigationProperty Name="Loans" Type="Collection(Ws.Loan)"/>
        <NavigationProperty Name="Current" Type="Ws.Loan"/>
        <NavigationProperty Name="Parts" Type="Collection(Ws.Part)" ContainsTarget="true"/></EntityType>
        <ComplexType Name="Size"><Property Name="W" Type="Edm.Int32"/><Property Name="H" Type="Edm.Int32"/>
        </ComplexType>
        <EntityType Name="Thing" OpenType="true"><Key><PropertyRef Name="Code"/><PropertyRef Name="No"/></Key>
        <Property Name="Code" Type="Edm.Guid" Nullable="false"/>
        <Property Name="No" Type="Edm.Decimal" Scale="variable" Nullable="false"/>
        <Property Name="Note" Type="Edm.String"/></EntityType>
        <EntityType Name="Special" BaseType="Ws.Thing"><Property Name="Extra" Type="Edm.String"/></EntityType>
        <EntityType Name="Me"><Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityType Name="Loan"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Who" Type="Edm.String"/>
        </EntityType>
        <EntityType Name="Part"><Key><PropertyRef Name="No"/></Key>
        <Property Name="No" Type="Edm.Int32" Nullable="false"/><Property Name="Name" Type="Edm.String"/>
        </EntityType>
        <EnumType Name="Colour" IsFlags="true"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/>
        </EnumType>
        <EntityContainer Name="C"><EntitySet Name="Tools" EntityType="Ws.Tool">
        <NavigationPropertyBinding Path="Loans" Target="Loans"/>
        <NavigationPropertyBinding Path="Current" Target="Loans"/></EntitySet>
        <EntitySet Name="Loans" EntityType="Ws.Loan"/><EntitySet Name="Things" EntityType="Ws.Thing"/>
        <Singleton Name="Me" Type="Ws.Me"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    let mapping: SchemaMapping
    let queue: DatabaseQueue
    var handler: any ShadowedRowHandler = NoShadowedRows()

    init() throws {
        mapping = SchemaMapping.local(
            for: try CSDLReader.read(Array(Self.metadata.utf8)))
        queue = try DatabaseQueue()
        try queue.write { database in
            for statement in mapping.ddl { try database.execute(sql: statement) }
            try database.execute(
                sql: "CREATE TABLE _odata_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID")
            try database.execute(
                sql:
                    "CREATE TABLE _odata_base_link (link_table, source, target, is_present, request)"
            )
            try database.execute(sql: "CREATE TABLE _odata_row_source (\"table\", \"row\", place)")
            for table in mapping.tables {
                let name = SQLName.quoted("_odata_base_" + table.name)
                try database.execute(
                    sql: "CREATE TABLE \(name) AS SELECT *, 0 AS _odata_base_kind,"
                        + " NULL AS _odata_base_request FROM \(SQLName.quoted(table.name)) WHERE 0")
                try database.execute(
                    sql:
                        "CREATE UNIQUE INDEX \(SQLName.quoted("base_" + table.name)) ON \(name) (_odata_id)"
                )
            }
        }
    }

    func plan(
        _ path: String = "Tools", selection: Set<String>? = nil, expanding: [String] = [],
        bit: Int64 = 0
    ) throws -> IngestPlan {
        let table = try mapping.existingTable(path: path)
        let expansions = table.navigations.filter { expanding.contains($0.path) }.map {
            IngestExpansion(
                navigation: $0,
                plan: IngestPlan(
                    table: mapping[$0.target], graph: mapping.graph, sourceBit: bit))
        }
        return IngestPlan(
            table: table, graph: mapping.graph, selection: selection, expansions: expansions,
            sourceBit: bit)
    }

    /// Brings rows in, given as the text between the brackets of `value`.
    @discardableResult
    func ingest(
        _ rows: String, plan: IngestPlan? = nil, mode: RowIngest.Mode = .merge,
        seen: UnsafeMutablePointer<SeenRows>? = nil
    ) throws -> IngestCounts {
        let plan = try plan ?? self.plan()
        var reader = RowReader(shape: plan.shape)
        return try queue.write { database in
            var ingest = try RowIngest(
                plan, mapping: mapping, database: database, mode: mode, handler: handler)
            ingest.seen = seen?.pointee
            _ = try reader.readPage(Array("{\"value\":[\(rows)]}".utf8), into: &ingest)
            try ingest.finish()
            if let rows = ingest.seen { seen?.pointee = rows }
            return ingest.counts
        }
    }

    /// The rows of a query, values joined by `|`, null as `-`.
    func rows(_ sql: String) throws -> [String] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "-"
                    case .int64(let value): "\(value)"
                    case .double(let value): "\(value)"
                    case .string(let text): "'\(text)'"
                    case .blob(let bytes): "x\(bytes.count)"
                    }
                }.joined(separator: "|")
            }
        }
    }
}
