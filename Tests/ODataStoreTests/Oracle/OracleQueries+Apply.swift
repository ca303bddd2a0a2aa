import ODataModel
import ODataQuery
import ODataText

/// Random `$apply`.
extension OracleQueries {
    mutating func applied() -> Query {
        let set = random.pick(["Customers", "Orders", "Items"])
        let type = String(set.dropLast())
        var query = Query(entitySet: set)
        var place = OraclePlace(type, hops: 1)
        var steps = (0..<random.below(3)).flatMap { _ in kept(&place) }
        switch random.below(11) {
        case 8, 9: steps += wholeGroups(&query, place)
        case 10: steps += takenBack(place)
        case 0, 1, 2, 3:
            let groupings = groupings(type)
            var derived = OraclePlace("")
            let terms = aggregates(place, &derived)
            steps.append(
                .groupBy(
                    groupings.map { .path(ExpressionPath($0)) },
                    terms.isEmpty ? [] : [.aggregate(terms)]))
            if random.chance(25) {
                steps += paged(groupings, derived)
            } else {
                behind(&query, groupings, derived)
            }
        case 4:
            var derived = OraclePlace("")
            var terms = aggregates(place, &derived)
            if terms.isEmpty { terms = [AggregateTerm(.count(ExpressionPath([])), alias: "N")] }
            steps.append(.aggregate(terms))
        case 5:
            var derived = OraclePlace("")
            let paths = groupings(type, least: 2).map { ExpressionPath($0) }
            steps.append(
                .groupBy(
                    [.rollup(paths, includesAll: random.chance(50))],
                    [.aggregate([AggregateTerm(.count(ExpressionPath([])), alias: "N")])]))
            derived.numbers = ["N"]
            if random.chance(50) { query.filter = ofKeys(derived) }
        case 6:
            steps.append(.concat([concatenated(type, place), concatenated(type, place)]))
        default:
            options(of: &query, type)
            query.compute = []
        }
        query.apply = steps
        if random.chance(25) { query.includesCount = true }
        return query
    }

    private mutating func concatenated(
        _ type: String, _ place: OraclePlace
    ) -> [Transformation] {
        switch random.below(4) {
        case 0: return [.aggregate([AggregateTerm(.count(ExpressionPath([])), alias: "N")])]
        case 1: return [.filter(condition(place, 1))]
        case 2:
            return [
                .ranked(
                    .topCount, amount: .literal(.integer(Int64(random.below(4) + 1)), .int32),
                    by: place.path(random.pick(place.numbers)))
            ]
        default:
            let count = AggregateTerm(.count(ExpressionPath([])), alias: "N")
            var derived = OraclePlace("")
            derived.numbers = ["N"]
            return [
                .groupBy(
                    groupings(type).map { .path(ExpressionPath($0)) }, [.aggregate([count])]),
                .filter(ofKeys(derived)),
            ]
        }
    }

    /// A step that keeps entities, or a few.
    private mutating func kept(_ place: inout OraclePlace) -> [Transformation] {
        switch random.below(8) {
        case 7: return relatives(place)
        case 0, 1: return [.filter(condition(place, 2))]
        case 2:
            guard !place.numbers.contains("C0") else { return [.identity] }
            return [.compute([ComputeItem(number(place, 1), alias: named(&place))])]
        case 3:
            return [
                .ranked(
                    random.pick([.topCount, .bottomCount]),
                    amount: .literal(.integer(Int64(random.below(9) + 1)), .int32),
                    by: plain(place))
            ]
        case 4: return [place.type == "Order" ? .search(search(1)) : .top(random.below(20))]
        case 5: return ranked(place)
        default:
            return [.orderBy(order(place)), random.chance(50) ? .skip(random.below(5)) : .top(9)]
        }
    }

    /// By a sum, or by a part of it: null has no place there, and a part is one of numbers above zero.
    private mutating func ranked(_ place: OraclePlace) -> [Transformation] {
        let names = ["Customer": ["Small", "Balance"], "Order": ["Amount"], "Item": ["Quantity"]]
        let sums: [RankedMethod] = [.topSum, .bottomSum]
        guard random.chance(60), let name = names[place.type].map({ random.pick($0) }) else {
            let method: RankedMethod = random.chance(50) ? .topPercent : .bottomPercent
            return [
                .ranked(
                    method, amount: .literal(.integer(Int64(random.below(100) + 1)), .int32),
                    by: place.path(place.type == "Item" ? "Line" : "Id"))
            ]
        }
        return [
            .filter(.binary(.ne, place.path(name), Self.null)),
            .ranked(
                random.pick(sums),
                amount: .literal(.integer(Int64(random.below(30) - 4)), .int32),
                by: place.path(name)),
        ]
    }

