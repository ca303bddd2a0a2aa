import ODataModel
import ODataQuery
import ODataText

/// Random queries of kinds that are asked now and then: pages, joins, nested results, shapes, collections
/// as wholes, aggregates that the model defines.
extension OracleQueries {
    /// How many of a hundred queries are of these kinds.
    static let furtherShare = 12

    mutating func further() -> Query {
        switch random.below(15) {
        case 0, 1, 2, 3: further(.pages)
        case 4, 5, 6: further(.joins)
        case 7, 8: further(.addedNested)
        case 9, 10: further(.shapes)
        case 11, 12: further(.collections)
        case 13: further(.definedAggregates)
        default: further(.nested)
        }
    }

    /// What ``further()`` asks about.
    enum Kind: CaseIterable, Sendable {
        case pages, joins, addedNested, shapes, collections, definedAggregates, nested
    }

    mutating func further(_ kind: Kind) -> Query {
        switch kind {
        case .pages: paged()
        case .joins: joined()
        case .addedNested: addingNested()
        case .shapes: located()
        case .collections: collected()
        case .definedAggregates: customised()
        case .nested: nested()
        }
    }

    private mutating func set() -> Query {
        Query(entitySet: random.pick(["Customers", "Orders", "Items"]))
    }

    private func type(_ query: Query) -> String {
        guard case .entitySet(let set)? = query.path.segments.first else { return "" }
        return String(set.dropLast())
    }

    // MARK: Pages

    /// Values that many rows share or lack, so that pages end between rows of one value.
    private func shared(_ type: String) -> [String] {
        switch type {
        case "Customer":
            [
                "Score", "Score", "Small", "Ratio", "Active", "Grade", "Since", "Token", "Wait",
                "Wakes", "Exact", "Balance", "Changed", "Name", "Address/Zip", "Big", "Photo",
                "Address/City", "Address/Place/Latitude", "ManagerId", "Manager/Name",
            ]
        case "Order": ["CustomerId", "Amount", "Placed", "Title", "Note", "Customer/Small"]
        default: ["Quantity", "Product", "Line", "OrderId", "Order/CustomerId"]
        }
    }

    private mutating func paged() -> Query {
        var query = set()
        let type = type(query)
        if random.chance(40) {
            options(of: &query, type)
        } else if random.chance(30) {
            query.select = selection(type)
        }
        if random.chance(75) {
            query.orderBy = (0..<(random.below(3) + 1)).map { _ in
                OrderItem(
                    .path(ExpressionPath(random.pick(shared(type)))),
                    isDescending: random.chance(50))
            }
        }
        if random.chance(15) {
            query.compute = []
            query.select = []
            // Nothing tells in which order groups come.
            if query.orderBy.isEmpty { (query.top, query.skip) = (nil, nil) }
            query.apply = inside(OraclePlace(type))
            if Oracle.makesRows(query.apply) {
                (query.filter, query.search) = (nil, nil)
                (query.orderBy, query.expand) = ([], [])
                (query.top, query.skip) = (nil, nil)
            }
        }
        query.pageSize = random.below(7) + 1
        return query
    }

    // MARK: Joins

    /// Rows with related ones, then steps that see both.
    private mutating func joined() -> Query {
        var query = Query(entitySet: random.chance(70) ? "Customers" : "Orders")
        let type = type(query)
        let name = random.pick(OracleRow.toMany[type] ?? [])
        let target = OracleRow.targets[name] ?? ""
        var steps: [Transformation] = []
        if random.chance(40) { steps.append(.filter(condition(OraclePlace(type, hops: 1), 1))) }
        var inner: [Transformation] = []
        if random.chance(40) { inner.append(.filter(condition(OraclePlace(target, hops: 1), 1))) }
        if target == "Order", random.chance(15) { inner.append(.search(search(1))) }
        steps.append(
            .join(
                ExpressionPath(name), alias: "J", inner.isEmpty ? [.identity] : inner,
                isOuter: random.chance(50)))
        var place = OraclePlace(target)
        place.prefix = [.property("J")]
        place.isJoined = true
        if random.chance(35) {
            steps.append(
                .filter(random.chance(60) ? condition(place, 1) : ofKeys(OraclePlace(type))))
        }
        let count = AggregateTerm(.count(ExpressionPath([])), alias: "N")
        let total = AggregateTerm(
            .expression(
                place.path(target == "Item" ? "Line" : "Id"),
                random.pick([.sum, .min, .max, .average, .countDistinct])), alias: "S")
        let key = ExpressionPath([.property("J"), .property(target == "Item" ? "Product" : "Id")])
        switch random.below(4) {
        case 0: steps.append(.aggregate([count, total]))
        case 1: steps.append(.groupBy([.path(ExpressionPath("Id"))], [.aggregate([count, total])]))
        case 2: steps.append(.groupBy([.path(key)], [.aggregate([count])]))
        default: break
        }
        query.apply = steps
        if random.chance(25) { query.includesCount = true }
        return query
    }

    // MARK: Nested results

    private mutating func nesting(_ place: OraclePlace) -> [NestedTerm] {
        (0..<(random.below(2) + 1)).map { NestedTerm(inside(place), alias: "P\($0)") }
    }

    private mutating func addingNested() -> Query {
        var query = Query(entitySet: random.chance(60) ? "Customers" : "Orders")
        let type = type(query)
        let name = random.pick(OracleRow.toMany[type] ?? [])
        var steps: [Transformation] = []
        if random.chance(40) { steps.append(.filter(condition(OraclePlace(type, hops: 1), 1))) }
        let target = OraclePlace(OracleRow.targets[name] ?? "")
        steps.append(.addNested(ExpressionPath(name), nesting(target)))
        if random.chance(40) { steps.append(.filter(condition(OraclePlace(type, hops: 1), 1))) }
        query.apply = steps
        if random.chance(40) { query.orderBy = order(OraclePlace(type, hops: 1)) }
        if random.chance(30) { query.top = random.below(8) }
        return query
    }

    private mutating func nested() -> Query {
        var query = set()
        let place = OraclePlace(type(query), hops: 1)
        var steps: [Transformation] = []
        if random.chance(60) { steps.append(.filter(condition(place, 1))) }
        steps.append(.nest(nesting(OraclePlace(place.type))))
        query.apply = steps
        return query
    }
}
