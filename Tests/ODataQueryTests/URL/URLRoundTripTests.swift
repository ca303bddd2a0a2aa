import ODataModel
import ODataQuery
import Testing

/// parse ∘ write is the identity on random queries; the seed is in the failure.
@Suite struct URLRoundTripTests {
    @Test(arguments: 0..<400)
    func v4QueriesComeBackAsTheyWere(_ seed: Int) throws {
        var maker = QueryMaker(seed: UInt64(seed), dialect: .v401)
        let query = maker.query()
        let text = try URLWriter.text(query, dialect: .v401)
        let parsed = try URLParser.parse(text, dialect: .v401)
        let isSame = parsed == query
        #expect(isSame, "seed \(seed): \(text)")
    }

    @Test(arguments: 0..<200)
    func v2QueriesComeBackAsTheyWere(_ seed: Int) throws {
        var maker = QueryMaker(seed: UInt64(seed), dialect: .v2)
        let query = maker.query()
        let text = try URLWriter.text(query, dialect: .v2)
        let parsed = try URLParser.parse(text, dialect: .v2)
        let isSame = parsed == query
        #expect(isSame, "seed \(seed): \(text)")
    }
}

/// SplitMix64: small, seeded, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Makes random queries in the form that the parser gives (types of literals as their notation says).
struct QueryMaker {
    typealias Node = ODataQuery.Expression
    var random: SeededGenerator
    let dialect: Dialect
    private var variables: [String] = []

    init(seed: UInt64, dialect: Dialect) {
        random = SeededGenerator(seed: seed)
        self.dialect = dialect
    }

    private var isV2: Bool { dialect.usesTypedLiterals }

