import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ShopFixture
import Testing

/// The compiler says of each query which tables it reads; SQLite says the same of the statements.
@Suite struct QueryTablesTests {
    @Test(arguments: [
        "Customers", "Customers(1)", "Customers/$count", "Customers?$count=true&$top=1",
        "Customers?$filter=Name eq 'Orders'", "Customers?$filter=contains(Name,'\"Orders\"')",
        "Customers?$compute=Id add 1 as Orders2&$filter=Orders2 gt 2",
        "Customers?$filter=Orders/any()", "Customers?$filter=Orders/$count eq 3",
        "Customers?$filter=Orders/any(o:o/Labels/any(l:l/Code eq 'L2'))",
        "Customers?$filter=Orders/all(o:o/Items/all(i:i/Line lt 3))",
        "Customers?$expand=Orders($expand=Items,Labels)", "Orders?$expand=Customer",
        "Orders?$filter=Customer/Name eq 'Ann'&$orderby=Customer/Id",
        "Orders?$filter=Labels/any(l:l/Code eq 'L2')",
        "Orders?$filter=Customer/Orders/any(o:o/Id gt 3)",
        "Customers(1)/Orders?$filter=Amount gt 5",
        "Orders(2)/Items", "Orders(2)/Customer/Orders", "Orders(2)/Labels/$count",
        "Orders?$apply=groupby((Customer/Name),aggregate(Amount with sum as Total))",
        "Orders?$apply=filter(Items/any())/aggregate($count as Number)",
    ])
    func areThoseThatSQLiteMeets(url: String) throws {
        let shop = try TripleViewTests.filled()
        let query = try URLParser.parse(
            url.replacing(" ", with: "%20").replacing("\"", with: "%22"), graph: shop.graph,
            dialect: .v401)
        let plan = try QueryCompiler(mapping: shop.mapping).compile(query)
        let names = shop.mapping.tables.map(\.name) + shop.mapping.linkTables.map(\.name)
        let read = try shop.pool.read { database in
            try Self.texts(of: plan).reduce(into: Set<String>()) { read, text in
                let region = try database.makeStatement(sql: text).databaseRegion
                read.formUnion(
                    names.filter { region.isModified(byEventsOfKind: .delete(tableName: $0)) })
            }
        }
        #expect(!read.isEmpty)
        #expect(Set(plan.tables) == read)
    }

    private static func texts(of plan: QueryPlan) -> [String] {
        func texts(_ expand: ExpandPlan) -> [String] {
            [expand.statement, expand.countStatement].compactMap { $0?.text }
                + expand.children.flatMap(texts)
        }
        return [plan.statement, plan.countStatement].compactMap { $0?.text }
            + plan.expands.flatMap(texts)
    }

    @Test func aTableThatIsReadTwiceIsNamedTwice() throws {
        let shop = try ShopDatabase()
        func tables(_ url: String) throws -> [String] {
            let query = try URLParser.parse(
                url.replacing(" ", with: "%20"), graph: shop.graph, dialect: .v401)
            return try QueryCompiler(mapping: shop.mapping).compile(query).tables.sorted()
        }
        #expect(try tables("Orders?$filter=Id gt 1&$orderby=Amount") == ["Orders"])
        #expect(
            try tables("Orders?$filter=Customer/Orders/any(o:o/Id gt 3)")
                == ["Customers", "Orders", "Orders"])
        #expect(try tables("Orders?$count=true") == ["Orders", "Orders"])
    }
}
