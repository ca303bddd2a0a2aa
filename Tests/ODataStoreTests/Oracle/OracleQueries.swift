import ODataModel
import ODataQuery
import ODataText

/// Makes random queries that fit the oracle's model: every operator, function and literal of the language that the store
/// answers, over random paths.
struct OracleQueries {
    typealias Tree = ODataQuery.Expression

    /// What a path can start from.
    struct Place {
        var type: String
        var root: ExpressionPath.Root = .it
        /// How many navigation properties may still be followed.
        var hops: Int
        /// Properties in front of the path.
        var prefix: [ExpressionPath.Segment] = []
    }

    var random: OracleRandom
    private var variables = 0

    init(seed: UInt64) { random = OracleRandom(state: seed) }

    mutating func query() -> Query {
        let set = random.pick(["Customers", "Customers", "Orders", "Items"])
        let type = String(set.dropLast())
        var query = Query(entitySet: set)
        variables = 0
        let place = Place(type: type, hops: 2)
        if random.chance(85) { query.filter = condition(place, 3) }
        if random.chance(50) { query.orderBy = order(place) }
        if random.chance(25) { query.top = random.below(12) }
        if random.chance(20) { query.skip = random.below(8) }
        if random.chance(20) { query.includesCount = true }
        if random.chance(30) { query.select = selection(type) }
        if random.chance(30) { query.expand = expansion(type, 2) }
        return query
    }

    // MARK: Clauses

    private mutating func order(_ place: Place) -> [OrderItem] {
        (0..<(random.below(3) + 1)).map { _ in
            OrderItem(sortable(place), isDescending: random.chance(50))
        }
    }

    private mutating func sortable(_ place: Place) -> Tree {
        switch random.below(8) {
        case 0: number(place, 1)
        case 1: text(place, 1)
        case 2: instant(place)
        case 3: duration(place, 1)
        case 4: .call(.length, [text(place, 1)])
        default: plain(place)
        }
    }

    /// Any property that has an order.
    private mutating func plain(_ place: Place) -> Tree {
        let names: [String]
        switch place.type {
        case "Customer":
            names = [
                "Name", "Big", "Small", "Balance", "Exact", "Score", "Ratio", "Since", "Changed",
                "Wakes", "Wait", "Token", "Active", "Grade", "ManagerId",
            ]
        case "Order": names = ["CustomerId", "Amount", "Placed", "Title", "Id"]
        default: names = ["OrderId", "Line", "Product", "Quantity"]
        }
        return path(place, random.pick(names))
    }

    private mutating func selection(_ type: String) -> [SelectTerm] {
        let names: [String] =
            switch type {
            case "Customer":
                [
                    "Name", "Exact", "Changed", "Address", "Address/City", "Address/Place", "Tags",
                    "Wait", "Photo", "Grade",
                ]
            case "Order": ["Title", "Amount", "CustomerId"]
            default: ["Product", "Quantity"]
            }
        let wanted = Set((0..<(random.below(3) + 1)).map { _ in random.pick(names) })
        return names.filter { name in
            wanted.contains(name) && !(name.hasPrefix("Address/") && wanted.contains("Address"))
        }.map { SelectTerm(ExpressionPath($0)) }
    }

    private mutating func expansion(_ type: String, _ depth: Int) -> [ExpandTerm] {
        let all: [(String, String)] =
            switch type {
            case "Customer": [("Orders", "Order"), ("Manager", "Customer")]
            case "Order": [("Customer", "Customer"), ("Items", "Item")]
            default: [("Order", "Order")]
            }
        return all.filter { _ in random.chance(60) }.map { name, target in
            var options = NestedOptions()
            let isMany = name.hasSuffix("s")
            let place = Place(type: target, hops: 0)
            if isMany {
                if random.chance(40) { options.filter = condition(place, 1) }
                if random.chance(40) { options.orderBy = order(place) }
                if random.chance(25) { options.top = random.below(4) }
                if random.chance(25) { options.skip = random.below(3) }
                if random.chance(25) { options.includesCount = true }
            }
            if random.chance(30) { options.select = selection(target) }
            if depth > 1, random.chance(40) { options.expand = expansion(target, depth - 1) }
            return ExpandTerm(ExpressionPath(name), options: options)
        }
    }