    private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &random) }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[roll(items.count)] }

    mutating func query() -> Query {
        var query = Query(entitySet: pick(["Tools", "Großteile", "L_1"]))
        if roll(3) == 0 { query.path.segments.append(.key(key())) }
        if roll(3) == 0 { query.path.segments.append(.property("Loans")) }
        if roll(2) == 0 { query.filter = expression(4) }
        for _ in 0..<roll(3) {
            query.orderBy.append(OrderItem(expression(1), isDescending: roll(2) == 0))
        }
        if roll(3) == 0 { query.top = roll(100) }
        if roll(3) == 0 { query.skip = roll(100) }
        query.includesCount = roll(3) == 0
        if !isV2 {
            query.selectsAll = roll(5) == 0
            if roll(2) == 0 { query.select = [SelectItem(path())] }
            query.expand = (0..<roll(3)).map { _ in expandItem(2) }
            if roll(4) == 0 { query.search = pick(["saw", "saw AND NOT \"a;b\"", "(a OR b) c"]) }
            if roll(5) == 0 { query.compute = [ComputeItem(expression(2), alias: "Extra")] }
            if roll(5) == 0 { query.aliases["a"] = literal() }
        } else if roll(2) == 0 {
            query.expand = [ExpandItem(ExpressionPath("Owner"))]
            query.select = [SelectItem(ExpressionPath("Title"))]
        }
        if roll(5) == 0 {
            query.customOptions = [CustomOption(name: "sap-client", value: "1&2=3 +%é")]
        }
        return query
    }

    private mutating func key() -> [KeyValue] {
        if roll(2) == 0 { return [KeyValue(name: nil, value: keyLiteral())] }
        return ["A", "B"].map { KeyValue(name: $0, value: keyLiteral()) }
    }

    private mutating func keyLiteral() -> Node {
        while true {
            if case .literal(let scalar, let type) = literal(), scalar != .null {
                return .literal(scalar, type)
            }
        }
    }

    private mutating func expandItem(_ depth: Int) -> ExpandItem {
        var options = NestedOptions()
        if roll(2) == 0 { options.filter = expression(depth) }
        if roll(3) == 0 { options.top = roll(9) }
        if roll(3) == 0 { options.orderBy = [OrderItem(.path(path()))] }
        if roll(4) == 0 { options.levels = pick([2, Int.max]) }
        if roll(4) == 0 { options.search = "\"a;b\" c" }
        if depth > 0, roll(2) == 0 { options.expand = [expandItem(depth - 1)] }
        return ExpandItem(ExpressionPath(pick(["Owner", "Loans", "Size/Part"])), options: options)
    }

    mutating func expression(_ depth: Int) -> Node {
        guard depth > 0 else { return roll(2) == 0 ? literal() : .path(path()) }
        switch roll(isV2 ? 7 : 12) {
        case 0: return literal()
        case 1: return .path(path())
        case 2: return .unary(.not, expression(depth - 1))
        case 3:
            let operand = expression(depth - 1)
            return .unary(.negate, operand)
        case 4, 5:
            let symbols = BinaryOperator.allCases.filter { !isV2 || $0 != .has && $0 != .divby }
            let symbol = pick(symbols)
            let right: Node =
                symbol == .has
                ? .enumeration(type: "Ns.Colour", members: "Red,Blue") : expression(depth - 1)
            return .binary(symbol, expression(depth - 1), right)
        case 6:
            return pick([
                .call(.contains, [expression(depth - 1), expression(depth - 1)]),
                .call(.substring, [expression(depth - 1), .literal(.integer(1), nil)]),
                .call(.year, [.path(path())]),
                .cast(.path(path()), type: "Edm.String"),
                .isOf(nil, type: "Ns.PowerTool"),
            ])
        case 7: return .isIn(expression(depth - 1), (0..<roll(4)).map { _ in literal() })
        case 8: return lambda(depth)
        case 9: return .count(path(), filter: roll(2) == 0 ? nil : expression(depth - 1))
        case 10: return .alias("a")
        default: return .custom(name: "sap.islocal", arguments: [])
        }
    }

    private mutating func lambda(_ depth: Int) -> Node {
        guard roll(4) > 0 else { return .lambda(.any, path(), variable: "", predicate: nil) }
        let source = path()
        let name = "v\(variables.count)"
        variables.append(name)
        defer { variables.removeLast() }
        return .lambda(
            pick([.any, .all]), source, variable: name, predicate: expression(depth - 1))
    }

    private mutating func path() -> ExpressionPath {
        let names = pick([["Title"], ["Size", "Height"], ["Owner", "Name"], ["not_a_keyword"]])
        var path = ExpressionPath(names.map { .property($0) })
        if !isV2, roll(5) == 0 { path.segments.insert(.typeCast("Ns.PowerTool"), at: 0) }
        if let name = variables.last, roll(2) == 0 { path.root = .variable(name) }
        return path
    }

    mutating func literal() -> Node {
        let common: [Node] = [
            .literal(.null, nil), .literal(.boolean(true), .boolean),
            .literal(.string(pick(["", "It's", "a/b?c#d&e=f+g%h;i)j", "é☃ \"x\""])), .string),
            .literal(.integer(Int64(roll(1000)) - 500), nil),
        ]
        let own: [Node?]
        if isV2 {
            own = [
                .literal(.integer(64), .int64),
                DecimalNumber("2.50").map { .literal(.decimal($0), .decimal) },
                .literal(.binary([0x4A, 0xFF]), .binary),
                WallDateTime("2031-05-01T08:30:00").map { .literal(.dateTime($0), .dateTime) },
                Guid("01234567-89ab-cdef-0123-456789abcdef").map { .literal(.guid($0), .guid) },
            ]
        } else {
            own = [
                DecimalNumber("-2.50").map { .literal(.decimal($0), nil) },
                .literal(.binary([0x4A, 0xFF]), .binary),
                CalendarDate("2031-05-01").map { .literal(.date($0), .date) },
                ClockTime("08:30:00").map { .literal(.timeOfDay($0), .timeOfDay) },
                OffsetDateTime("2031-05-01T08:30:00+02:00").map {
                    .literal(.dateTimeOffset($0), .dateTimeOffset)
                },
                EdmDuration("P1DT2H").map { .literal(.duration($0), .duration) },
                Guid("abcdef67-89ab-cdef-0123-456789abcdef").map { .literal(.guid($0), .guid) },
            ]
        }
        return pick(common + own.compactMap { $0 })
    }
}
