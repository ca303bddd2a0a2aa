import ODataModel
import ODataQuery
import ODataText

/// The steps of `$apply` (Data Aggregation 4.0, section 3) over instances in memory.
struct OracleApply {
    let data: OracleData
    var items: [OracleItem]
    /// True once the instances are no entities any more.
    var isDerived = false
    /// True while the instances are in an order that a step has made.
    private(set) var isOrdered = false
    /// What the last `orderby` asked for, which `top` and `skip` go by.
    var order: [OrderItem] = []

    /// What `nest` made: nothing else is left then.
    var nests: [Nest] = []
    /// What `addnested` gives each entity.
    var added: [Added] = []

    init(data: OracleData, items: [OracleItem]) {
        self.data = data
        self.items = items
    }

    mutating func run(_ steps: [Transformation]) throws {
        for step in steps { try run(step) }
    }

    private mutating func run(_ step: Transformation) throws {
        switch step {
        // The text leaves open whether what only leaves instances out keeps their order; it does here.
        case .identity, .compute, .orderBy, .top, .skip, .filter, .search, .relatives: break
        default: isOrdered = false
        }
        switch step {
        case .identity: break
        case .filter(let condition):
            let these = items
            items = try items.filter {
                try OracleEvaluator($0, these: these).truth(condition) == true
            }
        case .search(let search): items = items.filter { OracleSearch.matches($0, search) }
        case .compute(let terms): items = try Oracle.computed(items, terms)
        case .orderBy(let terms):
            order = terms
            isOrdered = true
            items = try Oracle.ordered(items, terms, isKeyed: !isDerived)
        case .top(let count):
            try settle()
            items = Array(items.prefix(count))
        case .skip(let count):
            try settle()
            items = Array(items.dropFirst(count))
        case .ranked(let method, let amount, let value): try rank(method, amount, value)
        case .aggregate(let terms): try aggregate(terms)
        case .groupBy(let groupings, let inner): try group(groupings, inner)
        case .concat(let sequences):
            var parts: [OracleItem] = []
            for steps in sequences {
                var part = self
                try part.run(steps)
                if !part.isDerived { part.items = part.items.map(Self.flat) }
                parts += part.items
            }
            items = parts
            isDerived = true
            order = []
        case .relatives(let term): try relatives(term)
        case .join(let path, let alias, let steps, let isOuter):
            try join(path, alias, steps, isOuter: isOuter)
        case .nest(let terms): try nest(terms)
        case .addNested(let path, let terms):
            added += terms.map { Added(path: path, steps: $0.steps, alias: $0.alias) }
        default: throw OracleEvaluator.unknown()
        }
    }

    /// Section 6.2: along the managers of customers, level by level.
    private mutating func relatives(_ term: RelativesTerm) throws {
        func node(_ item: OracleItem) throws -> Int64? {
            guard case .whole(let id) = try OracleEvaluator(item).value(.path(term.hierarchy.node))
            else { return nil }
            return id
        }
        var start = self
        try start.run(term.start)
        var nodes: [Int64: OracleRow] = [:]
        for row in data.rows(of: "Customers") { nodes[row.key[0]] = row }
        let first = Set(try start.items.compactMap(node)).filter { nodes[$0] != nil }
        var (reached, frontier): (Set<Int64>, Set<Int64>) = ([], first)
        var level = 0
        while !frontier.isEmpty, level < term.maximumDistance ?? .max {
            level += 1
            let next = frontier.flatMap { id -> [OracleRow] in
                guard let row = nodes[id] else { return [] }
                return term.isAncestors
                    ? row.one["Manager"].map { [$0] } ?? [] : row.many["Reports"] ?? []
            }
            frontier = Set(next.map { $0.key[0] }).subtracting(reached)
            reached.formUnion(frontier)
        }
        if term.keepsStart { reached.formUnion(first) }
        items = try items.filter { item in try node(item).map(reached.contains) ?? false }
    }

    /// A total order before `top` and `skip`: the one asked for, then the key (section 3.3.9).
    private mutating func settle() throws {
        items = try Oracle.ordered(items, order, isKeyed: !isDerived)
    }

    /// An entity as an instance with nothing but values.
    static func flat(_ item: OracleItem) -> OracleItem {
        guard let row = item.row else { return item }
        var values = item.values
        func add(_ name: String, _ value: OracleValue) {
            if case .record(let members) = value {
                for (inner, value) in members { add(name + "/" + inner, value) }
            } else {
                values[name] = value
            }
        }
        // The columns of the input type; a derived type's own are not part of it.
        for (name, value) in row.values where name != "Level" { add(name, value) }
        return OracleItem(row: nil, values: values)
    }

    // MARK: Top and bottom

    /// Section 3.3.1: instances are taken in the order of the value until the condition is met.
    private mutating func rank(
        _ method: RankedMethod, _ amount: Expression, _ value: Expression
    ) throws {
        let none = OracleEvaluator(OracleItem())
        let sorted = try Oracle.ordered(
            items, [OrderItem(value, isDescending: method.isTop)], isKeyed: !isDerived)
        let limit = try none.value(amount)
        guard method.measure != .count else {
            guard case .whole(let count) = limit else { throw OracleArithmetic.misfit() }
            items = Array(sorted.prefix(Int(count)))
            order = []
            return
        }
        let values = try sorted.map { try OracleEvaluator($0).value(value) }
        var wanted = limit
        if method.measure == .percent {
            var total = OracleValue.whole(0)
            for value in values where !value.isNull {
                total = try OracleArithmetic.value(.add, total, value)
            }
            wanted = try OracleArithmetic.value(
                .divby, try OracleArithmetic.value(.mul, total, limit), .whole(100))
        }
        var (kept, sum): ([OracleItem], OracleValue) = ([], .whole(0))
        // Every value must be a number: null is none.
        for (item, value) in zip(sorted, values) where !value.isNull {
            let relation = OracleValue.relation(sum, wanted)
            if relation == .greater || relation == .equal { break }
            kept.append(item)
            sum = try OracleArithmetic.value(.add, sum, value)
        }
        items = kept
        order = []
    }

