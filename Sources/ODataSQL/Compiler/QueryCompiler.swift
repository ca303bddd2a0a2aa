import ODataModel
import ODataQuery
import ODataText

/// Compiles queries to SQL against the tables of a mapping.
///
/// Rows come in the asked-for order and then by key, so that pages do not overlap. Literals are expected as
/// `QueryChecker` leaves them; their forms follow the columns they are compared with.
package struct QueryCompiler: Sendable {
    package let mapping: SchemaMapping
    package let options: CompilerOptions

    package init(mapping: SchemaMapping, options: CompilerOptions = CompilerOptions()) {
        self.mapping = mapping
        self.options = options
    }

    /// The statements for a query.
    ///
    /// - Throws: `unknownName`, `invalidQuery`, `limitExceeded` or `notImplemented`, each with the status to answer.
    package func compile(_ query: Query) throws -> QueryPlan {
        try refuseUnsupported(query)
        var walk = ResourceCompiler(
            expressions: ExpressionCompiler(
                mapping: mapping, options: options, aliases: query.aliases))
        for segment in query.path.segments { try walk.step(segment) }
        var target = try walk.finish()
        let table = target.table
        if let filter = query.filter {
            target.conditions.append("(\(try target.expressions.condition(filter)))")
        }
        var plan = QueryPlan(
            table: table.id, structure: target.structure, result: target.result,
            shape: RowShape(table: table.id, structure: target.structure), expands: [])
        let isSingle = target.isSingle
        if query.includesCount && !isSingle || target.result == .count {
            plan.countStatement = target.count().statement(options.dialect)
        }
        if target.result == .count { return plan }
        let selection = selection(of: query, target: target)
        let relatives = try target.expressions.relatives(query, of: table, alias: target.alias)
        let list = table.selectList(
            alias: target.alias, selection: selection, structure: target.structure,
            relatives: relatives)
        plan.shape = list.shape
        let isPaged = query.top != nil || query.skip != nil || query.pageSize != nil
        let order = try target.expressions.order(
            query.orderBy, table: table, alias: target.alias,
            keyed: !isSingle && (isPaged || !query.orderBy.isEmpty))
        var sql: SQLText = "SELECT \(list.sql)\(target.fromClause)\(target.whereClause)"
        if !order.isEmpty { sql.append(" ORDER BY \(order)") }
        sql.append(Self.limit(top: isSingle ? 2 : query.top, skip: isSingle ? nil : query.skip))
        plan.statement = sql.statement(options.dialect)
        let expands = ExpandCompiler(mapping: mapping, options: options, aliases: query.aliases)
        plan.expands = try expands.plans(
            query.expand, from: table, structure: target.structure, depth: 0)
        return plan
    }

    private func refuseUnsupported(_ query: Query) throws {
        if !query.period.isEmpty { throw ExpressionCompiler.notImplemented("$at, $from and $to") }
        if query.search != nil { throw ExpressionCompiler.notImplemented("$search") }
        if !query.apply.isEmpty { throw ExpressionCompiler.notImplemented("$apply") }
        if !query.compute.isEmpty { throw ExpressionCompiler.notImplemented("$compute") }
    }

    private func selection(of query: Query, target: QueryTarget) -> Selection {
        switch target.result {
        case .property: return Selection(paths: [target.propertyPath])
        case .references: return Selection(paths: [])
        default:
            return ExpandCompiler.selection(query.select, all: query.selectsAll)
        }
    }

    static func limit(top: Int?, skip: Int?) -> SQLText {
        switch (top, skip) {
        case (nil, nil), (nil, 0?): return ""
        case (let top?, nil), (let top?, 0?): return " LIMIT \(argument: .integer(Int64(top)))"
        case (nil, let skip?): return " LIMIT -1 OFFSET \(argument: .integer(Int64(skip)))"
        case (let top?, let skip?):
            return " LIMIT \(argument: .integer(Int64(top)))"
                + " OFFSET \(argument: .integer(Int64(skip)))"
        }
    }
}

extension ExpressionCompiler {
    /// The ORDER BY list: what is asked for, then the key where the order must be total.
    mutating func order(
        _ items: [OrderItem], table: TableMapping, alias: String, keyed: Bool
    ) throws -> SQLText {
        var parts: [SQLText] = []
        var plain: [SQLText] = []
        for item in items {
            let term = try rendered(compile(item.expression))
            let direction = item.isDescending ? " DESC" : ""
            let nulls = dialect.nullOrder(descending: item.isDescending)
            switch term.kind {
            case .row, .complex: throw Self.invalid("Expected a primitive value in $orderby.")
            case .real(isStored: true):
                // Negative infinity is text and would sort above the numbers; null stays below it.
                let rank: SQLText = "coalesce(\(term.sql) = '-INF', 2)"
                parts.append("\(rank)\(raw: item.isDescending ? "" : " DESC")")
            default: break
            }
            plain.append(term.compared)
            parts.append("\(term.compared)\(raw: direction + nulls)")
        }
        guard keyed else { return parts.joined(", ") }
        let keys =
            table.keyColumns.isEmpty ? table.identityColumns : table.keys.map(\.comparedColumn)
        for key in keys {
            let column: SQLText = "\(name: alias).\(name: key)"
            if !plain.contains(column) { parts.append(column) }
        }
        return parts.joined(", ")
    }
}
