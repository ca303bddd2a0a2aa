import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Testing

/// Random filters over random rows: SQL and the evaluator in memory agree on every row.
@Suite struct RandomFilterTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func sqlAndEvaluatorAgree(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shop = try ShopDatabase()
        var values: [StructureValue] = []
        for id in 1...40 {
            let value = try Self.row(Int64(id), in: shop, &random)
            values.append(value)
            try shop.insert("Customers", value)
        }
        let evaluator = ExpressionEvaluator(graph: shop.graph)
        for _ in 0..<150 {
            let filter = Self.condition(depth: 3, &random)
            var query = Query(entitySet: "Customers")
            query.filter = filter
            query.orderBy = [OrderItem(.path(ExpressionPath("Id")))]
            let expected = try values.filter { try evaluator.holds(filter, for: $0) }
                .map { $0.slots[0] }
            let found = try shop.run(query).values.map { $0.slots[0] }
            #expect(found == expected, "seed \(seed): \(filter)")
        }
    }

    private static let texts = ["", "a", "A", "ab", "b%", "_", "ä", "zz"]
    private static let decimals = ["-1.5", "0", "0.01", "1", "1.5", "2.25", "100"]
    private static let dates = ["2030-12-31", "2031-01-01", "2031-06-15"]
    private static let instants = [
        "2031-01-01T00:00:00Z", "2031-01-01T00:30:00+02:00", "2030-06-01T12:00:00.5-05:00",
    ]

    private static func row(
        _ id: Int64, in shop: ShopDatabase, _ random: inout SeededGenerator
    ) throws -> StructureValue {
        func maybe(_ value: ODataValue, _ random: inout SeededGenerator) -> ODataValue {
            random.below(4) == 0 ? .null : value
        }
        return try shop.value(
            "Customer",
            [
                "Id": .int(id),
                "Name": maybe(.text(texts[random.below(texts.count)]), &random),
                "Balance": maybe(.decimal(decimals[random.below(decimals.count)]), &random),
                "Exact": maybe(.decimal(decimals[random.below(decimals.count)]), &random),
                "Score": maybe(.scalar(.double(Double(random.below(5)) / 2)), &random),
                "Since": maybe(
                    CalendarDate(dates[random.below(dates.count)]).map { .scalar(.date($0)) }
                        ?? .null, &random),
                "Changed": maybe(.instant(instants[random.below(instants.count)]), &random),
                "Active": maybe(.scalar(.boolean(random.below(2) == 0)), &random),
                "Grade": maybe(.int(Int64(random.below(8))), &random),
            ])
    }

    private typealias Tree = ODataQuery.Expression

    private static func path(_ name: String) -> Tree { .path(ExpressionPath(name)) }

    private static func condition(depth: Int, _ random: inout SeededGenerator) -> Tree {
        guard depth > 0, random.below(4) > 0 else { return comparison(&random) }
        switch random.below(3) {
        case 0: return .unary(.not, condition(depth: depth - 1, &random))
        case 1:
            return .binary(
                .and, condition(depth: depth - 1, &random), condition(depth: depth - 1, &random))
        default:
            return .binary(
                .or, condition(depth: depth - 1, &random), condition(depth: depth - 1, &random))
        }
    }

    private static func comparison(_ random: inout SeededGenerator) -> Tree {
        let operators: [BinaryOperator] = [.eq, .ne, .gt, .ge, .lt, .le]
        let sign = operators[random.below(operators.count)]
        switch random.below(10) {
        case 0: return .binary(sign, path("Name"), string(&random))
        case 1: return .binary(sign, number(&random), number(&random))
        case 2: return .binary(sign, path("Since"), date(&random))
        case 3: return .binary(sign, path("Changed"), instant(&random))
        case 4:
            let names = ["Name", "Balance", "Exact", "Since", "Changed", "Active"]
            return .binary(
                random.below(2) == 0 ? .eq : .ne, path(names[random.below(names.count)]),
                .literal(.null, nil))
        case 5: return path("Active")
        case 6:
            let functions: [Function] = [.contains, .startsWith, .endsWith]
            return .call(functions[random.below(3)], [path("Name"), string(&random)])
        case 7:
            return .isIn(
                path("Exact"), (0..<(random.below(3) + 1)).map { _ in decimal(&random) })
        case 8:
            return .binary(
                .has, path("Grade"), .literal(.integer(Int64(1 << random.below(3))), .int64))
        default:
            let functions: [Function] = [.year, .month, .day]
            return .binary(
                sign, .call(functions[random.below(3)], [path("Changed")]),
                .literal(.integer([1, 6, 12, 31, 2030, 2031][random.below(6)]), .int32))
        }
    }

    private static func string(_ random: inout SeededGenerator) -> Tree {
        .literal(.string(texts[random.below(texts.count)]), .string)
    }

    private static func decimal(_ random: inout SeededGenerator) -> Tree {
        let text = decimals[random.below(decimals.count)]
        return .literal(DecimalNumber(text).map(Scalar.decimal) ?? .null, .decimal)
    }

    private static func date(_ random: inout SeededGenerator) -> Tree {
        .literal(
            CalendarDate(dates[random.below(dates.count)]).map(Scalar.date) ?? .null, .date)
    }

    private static func instant(_ random: inout SeededGenerator) -> Tree {
        .literal(
            OffsetDateTime(instants[random.below(instants.count)]).map(Scalar.dateTimeOffset)
                ?? .null, .dateTimeOffset)
    }

    /// Numbers without divisions: those of decimals are REAL in SQL.
    private static func number(_ random: inout SeededGenerator) -> Tree {
        switch random.below(6) {
        case 0: return path("Balance")
        case 1: return path("Exact")
        case 2: return path("Score")
        case 3: return .binary(.add, path("Id"), path("Balance"))
        case 4: return .binary(.mod, path("Id"), .literal(.integer(5), .int32))
        default: return decimal(&random)
        }
    }
}
