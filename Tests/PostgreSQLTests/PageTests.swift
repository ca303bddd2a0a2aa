import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import PostgreSQLFixture
import Testing

/// The rows behind a row, as skip tokens ask for them.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PageTests {
    private static let orders = [
        "Name", "Name desc", "Balance,Id desc", "Exact desc", "Score", "Score desc", "Since",
        "Changed", "Changed desc,Name", "Wakes", "Wait desc", "Token", "Active,Wait",
        "Grade desc", "Address/City", "Balance desc,Active desc",
    ]

    @Test(arguments: orders) func theRowsBehindEachRow(_ order: String) throws {
        let shop = try ShopPair.filled()
        let query = try URLParser.parse(
            "Customers?$orderby=\(order)", graph: shop.graph, dialect: .v401)
        let all = try shop.answer(query, .sqlite)
        #expect(all.rows.count == 6)
        for (position, row) in all.rows.enumerated() {
            var rest: [SQLDialect: PlanAnswer] = [:]
            for dialect in [SQLDialect.sqlite, .postgreSQL] {
                let table = try shop.mapping(dialect).existingTable(path: "Customers")
                let order = PageOrder(query.orderBy, table: table)
                let values = order.items.map { item -> Scalar in
                    PageOrder.property(item).flatMap { row.cells[$0] } ?? .null
                }
                var behind = query
                behind.filter = order.after(values)
                rest[dialect] = try shop.answer(behind, dialect)
            }
            let (expected, found) = (try #require(rest[.sqlite]), try #require(rest[.postgreSQL]))
            #expect(found.difference(from: expected, isOrdered: true) == nil)
            // Not a number compares with nothing, so that such rows are paged by their number.
            if !order.hasPrefix("Score") {
                #expect(found.rows.count == all.rows.count - position - 1)
            }
        }
    }
}
