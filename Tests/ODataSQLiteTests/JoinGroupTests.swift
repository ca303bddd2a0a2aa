import ODataModel
import ODataQuery
import ODataSQLite
import ODataText
import ShopFixture
import Testing

/// Groups of joined rows (Data Aggregation 4.0, section 3.4); orders as in ``ApplyTests``.
@Suite struct JoinGroupTests {
    @Test func groupsOfJoinedRowsHaveThemAsStructures() throws {
        let shop = try TripleViewTests.filled()
        var query = try URLParser.parse(
            "Customers?$apply=join(Orders%20as%20O)/groupby((O/Id,O/Amount))&$orderby=O/Id&$top=2",
            graph: shop.graph, dialect: .v401)
        try QueryChecker.check(&query, graph: shop.graph)
        let found = try shop.run(query).values.map { row in
            row.dynamicValues["O"]?.structure.map { ApplyTests.text($0, shop.graph) }
        }
        #expect(found == ["Id=1 Amount=1.125", "Id=2 Amount=2.125"])
    }
}
