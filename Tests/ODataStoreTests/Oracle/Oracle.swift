import ODataModel
import ODataQuery
import ODataText

/// Answers queries over rows in memory by the words of the specification: the meaning that the store's answers are
/// compared with. It shares no code with the compiler, and none with the evaluator of `ODataQuery`.
struct Oracle {
    let data: OracleData

    init(_ data: OracleData) { self.data = data }

    func answer(_ query: Query) throws -> OracleAnswer {
        var target = OracleTarget(data: data)
        for segment in query.path.segments { try target.step(segment) }
        var answer = OracleAnswer()
        if let property = target.property {
            answer.value = property
            return answer
        }
        var options = NestedOptions()
        options.filter = query.filter
        options.orderBy = query.orderBy
        options.skip = query.skip
        options.top = query.top
        options.select = query.select
        options.expand = query.expand
        options.includesCount = query.includesCount || target.isCount
        options.search = query.search
        options.compute = query.compute
        var apply = OracleApply(data: data, items: target.rows.map { OracleItem(row: $0) })
        try apply.run(query.apply)
        answer.isDerived = Self.makesRows(query.apply)
        let isOrdered = apply.isOrdered
        let (kept, count) = try chosen(
            apply.items, options, isKeyed: !answer.isDerived, isOrdered: isOrdered,
            isPaged: query.pageSize != nil)
        if !apply.nests.isEmpty { return try nested(apply.nests, query) }
        if options.includesCount, !target.isSingle { answer.count = Int64(count) }
        guard !target.isCount else { return answer }
        answer.isOrdered =
            isOrdered || !query.orderBy.isEmpty || query.top != nil || query.skip != nil
            || target.isSingle || query.pageSize != nil && query.apply.isEmpty
        answer.rows = try kept.map { item in
            var shown = try shown(item, options)
            for added in apply.added { try add(added, to: &shown, of: item) }
            return shown
        }
        if !answer.isOrdered, !answer.isDerived { answer.rows = OracleShown.sorted(answer.rows) }
        return answer
    }

    // MARK: Options

    /// What `$compute`, `$search`, `$filter`, `$orderby`, `$skip` and `$top` leave, in this order (Protocol 4.01, section
    /// 11.2.1), and the number before the last two. Ties go by key; an order that is there is kept for want of another.
    func chosen(
        _ items: [OracleItem], _ options: NestedOptions, isKeyed: Bool, isOrdered: Bool = false,
        isPaged: Bool = false
    ) throws -> ([OracleItem], Int) {
        var kept = try Self.computed(items, options.compute)
        if let search = options.search {
            kept = kept.filter { OracleSearch.matches($0, search) }
        }
        if let filter = options.filter {
            let these = kept
            kept = try kept.filter {
                try OracleEvaluator($0, these: these).truth(filter) == true
            }
        }
        let count = kept.count
        let isPaged = isPaged || options.top != nil || options.skip != nil
        if !options.orderBy.isEmpty || isPaged && !isOrdered {
            kept = try Self.ordered(kept, options.orderBy, isKeyed: isKeyed)
        }
        kept = Array(kept.dropFirst(options.skip ?? 0))
        if let top = options.top { kept = Array(kept.prefix(top)) }
        return (kept, count)
    }

    static func computed(_ items: [OracleItem], _ terms: [ComputeItem]) throws -> [OracleItem] {
        guard !terms.isEmpty else { return items }
        return try items.map { item in
            var item = item
            for term in terms {
                item.values[term.alias] = try OracleEvaluator(item, these: items)
                    .value(term.expression)
            }
            return item
        }
    }

    static func ordered(
        _ items: [OracleItem], _ terms: [OrderItem], isKeyed: Bool
    ) throws -> [OracleItem] {
        let keys = try items.map { item in
            try terms.map { try OracleEvaluator(item).value($0.expression) }
        }
        let positions = items.indices.sorted { a, b in
            for (index, term) in terms.enumerated() {
                switch OracleValue.rank(keys[a][index], keys[b][index]) {
                case .less: return !term.isDescending
                case .greater: return term.isDescending
                default: continue
                }
            }
            if isKeyed, let x = items[a].row, let y = items[b].row, x.key != y.key {
                return x.key.lexicographicallyPrecedes(y.key)
            }
            return a < b
        }
        return positions.map { items[$0] }
    }

    // MARK: Shape

