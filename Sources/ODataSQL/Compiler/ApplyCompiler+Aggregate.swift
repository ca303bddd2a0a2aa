import ODataModel
import ODataQuery
import ODataText

/// The aggregates of groups (Data Aggregation 4.0, section 3.2.1).
extension ApplyCompiler {
    /// Groups by paths; aggregates that need rows of their own get them in subselects beside each other.
    mutating func group(_ paths: [ExpressionPath], by terms: [AggregateTerm]) throws {
        let own = try terms.filter(needsOwnRows)
        guard !own.isEmpty else { return try groupRows(paths, by: terms) }
        var parts: [ApplyCompiler] = []
        let plain = terms.filter { !own.contains($0) }
        if !plain.isEmpty || !paths.isEmpty {
            var part = self
            try part.groupRows(paths, by: plain)
            parts.append(part)
        }
        for term in own {
            var part = self
            try part.groupOwnRows(paths, by: term)
            parts.append(part)
        }
        try combine(parts, names: terms.compactMap(\.name))
    }

    /// True for `from`, and for values behind a collection.
    private func needsOwnRows(_ term: AggregateTerm) throws -> Bool {
        guard term.from.isEmpty else { return true }
        var expressions = target.expressions
        expressions.crossesCollections = true
        _ = try expressions.aggregate(term)
        return expressions.crossings.count > target.expressions.crossings.count
    }

    /// One aggregate alone; the groupings of `from` are taken back one after the other.
    mutating func groupOwnRows(_ paths: [ExpressionPath], by term: AggregateTerm) throws {
        guard let name = term.name else {
            throw ExpressionCompiler.invalid("Expected a name for each aggregate.")
        }
        func level(_ from: Int) -> [ExpressionPath] {
            var all = paths
            for path in term.from[from...].flatMap(\.groupings) where !all.contains(path) {
                all.append(path)
            }
            return all
        }
        let rollUpMethod = try target.expressions.rollUpMethod(of: term)
        target.expressions.crossesCollections = true
        try groupRows(
            level(0), by: [AggregateTerm(term.value, alias: name)])
        target.expressions.crossesCollections = false
        let crossings = target.expressions.crossings
        guard Set(crossings.map(\.fromAlias)).count == crossings.count else {
            throw ExpressionCompiler.notImplemented("an aggregate over two collections at once")
        }
        for (position, from) in term.from.enumerated() {
            let method = from.method ?? rollUpMethod
            let value = Expression.path(ExpressionPath(name))
            try groupRows(
                level(position + 1),
                by: [AggregateTerm(.expression(value, method), alias: name)])
        }
    }

    /// Puts the columns of several groupings by the same paths side by side.
    mutating func combine(_ parts: [ApplyCompiler], names: [String]) throws {
        guard let first = parts.first, let all = first.derived else { return }
        let keys = all.filter { !names.contains($0.name) }
        var aliases: [String] = []
        var from = SQLText()
        for part in parts {
            guard let body = part.body, let columns = part.derived else { continue }
            let alias = target.expressions.makeAlias("g")
            guard let main = aliases.first else {
                from = "(\(body)) AS \(name: alias)"
                aliases.append(alias)
                continue
            }
            var conditions = keys.compactMap { key -> SQLText? in
                guard let own = columns.first(where: { $0.name == key.name }) else { return nil }
                return dialect.isSame(
                    key.term(main, dialect).distinguished, own.term(alias, dialect).distinguished)
            }
            conditions += partitions.map {
                "\(name: main).\(name: $0.name) = \(name: alias).\(name: $0.name)"
            }
            let condition = conditions.isEmpty ? "1 = 1" as SQLText : conditions.joined(" AND ")
            from.append(" LEFT JOIN (\(body)) AS \(name: alias) ON \(condition)")
            aliases.append(alias)
        }
        var columns = keys
        var items = keys.flatMap { $0.items($0.term(aliases[0], dialect)) }
        items =
            partitions.map { "\(name: aliases[0]).\(name: $0.name) AS \(name: $0.name)" } + items
        for name in names {
            for (part, alias) in zip(parts, aliases) {
                guard let column = part.derived?.first(where: { $0.name == name }) else { continue }
                columns.append(column)
                items += column.items(column.term(alias, dialect))
                break
            }
        }
        try derive(columns, "SELECT \(items.joined(", ")) FROM \(from)")
    }

    mutating func groupRows(_ paths: [ExpressionPath], by terms: [AggregateTerm]) throws {
        var columns: [(DerivedColumn, SQLTerm)] = []
        var keys: [SQLText] = partitions.map(\.sql)
        for path in paths {
            let (column, term) = try grouping(path)
            keys.append(term.distinguished)
            columns.append((column, term))
        }
        var counts: Set<String> = []
        for aggregate in terms {
            guard let name = aggregate.name else {
                throw ExpressionCompiler.invalid("Expected a name for each aggregate.")
            }
            if aggregate.value.isCount { counts.insert(name) }
            let term = try target.expressions.aggregate(aggregate)
            columns.append((column([name], nil, term), term))
        }
        let items =
            partitionItems
            + columns.flatMap { column, term in
                // The group has one value, but its rows may have several offsets.
                column.items(term).enumerated().map { part, item in
                    part == 0
                        ? item : column.offsetItem(dialect.anyValue(column.ownOffset(of: term)))
                }
            }
        var body: SQLText =
            "SELECT \(items.joined(", "))\(target.fromClause)\(target.whereClause)"
        if !keys.isEmpty { body.append(" GROUP BY \(keys.joined(", "))") }
        try derive(columns.map(\.0), body)
        if paths.isEmpty { try fill(counts) }
    }

    /// A path to group by, as a column.
    mutating func grouping(_ path: ExpressionPath) throws -> (DerivedColumn, SQLTerm) {
        guard let names = path.propertyNames else {
            throw ExpressionCompiler.notImplemented("this path in groupby")
        }
        let term = try target.expressions.rendered(target.expressions.compile(.path(path)))
        guard term.encoding != nil else {
            throw ExpressionCompiler.notImplemented("groups of values that are not primitive")
        }
        var made = column(names, nil, term)
        // Behind a join the first name stands for an entity that no property declares.
        made.structure = derived?.first { $0.path == names }?.structure
        return (made, term)
    }

    /// Gives each part without rows its row of aggregates, too: nothing is counted there, all else is null (section
    /// 3.2.1: the aggregate of no instances is one instance).
    private mutating func fill(_ counts: Set<String>) throws {
        guard let part = partitions.last, let body, let columns = derived else { return }
        let (all, found) = (
            target.expressions.makeAlias("a"), target.expressions.makeAlias("g")
        )
        let items =
            partitions.map { "\(name: all).\(name: $0.name) AS \(name: $0.name)" as SQLText }
            + columns.flatMap { column in
                var term = column.term(found, dialect)
                if counts.contains(column.name) { term.sql = "coalesce(\(term.sql), 0)" }
                return column.items(term)
            }
        try derive(
            columns,
            "SELECT \(items.joined(", ")) FROM (\(part.all)) AS \(name: all) LEFT JOIN (\(body)) AS "
                + "\(name: found) ON \(name: found).\(name: part.name) = "
                + "\(name: all).\(name: part.name)")
    }
}

extension AggregateTerm.Value {
    /// True for what is 0, not null, of no instances.
    fileprivate var isCount: Bool {
        switch self {
        case .count, .expression(_, .countDistinct): true
        default: false
        }
    }
}