    // MARK: Groups

    private mutating func group(
        _ groupings: [GroupingTerm], _ inner: [Transformation]
    ) throws {
        var sets: [[ExpressionPath]] = [[]]
        for grouping in groupings {
            switch grouping {
            case .path(let path): sets = sets.map { $0 + [path] }
            case .rollup(let paths, let includesAll):
                let counts = ((includesAll ? 0 : 1)...max(1, paths.count)).reversed()
                sets = sets.flatMap { set in counts.map { set + Array(paths.prefix($0)) } }
            case .rollupRecursive: throw OracleEvaluator.unknown()
            }
        }
        var parts: [[OracleItem]] = []
        var isDerived = isDerived
        for paths in sets {
            var result: [OracleItem] = []
            for group in try groups(paths) {
                var part = self
                part.items = group.members
                if inner.isEmpty {
                    part.items = [OracleItem()]
                    part.isDerived = true
                } else {
                    try part.run(inner)
                }
                isDerived = part.isDerived
                guard part.isDerived else {
                    result += part.items
                    continue
                }
                result += part.items.map { item in
                    var item = item
                    for (path, value) in zip(paths, group.key) {
                        let name = path.memberNames.joined(separator: "/")
                        if item.values[name] == nil { item.values[name] = value }
                    }
                    return item
                }
            }
            parts.append(result)
        }
        items = parts.flatMap { $0 }
        if sets.count > 1, !isDerived {
            items = items.map(Self.flat)
            isDerived = true
        }
        self.isDerived = isDerived
        order = []
    }

    /// The members of each combination of values; without paths all are one group.
    private func groups(
        _ paths: [ExpressionPath]
    ) throws -> [(key: [OracleValue], members: [OracleItem])] {
        var groups: [(key: [OracleValue], members: [OracleItem])] = []
        for item in items {
            let key = try paths.map { try OracleEvaluator(item, these: items).value(.path($0)) }
            let known = groups.firstIndex { group in
                zip(group.key, key).allSatisfy { OracleValue.rank($0, $1) == .equal }
            }
            if let known {
                groups[known].members.append(item)
            } else {
                groups.append((key, [item]))
            }
        }
        return paths.isEmpty && groups.isEmpty ? [([], [])] : groups
    }

    /// One instance of all; section 3.2.1.3: `from` takes values of groups, the innermost first.
    private mutating func aggregate(_ terms: [AggregateTerm]) throws {
        var values: [String: OracleValue] = [:]
        for term in terms {
            var members = items
            var value = AggregateTerm(term.value, alias: nil).value
            for (position, from) in term.from.enumerated() {
                guard let method = from.method else { throw OracleEvaluator.unknown() }
                let paths = term.from[position...].flatMap(\.groupings)
                var part = self
                part.items = members
                members = try part.groups(paths).map { group in
                    var item = OracleItem()
                    for (path, key) in zip(paths, group.key) {
                        item.values[path.memberNames.joined(separator: "/")] = key
                    }
                    item.values["value"] = try Self.aggregate(
                        AggregateTerm(value, alias: nil), group.members)
                    return item
                }
                value = .expression(.path(ExpressionPath("value")), method)
            }
            values[Self.name(of: term)] = try Self.aggregate(
                AggregateTerm(value, alias: nil), members)
        }
        items = [OracleItem(row: nil, values: values)]
        isDerived = true
        order = []
    }

    /// Section 3.2.1: null is left out, and of no values there is no sum, least, greatest or average.
    static func aggregate(
        _ term: AggregateTerm, _ members: [OracleItem]
    ) throws -> OracleValue {
        if case .custom(let path) = term.value { return try defined(path, members) }
        guard case .expression(let expression, let method) = term.value else {
            return .whole(Int64(members.count))
        }
        let values = try members.map { try OracleEvaluator($0, these: members).value(expression) }
            .filter { !$0.isNull }
        if method == .countDistinct {
            var distinct: [OracleValue] = []
            for value in values
            where !distinct.contains(where: { OracleValue.rank($0, value) == .equal }) {
                distinct.append(value)
            }
            return .whole(Int64(distinct.count))
        }
        guard var result = values.first else { return .null }
        switch method {
        case .min, .max:
            let wanted: OracleRelation = method == .min ? .less : .greater
            for value in values where OracleValue.rank(value, result) == wanted { result = value }
            return result
        case .sum, .average:
            for value in values.dropFirst() {
                result = try OracleArithmetic.value(.add, result, value)
            }
            guard method == .average else { return result }
            let count = OracleValue.whole(Int64(values.count))
            if case .whole = result, let sum = result.double, let count = count.double {
                return .real(sum / count)
            }
            return try OracleArithmetic.value(.divby, result, count)
        default: throw OracleEvaluator.unknown()
        }
    }
}
