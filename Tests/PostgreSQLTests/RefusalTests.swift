import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import PostgreSQLFixture
import ShopFixture
import Testing

/// What PostgreSQL cannot say is refused when the query is compiled.
@Suite struct RefusalTests {
    private func compile(_ url: String) throws {
        let graph = try Shop.graph()
        let mapping = SchemaMapping.local(for: graph, dialect: .postgreSQL)
        var query = try URLParser.parse(url, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        _ = try QueryCompiler(mapping: mapping, options: CompilerOptions(dialect: .postgreSQL))
            .compile(query)
    }

    @Test(arguments: [
        "Customers?$search=a", "Customers?$filter=matchesPattern(Name,'%5Cd')",
        "Customers?$filter=matchesPattern(Name,'(a')",
        "Customers?$filter=matchesPattern(Name,'a%2B%2B')",
        "Customers?$filter=matchesPattern(Name,Name)", "Customers?$filter=Name eq 'a%00b'",
        "Customers?$filter=contains(Name,'%00')", "Customers?$apply=aggregate(Photo with max as M)",
        "Customers?$filter=hassubset(Tags,[\"a\"])", "Customers?$filter=Tags eq [\"a\"]",
        "Customers?$filter=Tags eq [\"%5Cu0000\"]", "Customers?$compute=substring(Tags,1) as T",
        "Customers?$filter=sap.upsertedlastdownload()",
    ])
    func notImplementedIsSaidBeforeAnyStatement(_ url: String) throws {
        let error = #expect(throws: ODataError.self) { try compile(url) }
        #expect(error?.code == .notImplemented)
    }

    @Test func aTextWithTheCharacterZeroIsNotWritten() throws {
        let dialect = SQLDialect.postgreSQL
        for (argument, encoding) in [
            (SQLArgument.text("a\0"), ColumnEncoding.string), (.text(#"["\u0000"]"#), .json),
        ] {
            let error = #expect(throws: ODataError.self) {
                try dialect.written(argument, as: encoding)
            }
            #expect(error?.code == .notImplemented)
        }
        #expect(try dialect.written(.text("a"), as: .string).statement(dialect).text.contains("$1"))
    }
}
