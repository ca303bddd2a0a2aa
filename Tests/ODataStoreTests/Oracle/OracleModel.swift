import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataText
import ODataWire
import ODataWorld

/// A small generator that gives the same numbers for the same seed everywhere.
struct OracleRandom {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    mutating func pick<Element>(_ items: [Element]) -> Element { items[below(items.count)] }
}

/// The rows of one random database: as values for the oracle, and as payloads for the store.
struct OracleData {
    let graph: MetadataGraph
    var customers: [StructureValue] = []
    var orders: [StructureValue] = []
    var items: [StructureValue] = []

    init(seed: UInt64) throws {
        graph = try CSDLReader.read(Array(Self.metadata.utf8))
        var random = OracleRandom(state: seed)
        for id in 1...18 { customers.append(try customer(Int64(id), &random)) }
        for id in 1...30 { orders.append(try order(Int64(id), &random)) }
        for id in 1...16 {
            for line in 1...(random.below(3) + 1) {
                items.append(try item(Int64(id), Int64(line), &random))
            }
        }
    }

    // MARK: Rows

    static let texts = [
        "", "a", "A", "ab", "ä", "Ä", "ß", "𝒳y", "e\u{301}", "50%", "a_b", "it's", " pad ", "zz",
        "\u{3000}x\u{2009}", "Abcdef", "aab",
    ]
    static let decimals = [
        "-1.5", "0", "0.01", "1", "1.50", "1.5", "2.25", "100", "-0.001", "0.1", "0.3",
        "123456789012345678901234567890.123", "-99999999999999999999", "0.000000000000000000001",
        "9223372036854775808", "7",
    ]
    static let money = ["-1.50", "0.00", "0.01", "1.00", "1.50", "2.25", "100.00", "9999999999.99"]
    static let doubles: [Double] = [
        0, 0.1, 0.5, -0.5, 1.5, 2.5, -2.5, 1, 100, 1e300, 1e-300, 0.30000000000000004,
        .infinity, -.infinity, .nan, 9007199254740992,
    ]
    static let longs: [Int64] = [
        0, 1, -1, 5, 7, -7, 100, 1 << 40, .max, .min, 9007199254740993, -9007199254740993,
    ]
    static let dates = ["2030-12-31", "2031-01-01", "2031-06-15", "2032-02-29", "1969-12-31"]
    static let instants = [
        "2031-01-01T00:00:00Z", "2031-01-01T00:30:00+02:00", "2030-06-01T12:00:00.5-05:00",
        "2030-12-31T22:30:00Z", "2032-02-29T23:59:59.999999Z", "1969-12-31T23:59:59.25+00:30",
    ]
    static let times = ["00:00:00", "12:30:00", "23:59:59.999", "06:00:00.5"]
    static let durations = ["PT0S", "P1D", "PT36H", "-PT1.5S", "PT0.001S", "P2DT3H4M5S"]
    static let guids = [
        "00000000-0000-0000-0000-000000000000", "01234567-89ab-cdef-0123-456789abcdef",
        "ffffffff-89ab-cdef-0123-456789abcdef",
    ]

    static func decimal(_ text: String) -> Scalar {
        DecimalNumber(text).map(Scalar.decimal) ?? .null
    }

    private func structure(
        _ type: String, _ values: [String: ODataValue]
    ) throws -> StructureValue {
        let id = try graph.existing(type)
        var value = StructureValue(type: id, in: graph)
        for (slot, property) in graph[id].properties.enumerated() where !property.isNavigation {
            value.slots[slot] = values[property.name] ?? .null
        }
        return value
    }

    private func maybe(
        _ scalar: Scalar?, _ random: inout OracleRandom, nulls: Int = 20
    ) -> ODataValue {
        random.chance(nulls) ? .null : scalar.map(ODataValue.scalar) ?? .null
    }

