import ODataModel
import ODataQuery
import ODataText

/// The steps of `$apply` (Data Aggregation 4.0, section 3) over instances in memory.
struct OracleApply {
    let data: OracleData
    private(set) var items: [OracleItem]
    /// True once the instances are no entities any more.
    private(set) var isDerived = false
    /// True while the instances are in an order that a step has made.
    private(set) var isOrdered = false
    /// What the last `orderby` asked for, which `top` and `skip` go by.
    private var order: [OrderItem] = []

    init(data: OracleData, items: [OracleItem]) {
        self.data = data
        self.items = items
    }

    mutating func run(_ steps: [Transformation]) throws {
        for step in steps { try run(step) }
    }

    private mutating func run(_ step: Transformation) throws {
        switch step {
        // The text leaves open whether a filter keeps the order; it does here.
        case .identity, .compute, .orderBy, .top, .skip, .filter, .search: break
        default: isOrdered = false
        }
        switch step {
        case .identity: break
        case .filter(let condition):
            items = try items.filter { try OracleEvaluator($0).truth(condition) == true }
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
        case .aggregate(let terms): try group(sets: [[]], terms)
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
        default: throw OracleEvaluator.unknown()
        }
    }

    /// A total order before `top` and `skip`: the one asked for, then the key (section 3.3.9).
    private mutating func settle() throws {
        items = try Oracle.ordered(items, order, isKeyed: !isDerived)
    }

    /// An entity as an instance with nothing but values.
    private static func flat(_ item: OracleItem) -> OracleItem {
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
        var terms: [AggregateTerm] = []
        var rest = inner[...]
        while case .compute(let computed)? = rest.first {
            items = try Oracle.computed(items, computed)
            rest = rest.dropFirst()
        }
        if case .aggregate(let found)? = rest.first {
            terms = found
            rest = rest.dropFirst()
        }
        try group(sets: sets, terms)
        try run(Array(rest))
    }

    /// One instance for each combination of values; without groupings one in all.
    private mutating func group(
        sets: [[ExpressionPath]], _ terms: [AggregateTerm]
    ) throws {
        var result: [OracleItem] = []
        for paths in sets {
            var groups: [(key: [OracleValue], members: [OracleItem])] = []
            for item in items {
                let key = try paths.map { try OracleEvaluator(item).value(.path($0)) }
                let known = groups.firstIndex { group in
                    zip(group.key, key).allSatisfy { OracleValue.rank($0, $1) == .equal }
                }
                if let known {
                    groups[known].members.append(item)
                } else {
                    groups.append((key, [item]))
                }
            }
            if paths.isEmpty, groups.isEmpty { groups = [([], [])] }
            for group in groups {
                var values: [String: OracleValue] = [:]
                for (path, value) in zip(paths, group.key) {
                    values[path.memberNames.joined(separator: "/")] = value
                }
                for term in terms {
                    values[term.alias ?? ""] = try Self.aggregate(term, group.members)
                }
                result.append(OracleItem(row: nil, values: values))
            }
        }
        items = result
        isDerived = true
        order = []
    }

    /// Section 3.2.1: null is left out, and of no values there is no sum, least, greatest or average.
    private static func aggregate(
        _ term: AggregateTerm, _ members: [OracleItem]
    ) throws -> OracleValue {
        guard case .expression(let expression, let method) = term.value else {
            return .whole(Int64(members.count))
        }
        let values = try members.map { try OracleEvaluator($0).value(expression) }
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
