import ErrorFixture
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Testing

/// `nest`, `addnested` and custom aggregates; orders as in ``ApplyTests``.
@Suite struct NestTests {
    private func values(_ url: String) throws -> ([StructureValue], MetadataGraph) {
        let shop = try TripleViewTests.filled()
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: shop.graph, dialect: .v401)
        try QueryChecker.check(&query, graph: shop.graph)
        return (try shop.run(query).values, shop.graph)
    }

    private func nested(_ url: String, _ name: String, _ property: String) throws -> [[Scalar]] {
        let (rows, graph) = try values(url)
        return try rows.map { row in
            let list = try #require(row.dynamicValues[name]?.list)
            return list.compactMap(\.structure).compactMap { inner in
                inner.dynamicValues[property]?.scalar
                    ?? graph[inner.type].slot(named: property).flatMap { inner.slots[$0]?.scalar }
            }
        }
    }

    @Test func entitiesGetWhatStepsMakeOfTheirRelatedRows() throws {
        let big = try nested(
            "Customers?$apply=addnested(Orders,filter(Amount gt 7)/orderby(Id desc) as Big)&$orderby=Id&$top=4",
            "Big", "Id")
        #expect(big.map { $0.count } == [1, 2, 1, 0])
        let total = try nested(
            "Customers?$apply=addnested(Orders,aggregate($count as N) as Total)&$orderby=Id&$top=4",
            "Total", "N")
        #expect(total == [[.integer(3)], [.integer(4)], [.integer(3)], [.integer(0)]])
        let both =
            "Customers?$apply=addnested(Orders,topcount(1,Amount) as Top,bottomcount(1,Amount) as Low)&$filter=Id eq 1&$expand=Orders"
        #expect(try nested(both, "Top", "Id") == [[.integer(9)]])
        #expect(try nested(both, "Low", "Id") == [[.integer(3)]])
        let (rows, graph) = try values(both)
        let slot = try #require(graph[rows[0].type].slot(named: "Orders"))
        #expect(rows[0].slots[slot]?.list?.count == 3)
    }

    @Test func oneRowHoldsTheResultsOfSequences() throws {
        let url =
            "Orders?$apply=filter(Id lt 5)/nest(topcount(2,Amount) as Top,groupby((CustomerId),aggregate($count as N)) as Groups)"
        let (rows, _) = try values(url)
        #expect(rows.count == 1)
        #expect(try Set(nested(url, "Top", "Id")[0]) == [.integer(3), .integer(4)])
        #expect(
            try Set(nested(url, "Groups", "N")[0]) == [.integer(1), .integer(2)])
        #expect(try nested(url, "Groups", "N")[0].count == 3)
    }

    @Test(arguments: [
        ("aggregate(Turnover)", ["Turnover=68.375"]),
        ("aggregate(Turnover as T,Mean as M)", ["M=6.21590909090909090909 T=68.375"]),
        (
            "groupby((CustomerId),aggregate(Mean,$count as N))&$filter=CustomerId eq 2",
            ["CustomerId=2 Mean=5.625 N=4"]
        ),
        ("filter(Id lt 0)/aggregate(Turnover)", ["Turnover=null"]),
    ])
    func aggregatesOfTheModelAreMadeByTheirDefinitions(steps: String, expected: [String]) throws {
        #expect(try ApplyTests.rows("Orders?$apply=\(steps)") == expected)
    }

    @Test(arguments: [
        (
            "Odd",
            Failure(
                .notImplemented,
                "Expected a query that the database can answer, found the custom aggregate Odd, which has no definition.",
                status: 501)
        ),
        (
            "Loop",
            Failure(
                .invalidQuery, "Expected definitions of aggregates that do not go in circles.",
                status: 400)
        ),
    ])
    func aggregatesWithoutMeaningSaySo(name: String, refused: Failure) throws {
        #expect(failure { try ApplyTests.rows("Orders?$apply=aggregate(\(name))") } == refused)
    }
}
