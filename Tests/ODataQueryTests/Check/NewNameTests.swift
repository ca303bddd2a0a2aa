import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Names that queries make, and what they group by.
@Suite struct NewNameTests {
    private func check(_ text: String) throws {
        let graph = try ToolModel.graph()
        var query = try URLParser.parse(text, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
    }

    @Test(arguments: [
        "Tools?$compute=1 as Id", "Tools?$apply=compute(1 as Id)",
        "Tools?$apply=filter(Id gt 1)/compute(Price mul 2 as Id)",
        "Tools?$expand=Owner($compute=1 as Id)",
    ])
    func aComputedPropertyHidesNoDeclaredOne(_ text: String) {
        #expect(failure { try check(text) } == Failure(.invalidQuery, at: .path("Id")))
    }

    @Test(arguments: ["Tools?$apply=groupby((Tags))", "Tools?$apply=groupby((Title,Tags))"])
    func collectionsAreNotGroupedBy(_ text: String) {
        #expect(failure { try check(text) } == Failure(.invalidQuery, at: .path("Tags")))
    }

    @Test(arguments: [
        "Tools?$compute=1 as Extra", "Tools?$apply=compute(1 as Extra)/groupby((Extra))",
        "Tools?$apply=groupby((Title),aggregate($count as Id))",
    ])
    func newNamesAndSingleValuesAreRight(_ text: String) throws { try check(text) }
}
