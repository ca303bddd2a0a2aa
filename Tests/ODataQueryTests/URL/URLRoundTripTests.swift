import Foundation
import ODataModel
import ODataQuery
import ODataText
import Testing

/// parse ∘ write is the identity on random queries; the seed is in the failure.
@Suite struct URLRoundTripTests {
    /// Trees of each dialect; `ODATA_TREES` asks for more.
    private static let count =
        ProcessInfo.processInfo.environment["ODATA_TREES"].flatMap(Int.init) ?? 600

    @Test(arguments: [Dialect.v2, .v4, .v401])
    func queriesComeBackAsTheyWere(_ dialect: Dialect) {
        var failures = 0
        for seed in 0..<Self.count where failures < 5 {
            var maker = QueryMaker(seed: UInt64(seed), dialect: dialect)
            let query = maker.query()
            var text = "nothing"
            do {
                text = try URLWriter.text(query, dialect: dialect)
                let isSame = try URLParser.parse(text, dialect: dialect) == query
                if !isSame { failures += 1 }
                #expect(isSame, "seed \(seed) of \(dialect.version): \(text)")
            } catch {
                failures += 1
                Issue.record("seed \(seed) of \(dialect.version): \(text): \(error)")
            }
        }
    }

    @Test(arguments: ["-(5 in (1,2))", "-(08:30:00 in (08:30:00))", "-(5 has Ns.Colour'Red')"])
    func aSignBeforeAComparisonIsNotTheLiterals(_ filter: String) throws {
        let text = "Tools?$filter=\(filter) eq null"
        let query = try URLParser.parse(text, dialect: .v401)
        let written = try URLWriter.text(query, dialect: .v401)
        #expect(try URLParser.parse(written, dialect: .v401) == query)
    }

    @Test func aNegativeZeroKeepsItsTypeAndSign() throws {
        let query = try URLParser.parse("Tools?@a=-0e53241", dialect: .v401)
        let text = try URLWriter.text(query, dialect: .v401)
        #expect(text == "Tools?@a=-0e0")
        #expect(try URLWriter.text(URLParser.parse(text, dialect: .v401), dialect: .v401) == text)
    }
}

/// Makes random steps of `$apply` and search expressions in the form that the parser gives.
extension QueryMaker {
    mutating func search(_ depth: Int) -> SearchExpression {
        guard depth > 0 else {
            return roll(2) == 0
                ? .term(pick(["saw", "blade's", "x;y", "é+&=%"]))
                : .phrase(pick(["a;b", "NOT", "(c) \"d\" \\e", ""]))
        }
        switch roll(4) {
        case 0: return .not(search(depth - 1))
        case 1: return .and(search(depth - 1), search(depth - 1))
        case 2: return .or(search(depth - 1), search(depth - 1))
        default: return search(0)
        }
    }

    mutating func steps(_ depth: Int) -> [Transformation] {
        (0...roll(3)).map { _ in step(depth) }
    }

    private mutating func plainPath() -> ExpressionPath {
        ExpressionPath(pick(["Title", "Size/Height", "Owner/Name"]))
    }

    private mutating func step(_ depth: Int) -> Transformation {
        switch roll(depth > 0 ? 16 : 7) {
        case 0: return .identity
        case 1: return .filter(expression(2))
        case 2: return .search(search(2))
        case 3: return .orderBy([OrderItem(expression(1), isDescending: roll(2) == 0)])
        case 4: return roll(2) == 0 ? .skip(roll(9)) : .top(roll(9))
        case 5: return .compute([ComputeItem(expression(2), alias: "Extra")])
        case 6: return .aggregate((0...roll(2)).map { aggregate("A\($0)") })
        case 7, 8: return .groupBy(groupings(depth), roll(3) == 0 ? [] : steps(depth - 1))
        case 9: return .concat([steps(depth - 1), steps(depth - 1)])
        case 10:
            return .ranked(
                pick(RankedMethod.allCases), amount: .literal(.integer(2), nil), by: expression(1))
        case 11:
            var term = ExpandTerm(plainPath())
            if roll(2) == 0 { term.options.filter = expression(1) }
            if roll(2) == 0 { term.options.expand = [ExpandTerm(plainPath())] }
            return .expand(term)
        case 12: return .addNested(plainPath(), [NestedTerm(steps(depth - 1), alias: "N")])
        case 13:
            return roll(2) == 0
                ? .nest([NestedTerm(steps(depth - 1), alias: "N")])
                : .join(
                    plainPath(), alias: "J", roll(2) == 0 ? [] : steps(depth - 1),
                    isOuter: roll(2) == 0)
        case 14:
            return roll(2) == 0
                ? .traverse(
                    TraverseTerm(
                        hierarchy: hierarchy(), isPreorder: roll(2) == 0,
                        orderBy: [OrderItem(.path(path()), isDescending: true)]))
                : .relatives(
                    RelativesTerm(
                        isAncestors: roll(2) == 0, hierarchy: hierarchy(), start: steps(0),
                        maximumDistance: roll(2) == 0 ? nil : 3, keepsStart: roll(2) == 0))
        default:
            return .custom(
                name: "Ns.Trim", arguments: [NamedArgument(name: "limit", value: literal())])
        }
    }

