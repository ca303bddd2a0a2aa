import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

@Suite struct PathFindingTests {
    private func graph(_ version: ODataVersion = .v401) throws -> MetadataGraph {
        var graph = try ToolModel.graph()
        graph.version = version
        return graph
    }

    private func finding(_ text: String, _ graph: MetadataGraph) -> String? {
        do {
            var query = try URLParser.parse(text, graph: graph, dialect: .v401)
            try QueryChecker.check(&query, graph: graph)
            return nil
        } catch { return "\(error)" }
    }

    @Test func actionsBehindEachAreBoundToTheMembers() throws {
        let graph = try graph()
        for text in [
            "Tools/$each/Ns.Reserve", "Tools/$filter(Price gt 1)/$each/Ns.Reserve",
        ] {
            #expect(finding(text, graph) == nil, "\(text)")
        }
        #expect(finding("Tools/Ns.Reserve", graph) != nil)
        #expect(finding("Tools(1)/$each/Ns.Reserve", graph) != nil)
    }

    @Test func keysAsSegmentsMayLookLikeNames() throws {
        var graph = try graph()
        graph.structures[2].properties[0].type = TypeReference(
            .primitive(.string), isNullable: false)
        try graph.freeze()
        let path = try URLParser.parse("Members/DE/Name", graph: graph, dialect: .v401).path
        let found = try ResourceResolver.resolve(path, in: graph)
        #expect(found.key == [.string("DE")])
        graph.version = .v4
        #expect(
            failure { try ResourceResolver.resolve(path, in: graph) }
                == Failure(.invalidQuery, at: .path("Members/DE")))
    }

    @Test func functionsAndMembersOfTheModelMustBeThere() throws {
        let graph = try graph()
        #expect(finding("Tools?$filter=sap.islocal()", graph) == nil)
        #expect(
            finding("Tools?$filter=Ns.Nothing() eq 1", graph)?.contains("found Ns.Nothing") == true)
        #expect(
            finding("Tools?$filter=Colour has Ns.Colour'Purple'", graph)?
                .contains("members of Ns.Colour, found Purple") == true)
    }

    @Test(arguments: [
        ("Tools?$filter=Price eq 'x'", 14), ("Tools?$filter=Id gt 1 and Price eq 'x'", 26),
        ("Tools?$filter=Price gt 1 and Price eq 'x'", 29),
        ("Tools?$filter=Price%20gt%201%20and%20Price%20eq%20'x'", 37),
        ("Tools?$expand=Owner($filter=Nope eq 1)", 28),
        ("Tools?$filter=length(5) gt 1", 14), ("Tools(1)/Nope", 9),
        ("Tools?$filter=Prices gt 1 or Price eq 'x'", 14),
    ])
    func findingsAreFoundAgainInTheText(_ text: String, _ offset: Int) throws {
        let graph = try graph()
        var place: String?
        do {
            var query = try URLParser.parse(text, graph: graph, dialect: .v401)
            try QueryChecker.check(&query, graph: graph)
        } catch let error as ODataError {
            if case .path(let path)? = error.location { place = path }
        }
        let named = try #require(place)
        #expect(FindingOffset.offset(of: named, in: text) { finding($0, graph) } == offset)
    }

    @Test func streamsHaveNoRawValueOfTheirOwn() throws {
        var graph = try graph()
        graph.structures[0].properties.append(
            PropertyDefinition(name: "Photo", type: TypeReference(.primitive(.stream))))
        try graph.freeze()
        #expect(finding("Tools(1)/Photo", graph) == nil)
        #expect(finding("Tools(1)/Photo/$value", graph) != nil)
    }
}