    private func customer(_ id: Int64, _ random: inout OracleRandom) throws -> StructureValue {
        let isVip = random.chance(25)
        let place = try structure(
            "Place",
            [
                "Latitude": .scalar(.double(Double(random.below(90)))),
                "Longitude": .scalar(.double(Double(random.below(180)))),
            ])
        let address = try structure(
            "Address",
            [
                "City": maybe(.string(random.pick(Self.texts)), &random),
                "Zip": maybe(.integer(Int64(random.below(5))), &random), "Place": .structure(place),
            ])
        let tags = (0..<random.below(4)).map { _ in
            ODataValue.scalar(.string(random.pick(["a", "b", "ä", "ab"])))
        }
        let marks = (0..<random.below(4)).map { _ in
            maybe(.integer(Int64(random.below(6))), &random)
        }
        var values: [String: ODataValue] = [
            "Id": .scalar(.integer(id)), "Tags": .list(tags), "Marks": .list(marks),
            "Address": random.chance(25) ? .null : .structure(address),
        ]
        values["Name"] = maybe(.string(random.pick(Self.texts)), &random)
        values["Big"] = maybe(.integer(random.pick(Self.longs)), &random)
        values["Small"] = maybe(.integer(Int64(random.below(7) - 3)), &random)
        values["Balance"] = maybe(Self.decimal(random.pick(Self.money)), &random)
        values["Exact"] = maybe(Self.decimal(random.pick(Self.decimals)), &random)
        values["Score"] = maybe(.double(random.pick(Self.doubles)), &random)
        values["Ratio"] = maybe(.double(Double(random.below(9)) / 4), &random)
        values["Since"] = maybe(CalendarDate(random.pick(Self.dates)).map(Scalar.date), &random)
        values["Changed"] = maybe(
            OffsetDateTime(random.pick(Self.instants)).map(Scalar.dateTimeOffset), &random)
        values["Wakes"] = maybe(ClockTime(random.pick(Self.times)).map(Scalar.timeOfDay), &random)
        values["Wait"] = maybe(
            EdmDuration(random.pick(Self.durations)).map(Scalar.duration), &random)
        values["Token"] = maybe(Guid(random.pick(Self.guids)).map(Scalar.guid), &random)
        values["Active"] = maybe(.boolean(random.chance(50)), &random)
        values["Grade"] = maybe(.integer(Int64(random.below(8))), &random)
        values["Photo"] = maybe(.binary(Array([1, 2, 255].prefix(random.below(4)))), &random)
        values["ManagerId"] = maybe(.integer(Int64(random.below(18) + 1)), &random)
        if isVip { values["Level"] = maybe(.integer(Int64(random.below(4))), &random) }
        return try structure(isVip ? "Vip" : "Customer", values)
    }

    private func order(_ id: Int64, _ random: inout OracleRandom) throws -> StructureValue {
        try structure(
            "Order",
            [
                "Id": .scalar(.integer(id)),
                "CustomerId": maybe(.integer(Int64(random.below(20) + 1)), &random),
                "Amount": maybe(
                    Self.decimal(random.pick(["0.001", "12.500", "-3.250", "1000.000", "0.000"])),
                    &random),
                "Placed": maybe(
                    OffsetDateTime(random.pick(Self.instants)).map(Scalar.dateTimeOffset), &random),
                "Title": maybe(.string(random.pick(Self.texts)), &random),
            ])
    }

    private func item(
        _ order: Int64, _ line: Int64, _ random: inout OracleRandom
    ) throws -> StructureValue {
        try structure(
            "Item",
            [
                "OrderId": .scalar(.integer(order)), "Line": .scalar(.integer(line)),
                "Product": maybe(.string(random.pick(Self.texts)), &random),
                "Quantity": maybe(.integer(Int64(random.below(9) - 2)), &random),
            ])
    }

    // MARK: Store