    private func named(_ place: inout OraclePlace) -> String {
        place.numbers.append("C0")
        return "C0"
    }

    private mutating func groupings(_ type: String, least: Int = 1) -> [String] {
        let names: [String] =
            switch type {
            case "Customer":
                [
                    "Name", "Small", "Active", "Since", "Grade", "ManagerId", "Address/City",
                    "Balance", "Exact", "Changed", "Wait", "Token", "Manager/Name",
                ]
            case "Order": ["CustomerId", "Title", "Placed", "Amount", "Customer/Name"]
            default: ["OrderId", "Product", "Quantity", "Order/Title", "Line"]
            }
        var chosen: [String] = []
        while chosen.count < least || chosen.count < 3 && random.chance(40) {
            let name = random.pick(names)
            if !chosen.contains(name) { chosen.append(name) }
        }
        return chosen
    }

    /// Sums and averages of numbers whose sum is exact in every order.
    private mutating func aggregates(
        _ place: OraclePlace, _ derived: inout OraclePlace
    ) -> [AggregateTerm] {
        let summed: [String] =
            switch place.type {
            case "Customer": ["Small", "Tiny", "Balance", "Exact", "Ratio", "Id"]
            case "Order": ["Amount", "Id", "CustomerId"]
            default: ["Quantity", "Line", "OrderId"]
            }
        return (0..<random.below(4)).map { index in
            let alias = "A\(index)"
            switch random.below(6) {
            case 0:
                derived.numbers.append(alias)
                return AggregateTerm(.count(ExpressionPath([])), alias: alias)
            case 1:
                derived.numbers.append(alias)
                let names = place.ordered.filter { $0 != "Score" && $0 != "C0" }
                return AggregateTerm(
                    .expression(place.path(random.pick(names)), .countDistinct), alias: alias)
            case 2:
                let names = place.ordered.filter {
                    !["Score", "C0", "Active", "Token"].contains($0)
                }
                return AggregateTerm(
                    .expression(place.path(random.pick(names)), random.pick([.min, .max])),
                    alias: alias)
            case 3 where place.isCustomer:
                if random.chance(50) {
                    return AggregateTerm(
                        .expression(place.path("Big"), random.pick([.sum, .min, .max])),
                        alias: alias)
                }
                return AggregateTerm(
                    .expression(place.path("Wait"), random.pick([.sum, .average])), alias: alias)
            case 4:
                derived.numbers.append(alias)
                let factor = Tree.literal(.integer(Int64(random.below(5) - 1)), .int32)
                return AggregateTerm(
                    .expression(
                        .binary(
                            random.pick([.mul, .add, .sub]), place.path(random.pick(summed)),
                            factor), random.pick([.sum, .max])), alias: alias)
            default:
                derived.numbers.append(alias)
                return AggregateTerm(
                    .expression(
                        place.path(random.pick(summed)),
                        random.pick([.sum, .average, .min, .max])), alias: alias)
            }
        }
    }

    /// The groups in a total order, and the first or last of them.
    private mutating func paged(
        _ groupings: [String], _ derived: OraclePlace
    ) -> [Transformation] {
        let items = groupings.map {
            OrderItem(.path(ExpressionPath($0)), isDescending: random.chance(50))
        }
        var steps: [Transformation] = [.orderBy(items)]
        if random.chance(50) { steps.append(.skip(random.below(4))) }
        if random.chance(70) { steps.append(.top(random.below(6))) }
        if !derived.numbers.isEmpty, random.chance(30) { steps.append(.filter(ofKeys(derived))) }
        return steps
    }

    /// Options behind groups; only a total order is paged.
    private mutating func behind(
        _ query: inout Query, _ groupings: [String], _ derived: OraclePlace
    ) {
        if !derived.numbers.isEmpty, random.chance(40) { query.filter = condition(derived, 1) }
        if random.chance(50) {
            var items = groupings.map {
                OrderItem(.path(ExpressionPath($0)), isDescending: random.chance(50))
            }
            if !derived.numbers.isEmpty, random.chance(50) {
                items.insert(
                    OrderItem(derived.path(random.pick(derived.numbers)), isDescending: true), at: 0
                )
            }
            query.orderBy = items
            if random.chance(40) { query.top = random.below(6) }
            if random.chance(30) { query.skip = random.below(4) }
        }
    }
}
