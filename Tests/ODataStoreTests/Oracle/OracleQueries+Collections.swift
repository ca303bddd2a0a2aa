import ODataModel
import ODataQuery
import ODataText

/// Random functions on collections, and aggregates that the model defines.
extension OracleQueries {
    private mutating func literalCollection(_ source: String) -> Tree {
        let members = (0..<random.below(4)).map { _ in
            source == "Tags"
                ? "\"\(random.pick(["a", "b", "ä", "ab", "c"]))\""
                : random.chance(12) ? "null" : String(random.below(6))
        }
        return .json("[\(members.joined(separator: ","))]")
    }

    /// A comparison that reads a whole collection.
    private mutating func ofCollection(_ origin: OraclePlace) -> Tree {
        let place = origin.isCustomer ? hop(origin) : origin
        guard place.isCustomer else { return ofKeys(place) }
        let source = random.pick(["Tags", "Marks"])
        let own = place.path(source)
        let other =
            random.chance(15) ? OraclePlace("Customer").path(source) : literalCollection(source)
        switch random.below(7) {
        case 0:
            return .binary(
                sign(), .call(.length, [own]), .literal(.integer(Int64(random.below(4))), .int32))
        case 1:
            return .binary(
                sign(), .call(.indexOf, [own, other]),
                .literal(.integer(Int64(random.below(3) - 1)), .int32))
        default:
            let functions: [Function] = [
                .hasSubset, .hasSubsequence, .contains, .startsWith, .endsWith,
            ]
            let found = Tree.call(random.pick(functions), [own, other])
            guard random.chance(20) else { return found }
            return .binary(random.pick([.eq, .ne]), found, flag())
        }
    }

    mutating func collected() -> Query {
        var query = Query(entitySet: "Customers")
        let place = OraclePlace("Customer", hops: 1)
        var filter = ofCollection(place)
        if random.chance(30) { filter = .unary(.not, filter) }
        if random.chance(40) {
            filter = .binary(random.pick([.and, .or]), filter, condition(place, 1))
        }
        query.filter = filter
        if random.chance(40) { query.orderBy = order(place) }
        return query
    }

    // MARK: Aggregates by definition

    private mutating func defined() -> AggregateTerm {
        AggregateTerm(
            .custom(ExpressionPath(random.pick(["Turnover", "Mean"]))),
            alias: random.chance(50) ? "D" : nil)
    }

    mutating func customised() -> Query {
        if random.chance(20) {
            var query = Query(entitySet: "Customers")
            let term = AggregateTerm(.custom(ExpressionPath("Turnover")), alias: nil)
            query.filter = .binary(
                sign(), .aggregate(ExpressionPath("Orders"), term),
                .literal(.integer(Int64(random.below(20))), .int32))
            return query
        }
        var query = Query(entitySet: "Orders")
        let place = OraclePlace("Order", hops: 1)
        var steps: [Transformation] = []
        if random.chance(50) { steps.append(.filter(condition(place, 1))) }
        let count = AggregateTerm(.count(ExpressionPath([])), alias: "N")
        let terms = random.chance(50) ? [defined()] : [count, defined()]
        let key = ExpressionPath(random.pick(["CustomerId", "Title", "Customer/Name"]))
        switch random.below(3) {
        case 0: steps.append(.aggregate(terms))
        case 1:
            steps += [
                .groupBy([.path(key)], [.aggregate(terms)]),
                .filter(.binary(.ne, .path(key), Self.null)),
            ]
        default: steps.append(.groupBy([.path(key)], [.aggregate(terms)]))
        }
        query.apply = steps
        return query
    }
}