    // MARK: Paths

    private func path(_ place: Place, _ name: String) -> Tree {
        .path(
            ExpressionPath(
                root: place.root,
                place.prefix + name.split(separator: "/").map { .property(String($0)) }))
    }

    /// The place itself, or one that a to-one navigation leads to.
    private mutating func hop(_ place: Place) -> Place {
        guard place.hops > 0, random.chance(25) else { return place }
        var next = place
        next.hops -= 1
        let (name, type): (String, String) =
            switch place.type {
            case "Customer": ("Manager", "Customer")
            case "Order": ("Customer", "Customer")
            default: ("Order", "Order")
            }
        next.prefix.append(.property(name))
        next.type = type
        return next
    }

    // MARK: Conditions

    mutating func condition(_ place: Place, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(70) else { return comparison(place) }
        switch random.below(7) {
        case 0, 1: return .unary(.not, condition(place, depth - 1))
        case 2, 3: return .binary(.and, condition(place, depth - 1), condition(place, depth - 1))
        case 4, 5: return .binary(.or, condition(place, depth - 1), condition(place, depth - 1))
        default: return lambda(place, depth - 1)
        }
    }

    private mutating func sign() -> BinaryOperator { random.pick([.eq, .ne, .gt, .ge, .lt, .le]) }

    private static let null = Tree.literal(.null, nil)

    private mutating func comparison(_ origin: Place) -> Tree {
        let place = hop(origin)
        let sign = sign()
        switch random.below(20) {
        case 0: return .binary(sign, text(place, 2), text(place, 1))
        case 1, 2, 3: return .binary(sign, number(place, 2), number(place, 1))
        case 4: return .binary(sign, date(place), date(place))
        case 5: return .binary(sign, instant(place), instant(place))
        case 6: return .binary(sign, duration(place, 1), duration(place, 1))
        case 7: return .binary(random.pick([.eq, .ne]), plain(place), Self.null)
        case 8: return random.chance(50) ? boolean(place) : .binary(sign, boolean(place), flag())
        case 9:
            return .call(
                random.pick([.contains, .startsWith, .endsWith]), [text(place, 1), text(place, 0)])
        case 10:
            return .isIn(number(place, 1), (0..<(random.below(3) + 1)).map { _ in literalNumber() })
        case 11:
            return .isIn(text(place, 0), (0..<(random.below(3) + 1)).map { _ in literalText() })
        case 12: return enumeration(place)
        case 13: return .binary(sign, part(place), .literal(.integer(partValue()), .int32))
        case 14: return count(place)
        case 15: return lambda(place, 1)
        case 16: return time(place, sign)
        case 17: return bytes(place, sign)
        case 18: return typed(place, sign)
        default: return .binary(sign, plain(place), Self.null)
        }
    }

    private mutating func flag() -> Tree { .literal(.boolean(random.chance(50)), .boolean) }

    private mutating func boolean(_ place: Place) -> Tree {
        place.type == "Customer"
            ? path(place, "Active") : .binary(sign(), number(place, 0), literalNumber())
    }

    private mutating func enumeration(_ place: Place) -> Tree {
        guard place.type == "Customer" else { return comparisonOfKeys(place) }
        let members = random.pick(["Bronze", "Silver", "Gold", "Bronze,Gold", "None"])
        return .binary(
            random.chance(50) ? .has : sign(), path(place, "Grade"),
            .enumeration(type: "Shop.Grade", members: members))
    }

    private mutating func comparisonOfKeys(_ place: Place) -> Tree {
        .binary(
            sign(), path(place, place.type == "Item" ? "Line" : "Id"),
            .literal(.integer(Int64(random.below(12))), .int32))
    }

    private mutating func bytes(_ place: Place, _ sign: BinaryOperator) -> Tree {
        guard place.type == "Customer" else { return comparisonOfKeys(place) }
        if random.chance(50) {
            return .binary(
                sign, path(place, "Token"),
                .literal(Guid(random.pick(OracleData.guids)).map(Scalar.guid) ?? .null, .guid))
        }
        return .binary(
            random.pick([.eq, .ne]), path(place, "Photo"),
            .literal(.binary(Array([1, 2, 255].prefix(random.below(4)))), .binary))
    }

