import ODataModel
import ODataQuery
import ODataText

/// Random conditions.
extension OracleQueries {
    mutating func condition(_ place: OraclePlace, _ depth: Int) -> Tree {
        guard depth > 0, random.chance(70) else { return comparison(place) }
        switch random.below(8) {
        case 0, 1: return .unary(.not, condition(place, depth - 1))
        case 2, 3: return .binary(.and, condition(place, depth - 1), condition(place, depth - 1))
        case 4, 5: return .binary(.or, condition(place, depth - 1), condition(place, depth - 1))
        case 6:
            return .binary(
                random.pick([.eq, .ne]), condition(place, depth - 1), condition(place, 0))
        default: return lambda(place, depth - 1)
        }
    }

    mutating func sign() -> BinaryOperator { random.pick([.eq, .ne, .gt, .ge, .lt, .le]) }

    static let null = Tree.literal(.null, nil)

    private mutating func comparison(_ origin: OraclePlace) -> Tree {
        let place = hop(origin)
        let sign = sign()
        switch random.below(22) {
        case 0: return .binary(sign, text(place, 2), text(place, 1))
        case 1, 2, 3: return .binary(sign, number(place, 2), number(place, 1))
        case 4: return .binary(sign, date(place), date(place))
        case 5: return .binary(sign, instant(place), instant(place))
        case 6: return .binary(sign, duration(place, 1), duration(place, 1))
        case 7: return nullTest(place)
        case 8: return random.chance(50) ? boolean(place) : .binary(sign, boolean(place), flag())
        case 9:
            return .call(
                random.pick([.contains, .startsWith, .endsWith]), [text(place, 1), text(place, 0)])
        case 10: return listed(place)
        case 11:
            return .isIn(
                text(place, 0), (0..<(random.below(3) + 1)).map { _ in literalText() })
        case 12: return enumeration(place)
        case 13: return .binary(sign, part(place), .literal(.integer(partValue()), .int32))
        case 14:
            guard let count = counted(place) else { return ofKeys(place) }
            return .binary(sign, count, .literal(.integer(Int64(random.below(4))), .int32))
        case 15: return lambda(place, 1)
        case 16: return time(place, sign)
        case 17: return bytes(place, sign)
        case 18: return typed(place, sign)
        case 19: return .call(.matchesPattern, [text(place, 1), pattern()])
        case 20: return .call(.case, [ofKeys(place), flag(), boolean(place), flag()])
        default: return .binary(sign, plain(place), Self.null)
        }
    }

    mutating func flag() -> Tree { .literal(.boolean(random.chance(50)), .boolean) }

    /// Of values, complex values and related entities.
    private mutating func nullTest(_ place: OraclePlace) -> Tree {
        var tree = plain(place)
        if place.isCustomer, !place.isJoined, random.chance(25) {
            tree = place.path("Address")
        } else if place.hops > 0, random.chance(30),
            let names = OracleRow.toOne[place.type]
        {
            tree = place.path(random.pick(names))
        }
        return .binary(random.pick([.eq, .ne]), tree, Self.null)
    }

    private mutating func pattern() -> Tree {
        let text = random.pick(["a", "A", "ab", "zz", "b", "𝒳", "7", "ß"])
        return .literal(
            .string((random.chance(40) ? "^" : "") + text + (random.chance(40) ? "$" : "")),
            .string)
    }

    private mutating func listed(_ place: OraclePlace) -> Tree {
        var members = (0..<(random.below(3) + 1)).map { _ in literalNumber() }
        if random.chance(15) { members.append(Self.null) }
        if random.chance(15) { members.append(number(place, 0)) }
        return .isIn(number(place, 1), members)
    }

    private mutating func boolean(_ place: OraclePlace) -> Tree {
        place.isCustomer && random.chance(60)
            ? place.path("Active") : .binary(sign(), number(place, 0), literalNumber())
    }

    private mutating func enumeration(_ place: OraclePlace) -> Tree {
        guard place.isCustomer else { return ofKeys(place) }
        let members = random.pick(["Bronze", "Silver", "Gold", "Bronze,Gold", "None"])
        return .binary(
            random.chance(50) ? .has : sign(), place.path("Grade"),
            .enumeration(type: "Shop.Grade", members: members))
    }

    mutating func ofKeys(_ place: OraclePlace) -> Tree {
        .binary(
            sign(), place.path(random.pick(place.numbers)),
            .literal(.integer(Int64(random.below(12))), .int32))
    }

