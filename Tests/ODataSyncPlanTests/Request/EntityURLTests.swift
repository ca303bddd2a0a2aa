import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWire
import Testing

/// Keys in the addresses of entities.
@Suite struct EntityURLTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EnumType Name="Color"><Member Name="Red" Value="1"/><Member Name="Blue" Value="2"/></EnumType>
          <EntityType Name="Paint"><Key><PropertyRef Name="Color"/></Key>
            <Property Name="Color" Type="S.Color" Nullable="false"/>
            <NavigationProperty Name="Coats" Type="Collection(S.Coat)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Coat"><Key><PropertyRef Name="Wall"/><PropertyRef Name="Layer"/></Key>
            <Property Name="Wall" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Layer" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Paints" EntityType="S.Paint"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let graph: MetadataGraph

    init() throws { graph = try CSDLReader.read(Array(Self.metadata.utf8)) }

    private func urls(_ keys: KeyStyle) -> EntityURL {
        EntityURL(graph: graph, dialect: Dialect.of(.v4), keys: keys)
    }

    /// A value without a member is written as its number.
    @Test(arguments: [(2, "Blue"), (7, "7")] as [(Int64, String)])
    func aKeyOfAnEnumerationIsWrittenByItsMember(value: Int64, member: String) throws {
        let text = try urls(.parentheses).text(set: "Paints", key: [.integer(value)])
        #expect(text == "Paints(S.Color'\(member)')")
    }

    /// Literals of V2 tell their types.
    @Test func aKeyIsWrittenAsItsTypeIs() throws {
        var graph = QueueFixture.graph
        graph.containers = [.init(qualifiedName: "S.C")]
        graph.entitySets = [
            EntitySetDefinition(name: "T", container: "S.C", type: StructureID(0))
        ]
        try graph.freeze()
        let urls = EntityURL(graph: graph, dialect: Dialect.of(.v2))
        #expect(try urls.text(set: "T", key: [.integer(7)]) == "T(7L)")
    }

    /// Only a set says in which order the segments of a longer key stand.
    @Test func aLongerKeyOfAContainedEntityHasParenthesesInEachStyle() throws {
        let paint = try #require(graph.structures.first { $0.name == "Paint" })
        let coats = try #require(paint.properties.first { $0.name == "Coats" })
        for keys in KeyStyle.allCases {
            let text = try urls(keys).text(
                parent: "Paints/1", navigation: coats, key: [.integer(3), .integer(4)])
            #expect(text == "Paints/1/Coats(Wall=3,Layer=4)")
        }
    }
}
