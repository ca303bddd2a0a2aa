import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld

/// A store in a real file, with customers and orders, and a second connection of stock SQLite to look at it.
final class StoreFixture {
    let path: String
    private(set) var store: LocalStore
    private let configuration: LocalStore.Configuration
    private let world: any World

    convenience init(join: JoinOnWrite = JoinOnWrite()) throws {
        var configuration = LocalStore.Configuration()
        configuration.join = join
        try self.init(configuration, world: LiveWorld())
        try adopt()
    }

    /// A store without metadata.
    init(
        _ configuration: LocalStore.Configuration, world: any World,
        path: String = StoreFixture.freshPath()
    ) throws {
        self.path = path
        self.configuration = configuration
        self.world = world
        store = try LocalStore(path: path, world: world, configuration: configuration)
    }

    static func freshPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent(
            "store-\(UUID().uuidString)"
        ).appendingPathComponent("shop.sqlite").path
    }

    func adopt() throws {
        try store.adopt(
            metadata: Self.metadata, graph: try CSDLReader.read(Array(Self.metadata.utf8)))
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(
            atPath: (path as NSString).deletingLastPathComponent)
    }

    func reopen() throws {
        var configuration = configuration
        configuration.join = store.join
        try store.close()
        store = try LocalStore(path: path, world: world, configuration: configuration)
    }

    // MARK: Looking at the file

    /// The rows of a query through a connection of its own, values joined by `|`, null as `-`.
    func sql(_ text: String) throws -> [String] {
        let file = try StoreFile(path: path, key: configuration.key)
        return try file.queue(readonly: true).read { database in
            try Row.fetchAll(database, sql: text).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "-"
                    case .int64(let value): "\(value)"
                    case .double(let value): "\(value)"
                    case .string(let text): text
                    case .blob(let bytes): "x\(bytes.count)"
                    }
                }.joined(separator: "|")
            }
        }
    }

    /// Every row of every data table, shadow table, link table and of the queue.
    func dump() throws -> [String] {
        let tables = try sql(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " AND name <> '_odata_meta' ORDER BY name")
        return try tables.flatMap { table in
            try sql("SELECT * FROM \"\(table)\"").map { "\(table): \($0)" }.sorted()
        }
    }

    /// Customers in view as `id:name@city`, orders as `id:title>customer`.
    func customers() throws -> [String] {
        try sql(
            "SELECT ID || ':' || Name || coalesce('@' || \"Address/City\", '') FROM Customers"
                + " WHERE (_odata_state & 4) = 0 ORDER BY ID")
    }

    func orders() throws -> [String] {
        try sql(
            "SELECT ID || ':' || coalesce(Title, '-') || '>' || coalesce(CustomerID, '-')"
                + " FROM Orders WHERE (_odata_state & 4) = 0 ORDER BY ID")
    }

    // MARK: Values

    func graph() throws -> MetadataGraph { try store.graph() }

    func value(_ type: String, _ values: [String: ODataValue]) throws -> StructureValue {
        let graph = try graph()
        guard let id = graph.structure(named: "Shop.\(type)") else {
            throw ODataError(.unknownName, "Expected a type of the fixture.")
        }
        var result = StructureValue(type: id, in: graph)
        for (name, value) in values {
            guard let slot = graph[id].slot(named: name) else {
                throw ODataError(.unknownName, "Expected a property of the fixture.")
            }
            result.slots[slot] = value
        }
        return result
    }

    func address(_ city: String) throws -> ODataValue {
        .structure(try value("Address", ["City": .text(city)]))
    }

    /// A customer as a download brings it.
    @discardableResult
    func downloadCustomer(_ id: Int64, _ name: String, etag: String? = "W/\"1\"") throws
        -> RowReference
    {
        let etag = etag.map { ",\"@odata.etag\":\"\($0.replacing("\"", with: "\\\""))\"" } ?? ""
        try download("Customers", "{\"ID\":\(id),\"Name\":\"\(name)\"\(etag)}")
        return try row("Customers", id)
    }

    @discardableResult
    func downloadOrder(_ id: Int64, _ title: String, customer: Int64?) throws -> RowReference {
        let customer = customer.map { "\($0)" } ?? "null"
        try download("Orders", "{\"ID\":\(id),\"Title\":\"\(title)\",\"CustomerID\":\(customer)}")
        return try row("Orders", id)
    }

    /// Brings rows in through the ingest that downloads use.
    func download(_ table: String, _ rows: String) throws {
        let mapping = try store.mapping()
        let plan = IngestPlan(table: try mapping.existingTable(path: table), graph: mapping.graph)
        var reader = RowReader(shape: plan.shape)
        let shadow = QueueShadow(store)
        try store.write(.normal) { database in
            var ingest = try RowIngest(
                plan, mapping: mapping, database: database, mode: .merge, handler: shadow)
            _ = try reader.readPage(Array("{\"value\":[\(rows)]}".utf8), into: &ingest)
            try ingest.finish()
        }
    }

    func row(_ table: String, _ id: Int64) throws -> RowReference {
        guard let row = try store.row(in: table, key: [.integer(id)]) else {
            throw ODataError(.notFound, "Expected a row of the fixture.")
        }
        return row
    }

    func create(_ table: String, _ values: [String: ODataValue], binds: [RequestBody.Bind] = [])
        throws -> RowReference
    {
        let type = String(table.dropLast())
        return try store.perform(
            .create(table: table, value: try value(type, values), binds: binds))
    }

    func update(_ row: RowReference, _ values: [String: ODataValue]) throws {
        let type = String(row.table.dropLast())
        try store.perform(
            .update(row, changes: try value(type, values), binds: [], mode: .merge))
    }

    /// The queue as `operation table(row)` lines with states.
    func queue() throws -> [String] {
        try sql(
            "SELECT operation || ' ' || \"table\" || ' ' || state FROM _odata_request"
                + " ORDER BY position, id")
    }

    /// Freezes the requests one by one and records an answer for each.
    @discardableResult
    func answer(
        _ id: Int64, status: Int, headers: HeaderFields = [:], body: String = ""
    ) throws -> RecordOutcome {
        try answer(freeze([id]), id, status: status, headers: headers, body: body)
    }

    @discardableResult
    func answer(
        _ attempt: Attempt, _ id: Int64, status: Int, headers: HeaderFields = [:],
        body: String = ""
    ) throws -> RecordOutcome {
        try store.record(
            [
                AttemptAnswers.Answer(
                    request: id,
                    outcome: .answered(
                        ResponseMessage(status: status, headers: headers, body: Array(body.utf8))))
            ], of: attempt.id)
    }

    func freeze(_ ids: [Int64]) throws -> Attempt {
        try store.freeze(ids, at: Instant(seconds: 1_700_000_000)) { _, requests, address in
            let urls = try requests.values.filter { $0.operation != .create }.map {
                try address($0.target)
            }
            return (
                RequestMessage(method: "POST", url: urls.first ?? "new"),
                ids.map { Attempt.Member(request: $0) }
            )
        }.attempt
    }

    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Address"><Property Name="Street" Type="Edm.String"/>
          <Property Name="City" Type="Edm.String"/></ComplexType>
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Name" Type="Edm.String" Nullable="false" MaxLength="20"/>
          <Property Name="Address" Type="Shop.Address"/>
          <NavigationProperty Name="Orders" Type="Collection(Shop.Order)" Partner="Customer">
            <OnDelete Action="Cascade"/></NavigationProperty>
          <NavigationProperty Name="Tags" Type="Collection(Shop.Tag)"/>
          <NavigationProperty Name="Notes" Type="Collection(Shop.Note)" ContainsTarget="true"/>
        </EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Title" Type="Edm.String"/>
          <Property Name="Amount" Type="Edm.Decimal" Precision="12" Scale="2"/>
          <Property Name="CustomerID" Type="Edm.Int64"/>
          <NavigationProperty Name="Customer" Type="Shop.Customer" Partner="Orders">
            <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/>
          </NavigationProperty></EntityType>
        <EntityType Name="Tag"><Key><PropertyRef Name="Code"/></Key>
          <Property Name="Code" Type="Edm.String" Nullable="false" MaxLength="40"/></EntityType>
        <EntityType Name="Note"><Key><PropertyRef Name="Line"/></Key>
          <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Text" Type="Edm.String"/></EntityType>
        <EntityContainer Name="Container">
          <EntitySet Name="Customers" EntityType="Shop.Customer">
            <NavigationPropertyBinding Path="Orders" Target="Orders"/>
            <NavigationPropertyBinding Path="Tags" Target="Tags"/></EntitySet>
          <EntitySet Name="Orders" EntityType="Shop.Order">
            <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
          <EntitySet Name="Tags" EntityType="Shop.Tag"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}

extension ODataValue {
    static func text(_ value: String) -> ODataValue { .scalar(.string(value)) }
    static func number(_ value: Int64) -> ODataValue { .scalar(.integer(value)) }
}

extension StoreFixture {
    /// A store whose customers have picked orders beside their own, which no column tells.
    static func withPicks() throws -> StoreFixture {
        let fixture = try StoreFixture(LocalStore.Configuration(), world: LiveWorld())
        let metadata = Self.metadata.replacing(
            "<NavigationProperty Name=\"Tags\"",
            with: "<NavigationProperty Name=\"Picks\" Type=\"Collection(Shop.Order)\"/>"
                + "<NavigationProperty Name=\"Tags\""
        ).replacing(
            "<NavigationPropertyBinding Path=\"Tags\"",
            with: "<NavigationPropertyBinding Path=\"Picks\" Target=\"Orders\"/>"
                + "<NavigationPropertyBinding Path=\"Tags\"")
        try fixture.store.adopt(
            metadata: metadata, graph: try CSDLReader.read(Array(metadata.utf8)))
        return fixture
    }
}