    /// `isof` and properties of a derived type.
    private mutating func typed(_ place: Place, _ sign: BinaryOperator) -> Tree {
        guard place.type == "Customer" else { return comparisonOfKeys(place) }
        if place.prefix.isEmpty, place.root == .it, random.chance(50) {
            return .isOf(nil, type: "Shop.Vip")
        }
        let level = Tree.path(
            ExpressionPath(
                root: place.root, place.prefix + [.typeCast("Shop.Vip"), .property("Level")]))
        return .binary(sign, level, .literal(.integer(Int64(random.below(4))), .int32))
    }

    private mutating func time(_ place: Place, _ sign: BinaryOperator) -> Tree {
        let literal = Tree.literal(
            ClockTime(random.pick(OracleData.times)).map(Scalar.timeOfDay) ?? .null, .timeOfDay)
        switch place.type {
        case "Customer" where random.chance(50): return .binary(sign, path(place, "Wakes"), literal)
        default: return .binary(sign, .call(.time, [instant(place)]), literal)
        }
    }

    // MARK: Collections

    private mutating func lambda(_ place: Place, _ depth: Int) -> Tree {
        let operation: LambdaOperator = random.chance(50) ? .any : .all
        variables += 1
        let name = "v\(variables)"
        func source(_ property: String) -> ExpressionPath {
            ExpressionPath(root: place.root, place.prefix + [.property(property)])
        }
        let inner = Place(type: "Order", root: .variable(name), hops: max(0, place.hops - 1))
        switch place.type {
        case "Customer" where place.hops == 0 || random.chance(40):
            let isText = random.chance(50)
            let value = Tree.path(ExpressionPath(root: .variable(name), []))
            let predicate: Tree =
                isText
                ? random.chance(50)
                    ? .binary(sign(), value, .literal(.string(random.pick(["a", "ab"])), .string))
                    : .call(.contains, [value, .literal(.string("b"), .string)])
                : .binary(sign(), value, .literal(.integer(Int64(random.below(6))), .int32))
            let source = source(isText ? "Tags" : "Marks")
            if random.chance(10) {
                return .lambda(.any, source, variable: "", predicate: nil)
            }
            return .lambda(operation, source, variable: name, predicate: predicate)
        case "Customer":
            if random.chance(10) {
                return .lambda(.any, source("Orders"), variable: "", predicate: nil)
            }
            return .lambda(
                operation, source("Orders"), variable: name, predicate: condition(inner, depth))
        case "Order" where place.hops > 0:
            var items = inner
            items.type = "Item"
            return .lambda(
                operation, source("Items"), variable: name, predicate: condition(items, depth))
        default: return comparisonOfKeys(place)
        }
    }

    private mutating func count(_ place: Place) -> Tree {
        let names: [String] =
            switch place.type {
            case "Customer": place.hops > 0 ? ["Orders", "Tags", "Marks"] : ["Tags", "Marks"]
            case "Order": place.hops > 0 ? ["Items"] : []
            default: []
            }
        guard !names.isEmpty else { return comparisonOfKeys(place) }
        let source = ExpressionPath(
            root: place.root, place.prefix + [.property(random.pick(names))])
        return .binary(
            sign(), .count(source, filter: nil), .literal(.integer(Int64(random.below(4))), .int32))
    }

    // MARK: Values

    private mutating func literalText() -> Tree {
        .literal(.string(random.pick(OracleData.texts)), .string)
    }

    mutating func text(_ place: Place, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(60) else {
            guard random.chance(60) else { return literalText() }
            switch place.type {
            case "Customer": return path(place, random.chance(70) ? "Name" : "Address/City")
            case "Order": return path(place, "Title")
            default: return path(place, "Product")
            }
        }
        let inner = text(place, depth - 1)
        switch random.below(7) {
        case 0: return .call(.concat, [inner, text(place, depth - 1)])
        case 1: return .call(.toLower, [inner])
        case 2: return .call(.toUpper, [inner])
        case 3: return .call(.trim, [inner])
        case 4: return .call(.substring, [inner, small(place)])
        case 5: return .call(.substring, [inner, small(place), small(place)])
        default:
            return .cast(
                random.chance(50) ? number(place, 0) : random.chance(50) ? date(place) : inner,
                type: "Edm.String")
        }
    }

