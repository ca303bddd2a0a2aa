import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Entities of which an online answer has the names only: what an id means there is what it means to a store.
@Suite struct NamedEntityTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Tool"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <NavigationProperty Name="Spares" Type="Collection(S.Part)"/>
            <NavigationProperty Name="Screws" Type="Collection(S.Part)" ContainsTarget="true"/></EntityType>
          <EntityType Name="Power" BaseType="S.Tool"/>
          <EntityType Name="Part"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Tools" EntityType="S.Tool">
              <NavigationPropertyBinding Path="Spares" Target="Parts"/></EntitySet>
            <EntitySet Name="OldTools" EntityType="S.Tool"/>
            <EntitySet Name="Parts" EntityType="S.Part"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let graph: MetadataGraph
    private var reader: AnswerReader { AnswerReader(graph: graph, root: "http://h/svc/") }

    init() throws { graph = try CSDLReader.read(Array(Self.metadata.utf8)) }

    private func page(_ query: String, _ body: String) throws -> [AnswerItem] {
        let query = try URLParser.parse(query, graph: graph, dialect: Dialect.of(graph.version))
        let answer = ResponseMessage(
            status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        return try reader.page(answer, ResourceResolver.resolve(query.path, in: graph)).items
    }

    /// Set and key of what an entity is named by.
    private func text(_ entity: AnswerEntity) -> String {
        let keys = graph[entity.value.type].key.map { part in
            graph[entity.value.type].slot(named: part.path).flatMap { entity.value.slots[$0] }
                .map { "\($0.scalar.map { Lexical.text($0) } ?? "-")" } ?? "-"
        }
        return (entity.set.map { graph[$0].name } ?? "") + " " + keys.joined(separator: ",")
    }

    private static let ids = [
        ("Tools(7)", "Tools 7"), ("Tools/7", "Tools 7"), ("http://h/svc/Tools(7)", "Tools 7"),
        ("/svc/Tools/7", "Tools 7"), ("http://h/svc/Tools/7", "Tools 7"),
        ("Tools(7)/S.Power", "Tools 7"), ("Tools/7/S.Power", "Tools 7"),
        ("OldTools(7)", "OldTools 7"), ("Parts(7)", "Parts 7"),
        ("Tools(7)/Screws(3)", "Tools -"), ("http://other/x/Tools(7)", "Tools -"),
        ("urn:uuid:7", "Tools -"),
    ]

    @Test(arguments: ids) func referencesAreReadAsTheyAreMeant(
        id: String, expected: String
    ) throws {
        let items = try page(
            "Tools/$ref",
            #"{"@odata.context":"$metadata#Collection($ref)","value":[{"@odata.id":"\#(id)"}]}"#)
        guard case .entity(let entity)? = items.first else {
            Issue.record("Expected an entity.")
            return
        }
        #expect(text(entity) == expected && entity.isReference)
    }

    @Test(arguments: ids) func removalsOfADeltaAreReadAsTheyAreMeant(
        id: String, expected: String
    ) throws {
        let items = try page(
            "Tools",
            #"{"@odata.context":"$metadata#Tools/$delta","value":[{"@removed":{"reason":"deleted"},"@id":"\#(id)"}]}"#
        )
        guard case .entity(let entity)? = items.first else {
            Issue.record("Expected an entity.")
            return
        }
        #expect(text(entity) == expected && entity.isRemoved)
    }

    /// A delta tells of links of rows of other sets, too (JSON Format 4.01, section 15.5).
    @Test func aLinkSaysOfWhichSetItIs() throws {
        let items = try page(
            "Parts",
            ##"{"@odata.context":"$metadata#Parts/$delta","value":[{"@odata.context":"#Tools/$link","source":"Tools(7)","relationship":"Spares","target":"Parts(3)"}]}"##
        )
        guard case .link(let link)? = items.first else {
            Issue.record("Expected a link.")
            return
        }
        #expect(text(link.source) == "Tools 7" && text(link.target) == "Parts 3")
    }

    @Test func endsOfLinksAreReadAsTheyAreMeant() throws {
        let items = try page(
            "Tools",
            ##"{"@odata.context":"$metadata#Tools/$delta","value":[{"@odata.context":"#Tools/$link","source":"Tools/7","relationship":"Spares","target":"http://h/svc/Parts/3"}]}"##
        )
        guard case .link(let link)? = items.first else {
            Issue.record("Expected a link.")
            return
        }
        #expect(text(link.source) == "Tools 7" && text(link.target) == "Parts 3")
    }

    @Test(arguments: ids.filter { !$0.1.hasPrefix("Parts") })
    func theLocationOfACreationTellsItsKey(
        location: String, expected: String
    ) throws {
        let tool = try #require(graph.structure(named: "S.Tool"))
        let answer = try reader.entityAnswer(
            ResponseMessage(status: 204, headers: ["OData-EntityId": location]), of: tool,
            in: graph.entitySet(named: "Tools"), isCreated: true)
        let key = answer.key?.map { Lexical.text($0) }.joined() ?? "-"
        #expect(key == expected.split(separator: " ")[1])
    }
}