    private mutating func bytes(_ place: OraclePlace, _ sign: BinaryOperator) -> Tree {
        guard place.isCustomer else { return ofKeys(place) }
        switch random.below(3) {
        case 0:
            return .binary(
                sign, place.path("Token"),
                .literal(Guid(random.pick(OracleCells.guids)).map(Scalar.guid) ?? .null, .guid))
        case 1:
            return .binary(
                sign, .call(.length, [place.path("Photo")]),
                .literal(.integer(Int64(random.below(4))), .int32))
        default:
            return .binary(
                random.pick([.eq, .ne]), place.path("Photo"),
                .literal(.binary(Array([1, 2, 255].prefix(random.below(4)))), .binary))
        }
    }

    /// `isof` and properties of a derived type.
    private mutating func typed(_ place: OraclePlace, _ sign: BinaryOperator) -> Tree {
        guard place.isCustomer, !place.isJoined else { return ofKeys(place) }
        if place.prefix.isEmpty, place.root == .it, outers.isEmpty, random.chance(40) {
            return .isOf(nil, type: "Shop.Vip")
        }
        if !place.prefix.isEmpty, random.chance(40) {
            return .isOf(
                .path(ExpressionPath(root: place.root, place.prefix)), type: "Shop.Vip")
        }
        let level = Tree.path(
            ExpressionPath(
                root: place.root, place.prefix + [.typeCast("Shop.Vip"), .property("Level")]))
        return .binary(sign, level, .literal(.integer(Int64(random.below(4))), .int32))
    }

    private mutating func time(_ place: OraclePlace, _ sign: BinaryOperator) -> Tree {
        let literal = Tree.literal(
            ClockTime(random.pick(OracleCells.times)).map(Scalar.timeOfDay) ?? .null, .timeOfDay)
        return .binary(
            sign,
            place.isCustomer && random.chance(50)
                ? place.path("Wakes") : .call(.time, [instant(place)]), literal)
    }

    // MARK: Collections

    mutating func lambda(_ place: OraclePlace, _ depth: Int) -> Tree {
        let operation: LambdaOperator = random.chance(50) ? .any : .all
        variables += 1
        let name = "v\(variables)"
        var sources = place.isCustomer ? ["Tags", "Marks", "Places"] : []
        if place.hops > 0 {
            let many = OracleRow.toMany[place.type] ?? []
            sources += many + many
        }
        guard !sources.isEmpty else { return ofKeys(place) }
        let source = random.pick(sources)
        var path = place.steps(source)
        if random.chance(8) { return .lambda(.any, path, variable: "", predicate: nil) }
        let value = Tree.path(ExpressionPath(root: .variable(name), []))
        switch source {
        case "Tags":
            let predicate: Tree =
                random.chance(50)
                ? .binary(sign(), value, tagged(place))
                : .call(
                    random.pick([.contains, .startsWith]), [value, .literal(.string("b"), .string)])
            return .lambda(operation, path, variable: name, predicate: predicate)
        case "Marks":
            let other: Tree =
                random.chance(30)
                ? place.path("Small") : .literal(.integer(Int64(random.below(6))), .int32)
            return .lambda(
                operation, path, variable: name, predicate: .binary(sign(), value, other))
        default:
            let isCast = source == "Reports" && random.chance(25)
            if isCast { path.segments.append(.typeCast("Shop.Vip")) }
            var inner = OraclePlace(
                source == "Places" ? "Address" : OracleRow.targets[source] ?? "",
                hops: max(0, place.hops - 1))
            inner.root = .variable(name)
            outers.append(place)
            defer { outers.removeLast() }
            return .lambda(
                operation, path, variable: name, predicate: condition(inner, depth))
        }
    }

    private mutating func tagged(_ place: OraclePlace) -> Tree {
        random.chance(30)
            ? place.path("Name") : .literal(.string(random.pick(["a", "ab", "ä"])), .string)
    }

    /// `path/$count`, with or without a filter; nil where there is no collection.
    mutating func counted(_ place: OraclePlace) -> Tree? {
        var names = place.isCustomer ? ["Tags", "Marks", "Places"] : []
        if place.hops > 0 { names += OracleRow.toMany[place.type] ?? [] }
        guard !names.isEmpty else { return nil }
        let name = random.pick(names)
        guard let target = OracleRow.targets[name], random.chance(40) else {
            return .count(place.steps(name), filter: nil)
        }
        let kept = outers
        outers = []
        defer { outers = kept }
        return .count(place.steps(name), filter: condition(OraclePlace(target), 1))
    }
}
