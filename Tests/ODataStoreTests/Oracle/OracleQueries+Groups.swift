import ODataModel
import ODataQuery
import ODataText

/// Random steps that need whole groups, and aggregates in expressions.
extension OracleQueries {
    /// A number that the sums of are exact in every order, and which no row lacks.
    private static let summed = ["Customer": "Id", "Order": "Id", "Item": "Line"]
    private static let counted = AggregateTerm(.count(ExpressionPath([])), alias: "N")

    private func sum(_ place: OraclePlace, _ method: AggregationMethod) -> AggregateTerm {
        AggregateTerm(
            .expression(place.path(Self.summed[place.type] ?? "Id"), method), alias: "S")
    }

    /// Steps that leave entities, in whatever set they are run.
    private mutating func keeping(_ place: OraclePlace) -> [Transformation] {
        let amount = Tree.literal(.integer(Int64(random.below(30) + 1)), .int32)
        let few = Tree.literal(.integer(Int64(random.below(4) + 1)), .int32)
        let number = place.path(Self.summed[place.type] ?? "Id")
        switch random.below(8) {
        case 0:
            return [.ranked(random.pick([.topCount, .bottomCount]), amount: few, by: plain(place))]
        case 1: return [.ranked(random.pick([.topSum, .bottomSum]), amount: amount, by: number)]
        case 2:
            return [
                .ranked(random.pick([.topPercent, .bottomPercent]), amount: amount, by: number)
            ]
        case 3: return [.orderBy(order(place)), .top(random.below(4))]
        case 4: return [.orderBy(order(place)), .skip(random.below(3))]
        case 5: return [.filter(condition(place, 1))]
        case 6: return [.filter(ofInput(place))]
        default: return [.identity]
        }
    }

    /// A comparison with an aggregate of the set.
    private mutating func ofInput(_ place: OraclePlace) -> Tree {
        let value = AggregateTerm(
            .expression(
                place.path(Self.summed[place.type] ?? "Id"), random.pick([.min, .max, .average])),
            alias: nil)
        return .binary(
            random.pick([.lt, .le, .gt, .ge, .eq]), place.path(Self.summed[place.type] ?? "Id"),
            .aggregate(ExpressionPath(root: .these, []), value))
    }

    /// Steps for each group, or for each expanded parent.
    mutating func inside(_ place: OraclePlace) -> [Transformation] {
        let groupings: [GroupingTerm] = [
            .path(
                ExpressionPath(
                    place.type == "Item" ? "Product" : place.type == "Order" ? "Title" : "Small"))
        ]
        let aggregate = Transformation.aggregate(
            [Self.counted, sum(place, random.pick([.sum, .min, .max, .average, .countDistinct]))])
        switch random.below(7) {
        case 0, 1: return keeping(place)
        case 2: return keeping(place) + [aggregate]
        case 3: return [aggregate]
        case 4: return keeping(place) + [.concat([[aggregate], keeping(place) + [aggregate]])]
        case 5: return [.groupBy(groupings, keeping(place))]
        default: return keeping(place) + [.groupBy(groupings, [aggregate])]
        }
    }

    mutating func wholeGroups(_ query: inout Query, _ place: OraclePlace) -> [Transformation] {
        var place = place
        place.numbers.removeAll { $0 == "C0" }
        let paths = (0..<(random.below(2) + 1)).map { _ in random.pick(groupable(place.type)) }
        var unique: [String] = []
        for path in paths where !unique.contains(path) { unique.append(path) }
        let terms = unique.map { GroupingTerm.path(ExpressionPath($0)) }
        if random.chance(20), unique.count > 1 {
            let paths = unique.map { ExpressionPath($0) }
            return [
                .groupBy(
                    [.rollup(paths, includesAll: random.chance(50))],
                    keeping(place) + [.aggregate([Self.counted])])
            ]
        }
        let steps = inside(place)
        let isKept = steps.allSatisfy {
            switch $0 {
            case .aggregate, .groupBy, .concat: false
            default: true
            }
        }
        if isKept, random.chance(50) {
            query.orderBy = order(place)
            if random.chance(50) { query.top = random.below(9) }
        }
        return [.groupBy(terms, steps)]
    }

    private func groupable(_ type: String) -> [String] {
        switch type {
        case "Customer":
            [
                "Name", "Small", "Active", "Since", "Grade", "ManagerId", "Address/City", "Balance",
                "Wait", "Exact", "Changed",
            ]
        case "Order": ["CustomerId", "Title", "Placed", "Customer/Name"]
        default: ["OrderId", "Product", "Quantity", "Order/Title"]
        }
    }

    /// Aggregates whose groups are taken back by others.
    mutating func takenBack(_ place: OraclePlace) -> [Transformation] {
        let grouping = ExpressionPath(random.pick(groupable(place.type)))
        var term = sum(place, random.pick([.sum, .max, .countDistinct]))
        term.from = [
            AggregationFrom([grouping], method: random.pick([.max, .min, .sum, .average]))
        ]
        return random.chance(50)
            ? [.aggregate([Self.counted, term])]
            : [
                .groupBy(
                    [.path(ExpressionPath(place.type == "Item" ? "OrderId" : "Id"))],
                    [.aggregate([term])])
            ]
    }

    /// An aggregate of related rows; nil where there are none.
    mutating func related(_ place: OraclePlace) -> Tree? {
        guard place.hops > 0, let names = OracleRow.toMany[place.type], !names.isEmpty,
            case let name = random.pick(names),
            let target = OracleRow.targets[name]
        else { return nil }
        let inner = OraclePlace(target)
        let term =
            random.chance(25)
            ? AggregateTerm(.count(ExpressionPath([])), alias: nil)
            : AggregateTerm(
                .expression(
                    inner.path(Self.summed[target] ?? "Id"),
                    random.pick([.sum, .min, .max, .average, .countDistinct])), alias: nil)
        return .aggregate(place.steps(name), term)
    }

    /// Rows along the managers of customers.
    mutating func relatives(_ place: OraclePlace) -> [Transformation] {
        let nodes = ["Customer": "Id", "Order": "CustomerId"]
        guard let node = nodes[place.type] else { return [.identity] }
        return [
            .relatives(
                RelativesTerm(
                    isAncestors: random.chance(50),
                    hierarchy: HierarchyReference(
                        nodes: ExpressionPath(root: .root, [.property("Customers")]),
                        qualifier: "Staff", node: ExpressionPath(node)),
                    start: random.chance(80) ? [.filter(condition(place, 1))] : [.top(3)],
                    maximumDistance: random.chance(40) ? random.below(3) + 1 : nil,
                    keepsStart: random.chance(50)))
        ]
    }
}
