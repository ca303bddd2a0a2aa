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
        guard query.period.isEmpty else {
            throw ExpressionCompiler.notImplemented("the options of temporal data")
        }
        var walk = ResourceCompiler(
            expressions: ExpressionCompiler(
                mapping: mapping, options: options, aliases: query.aliases))
        for segment in query.path.segments { try walk.step(segment) }
        var target = try walk.finish()
        var computed: [DerivedColumn] = []
        var orderBy = query.orderBy
        var expanded = query.expand
        let table = target.table
        if !target.isSingle { target.expressions.input = ApplyCompiler(target).input }
        if !query.apply.isEmpty || !query.compute.isEmpty {
            var apply = ApplyCompiler(target)
            try apply.run(query.apply)
            for item in query.compute { try apply.compute(item) }
            guard apply.derived == nil else { return try derived(query, apply) }
            target = apply.target
            computed = apply.computed
            if orderBy.isEmpty { orderBy = apply.order }
            expanded += apply.expands
        }
        try Self.restrict(&target, to: query)
        var plan = target.plan
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
        var extra = try Self.list(
            computed, selected: selection.paths, start: list.shape.count, query, graph: graph)
        plan.shape.take(extra)
        let isPaged = query.top != nil || query.skip != nil || query.pageSize != nil
        let terms = try target.expressions.orderTerms(
            orderBy, table: table, alias: target.alias,
            keyed: !isSingle && (isPaged || !orderBy.isEmpty || options.exposesOrder))
        let order = ExpressionCompiler.text(terms)
        if options.exposesOrder {
            plan.shape.order = terms.map(\.isDescending)
            extra.items += terms.map(\.sql)
            plan.shape.count += terms.count
        }
        if let behind = options.rowsBehind {
            let rest = try Self.condition(behind: behind, terms, options.dialect)
            target.conditions.append("(\(rest))")
        }
        let expands = ExpandCompiler(mapping: mapping, options: options, aliases: query.aliases)
        plan.expands = try expands.plans(
            expanded, from: table, structure: target.structure, depth: 0)
        plan.top = isSingle ? 1 : query.top
        let related = joinRelated(&plan, query, terms, of: table, alias: target.alias)
        let items = ([list.sql] + extra.items).joined(", ") + related.items
        var sql: SQLText =
            "SELECT \(items)\(target.fromClause)\(related.joins)\(target.whereClause)"
        if !order.isEmpty { sql.append(" ORDER BY \(order)") }
        // Whoever reads one row stops behind it.
        if !isSingle { sql.append(options.dialect.limit(top: query.top, skip: query.skip)) }
        plan.statement = sql.statement(options.dialect)
        return plan
    }

    /// Leaves the rows that `$search` and `$filter` let through.
    private static func restrict(_ target: inout QueryTarget, to query: Query) throws {
        if let search = query.search {
            let found = try target.expressions.search(
                search, table: target.table, alias: target.alias)
            target.conditions.append("(\(found))")
        }
        if let filter = query.filter {
            target.conditions.append("(\(try target.expressions.condition(filter)))")
        }
    }

    private var graph: MetadataGraph { mapping.graph }

    /// The computed values that are selected.
    static func list(
        _ computed: [DerivedColumn], selected: [String]?, start: Int, _ query: Query,
        graph: MetadataGraph
    ) throws -> ComputedList {
        var list = ComputedList(start: start)
        guard !computed.isEmpty else { return list }
        let shape = try? QueryChecker.shape(of: query, graph: graph)
        for column in computed where selected?.contains(column.name) ?? true {
            try list.add(
                column.path, column.source, type: shape?.dynamicProperty(column.name)?.type)
        }
        return list
    }

    /// The plan of a query whose rows `$apply` made: the other options see nothing but those.
    private func derived(_ query: Query, _ apply: ApplyCompiler) throws -> QueryPlan {
        var target = apply.target
        guard query.expand.isEmpty, query.search == nil else {
            throw ExpressionCompiler.notImplemented("$expand and $search behind groups")
        }
        if let filter = query.filter {
            target.conditions.append("(\(try target.expressions.condition(filter)))")
        }
        var plan = QueryPlan(
            table: target.table.id, structure: target.structure, result: .entities,
            shape: ResultShape(table: target.table.id, structure: target.structure), expands: [],
            isDerived: true)
        if query.includesCount || target.result == .count {
            plan.countStatement = target.count().statement(options.dialect)
        }
        if target.result == .count {
            plan.result = .count
            return plan
        }
        let shape = try? QueryChecker.shape(of: query, graph: graph)
        let selected = ExpandCompiler.selection(query.select, all: query.selectsAll).paths
        let list = try apply.list(selected: selected) {
            shape?.dynamicProperty($0)?.type
        }
        plan.shape.take(list)
        let order = try target.expressions.order(
            query.orderBy.isEmpty ? apply.order : query.orderBy, table: target.table,
            alias: target.alias, keyed: false)
        var columns = list.items
        let expands = ExpandCompiler(mapping: mapping, options: options, aliases: query.aliases)
        plan.expands = try NestCompiler(expands: expands).plans(
            apply, selected: selected, &plan.shape, &columns)
        let items = columns.isEmpty ? "1" as SQLText : columns.joined(", ")
        plan.shape.count = max(1, plan.shape.count)
        var sql: SQLText = "SELECT \(items)\(target.fromClause)\(target.whereClause)"
        if !order.isEmpty { sql.append(" ORDER BY \(order)") }
        sql.append(options.dialect.limit(top: query.top, skip: query.skip))
        plan.statement = sql.statement(options.dialect)
        return plan
    }

    private func selection(of query: Query, target: QueryTarget) -> Selection {
        switch target.result {
        case .property: return Selection(paths: [target.propertyPath])
        case .references: return Selection(paths: [])
        default:
            return ExpandCompiler.selection(query.select, all: query.selectsAll)
        }
    }
}

