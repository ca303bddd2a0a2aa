import ODataModel
import ODataQuery
import ODataText

/// `aggregate`, and `groupby` with steps (Data Aggregation 4.0, sections 3.2.1 and 3.2.3).
extension ApplyCompiler {
    mutating func group(_ groupings: [GroupingTerm], _ steps: [Transformation]) throws {
        let recursive = groupings.compactMap { term -> RecursiveGrouping? in
            if case .rollupRecursive(let hierarchy, let steps) = term {
                (hierarchy, steps)
            } else {
                nil
            }
        }
        guard recursive.isEmpty else {
            let others = groupings.filter { if case .rollupRecursive = $0 { false } else { true } }
            return try rollUp(recursive, others, steps)
        }
        let sets = try groupingSets(groupings)
        var rest = steps[...]
        var ahead: [ComputeItem] = []
        while case .compute(let items)? = rest.first {
            ahead += items
            rest = rest.dropFirst()
        }
        var terms: [AggregateTerm] = []
        if case .aggregate(let found)? = rest.first {
            terms = found
            rest = rest.dropFirst()
        }
        let isPlain =
            !terms.isEmpty && rest.allSatisfy(\.isRowWise)
            && !ahead.contains { $0.expression.readsInput }
        guard steps.isEmpty || isPlain else {
            return try each(sets) { try $0.group($1, steps: steps) }
        }
        for item in ahead { try compute(item) }
        try each(sets) { try $0.group($1, by: terms) }
        try run(Array(rest))
    }

    /// Groups by each combination of paths, and puts the results together.
    private mutating func each(
        _ sets: [[ExpressionPath]],
        _ group: (inout ApplyCompiler, [ExpressionPath]) throws -> Void
    ) throws {
        guard sets.count > 1 else { return try group(&self, sets.first ?? []) }
        var parts: [ApplyCompiler] = []
        for set in sets {
            var part = self
            try group(&part, set)
            if part.derived == nil { try part.materialiseEntities() }
            parts.append(part)
        }
        try unite(parts)
    }

    /// The steps in each group by itself, whatever they are.
    private mutating func group(_ paths: [ExpressionPath], steps: [Transformation]) throws {
        guard !paths.isEmpty, !steps.allSatisfy(\.isRowWise) else { return try run(steps) }
        try open(paths)
        try run(steps)
        try close()
    }

    /// Makes the groups parts of their own.
    private mutating func open(_ paths: [ExpressionPath]) throws {
        try checkLevels()
        var keys = partitions.map(\.sql)
        var shared: [(DerivedColumn, SQLTerm)] = []
        for (position, path) in paths.enumerated() {
            var (column, term) = try grouping(path)
            keys.append(term.distinguished)
            column.name = "_odata_shared\(position)"
            shared.append((column, term))
        }
        let group = "_odata_group\(partitions.count)"
        let number: SQLText =
            "dense_rank() OVER (ORDER BY \(keys.joined(", "))) AS \(name: group)"
        let alias = target.expressions.makeAlias("g")
        let from: SQLText = "\(target.fromClause)\(target.whereClause)"
        let outer = partitions.map { "\(name: $0.name)" as SQLText }
        let common = shared.flatMap { $0.0.items($0.1) }
        let numbers: SQLText =
            "SELECT \((partitionItems + common + [number]).joined(", "))\(from)"
        let representatives = shared.flatMap { column, _ in
            column.items(column.term("n", dialect)).indices.map { part -> SQLText in
                let name = part == 0 ? column.name : column.name + "#offset"
                return "\(dialect.anyValue("\(name: name)")) AS \(name: name)"
            }
        }
        let group0: SQLText = "\(name: group)"
        let all: SQLText =
            "SELECT \((outer + [group0] + representatives).joined(", ")) FROM (\(numbers)) AS "
            + "\(name: "n") GROUP BY \((outer + [group0]).joined(", "))"
        if let row = rowIdentity {
            let rows = row.enumerated().map { "\($1) AS \(name: "_odata_row\($0)")" as SQLText }
            let numbered: SQLText =
                "SELECT \((partitionItems + rows + [number]).joined(", "))\(from)"
            let ties =
                row.enumerated().map {
                    "\(name: alias).\(name: "_odata_row\($0)") = \($1)" as SQLText
                }
                + partitions.map { "\(name: alias).\(name: $0.name) = \($0.sql)" }
            target.from =
                "\(target.from) JOIN (\(numbered)) AS \(name: alias) ON "
                + ties.joined(" AND ")
            base = target.conditions
        } else {
            let columns = current()
            let items = partitionItems + columns.flatMap { $0.0.items($0.1) } + [number]
            let kept = order
            try derive(columns.map(\.0), "SELECT \(items.joined(", "))\(from)")
            order = kept
        }
        partitions.append(
            RowPartition(
                sql: "\(name: derived == nil ? alias : target.alias).\(name: group)",
                name: group, all: all, shared: shared.map(\.0)))
    }

    func checkLevels() throws {
        guard partitions.count < Self.maximumPartitions else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumPartitions) levels of groupby.",
                status: 400)
        }
    }

    /// Makes the groups one set of rows again; rows that lost what they were grouped by get it back.
    mutating func close() throws {
        guard let part = partitions.popLast(), let columns = derived else { return }
        let lost = part.shared.filter { shared in
            part.overrides || !columns.contains { $0.path == shared.path }
        }
        guard !lost.isEmpty else { return }
        let (kept, alias) = (order, target.expressions.makeAlias("a"))
        let rows = current().filter { row in !lost.contains { $0.path == row.0.path } }
        let regained = lost.map { shared -> (DerivedColumn, SQLTerm) in
            let term = shared.term(alias, dialect)
            return (column(shared.path, shared.type, term), term)
        }
        let items = partitionItems + (regained + rows).flatMap { $0.0.items($0.1) }
        try derive(
            (regained + rows).map(\.0),
            "SELECT \(items.joined(", ")) FROM \(target.from) JOIN (\(part.all)) AS \(name: alias) ON "
                + "\(name: alias).\(name: part.name) = \(part.sql)\(target.whereClause)")
        order = kept
    }

    /// Each level holds the SQL of those around it twice.
    private static let maximumPartitions = 5

    /// The combinations of paths that rows are grouped by: one, or those of `rollup`.
    private func groupingSets(_ terms: [GroupingTerm]) throws -> [[ExpressionPath]] {
        var sets: [[ExpressionPath]] = [[]]
        for term in terms {
            switch term {
            case .path(let path): sets = sets.map { $0 + [path] }
            case .rollup(let paths, let includesAll):
                let levels = (includesAll ? 0 : 1)...max(1, paths.count)
                let prefixes = levels.reversed().map { Array(paths.prefix($0)) }
                sets = sets.flatMap { set in prefixes.map { set + $0 } }
            case .rollupRecursive: break
            }
            guard sets.count <= Self.maximumSteps else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(Self.maximumSteps) combinations of groupings.",
                    status: 400)
            }
        }
        return sets
    }
}

extension Transformation {
    /// True for a step that looks at one row at a time.
    fileprivate var isRowWise: Bool {
        switch self {
        case .identity: true
        case .filter(let condition): !condition.readsInput
        case .compute(let items): !items.contains { $0.expression.readsInput }
        default: false
        }
    }
}