    /// A store in a file of its own, filled from payloads.
    func store() throws -> (LocalStore, folder: URL) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("oracle-\(UUID().uuidString)")
        let store = try LocalStore(
            path: folder.appendingPathComponent("oracle.sqlite").path, world: LiveWorld(),
            configuration: LocalStore.Configuration())
        try store.adopt(metadata: Self.metadata, graph: graph)
        for (set, rows) in [("Customers", customers), ("Orders", orders), ("Items", items)] {
            let mapping = try store.mapping()
            let plan = IngestPlan(
                table: try mapping.existingTable(path: set), graph: mapping.graph)
            var reader = RowReader(shape: plan.shape)
            let shadow = QueueShadow(store)
            let text = "{\"value\":[\(rows.map(json).joined(separator: ","))]}"
            try store.write(.normal) { database in
                var ingest = try RowIngest(
                    plan, mapping: mapping, database: database, mode: .merge, handler: shadow)
                _ = try reader.readPage(Array(text.utf8), into: &ingest)
                try ingest.finish()
            }
        }
        return (store, folder)
    }

    private func json(_ value: StructureValue) -> String {
        let definition = graph[value.type]
        var members: [String] = []
        if definition.name == "Vip" { members.append("\"@odata.type\":\"#Shop.Vip\"") }
        for (property, slot) in zip(definition.properties, value.slots) {
            guard let slot else { continue }
            members.append("\"\(property.name)\":\(json(slot, property.type))")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private func json(_ value: ODataValue, _ type: TypeReference) -> String {
        switch value {
        case .structure(let structure): return json(structure)
        case .list(let members):
            return "[\(members.map { json($0, type) }.joined(separator: ","))]"
        case .scalar(let scalar):
            switch scalar {
            case .null: return "null"
            case .boolean(let value): return "\(value)"
            case .integer(let value):
                if case .enumeration = type.kind {
                    let names = ["Bronze", "Silver", "Gold"].enumerated()
                        .filter { value & (1 << Int64($0.offset)) != 0 }.map(\.element)
                    return "\"\(names.isEmpty ? "None" : names.joined(separator: ","))\""
                }
                return "\(value)"
            case .double(let value) where value.isFinite: return "\(value)"
            case .decimal(let value): return value.description
            case .string(let text):
                return (try? JSONEncoder().encode([text]))
                    .map { String(String(decoding: $0, as: UTF8.self).dropFirst().dropLast()) }
                    ?? "null"
            default: return "\"\(Lexical.text(scalar))\""
            }
        }
    }

    static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Shop" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EnumType Name="Grade" IsFlags="true"><Member Name="None" Value="0"/>
          <Member Name="Bronze" Value="1"/><Member Name="Silver" Value="2"/>
          <Member Name="Gold" Value="4"/></EnumType>
        <ComplexType Name="Place"><Property Name="Latitude" Type="Edm.Double" Nullable="false"/>
          <Property Name="Longitude" Type="Edm.Double" Nullable="false"/></ComplexType>
        <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/>
          <Property Name="Zip" Type="Edm.Int32"/>
          <Property Name="Place" Type="Shop.Place" Nullable="false"/></ComplexType>
        <EntityType Name="Customer"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <Property Name="Big" Type="Edm.Int64"/>
          <Property Name="Small" Type="Edm.Int16"/>
          <Property Name="Balance" Type="Edm.Decimal" Precision="12" Scale="2"/>
          <Property Name="Exact" Type="Edm.Decimal" Scale="variable"/>
          <Property Name="Score" Type="Edm.Double"/>
          <Property Name="Ratio" Type="Edm.Single"/>
          <Property Name="Since" Type="Edm.Date"/>
          <Property Name="Changed" Type="Edm.DateTimeOffset" Precision="12"/>
          <Property Name="Wakes" Type="Edm.TimeOfDay" Precision="12"/>
          <Property Name="Wait" Type="Edm.Duration" Precision="12"/>
          <Property Name="Token" Type="Edm.Guid"/>
          <Property Name="Active" Type="Edm.Boolean"/>
          <Property Name="Grade" Type="Shop.Grade"/>
          <Property Name="Photo" Type="Edm.Binary"/>
          <Property Name="ManagerId" Type="Edm.Int32"/>
          <Property Name="Address" Type="Shop.Address"/>
          <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
          <Property Name="Marks" Type="Collection(Edm.Int32)"/>
          <NavigationProperty Name="Manager" Type="Shop.Customer">
            <ReferentialConstraint Property="ManagerId" ReferencedProperty="Id"/>
          </NavigationProperty>
          <NavigationProperty Name="Orders" Type="Collection(Shop.Order)" Partner="Customer"/>
        </EntityType>
        <EntityType Name="Vip" BaseType="Shop.Customer">
          <Property Name="Level" Type="Edm.Int32"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int64" Nullable="false"/>
          <Property Name="CustomerId" Type="Edm.Int32"/>
          <Property Name="Amount" Type="Edm.Decimal" Precision="10" Scale="3"/>
          <Property Name="Placed" Type="Edm.DateTimeOffset" Precision="12"/>
          <Property Name="Title" Type="Edm.String"/>
          <NavigationProperty Name="Customer" Type="Shop.Customer" Partner="Orders">
            <ReferentialConstraint Property="CustomerId" ReferencedProperty="Id"/>
          </NavigationProperty>
          <NavigationProperty Name="Items" Type="Collection(Shop.Item)" Partner="Order"/>
        </EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="OrderId"/><PropertyRef Name="Line"/></Key>
          <Property Name="OrderId" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Line" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Product" Type="Edm.String"/>
          <Property Name="Quantity" Type="Edm.Int32"/>
          <NavigationProperty Name="Order" Type="Shop.Order" Partner="Items">
            <ReferentialConstraint Property="OrderId" ReferencedProperty="Id"/>
          </NavigationProperty></EntityType>
        <EntityContainer Name="Container">
          <EntitySet Name="Customers" EntityType="Shop.Customer">
            <NavigationPropertyBinding Path="Orders" Target="Orders"/>
            <NavigationPropertyBinding Path="Manager" Target="Customers"/></EntitySet>
          <EntitySet Name="Orders" EntityType="Shop.Order">
            <NavigationPropertyBinding Path="Customer" Target="Customers"/>
            <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
          <EntitySet Name="Items" EntityType="Shop.Item">
            <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}

extension MetadataGraph {
    func existing(_ type: String) throws -> StructureID {
        guard let id = structure(named: "Shop." + type) else {
            throw ODataError(.unknownName, "Expected a type of the oracle's model, found none.")
        }
        return id
    }
}