    private mutating func small(_ place: Place) -> Tree {
        random.chance(80) || place.type != "Customer"
            ? .literal(.integer(Int64(random.below(6) - 2)), .int32) : path(place, "Small")
    }

    private mutating func literalNumber() -> Tree {
        switch random.below(4) {
        case 0: return .literal(.integer(random.pick(OracleData.longs)), .int64)
        case 1: return .literal(.integer(Int64(random.below(9) - 3)), .int32)
        case 2: return .literal(OracleData.decimal(random.pick(OracleData.decimals)), .decimal)
        default: return .literal(.double(random.pick(OracleData.doubles)), .double)
        }
    }

    mutating func number(_ place: Place, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(60) else {
            guard random.chance(65) else { return literalNumber() }
            switch place.type {
            case "Customer":
                return path(
                    place,
                    random.pick([
                        "Id", "Big", "Small", "Balance", "Exact", "Score", "Ratio", "Address/Zip",
                        "Address/Place/Latitude",
                    ]))
            case "Order": return path(place, random.pick(["Id", "CustomerId", "Amount"]))
            default: return path(place, random.pick(["OrderId", "Line", "Quantity"]))
            }
        }
        let inner = number(place, depth - 1)
        switch random.below(12) {
        case 0, 1, 2, 3, 4, 5:
            return .binary(
                random.pick([.add, .sub, .mul, .div, .divby, .mod]), inner,
                number(place, depth - 1))
        case 6: return .unary(.negate, inner)
        case 7: return .call(random.pick([.round, .floor, .ceiling]), [inner])
        case 8: return .call(.length, [text(place, depth - 1)])
        case 9: return .call(.indexOf, [text(place, depth - 1), literalText()])
        case 10:
            return .cast(
                inner,
                type: random.pick(["Edm.Int32", "Edm.Int64", "Edm.Double", "Edm.Decimal"]))
        default: return part(place)
        }
    }

    private mutating func part(_ place: Place) -> Tree {
        let functions: [Function] = [
            .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .totalOffsetMinutes,
        ]
        if random.chance(15) { return .call(.totalSeconds, [duration(place, 0)]) }
        if random.chance(20) {
            return .call(random.pick([.year, .month, .day]), [date(place)])
        }
        return .call(random.pick(functions), [instant(place)])
    }

    private mutating func partValue() -> Int64 {
        random.pick([0, 1, 2, 6, 12, 15, 23, 29, 30, 31, 59, 120, -300, 1969, 2031])
    }

    private mutating func date(_ place: Place) -> Tree {
        switch random.below(4) {
        case 0 where place.type == "Customer": return path(place, "Since")
        case 1: return .call(.date, [instant(place)])
        case 2 where place.type == "Customer":
            return .binary(random.pick([.add, .sub]), path(place, "Since"), literalDuration())
        default:
            return .literal(
                CalendarDate(random.pick(OracleData.dates)).map(Scalar.date) ?? .null, .date)
        }
    }

    private mutating func instant(_ place: Place) -> Tree {
        let literal = Tree.literal(
            OffsetDateTime(random.pick(OracleData.instants)).map(Scalar.dateTimeOffset) ?? .null,
            .dateTimeOffset)
        let own: Tree? =
            switch place.type {
            case "Customer": path(place, "Changed")
            case "Order": path(place, "Placed")
            default: nil
            }
        guard let own, random.chance(75) else { return literal }
        guard random.chance(25) else { return own }
        return .binary(random.pick([.add, .sub]), own, literalDuration())
    }

    private mutating func literalDuration() -> Tree {
        .literal(
            EdmDuration(random.pick(OracleData.durations)).map(Scalar.duration) ?? .null, .duration)
    }

    private mutating func duration(_ place: Place, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(40) else {
            return place.type == "Customer" && random.chance(60)
                ? path(place, "Wait") : literalDuration()
        }
        switch random.below(4) {
        case 0:
            return .binary(
                random.pick([.add, .sub]), duration(place, depth - 1), literalDuration())
        case 1:
            return .binary(.mul, duration(place, depth - 1), .literal(.integer(3), .int32))
        case 2: return .binary(.sub, instant(place), instant(place))
        default: return .unary(.negate, duration(place, depth - 1))
        }
    }
}