    fileprivate mutating func aggregate(_ alias: String?) -> AggregateTerm {
        let methods: [AggregationMethod] = [
            .sum, .min, .max, .average, .countDistinct, .custom("Ns.Median"),
        ]
        let from = [AggregationFrom([plainPath(), ExpressionPath("Price")], method: pick(methods))]
        switch roll(3) {
        case 0:
            return AggregateTerm(
                .expression(expression(2), pick(methods)), from: roll(3) == 0 ? from : [],
                alias: alias)
        case 1: return AggregateTerm(.count(ExpressionPath("Loans")), alias: alias)
        default:
            return AggregateTerm(
                .custom(ExpressionPath("Forecast")), alias: roll(2) == 0 ? nil : alias)
        }
    }

    private mutating func groupings(_ depth: Int) -> [GroupingTerm] {
        (0...roll(2)).map { _ in
            switch roll(4) {
            case 0: .rollup([plainPath(), ExpressionPath("Price")], includesAll: roll(2) == 0)
            case 1: .rollupRecursive(hierarchy(), roll(2) == 0 ? [] : steps(0))
            default: .path(plainPath())
            }
        }
    }

    private func hierarchy() -> HierarchyReference {
        HierarchyReference(
            nodes: ExpressionPath(root: .root, [.property("Tools")]), qualifier: "Parts",
            node: ExpressionPath("Id"))
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

    fileprivate mutating func roll(_ sides: Int) -> Int {
        Int.random(in: 0..<sides, using: &random)
    }

    fileprivate mutating func pick<Item>(_ items: [Item]) -> Item { items[roll(items.count)] }

    mutating func query() -> Query {
        var query = Query(path: isV2 ? v2Resource() : resource())
        if roll(2) == 0 { query.filter = expression(4) }
        for _ in 0..<roll(3) {
            query.orderBy.append(OrderItem(expression(1), isDescending: roll(2) == 0))
        }
        if roll(3) == 0 { query.top = roll(100) }
        if roll(3) == 0 { query.skip = roll(100) }
        query.includesCount = roll(3) == 0
        if isV2 {
            v2Items(&query)
        } else {
            items(&query)
        }
        if roll(6) == 0 { query.skipToken = "a&b=1 +é'%" }
        if roll(6) == 0 { query.deltaToken = "x;y/2" }
        if roll(6) == 0 { query.format = "application/json;x=1" }
        if roll(5) == 0 {
            query.customOptions.append(CustomOption(name: "sap-client", value: "1&2=3 +%é"))
        }
        return query
    }

    private mutating func items(_ query: inout Query) {
        query.selectsAll = roll(5) == 0
        if roll(2) == 0 { query.select = (0...roll(2)).map { _ in selectItem() } }
        query.expand = (0..<roll(3)).map { _ in expandItem(2) }
        if roll(4) == 0 { query.search = search(3) }
        if roll(3) == 0 { query.apply = steps(2) }
        if roll(5) == 0 { query.compute = [ComputeItem(expression(2), alias: "Extra")] }
        if roll(4) == 0 { query.period = period() }
        if roll(5) == 0 { query.aliases["a"] = expression(2) }
        if query.path.segments == [.entity] {
            query.customOptions.append(CustomOption(name: "$id", value: "Tools('a&b')"))
        }
        if roll(8) == 0 {
            query.customOptions.append(CustomOption(name: "$schemaversion", value: "*"))
        }
    }

    /// Expansion and selection as V2 says them: paths, put together by their beginnings.
    private mutating func v2Items(_ query: inout Query) {
        guard roll(2) == 0 else { return }
        var owner = ExpandTerm(ExpressionPath("Owner"))
        if roll(2) == 0 { owner.options.expand = [ExpandTerm(ExpressionPath("Boss"))] }
        if roll(2) == 0 { owner.options.select = [SelectTerm(ExpressionPath("Name"))] }
        query.expand = [owner]
        if roll(2) == 0 { query.expand.append(ExpandTerm(ExpressionPath("Loans"))) }
        if roll(2) == 0 || !owner.options.select.isEmpty {
            query.select = [SelectTerm(ExpressionPath("Title"))]
        }
    }

    /// The options of Temporal Data, one point or an interval.
    private mutating func period() -> [PeriodTerm] {
        let start = CalendarDate("2031-05-01").map { Node.literal(.date($0), .date) }
        let low = roll(2) == 0 ? start ?? literal() : .path(ExpressionPath("min"))
        switch roll(3) {
        case 0: return [PeriodTerm(.at, low)]
        case 1: return [PeriodTerm(.from, low), PeriodTerm(.to, .path(ExpressionPath("max")))]
        default: return [PeriodTerm(.from, low), PeriodTerm(.toInclusive, .alias("a"))]
        }
    }

    // MARK: Resources

    private mutating func resource() -> ResourcePath {
        switch roll(12) {
        case 0: return ResourcePath([.all])
        case 1: return ResourcePath([.crossjoin(["Tools", "Großteile"])])
        case 2: return ResourcePath([.entity])
        case 3: return ResourcePath([roll(2) == 0 ? .metadata : .batch])
        default: break
        }
        var segments = root()
        for _ in 0..<roll(3) {
            switch roll(5) {
            case 0: segments.append(.typeCast("Ns.PowerTool"))
            case 1:
                segments.append(
                    .operation(
                        "Ns.Worth",
                        (0..<roll(3)).map { NamedArgument(name: "p\($0)", value: argument()) }))
            case 2:
                segments.append(.property("Loans"))
                segments.append(.key(key()))
            default: segments.append(.property(pick(["Size", "Owner", "Größe"])))
            }
        }
        if roll(4) == 0 {
            segments.append(.filter(expression(2)))
            if roll(2) == 0 { segments.append(.each) }
        }
        switch roll(6) {
        case 0: segments.append(.count)
        case 1: segments.append(.value)
        case 2: segments.append(.ref)
        default: break
        }
        return ResourcePath(segments)
    }

    private mutating func v2Resource() -> ResourcePath {
        var segments = root()
        switch roll(6) {
        case 0: segments += [.links, .property("Loans")]
        case 1: segments += [.links, .property("Loans"), .key(key())]
        case 2: segments += [.property("Title"), .value]
        case 3: segments += [.property("Loans"), .count]
        case 4: segments.append(.property("Loans"))
        default: break
        }
        return ResourcePath(segments)
    }

    private mutating func root() -> [ResourcePath.Segment] {
        let set = ResourcePath.Segment.entitySet(pick(["Tools", "Großteile", "L_1"]))
        return roll(2) == 0 ? [set, .key(key())] : [set]
    }

    private mutating func argument() -> Node { roll(3) == 0 ? .alias("a") : literal() }

    private mutating func key() -> [KeyValue] {
        if !isV2, roll(6) == 0 { return [KeyValue(name: "A", value: .alias("a"))] }
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

    private mutating func selectItem() -> SelectTerm {
        switch roll(6) {
        case 0: return SelectTerm(ExpressionPath([.typeCast("Ns.*")]))
        case 1:
            let names = ["at", "in"].map { NamedArgument(name: $0, value: .literal(.null, nil)) }
            return SelectTerm(ExpressionPath([.function("Ns.Worth", names)]))
        case 2:
            var options = NestedOptions()
            options.filter = expression(1)
            if roll(2) == 0 { options.select = [SelectTerm(ExpressionPath("Height"))] }
            if roll(2) == 0 { options.includesCount = true }
            if roll(2) == 0 { options.compute = [ComputeItem(expression(1), alias: "C")] }
            return SelectTerm(ExpressionPath("Sizes"), options: options)
        case 3:
            return SelectTerm(ExpressionPath([.property("Title"), .annotation("Ns.Note")]))
        default: return SelectTerm(ExpressionPath(pick(["Title", "Size/Height"])))
        }
    }

    private mutating func expandItem(_ depth: Int) -> ExpandTerm {
        switch roll(8) {
        case 0:
            var item = ExpandTerm(ExpressionPath([]), isStar: true)
            if roll(2) == 0 { item.kind = .references } else { item.options.levels = 2 }
            return item
        case 1:
            var item = ExpandTerm(ExpressionPath("Loans"), kind: .count)
            if roll(2) == 0 { item.options.filter = expression(1) }
            return item
        case 2:
            var item = ExpandTerm(ExpressionPath("Loans"), kind: .references)
            if roll(2) == 0 { item.options.top = 3 }
            return item
        default: break
        }
        var options = NestedOptions()
        if roll(2) == 0 { options.filter = expression(depth) }
        if roll(3) == 0 { options.top = roll(9) }
        if roll(3) == 0 { options.skip = roll(9) }
        if roll(3) == 0 { options.orderBy = [OrderItem(.path(path()))] }
        if roll(4) == 0 { options.includesCount = true }
        if roll(4) == 0 { options.select = [selectItem()] }
        if roll(6) == 0 { options.selectsAll = true }
        if roll(4) == 0 { options.levels = pick([2, Int.max]) }
        if roll(4) == 0 { options.search = search(2) }
        if roll(5) == 0 { options.compute = [ComputeItem(expression(1), alias: "C")] }
        if roll(5) == 0 { options.period = period() }
        if roll(6) == 0 { options.apply = steps(1) }
        if roll(5) == 0 { options.aliases["b"] = literal() }
        if depth > 0, roll(2) == 0 { options.expand = [expandItem(depth - 1)] }
        var path = ExpressionPath(pick(["Owner", "Loans", "Size/Part"]))
        if roll(5) == 0 { path.segments.insert(.typeCast("Ns.PowerTool"), at: 0) }
        return ExpandTerm(path, options: options)
    }

    mutating func expression(_ depth: Int) -> Node {
        guard depth > 0 else { return roll(2) == 0 ? literal() : .path(path()) }
        switch roll(isV2 ? 7 : 15) {
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
        case 6: return call(depth)
        case 7:
            return roll(5) == 0
                ? .isIn(expression(depth - 1), [.path(ExpressionPath("Titles"))])
                : .isIn(expression(depth - 1), (0..<roll(4)).map { _ in literal() })
        case 8: return lambda(depth)
        case 9:
            let source = roll(5) == 0 ? ExpressionPath(root: .these, []) : path()
            return .count(source, filter: roll(2) == 0 ? nil : expression(depth - 1))
        case 10: return .alias("a")
        case 11: return .path(rooted(depth))
        case 12:
            let source = roll(2) == 0 ? ExpressionPath(root: .these, []) : path()
            return .aggregate(source, aggregate(nil))
        case 13:
            return .custom(
                name: "Ns.Near", arguments: [.json(#"[1,"a;b)",{"c":null}]"#), argument()])
        default: return .custom(name: "sap.islocal", arguments: [])
        }
    }

    private mutating func call(_ depth: Int) -> Node {
        let common: [Node] = [
            .call(.contains, [expression(depth - 1), expression(depth - 1)]),
            .call(.substring, [expression(depth - 1), .literal(.integer(1), nil)]),
            .call(.year, [.path(path())]), .call(.trim, [expression(depth - 1)]),
            .call(.round, [expression(depth - 1)]),
            .cast(.path(path()), type: "Edm.String"), .isOf(nil, type: "Ns.PowerTool"),
        ]
        guard !isV2 else { return pick(common) }
        return pick(
            common + [
                .call(.now, []), .call(.matchesPattern, [.path(path()), literal()]),
                .call(.geoDistance, [.path(path()), .path(path())]),
                .call(.hasSubset, [.path(path()), .json("[1,2]")]),
                .call(.totalSeconds, [expression(depth - 1)]),
                .call(.isDefined, [.path(ExpressionPath("Title"))]),
                .call(
                    .case,
                    [
                        expression(depth - 1), expression(depth - 1),
                        .literal(.boolean(true), .boolean), literal(),
                    ]),
            ])
    }

    /// Paths that do not start with a property of the instance, and segments that are none.
    private mutating func rooted(_ depth: Int) -> ExpressionPath {
        switch roll(7) {
        case 0: return ExpressionPath(root: .it, [])
        case 1: return ExpressionPath(root: .this, roll(2) == 0 ? [] : [.property("Title")])
        case 2:
            return ExpressionPath(
                root: .root, [.property("Tools"), .key(key()), .property("Title")])
        case 3: return ExpressionPath([.property("Title"), .annotation("Ns.Note")])
        case 4:
            return ExpressionPath([
                .property("Owner"),
                .function("Ns.Worth", [NamedArgument(name: "at", value: argument())]),
                .property("Amount"),
            ])
        case 5: return ExpressionPath([.property("Loans"), .filter(expression(depth - 1))])
        default:
            return ExpressionPath([
                .property("Loans"), .filter(expression(depth - 1)), .key(key()),
                .property("Member"),
            ])
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

    fileprivate mutating func path() -> ExpressionPath {
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
