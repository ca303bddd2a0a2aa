import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

@Suite struct ResourceResolverTests {
    private func resolve(_ text: String) throws -> ResolvedResource {
        let graph = try ToolModel.graph()
        let query = try URLParser.parse(text, graph: graph, dialect: .v4)
        return try ResourceResolver.resolve(query.path, in: graph, aliases: query.aliases)
    }

    @Test func aSetIsACollectionOfItsType() throws {
        let resource = try resolve("Tools")
        #expect(resource.kind == .entities)
        #expect(resource.entitySet == EntitySetID(0))
        #expect(resource.isDirect)
    }

    @Test func keysComeInTheOrderOfTheType() throws {
        let resource = try resolve("Loans(Day=2031-05-01,ToolId=7)")
        let day = try #require(CalendarDate("2031-05-01"))
        #expect(resource.key == [.integer(7), .date(day)])
        #expect(resource.kind == .entity)
    }

    /// URL Conventions 4.01, section 4.3.6: each value in a segment of its own, in the order of the key.
    @Test func keysWithSeveralValuesStandInSegments() throws {
        func resolve(_ text: String) throws -> ResolvedResource {
            let graph = try ToolModel.graph()
            return try ResourceResolver.resolve(
                URLParser.parse(text, graph: graph, dialect: .v401).path, in: graph)
        }
        let day = try #require(CalendarDate("2031-05-01"))
        let loan = try resolve("Loans/7/2031-05-01")
        #expect(loan.key == [.integer(7), .date(day)] && loan.kind == .entity)
        #expect(try resolve("Loans/7/2031-05-01/Member").targetSet == EntitySetID(2))
        for text in [
            "Loans/7", "Loans/7/$count", "Loans/7/2031-05-01/8", "Loans(7)/2031-05-01", "Loans(7)",
        ] {
            #expect(throws: ODataError.self, "\(text)") { try resolve(text) }
        }
    }

    @Test func aliasesStandForKeys() throws {
        #expect(try resolve("Tools(@k)?@k=7").key == [.integer(7)])
    }

    @Test func navigationLeadsToTheBoundSet() throws {
        let resource = try resolve("Tools(7)/Loans(ToolId=7,Day=2031-05-01)/Member")
        #expect(resource.kind == .entity)
        #expect(resource.targetSet == EntitySetID(2))
        #expect(resource.steps.count == 2)
    }

    @Test func propertiesAndEndingsSayWhatIsAsked() throws {
        #expect(try resolve("Tools(7)/Size/Height/$value").form == .rawValue)
        #expect(try resolve("Tools(7)/Size").type?.structure == StructureID(3))
        #expect(try resolve("Tools/$count").form == .count)
        #expect(try resolve("Tools(7)/Loans/$ref").form == .reference)
        #expect(try resolve("Tools(7)/Ns.PowerTool/Watts").type?.primitive == .int32)
        #expect(try resolve("Me/Name").kind == .value)
    }

    @Test func operationsGiveWhatTheyReturn() throws {
        let resource = try resolve("Best(limit=3)")
        #expect(resource.kind == .entities)
        #expect(resource.targetSet == EntitySetID(0))
        #expect(try resolve("Tools(7)/Ns.Reserve").kind == .nothing)
    }

    @Test func linksOfV2AreReferences() throws {
        let graph = try ToolModel.graph()
        let query = try URLParser.parse("Tools(7)/$links/Owner", graph: graph, dialect: .v2)
        let resource = try ResourceResolver.resolve(query.path, in: graph)
        #expect(resource.form == .reference)
        #expect(resource.kind == .entity)
    }

    @Test(arguments: [
        ("Nope", "Nope", "an entity set, singleton or operation"),
        ("Tools(7)/Nope", "Tools/(key)/Nope", "a property of Ns.Tool"),
        ("Tools/Title", "Tools/Title", "a single entity"),
        ("Tools('x')", "Tools/(key)", "a key value of Edm.Int32 for Id"),
        ("Loans(ToolId=7)", "Loans/(key)", "2 key values"),
        ("Tools(7)/$count", "Tools/(key)/$count", "a collection"),
        ("Tools(7)/Ns.Member", "Tools/(key)/Ns.Member", "a type derived"),
        ("Me(1)", "Me/(key)", "a collection of entities"),
    ])
    func whatDoesNotResolveIsNamed(_ text: String, _ place: String, _ expected: String) {
        let error = #expect(throws: ODataError.self) { try resolve(text) }
        #expect(error?.location == .path(place))
        #expect(error?.message.contains(expected) == true, "\(text): \(String(describing: error))")
        #expect([.invalidQuery, .invalidValue, .unknownName].contains(error?.code))
    }

    @Test func alternateKeysOfTheModelAddressEntities() throws {
        var graph = try ToolModel.graph()
        let name = AnnotationDefinition(
            term: "Name", value: .path(kind: "PropertyPath", text: "Size/Height"))
        let alias = AnnotationDefinition(term: "Alias", value: .string("Height"))
        let title = AnnotationDefinition(
            term: "Name", value: .path(kind: "PropertyPath", text: "Title"))
        let parts = AnnotationExpression.collection([
            .record(type: nil, properties: [name, alias]),
            .record(type: nil, properties: [title]),
        ])
        graph.structures[0].annotations.append(
            AnnotationDefinition(
                term: "Org.OData.Core.V1.AlternateKeys",
                value: .collection([
                    .record(
                        type: nil, properties: [AnnotationDefinition(term: "Key", value: parts)])
                ])))
        try graph.freeze()
        var query = try URLParser.parse(
            "Tools(Title='Saw',Height=20)/Owner", graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        let found = try ResourceResolver.resolve(query.path, in: graph)
        #expect(found.kind == .entity)
        let filter = try #require(
            found.steps.compactMap { if case .filter(let test) = $0 { test } else { nil } }.first)
        #expect(
            try URLWriter.expressionText(filter, dialect: .v401)
                == "Size/Height eq 20 and Title eq 'Saw'")
        #expect(
            failure {
                try ResourceResolver.resolve(
                    URLParser.parse("Tools(Title='Saw')", graph: graph, dialect: .v401).path,
                    in: graph)
            } == Failure(.invalidQuery, at: .path("Tools/(key)")))
        #expect(
            failure {
                try ResourceResolver.resolve(
                    URLParser.parse("Tools(Title='Saw',Height='x')", graph: graph, dialect: .v401)
                        .path,
                    in: graph)
            } == Failure(.invalidValue, at: .path("Tools/(key)")))
    }
}
