import ODataModel
import ODataQuery
import ODataText

extension QueryCompiler {
    /// The statements for `$crossjoin(…)`, its options as `QueryChecker` leaves them.
    ///
    /// Conditions of `$filter` that compare sets are those of the join: which set is walked first and which is looked up is
    /// SQLite's choice. Rows come in the order asked for and then by the keys of the sets, one after the other, and
    /// ``CompilerOptions/rowsBehind`` gives those behind a row.
    ///
    /// - Throws: As ``compile(_:)``.
    package func compile(crossJoin query: Query) throws -> CrossJoinPlan {
        guard query.path.segments.count == 1, case .crossjoin(let names) = query.path.segments[0]
        else { throw ExpressionCompiler.invalid("Expected a cross join.") }
        guard query.apply.isEmpty, query.compute.isEmpty, query.search == nil, query.period.isEmpty
        else {
            throw ExpressionCompiler.notImplemented(
                "other options of a cross join than $filter, $orderby, $expand, $select, $count, "
                    + "$top and $skip")
        }
        try options.dialect.requireSQLite(for: "a cross join")
        var source = try CrossJoinSource(self, names, query.aliases)
        if let filter = query.filter {
            source.conditions.append("(\(try source.expressions.condition(filter)))")
        }
        // Before the order, whose joins say nothing of how many there are.
        let count: SQLText = "SELECT count(*)\(source.body)"
        var terms = try source.expressions.orderTerms(
            query.orderBy, table: source.rows[0].table, alias: source.rows[0].alias, keyed: false)
        source.complete(&terms)
        guard !terms.isEmpty else { throw ExpressionCompiler.notImplemented("sets without keys") }
        if let behind = options.rowsBehind {
            let rest = try Self.condition(behind: behind, terms, options.dialect)
            source.conditions.append("(\(rest))")
        }
        var (items, parts) = ([SQLText](), [CrossJoinPlan.Part]())
        var width = 0
        for row in source.rows {
            let item = query.expand.last {
                $0.isStar || $0.path.propertyNames == [row.table.path]
            }
            let list = row.table.selectList(
                alias: row.alias, selection: Self.selection(item), structure: row.table.structure)
            items.append(list.sql)
            let expands = ExpandCompiler(mapping: mapping, options: options, aliases: query.aliases)
            parts.append(
                CrossJoinPlan.Part(
                    table: row.table, shape: list.shape.moved(by: width),
                    expands: try expands.plans(
                        item?.options.expand ?? [], from: row.table,
                        structure: row.table.structure, depth: 0)))
            width += list.shape.count
        }
        items += terms.map(\.sql)
        var sql: SQLText = "SELECT \(items.joined(", "))\(source.body)"
        sql.append(" ORDER BY \(ExpressionCompiler.text(terms))")
        sql.append(options.dialect.limit(top: query.top, skip: query.skip))
        return CrossJoinPlan(
            parts: parts, statement: sql.statement(options.dialect),
            countStatement: count.statement(options.dialect), order: width..<width + terms.count,
            top: query.top)
    }

    private static func selection(_ item: ExpandTerm?) -> Selection {
        guard let item, item.kind == .entities else { return Selection(paths: []) }
        return ExpandCompiler.selection(item.options.select, all: item.options.selectsAll)
    }
}

/// The FROM and WHERE of a cross join.
private struct CrossJoinSource {
    var expressions: ExpressionCompiler
    let rows: [(table: TableMapping, alias: String)]
    var conditions: [SQLText] = []
    private let from: SQLText

    init(_ compiler: QueryCompiler, _ names: [String], _ aliases: [String: Expression]) throws {
        expressions = ExpressionCompiler(
            mapping: compiler.mapping, options: compiler.options, aliases: aliases)
        guard (1...Self.maximumSets).contains(names.count), Set(names).count == names.count else {
            throw ODataError(
                .limitExceeded,
                "Expected a cross join of at most \(Self.maximumSets) different entity sets.",
                status: 400)
        }
        var rows: [(table: TableMapping, alias: String)] = []
        for name in names {
            guard let table = compiler.mapping.table(path: name),
                !compiler.mapping.graph[table.entitySet].isSingleton
            else {
                throw ODataError(
                    .unknownName, "Expected an entity set in a cross join.", at: .path(name),
                    status: 400)
            }
            rows.append((table, expressions.makeAlias()))
        }
        self.rows = rows
        from = rows.map { "\(table: $0.table.name) AS \(name: $0.alias)" as SQLText }
            .joined(" JOIN ")
        expressions.scopes = [ExpressionCompiler.Scope(cursor: RowCursor(scope: 0, alias: ""))]
        for (table, alias) in rows {
            expressions.crossJoined[table.path] = RowCursor(
                scope: 0, alias: alias, table: table, structure: table.structure)
            if let visible = compiler.options.visible(table, alias: alias, isNamed: false) {
                conditions.append("(\(visible))")
            }
            // What has no key is no entity.
            conditions += table.keys.map { "\(name: alias).\(name: $0.name) IS NOT NULL" }
        }
    }

    /// Adds the keys that are not among the values that order the rows.
    func complete(_ terms: inout [ExpressionCompiler.OrderTerm]) {
        let asked = Set(terms.map(\.sql))
        for (table, alias) in rows {
            let keys =
                table.keyColumns.isEmpty
                ? table.identityColumns : table.keys.map(\.comparedColumn)
            for key in keys {
                let column: SQLText = "\(name: alias).\(name: key)"
                guard !asked.contains(column) else { continue }
                terms.append(ExpressionCompiler.OrderTerm(sql: column, isDescending: false))
            }
        }
    }

    /// With the joins that were made so far.
    var body: SQLText {
        let joined: SQLText = " FROM \(from)\(expressions.joins(of: 0))"
        return conditions.isEmpty ? joined : joined + " WHERE \(conditions.joined(" AND "))"
    }

    /// How many sets a cross join may have.
    private static let maximumSets = 8
}
