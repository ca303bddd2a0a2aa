import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

@Suite struct QueryCheckerTests {
    private func checked(_ text: String, _ dialect: Dialect = .v401) throws -> Query {
        let graph = try ToolModel.graph()
        var query = try URLParser.parse(text, graph: graph, dialect: dialect)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// The same query in the notation of V2, where literals show their types.
    @Test(arguments: [
        ("Price gt 10", "Price%20gt%2010M"), ("10 lt Price", "10M%20lt%20Price"),
        ("Id eq 10", "Id%20eq%2010"), ("Weight eq 10", "Weight%20eq%2010.0d"),
        ("Owner/Id eq 5", "Owner/Id%20eq%205L"), ("Price eq null", "Price%20eq%20null"),
        ("Id eq 1.5", "Id%20eq%201.5M"),
        ("Span eq 'PT1H'", "Span%20eq%20time'PT1H'"),
        ("Id in (1,2)", "(Id%20eq%201%20or%20Id%20eq%202)"),
    ])
    func literalsTakeTheTypeOfTheOtherOperand(_ filter: String, _ expected: String) throws {
        let query = try checked("Tools?$filter=\(filter)")
        #expect(try URLWriter.text(query, dialect: .v2) == "Tools?$filter=\(expected)")
    }

    @Test func enumerationsMayBeWrittenWithoutType() throws {
        let query = try checked("Tools?$filter=Colour has 'Red'")
        #expect(
            try URLWriter.text(query, dialect: .v4) == "Tools?$filter=Colour%20has%20Ns.Colour'Red'"
        )
    }

    @Test func keysTakeTheirTypesToo() throws {
        let query = try checked("Members(7)/Name")
        #expect(try URLWriter.text(query, dialect: .v2) == "Members(7L)/Name")
    }

    @Test(arguments: [
        "Tools?$filter=Loans/any(l:l/Open and l/Day gt 2031-05-01)",
        "Tools?$filter=Tags/any(t:t eq 'x')&$orderby=Size/Height desc,length(Title)",
        "Tools?$filter=year(Made) gt 2000 and Made sub Made lt duration'PT1H'",
        "Tools?$select=Title,Size/Height&$expand=Loans($filter=Open;$expand=Member($select=Name))",
        "Tools?$filter=Ns.PowerTool/Watts gt 5 and isof(Ns.PowerTool)",
        "Tools?$compute=Price mul 2 as Twice&$filter=Twice gt 5&$select=Twice",
        "Tools?$filter=Loans/$count gt 3 and Loans/$count($filter=Open) eq 1",
        "Tools?$filter=Owner eq null or sap.islocal()",
        "Tools(7)/Tags?$filter=$it eq 'x'",
        "Tools?$filter=Title eq @t&@t='x'",
        "Best(limit=3)?$filter=Price gt 1",
    ])
    func goodQueriesPass(_ text: String) throws {
        _ = try checked(text)
    }

    @Test(arguments: [
        ("Tools?$filter=Titel eq 'x'", "Titel", "a property of Ns.Tool, found Titel"),
        ("Tools?$filter=Title eq 5", "Title", "Expected Edm.String, found Edm.Int32"),
        ("Tools?$filter=Id eq 'x'", "Id", "Expected Edm.Int32, found Edm.String"),
        ("Tools?$filter=Title", "Title", "Expected Edm.Boolean, found Edm.String"),
        ("Tools?$filter=length(Price) eq 1", "Price", "a string or a collection for length"),
        ("Tools?$filter=Title add 1 eq 2", "Title", "numbers for add"),
        ("Tools?$filter=Title gt Price", "Title", "Expected Edm.String, found Edm.Decimal"),
        ("Tools?$filter=Loans/Open", "Loans/Open", "any, all or $count after a collection"),
        ("Tools?$filter=Title/any(t:true)", "Title", "a collection in front of any"),
        ("Tools?$filter=Colour eq 'Green'", "Colour", "Expected Ns.Colour"),
        ("Tools?$orderby=Loans", "$orderby", "a primitive value"),
        ("Tools?$expand=Title", "$expand=Title", "a navigation property"),
        ("Tools?$expand=Loans($filter=Nope)", "Nope", "a property of Ns.Loan"),
        ("Tools?$select=Nope", "Nope", "a property of Ns.Tool"),
        ("Tools?$filter=cast(Price,Ns.Nope) eq 1", "Ns.Nope", "a type"),
        ("Best(limit='x')", "Best", "a value of Edm.Int64 for limit"),
    ])
    func faultsNameThePlaceAndTheExpectation(_ text: String, _ place: String, _ expected: String) {
        let error = #expect(throws: ODataError.self) { try checked(text) }
        #expect(error?.location == .path(place))
        #expect(error?.message.contains(expected) == true, "\(text): \(String(describing: error))")
        #expect([.invalidQuery, .invalidValue, .unknownName].contains(error?.code))
    }
}
