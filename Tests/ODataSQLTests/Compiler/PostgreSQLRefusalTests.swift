import ErrorFixture
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ShopFixture
import Testing

/// What PostgreSQL cannot say is refused when the query is compiled.
@Suite struct PostgreSQLRefusalTests {
    private func compile(_ url: String) throws {
        let graph = try Shop.graph()
        let mapping = SchemaMapping.local(for: graph, dialect: .postgreSQL)
        var query = try URLParser.parse(url, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        _ = try QueryCompiler(mapping: mapping, options: CompilerOptions(dialect: .postgreSQL))
            .compile(query)
    }

    @Test(arguments: [
        ("Customers?$search=a", "$search"),
        ("Customers?$filter=matchesPattern(Name,'%5Cd')", "this pattern in matchesPattern"),
        ("Customers?$filter=matchesPattern(Name,'(a')", "this pattern in matchesPattern"),
        ("Customers?$filter=matchesPattern(Name,'a%2B%2B')", "this pattern in matchesPattern"),
        ("Customers?$filter=matchesPattern(Name,Name)", "this pattern in matchesPattern"),
        ("Customers?$filter=Name eq 'a%00b'", "a text with the character U+0000"),
        ("Customers?$filter=contains(Name,'%00')", "a text with the character U+0000"),
        ("Customers?$apply=aggregate(Photo with max as M)", "max of bytes"),
        ("Customers?$filter=hassubset(Tags,[\"a\"])", "hassubset of a collection"),
        ("Customers?$filter=Tags eq [\"a\"]", "comparison of collections and structures"),
        ("Customers?$filter=Tags eq [\"%5Cu0000\"]", "a text with the character U+0000"),
        ("Customers?$compute=substring(Tags,1) as T", "substring of a collection"),
        ("Customers?$filter=sap.upsertedlastdownload()", "the function sap.upsertedlastdownload"),
    ])
    func notImplementedIsSaidBeforeAnyStatement(_ url: String, _ found: String) throws {
        let sentence = "Expected a query that the database can answer, found \(found)."
        #expect(failure { try compile(url) } == Failure(.notImplemented, sentence, status: 501))
    }

    @Test func aSearchThatIsRefusedNamesItsSet() {
        #expect(
            failure { try compile("Customers?$search=a") }
                == Failure(.notImplemented, at: .path("Customers"), status: 501))
    }

    @Test func aTextWithTheCharacterZeroIsNotWritten() throws {
        let dialect = SQLDialect.postgreSQL
        for (argument, encoding) in [
            (SQLArgument.text("a\0"), ColumnEncoding.string), (.text(#"["\u0000"]"#), .json),
        ] {
            let error = #expect(throws: ODataError.self) {
                try dialect.written(argument, as: encoding)
            }
            #expect(
                error?.message
                    == "Expected a query that the database can answer, found a text with the character U+0000."
            )
            #expect(error?.code == .notImplemented)
        }
        #expect(try dialect.written(.text("a"), as: .string).statement(dialect).text.contains("$1"))
    }
}
