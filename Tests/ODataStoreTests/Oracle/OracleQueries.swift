import ODataModel
import ODataQuery
import ODataText

/// Makes random queries that fit the oracle's model: every operator, function and literal of the language that the store
/// answers, over random paths.
struct OracleQueries {
    typealias Tree = ODataQuery.Expression

    var random: SeededGenerator
    /// Chooses and makes the queries of further kinds, so that the others stay what they are.
    var side: SeededGenerator
    var variables = 0
    /// Places outside of the lambda that is being made.
    var outers: [OraclePlace] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        side = SeededGenerator(seed: ~seed)
    }

    mutating func query() -> Query {
        variables = 0
        outers = []
        if side.chance(Self.furtherShare) {
            swap(&random, &side)
            defer { swap(&random, &side) }
            return further()
        }
        if random.chance(18) { return applied() }
        if random.chance(12) { return addressed() }
        let set = random.pick(["Customers", "Customers", "Orders", "Items"])
        var query = Query(entitySet: set)
        options(of: &query, String(set.dropLast()))
        return query
    }

    mutating func options(of query: inout Query, _ type: String) {
        var place = OraclePlace(type, hops: 2)
        if random.chance(15) { query.compute = compute(&place) }
        if random.chance(85) { query.filter = condition(place, 3) }
        if random.chance(50) { query.orderBy = order(place) }
        if random.chance(25) { query.top = random.below(12) }
        if random.chance(20) { query.skip = random.below(8) }
        if random.chance(20) { query.includesCount = true }
        if random.chance(30) { query.select = selection(type) + computed(query.compute) }
        if random.chance(35) { query.expand = expansion(type, 3) }
        if type == "Order", random.chance(20) { query.search = search(2) }
    }

    /// Resource paths other than a set.
    private mutating func addressed() -> Query {
        let id = KeyValue(
            name: nil, value: .literal(.integer(Int64(random.below(20) + 1)), .int32))
        var query = Query(entitySet: "Customers")
        func go(_ segments: ResourcePath.Segment...) { query.path.segments += segments }
        switch random.below(10) {
        case 8: go(.key([id]), .property("Favourite"))
        case 9:
            go(.key([id]), .property("Watched"))
            options(of: &query, "Order")
        case 0:
            go(.key([id]))
            if random.chance(60) { query.expand = expansion("Customer", 2) }
            if random.chance(40) { query.select = selection("Customer") }
        case 1:
            go(.key([id]), .property("Orders"))
            options(of: &query, "Order")
        case 2:
            go(.key([id]), .property("Orders"), .count)
            if random.chance(60) { query.filter = condition(OraclePlace("Order", hops: 1), 2) }
        case 3:
            go(.typeCast("Shop.Vip"))
            options(of: &query, "Customer")
        case 4:
            go(.filter(condition(OraclePlace("Customer", hops: 1), 2)))
            options(of: &query, "Customer")
        case 5:
            go(.key([id]), .property("Reports"))
            options(of: &query, "Customer")
        case 6:
            go(.key([id]), .property(random.pick(["Name", "Exact", "Changed", "Tags", "Wait"])))
        case 7: go(.key([id]), .property("Manager"))
        default:
            query = Query(entitySet: random.pick(["Customers", "Orders", "Items"]))
            if case .entitySet(let set) = query.path.segments[0] {
                query.filter = condition(OraclePlace(String(set.dropLast()), hops: 2), 2)
            }
            query.path.segments.append(.count)
        }
        return query
    }

    // MARK: Clauses

    mutating func compute(_ place: inout OraclePlace) -> [ComputeItem] {
        (0..<(random.below(2) + 1)).map { index in
            let alias = "C\(index)"
            let item: ComputeItem
            switch random.below(5) {
            case 0:
                item = ComputeItem(text(place, 2), alias: alias)
                place.texts.append(alias)
            case 1:
                item = ComputeItem(instant(place), alias: alias)
                place.instants.append(alias)
            case 2:
                item = ComputeItem(date(place), alias: alias)
                place.days.append(alias)
            default:
                item = ComputeItem(number(place, 2), alias: alias)
                place.numbers.append(alias)
            }
            return item
        }
    }

    mutating func computed(_ items: [ComputeItem]) -> [SelectTerm] {
        items.filter { _ in random.chance(60) }.map { SelectTerm(ExpressionPath($0.alias)) }
    }

    mutating func order(_ place: OraclePlace) -> [OrderItem] {
        (0..<(random.below(3) + 1)).map { _ in
            OrderItem(sortable(place), isDescending: random.chance(50))
        }
    }

    private mutating func sortable(_ place: OraclePlace) -> Tree {
        switch random.below(9) {
        case 0: number(place, 1)
        case 1: text(place, 1)
        case 2: instant(place)
        case 3: duration(place, 1)
        case 4: .call(.length, [text(place, 1)])
        case 5: counted(place) ?? plain(place)
        case 6: plain(hop(place))
        default: plain(place)
        }
    }

    /// Any property that has an order.
    mutating func plain(_ place: OraclePlace) -> Tree { place.path(random.pick(place.ordered)) }

    mutating func selection(_ type: String) -> [SelectTerm] {
        let names: [String] =
            switch type {
            case "Customer":
                [
                    "Name", "Exact", "Changed", "Address", "Address/City", "Address/Place", "Tags",
                    "Wait", "Photo", "Grade", "Places", "Marks", "Score", "Address/Place/Longitude",
                ]
            case "Order": ["Title", "Amount", "CustomerId", "Placed"]
            default: ["Product", "Quantity"]
            }
        let wanted = Set((0..<(random.below(3) + 1)).map { _ in random.pick(names) })
        var terms = names.filter { name in
            wanted.contains(name)
                && !wanted.contains { name.hasPrefix($0 + "/") }
        }.map { SelectTerm(ExpressionPath($0)) }
        if type == "Customer", random.chance(15) {
            terms.append(SelectTerm(ExpressionPath([.typeCast("Shop.Vip"), .property("Level")])))
        }
        return terms
    }

    private mutating func expansion(_ type: String, _ depth: Int) -> [ExpandTerm] {
        if random.chance(4) { return [ExpandTerm(ExpressionPath([]), isStar: true)] }
        let names = (OracleRow.toOne[type] ?? []) + (OracleRow.toMany[type] ?? [])
        return names.filter { _ in random.chance(45) }.map { name in
            let target = OracleRow.targets[name] ?? ""
            let isMany = OracleRow.toMany[type]?.contains(name) == true
            var term = ExpandTerm(ExpressionPath(name))
            if isMany, random.chance(8) { term.kind = random.chance(50) ? .count : .references }
            var place = OraclePlace(target, hops: 1)
            if isMany {
                if term.kind == .entities, random.chance(10) {
                    term.options.compute = compute(&place)
                }
                if term.kind == .entities, random.chance(12) {
                    term.options.apply = inside(OraclePlace(target))
                    return term
                }
                if random.chance(40) { term.options.filter = condition(place, 2) }
                if target == "Order", random.chance(10) { term.options.search = search(1) }
                if term.kind == .entities {
                    if random.chance(40) { term.options.orderBy = order(place) }
                    if random.chance(25) { term.options.top = random.below(4) }
                    if random.chance(25) { term.options.skip = random.below(3) }
                    if random.chance(25) { term.options.includesCount = true }
                }
            }
            guard term.kind == .entities else { return term }
            if random.chance(30) {
                term.options.select = selection(target) + computed(term.options.compute)
            }
            if depth > 1, random.chance(40) {
                term.options.expand = expansion(target, depth - 1)
            }
            if target == type, random.chance(15), term.options.expand.isEmpty {
                term.options.levels = random.below(3) + 1
            }
            return term
        }
    }

    mutating func search(_ depth: Int) -> SearchExpression {
        guard depth > 0, random.chance(60) else {
            return random.chance(25)
                ? .phrase("\(random.pick(OracleCells.notes)) \(random.pick(OracleCells.notes))")
                : .term(random.pick(OracleCells.notes))
        }
        switch random.below(3) {
        case 0: return .not(search(depth - 1))
        case 1: return .and(search(depth - 1), search(depth - 1))
        default: return .or(search(depth - 1), search(depth - 1))
        }
    }

    /// The place itself, or one that a to-one navigation leads to.
    mutating func hop(_ place: OraclePlace) -> OraclePlace {
        guard place.hops > 0, random.chance(25), let names = OracleRow.toOne[place.type],
            case let name = random.pick(names), let target = OracleRow.targets[name]
        else { return place }
        var next = OraclePlace(target, hops: place.hops - 1)
        next.root = place.root
        next.prefix = place.prefix + [.property(name)]
        return next
    }
}
