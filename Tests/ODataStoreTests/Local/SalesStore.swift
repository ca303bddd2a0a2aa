import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import ODataWire
import ODataWorld

/// Sales and the organisations that made them, in the real store: a hierarchy with one root, and a circle beside it.
struct SalesStore {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture(LocalStore.Configuration(), world: LiveWorld())
        let bytes = Array(Self.metadata.utf8)
        try fixture.store.adopt(metadata: Self.metadata, graph: try CSDLReader.read(bytes))
        try fixture.download("Organizations", Self.organizations)
        try fixture.download("Sales", Self.sales)
    }

    func query(_ url: String) throws -> Query {
        let graph = try fixture.graph()
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// The rows as `Name=value` in the order of names, collections in brackets.
    func rows(_ url: String) throws -> [String] {
        let query = try query(url)
        let graph = try fixture.graph()
        return try fixture.store.execute(query).values.map { Self.text($0, graph) }
    }

    /// The identifiers of the rows, in their order.
    func ids(_ url: String) throws -> [String] {
        let query = try query(url)
        return try fixture.store.execute(query).values.map { row in
            row.slots.first??.scalar.map { Lexical.text($0) } ?? "?"
        }
    }

    static func text(_ value: StructureValue, _ graph: MetadataGraph) -> String {
        var parts: [String] = []
        for (property, slot) in zip(graph[value.type].properties, value.slots) {
            guard let slot else { continue }
            parts.append("\(property.name)=\(text(slot, graph))")
        }
        for (name, found) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(text(found, graph))")
        }
        return parts.joined(separator: " ")
    }

    private static func text(_ value: ODataValue, _ graph: MetadataGraph) -> String {
        switch value {
        case .scalar(.null): "-"
        case .scalar(.decimal(let number)): number.withoutTrailingZeros.description
        case .scalar(let scalar): Lexical.text(scalar)
        case .structure(let inner): "(\(text(inner, graph)))"
        case .list(let items): "[\(items.map { text($0, graph) }.joined(separator: ","))]"
        }
    }

    private static let organizations = [
        ("Sales", "Corporate", "null", 1, #"["all"]"#, "[1,2,3]", #"{"City":"Ulm","Zip":7}"#),
        ("EMEA", "Europe", #""Sales""#, 2, #"["all","eu"]"#, "[]", #"{"City":"Rom","Zip":null}"#),
        ("US", "States", #""Sales""#, 1, #"["all","us"]"#, "[5,4]", "null"),
        ("Central", "Middle", #""EMEA""#, 1, "[]", "[2]", "null"),
        ("West", "Far", #""US""#, 9, #"["us",null]"#, "[4,5,6]", "null"),
        ("East", "Near", #""US""#, 4, #"["us","us"]"#, "[4]", "null"),
        ("X1", "Circle", #""X2""#, 1, "[]", "[]", "null"),
        ("X2", "Circle", #""X1""#, 2, "[]", "[]", "null"),
    ].map { id, name, parent, rank, tags, marks, place in
        #"{"ID":"\#(id)","Name":"\#(name)","Rank":\#(rank),"SuperID":\#(parent),"Tags":\#(tags),"#
            + #""Marks":\#(marks),"Place":\#(place)}"#
    }.joined(separator: ",")

    private static let sales = [
        (1, 1, "West", "Joe"), (2, 2, "West", "Sue"), (3, 4, "West", "Joe"), (4, 8, "East", "Sue"),
        (5, 4, "East", "Joe"), (6, 2, "Central", "Joe"), (7, 1, "Central", "Sue"),
        (8, 2, "EMEA", "Sue"),
    ].map { id, amount, organization, customer in
        #"{"ID":\#(id),"Amount":\#(amount),"OrgID":"\#(organization)","Customer":"\#(customer)"}"#
    }.joined(separator: ",")

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <ComplexType Name="Place"><Property Name="City" Type="Edm.String"/>
          <Property Name="Zip" Type="Edm.Int32"/></ComplexType>
        <EntityType Name="Organization"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.String" Nullable="false"/>
          <Property Name="Name" Type="Edm.String"/>
          <Property Name="Rank" Type="Edm.Int32"/>
          <Property Name="SuperID" Type="Edm.String"/>
          <Property Name="Tags" Type="Collection(Edm.String)"/>
          <Property Name="Marks" Type="Collection(Edm.Int32)"/>
          <Property Name="Place" Type="S.Place"/>
          <NavigationProperty Name="Super" Type="S.Organization" Partner="Subs">
            <ReferentialConstraint Property="SuperID" ReferencedProperty="ID"/>
          </NavigationProperty>
          <NavigationProperty Name="Subs" Type="Collection(S.Organization)" Partner="Super"/>
          <NavigationProperty Name="Sales" Type="Collection(S.Sale)" Partner="Org"/>
          <Annotation Term="Org.OData.Aggregation.V1.RecursiveHierarchy" Qualifier="H"><Record>
            <PropertyValue Property="NodeProperty" PropertyPath="ID"/>
            <PropertyValue Property="ParentNavigationProperty" NavigationPropertyPath="Super"/>
          </Record></Annotation>
        </EntityType>
        <EntityType Name="Sale"><Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
          <Property Name="Amount" Type="Edm.Decimal" Precision="10" Scale="2"/>
          <Property Name="OrgID" Type="Edm.String"/>
          <Property Name="Customer" Type="Edm.String"/>
          <NavigationProperty Name="Org" Type="S.Organization" Partner="Sales">
            <ReferentialConstraint Property="OrgID" ReferencedProperty="ID"/>
          </NavigationProperty>
          <Annotation Term="Org.OData.Aggregation.V1.CustomAggregate" Qualifier="Total"
            String="Edm.Decimal">
            <Annotation Term="OfflineOData.V1.Definition" String="Amount with sum"/></Annotation>
          <Annotation Term="Org.OData.Aggregation.V1.CustomAggregate" Qualifier="Largest"
            String="Edm.Decimal">
            <Annotation Term="OfflineOData.V1.Definition" String="Amount with max"/></Annotation>
          <Annotation Term="Org.OData.Aggregation.V1.CustomAggregate" Qualifier="Mean"
            String="Edm.Decimal">
            <Annotation Term="OfflineOData.V1.Definition" String="Amount with average"/></Annotation>
        </EntityType>
        <EntityContainer Name="Container">
          <EntitySet Name="Organizations" EntityType="S.Organization">
            <NavigationPropertyBinding Path="Super" Target="Organizations"/>
            <NavigationPropertyBinding Path="Subs" Target="Organizations"/>
            <NavigationPropertyBinding Path="Sales" Target="Sales"/></EntitySet>
          <EntitySet Name="Sales" EntityType="S.Sale">
            <NavigationPropertyBinding Path="Org" Target="Organizations"/></EntitySet>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
}
