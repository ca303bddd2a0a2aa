import ODataModel
import ODataQuery
import ODataSQLite
import ODataText
import ShopFixture
import Testing

/// The types of what `aggregate` gives (Data Aggregation 4.0, section 3.1.3); orders as in ``ApplyTests``.
@Suite struct AggregateTypeTests {
    private func values(_ steps: String) throws -> [Scalar?] {
        let shop = try TripleViewTests.filled()
        var query = try URLParser.parse(
            "Orders?$apply=\(steps)".replacing(" ", with: "%20"), graph: shop.graph, dialect: .v401)
        try QueryChecker.check(&query, graph: shop.graph)
        return try shop.run(query).values.map { $0.dynamicValues["S"]?.scalar }
    }

    private static let average = "from CustomerId with average as S)"

    /// The numbers 1 to 12 without 11 sum up to 67, their third powers to 4753; four customers have them.
    private static let averages: [(steps: String, expected: Double)] = [
        ("aggregate(Id with average as S)", 67.0 / 11.0),
        ("aggregate(Id with sum \(average)", 16.75),
        ("aggregate(Id with sum from Id with max \(average)", 9.75),
        ("groupby((CustomerId),aggregate(Id with sum as T))/aggregate(T with average as S)", 16.75),
        ("aggregate(Id mul Id mul Id with average as S)", 4753.0 / 11.0),
        ("aggregate(Id mul Id mul Id with sum \(average)", 1188.25),
    ]

    @Test(arguments: averages)
    func averagesOfIntegersAreDoubles(steps: String, expected: Double) throws {
        #expect(try values(steps) == [.double(expected)])
    }

    @Test func averagesOfDecimalsAreDecimals() throws {
        let found = try values("aggregate(Amount with sum from CustomerId with average as S)")
        #expect(found == [DecimalNumber("17.09375").map(Scalar.decimal)])
    }

    @Test(arguments: [
        "aggregate(Id with sum as S)", "aggregate(Id with sum from CustomerId with sum as S)",
    ])
    func sumsOfIntegersAreIntegers(steps: String) throws {
        #expect(try values(steps) == [.integer(67)])
    }

    @Test func sumsThatMayLieBeyond64BitsAreNumbersWithoutFraction() throws {
        let found = try values("aggregate(Id mul Id mul Id with sum as S)")
        #expect(found == [.integer(4_753)])
    }
}
