import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataWire

/// Rows and links in memory, with all kinds of relations: by foreign key, optional and required; by link, to one and to many;
/// by containment.
struct RowTable: LocalRows {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Customer">
              <OnDelete Action="SetNull"/></NavigationProperty></EntityType>
          <EntityType Name="Shop"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Orders" Type="Collection(S.Order)" Partner="Shop">
              <OnDelete Action="Cascade"/></NavigationProperty></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/><Property Name="CustomerID" Type="Edm.Int64"/>
            <Property Name="ShopID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Customer" Type="S.Customer" Partner="Orders">
              <ReferentialConstraint Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Shop" Type="S.Shop" Nullable="false" Partner="Orders">
              <ReferentialConstraint Property="ShopID" ReferencedProperty="ID"/></NavigationProperty>
            <NavigationProperty Name="Items" Type="Collection(S.Item)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/></EntityType>
          <EntityType Name="Person"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Badge" Type="S.Badge" Partner="Holder"/>
            <NavigationProperty Name="Tools" Type="Collection(S.Tool)" Partner="Users"/></EntityType>
          <EntityType Name="Badge"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Holder" Type="S.Person" Partner="Badge"/></EntityType>
          <EntityType Name="Tool"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Users" Type="Collection(S.Person)" Partner="Tools"/></EntityType>
          <EntityContainer Name="C">
            <EntitySet Name="Customers" EntityType="S.Customer">
              <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
            <EntitySet Name="Shops" EntityType="S.Shop">
              <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Customer" Target="Customers"/>
              <NavigationPropertyBinding Path="Shop" Target="Shops"/></EntitySet>
            <EntitySet Name="People" EntityType="S.Person">
              <NavigationPropertyBinding Path="Badge" Target="Badges"/>
              <NavigationPropertyBinding Path="Tools" Target="Tools"/></EntitySet>
            <EntitySet Name="Badges" EntityType="S.Badge">
              <NavigationPropertyBinding Path="Holder" Target="People"/></EntitySet>
            <EntitySet Name="Tools" EntityType="S.Tool">
              <NavigationPropertyBinding Path="Users" Target="People"/></EntitySet>
          </EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    let mapping: SchemaMapping
    private var stored: [RowReference: StoredRow] = [:]
    private var links: [LinkReference] = []

    init() throws {
        mapping = SchemaMapping.local(for: try CSDLReader.read(Array(Self.metadata.utf8)))
    }

    // MARK: Making

    func values(_ table: String, _ values: [String: Int64?]) throws -> StructureValue {
        let graph = mapping.graph
        let type = try mapping.existingTable(path: table).structure
        var result = StructureValue(type: type, in: graph)
        for (name, value) in values {
            guard let slot = graph[type].slot(named: name) else { continue }
            result.slots[slot] = value.map { .scalar(.integer($0)) } ?? .null
        }
        return result
    }

    @discardableResult
    mutating func add(
        _ table: String, _ id: Int64, _ values: [String: Int64?] = [:], state: EntityState = [],
        parent: Int64? = nil
    ) throws -> RowReference {
        let row = RowReference(table: table, id: id)
        let all = try self.values(table, values.merging(["ID": id]) { own, _ in own })
        stored[row] = StoredRow(id: id, values: all, state: state, parent: parent)
        return row
    }

    mutating func link(_ source: RowReference, _ navigation: String, _ target: RowReference) {
        links.append(LinkReference(source: source, navigation: navigation, target: target))
    }

    // MARK: LocalRows

    func row(_ row: RowReference) -> StoredRow? { stored[row] }

    func rows(
        in table: TableMapping, where columns: [String], equal arguments: [SQLArgument]
    ) throws -> [RowReference] {
        guard !columns.isEmpty, !arguments.contains(.null) else { return [] }
        return try stored.keys.sorted().filter { row in
            guard row.table == table.path, let found = try visibleRow(row) else { return false }
            return try columns.map { try argument($0, of: found, in: table) } == arguments
        }
    }

    private func argument(
        _ column: String, of row: StoredRow, in table: TableMapping
    ) throws -> SQLArgument {
        if column == table.system.id { return .integer(row.id) }
        if column == table.system.parent { return row.parent.map { .integer($0) } ?? .null }
        guard let found = table.columns.first(where: { $0.comparedColumn == column }) else {
            return .null
        }
        return try RowEncoder(table: table, graph: mapping.graph)
            .comparedArgument(found, row.values)
    }

    func links(of source: RowReference, through navigation: String) -> [LinkReference] {
        links.filter { $0.source == source && $0.navigation == navigation }
    }

    func sources(of target: Int64, in table: LinkTableMapping) -> [Int64] {
        links.filter {
            $0.target == RowReference(table: mapping[table.target].path, id: target)
                && $0.source.table == mapping[table.source].path
        }.map(\.source.id)
    }
}