extension ExpressionCompiler {
    /// One term of an ORDER BY list.
    struct OrderTerm: Sendable {
        var sql: SQLText
        var isDescending: Bool
        /// Where null stands, as the dialect spells it.
        var nulls = ""
    }

    /// The ORDER BY list: what is asked for, then the key where the order must be total.
    mutating func order(
        _ items: [OrderItem], table: TableMapping, alias: String, keyed: Bool
    ) throws -> SQLText {
        Self.text(try orderTerms(items, table: table, alias: alias, keyed: keyed))
    }

    static func text(_ terms: [OrderTerm]) -> SQLText {
        terms.map { "\($0.sql)\(raw: $0.isDescending ? " DESC" : "")\(raw: $0.nulls)" as SQLText }
            .joined(", ")
    }

    mutating func orderTerms(
        _ items: [OrderItem], table: TableMapping, alias: String, keyed: Bool
    ) throws -> [OrderTerm] {
        var terms: [OrderTerm] = []
        var plain: [SQLText] = []
        for item in items {
            let term = try rendered(compile(item.expression))
            switch term.kind {
            case .row, .complex: throw Self.invalid("Expected a primitive value in $orderby.")
            case .real(isStored: true) where dialect.storesSpecialsAsText:
                // Negative infinity is text and would sort above the numbers; null stays below it.
                terms.append(
                    OrderTerm(
                        sql: "coalesce(\(term.sql) = '-INF', 2)",
                        isDescending: !item.isDescending))
            default: break
            }
            guard dialect.isOrder(term.compared) else { continue }
            plain.append(term.compared)
            terms.append(
                OrderTerm(
                    sql: term.compared, isDescending: item.isDescending,
                    nulls: dialect.nullOrder(descending: item.isDescending)))
        }
        guard keyed else { return terms }
        let keys =
            table.keyColumns.isEmpty ? table.identityColumns : table.keys.map(\.comparedColumn)
        for key in keys {
            let column: SQLText = "\(name: alias).\(name: key)"
            if !plain.contains(column) { terms.append(OrderTerm(sql: column, isDescending: false)) }
        }
        return terms
    }
}