    /// The instance with what is selected and expanded; a key is always there.
    func shown(_ item: OracleItem, _ options: NestedOptions) throws -> OracleShown {
        guard let row = item.row else {
            var shown = OracleShown(type: "")
            let selected = Set(
                options.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
            shown.values = item.values.filter { selected.isEmpty || selected.contains($0.key) }
            return shown
        }
        var shown = OracleShown(type: row.type)
        let selected = OracleSelection(options.select)
        let keys = OracleRow.keyNames[row.base] ?? []
        for (name, value) in row.values {
            if keys.contains(name) {
                shown.values[name] = value
            } else if let part = selected.part(of: value, name) {
                shown.values[name] = part
            }
        }
        for (name, value) in item.values where selected.part(of: value, name) != nil {
            shown.values[name] = value
            shown.computed.insert(name)
        }
        for term in options.expand { try expand(term, row, &shown) }
        return shown
    }

    private func expand(
        _ term: ExpandTerm, _ row: OracleRow, _ shown: inout OracleShown
    ) throws {
        var names = term.path.propertyNames ?? []
        if term.isStar {
            names = (OracleRow.toOne[row.base] ?? []) + (OracleRow.toMany[row.base] ?? [])
        }
        for name in names where shown.one[name] == nil && shown.many[name] == nil {
            var options = term.options
            if let levels = options.levels, levels > 1,
                OracleRow.targets[name] == row.base
            {
                var again = term
                again.options.levels = levels - 1
                options.expand.append(again)
            }
            if term.kind == .references { options.select = [Self.keyOnly] }
            guard OracleRow.toMany[row.base]?.contains(name) == true else {
                let one = row.one[name].map { OracleItem(row: $0) }
                let items = try Self.computed(one.map { [$0] } ?? [], options.compute)
                shown.one[name] = try items.map { try self.shown($0, options) }
                continue
            }
            var items = (row.many[name] ?? []).map { OracleItem(row: $0) }
            var isDerived = false
            if !options.apply.isEmpty {
                var apply = OracleApply(data: data, items: items)
                try apply.run(options.apply)
                items = apply.items
                isDerived = Self.makesRows(options.apply)
                if isDerived { shown.derived.insert(name) }
            }
            let (kept, count) = try chosen(items, options, isKeyed: !isDerived)
            if options.includesCount || term.kind == .count { shown.counts[name] = Int64(count) }
            guard term.kind != .count else { continue }
            let rows = try kept.map { try self.shown($0, options) }
            let isOrdered =
                !options.orderBy.isEmpty || options.top != nil || options.skip != nil
            shown.many[name] = isOrdered || isDerived ? rows : OracleShown.sorted(rows)
            if !isOrdered { shown.unordered.insert(name) }
        }
    }

    /// True for steps whose result is no entities, however many there are.
    static func makesRows(_ steps: [Transformation]) -> Bool {
        steps.contains { step in
            switch step {
            case .aggregate, .concat, .join: true
            case .groupBy(let groupings, let inner):
                inner.isEmpty || makesRows(inner)
                    || groupings.contains { if case .rollup = $0 { true } else { false } }
            default: false
            }
        }
    }

    /// Selects nothing but the key.
    private static let keyOnly = SelectTerm(ExpressionPath(""))
}

/// What `$select` lets through (URL Conventions 4.01, section 5.1.4).
private struct OracleSelection {
    private var paths: [[String]] = []
    private var isEverything: Bool

    init(_ terms: [SelectTerm]) {
        isEverything = terms.isEmpty
        for term in terms {
            let names = term.path.memberNames
            let nested = term.options?.select ?? []
            if nested.isEmpty { paths.append(names) }
            for inner in nested { paths.append(names + inner.path.memberNames) }
        }
    }

    private init(_ paths: [[String]]) {
        self.paths = paths
        isEverything = paths.contains(where: \.isEmpty)
    }

    /// The selected part of a value; nil where nothing of it is.
    func part(of value: OracleValue, _ name: String) -> OracleValue? {
        guard !isEverything else { return value }
        let below = paths.filter { $0.first == name }.map { Array($0.dropFirst()) }
        guard !below.isEmpty else { return nil }
        let inner = OracleSelection(below)
        guard !inner.isEverything, case .record(let members) = value else { return value }
        var kept: [String: OracleValue] = [:]
        for (name, value) in members {
            if let part = inner.part(of: value, name) { kept[name] = part }
        }
        return .record(kept)
    }
}

/// The rows that a resource path addresses (URL Conventions 4.01, section 4).
private struct OracleTarget {
    let data: OracleData
    var rows: [OracleRow] = []
    var isSingle = false
    var isCount = false
    var property: OracleValue?

    init(data: OracleData) { self.data = data }

    mutating func step(_ segment: ResourcePath.Segment) throws {
        switch segment {
        case .entitySet(let name): rows = data.rows(of: name)
        case .key(let values):
            let key = try values.map { value -> Int64 in
                guard case .literal(.integer(let number), _) = value.value else {
                    throw OracleEvaluator.unknown()
                }
                return number
            }
            rows = rows.filter { $0.key == key }
            isSingle = true
        case .typeCast(let type): rows = rows.filter { OracleEvaluator.isOf(.row($0), type) }
        case .filter(let condition):
            rows = try rows.filter { try OracleEvaluator($0).truth(condition) == true }
        case .count: isCount = true
        case .property(let name):
            if let value = property {
                guard case .record(let members) = value else {
                    property = .null
                    return
                }
                property = members[name] ?? .null
            } else if let targets = rows.first.map(\.base), OracleRow.targets[name] != nil {
                isSingle = OracleRow.toOne[targets]?.contains(name) == true
                rows = rows.flatMap { $0.many[name] ?? $0.one[name].map { [$0] } ?? [] }
            } else if OracleRow.targets[name] == nil {
                property = rows.first?.values[name] ?? .null
            } else {
                isSingle = OracleRow.toOne.values.contains { $0.contains(name) }
            }
        default: throw OracleEvaluator.unknown()
        }
    }
}
