import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Where a link is looked for, and what is found there, however keys stand in the paths of the service.
@Suite struct LinkProbeTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
          <EntityType Name="Tag"><Key><PropertyRef Name="Name"/></Key>
            <Property Name="Name" Type="Edm.String" Nullable="false"/></EntityType>
          <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int64" Nullable="false"/>
            <NavigationProperty Name="Tags" Type="Collection(S.Tag)"/>
            <NavigationProperty Name="Main" Type="S.Tag"/></EntityType>
          <EntityContainer Name="C"><EntitySet Name="Tags" EntityType="S.Tag"/>
            <EntitySet Name="Orders" EntityType="S.Order">
              <NavigationPropertyBinding Path="Tags" Target="Tags"/>
              <NavigationPropertyBinding Path="Main" Target="Tags"/></EntitySet></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """
    private let graph: MetadataGraph
    private let order = RowReference(table: "Orders", id: 1)
    private let tag = RowReference(table: "Tags", id: 2)
    private static let tagKey = "a/b (c"

    init() throws { graph = try CSDLReader.read(Array(Self.metadata.utf8)) }

    private func probe(_ keys: KeyStyle) -> EffectProbe {
        EffectProbe(graph: graph, dialect: Dialect.of(.v4), keys: keys)
    }

    private func request(
        _ operation: QueuedRequest.Operation, _ property: String
    ) -> QueuedRequest {
        var request = QueuedRequest(
            id: 4, identity: RepeatabilityIdentity(id: "g"), operation: operation, target: order)
        request.navigation = QueuedRequest.Navigation(property: property, row: tag)
        return request
    }

    private func key(_ row: RowReference) -> [Scalar] {
        row == order ? [.integer(1)] : [.string(Self.tagKey)]
    }

    @Test(
        arguments: [
            (KeyStyle.parentheses, "Orders(1)/Tags('a%2Fb%20(c')", "Orders(1)/Main"),
            (.segments, "Orders/1/Tags/a%2Fb%20(c", "Orders/1/Main"),
        ])
    func aLinkIsLookedForInTheStyleOfTheService(
        _ keys: KeyStyle, many: String, one: String
    ) {
        let urls = EntityURL(graph: graph, dialect: Dialect.of(.v4), keys: keys)
        for (property, expected) in [("Tags", many), ("Main", one)] {
            let question = probe(keys).question(
                for: request(.createLink, property), isAnswered: true,
                address: { try urls.text(set: $0.table, key: key($0)) }, key: key)
            #expect(question == .link(url: expected))
        }
    }

    @Test(arguments: KeyStyle.allCases)
    func whatALinkLeadsToIsComparedByItsKey(_ keys: KeyStyle) throws {
        let request = request(.updateLink, "Main")
        func finding(_ name: String) throws -> ResendPolicy.Finding {
            let answer = ResponseMessage(
                status: 200, headers: ["Content-Type": "application/json"],
                body: Array("{\"Name\":\"\(name)\"}".utf8))
            return try probe(keys).finding(ofLink: answer, about: request, target: key(tag))
        }
        #expect(try finding(Self.tagKey) == .carriedOut(ResponseMessage(status: 204)))
        #expect(try finding("other") == .notCarriedOut)
    }

    /// The key that a service gives to what was made of a content is not in the content.
    @Test func whatWasMadeOfAContentIsNotLookedForByAKey() throws {
        var values = StructureValue(
            type: try #require(graph.entitySet(named: "Tags").map { graph[$0].type }), in: graph)
        values.slots[0] = .scalar(.string(Self.tagKey))
        var request = QueuedRequest(
            id: 4, identity: RepeatabilityIdentity(id: "g"), operation: .create, target: tag,
            body: RequestBody(values: values))
        func question() -> EffectProbe.Question {
            probe(.parentheses).question(for: request, address: { $0.table }, key: key)
        }
        #expect(question() == .entity(url: "Tags('a%2Fb%20(c')"))
        request.flags = .media
        #expect(question() == .nothing(.undecided))
    }

    @Test func thatAContentIsGoneOnlyTheServiceCanSay() throws {
        let request = QueuedRequest(
            id: 4, identity: RepeatabilityIdentity(id: "g"), operation: .deleteStream, target: order
        )
        for status in [204, 404, 410] {
            let answer = ResponseMessage(status: status)
            for isCertain in [true, false] {
                let finding = try probe(.parentheses).finding(
                    ofContent: answer, about: request, isCertain: isCertain
                ) { false }
                #expect(
                    finding
                        == (isCertain ? .carriedOut(ResponseMessage(status: 204)) : .repeatable))
            }
        }
    }
}
