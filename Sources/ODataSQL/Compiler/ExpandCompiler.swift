import ODataModel
import ODataQuery
import ODataText

/// Compiles `$expand`: one statement per navigation property and level, whatever the number of parent rows.
struct ExpandCompiler {
    let mapping: SchemaMapping
    let options: CompilerOptions
    let aliases: [String: Expression]

    private var graph: MetadataGraph { mapping.graph }

    /// The plans for the items of one level.
    func plans(
        _ items: [ExpandTerm], from source: TableMapping, structure: StructureID, depth: Int
    ) throws -> [ExpandPlan] {
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels of $expand.",
                status: 400)
        }
        return try merged(items, source, structure).map {
            try plan($0.item, $0.navigation, from: source, depth: depth)
        }
    }

    static func selection(_ items: [SelectTerm], all: Bool) -> Selection {
        guard !items.isEmpty, !all else { return .all }
        var paths: [String] = []
        for item in items {
            let names: [String] = item.path.segments.compactMap {
                if case .property(let name) = $0 { name } else { nil }
            }
            let path = names.joined(separator: "/")
            let nested = item.options?.select ?? []
            guard !nested.isEmpty, let inner = selection(nested, all: false).paths else {
                paths.append(path)
                continue
            }
            paths.append(contentsOf: inner.map { path + "/" + $0 })
        }
        return Selection(paths: paths)
    }

    private typealias Resolved = (item: ExpandTerm, navigation: NavigationMapping)

    /// Items by navigation property; V2 paths such as `Orders/Items` become nested items, equal ones are joined.
    private func merged(
        _ items: [ExpandTerm], _ source: TableMapping, _ structure: StructureID
    ) throws -> [Resolved] {
        var result: [Resolved] = []
        for item in items {
            if item.isStar {
                for navigation in source.navigations
                where graph.isA(structure, navigation.owner)
                    && !result.contains(where: { $0.navigation.path == navigation.path })
                {
                    result.append((item, navigation))
                }
                continue
            }
            let found = try resolve(item, source)
            if let index = result.firstIndex(where: {
                $0.navigation == found.navigation && $0.item.alias == nil && item.alias == nil
            }) {
                result[index].item.options.expand += found.item.options.expand
            } else {
                result.append(found)
            }
        }
        return result
    }

    private func resolve(_ item: ExpandTerm, _ source: TableMapping) throws -> Resolved {
        var path = ""
        for (position, segment) in item.path.segments.enumerated() {
            guard case .property(let name) = segment else { continue }
            path += (path.isEmpty ? "" : "/") + name
            guard let navigation = source.navigation(path: path) else { continue }
            let rest = item.path.segments[(position + 1)...].filter {
                if case .property = $0 { true } else { false }
            }
            guard !rest.isEmpty else { return (item, navigation) }
            var inner = item
            inner.path = ExpressionPath(Array(rest))
            var outer = ExpandTerm(ExpressionPath(path))
            outer.options.expand = [inner]
            return (outer, navigation)
        }
        throw ODataError(
            .unknownName,
            "Expected a navigation property of \(graph[source.structure].qualifiedName) to expand, "
                + "found \(path).", at: .path(path), status: 400)
    }

    private func plan(
        _ item: ExpandTerm, _ navigation: NavigationMapping, from source: TableMapping, depth: Int
    ) throws -> ExpandPlan {
        let nested = item.options
        let target = mapping[navigation.target]
        var expressions = ExpressionCompiler(mapping: mapping, options: options, aliases: aliases)
        var level = try level(of: item, navigation, from: source, to: target, &expressions)
        var computed: [DerivedColumn] = []
        var nestedExpands: [ExpandTerm] = []
        var orderBy = nested.orderBy
        if !nested.apply.isEmpty {
            var apply = ApplyCompiler(
                level.target(expressions, target),
                partition: RowPartition(parentsIn: options.dialect))
            try apply.run(nested.apply)
            guard apply.derived == nil else { return try plan(item, navigation, target, apply) }
            level.continues(with: apply.target)
            expressions = apply.target.expressions
            computed = apply.computed
            nestedExpands = apply.expands
            if orderBy.isEmpty { orderBy = apply.order }
        }
        if expressions.input == nil { expressions.input = level.input(expressions) }
        computed += try restrict(&level, to: nested, of: target, &expressions)
        var plan = ExpandPlan(
            navigation: navigation, kind: item.kind, table: target.id,
            shape: ResultShape(table: target.id, structure: target.structure), children: [])
        plan.alias = item.alias
        plan.byColumn = level.byColumn.map { ExpandPlan.ByColumn(column: $0.column) }
        if nested.includesCount && navigation.isCollection || item.kind == .count {
            plan.countStatement = level.count(expressions).statement(options.dialect)
            plan.byColumn?.countStatement = level.byColumnOnly?.count(expressions)
                .statement(options.dialect)
        }
        if item.kind == .count { return plan }
        let selection =
            item.kind == .references
            ? Selection(paths: []) : Self.selection(nested.select, all: nested.selectsAll)
        let list = target.selectList(
            alias: level.alias, selection: selection, structure: target.structure,
            parentRow: "\(name: "k").\(name: "key")")
        plan.shape = list.shape
        var extra = ComputedList(start: list.shape.count)
        for column in computed where selection.paths?.contains(column.name) ?? true {
            try extra.add(column.path, column.source, type: nil)
        }
        plan.shape.take(extra)
        let items = ([list.sql] + extra.items).joined(", ")
        let isPaged = navigation.isCollection && (nested.top != nil || nested.skip != nil)
        let isOrdered = isPaged || navigation.isCollection && !orderBy.isEmpty
        let order = try expressions.order(
            navigation.isCollection ? orderBy : [], table: target, alias: level.alias,
            keyed: isOrdered)
        func sql(_ level: Level) -> SQLStatement {
            let sql =
                isPaged
                ? level.paged(items, order, expressions, top: nested.top, skip: nested.skip)
                : level.select(items, order, expressions)
            return sql.statement(options.dialect)
        }
        plan.statement = sql(level)
        plan.byColumn?.statement = level.byColumnOnly.map(sql)
        if depth == 0, !navigation.isCollection, item.takesAnyRow {
            plan.join = level.join(to: target, selection)
        }
        var withSteps = item
        withSteps.options.expand += nestedExpands
        plan.children = try children(of: withSteps, navigation, target, depth: depth)
        return plan
    }

    /// The rows that the property leads to, of the type that stands behind it (URL Conventions 4.01, section 4.11).
    private func level(
        of item: ExpandTerm, _ navigation: NavigationMapping, from source: TableMapping,
        to target: TableMapping, _ expressions: inout ExpressionCompiler
    ) throws -> Level {
        var level = try Level(navigation, from: source, to: target, &expressions)
        guard case .typeCast(let name)? = item.path.segments.last else { return level }
        guard let type = graph.structure(named: name) else {
            throw ODataError(
                .unknownName, "Expected a type of the model, found \(name).", at: .path(name),
                status: 400)
        }
        if let isOfType = expressions.typeCondition(type, table: target, alias: level.alias) {
            level.conditions.append(isOfType)
        }
        return level
    }

    /// Leaves the rows that `$search` and `$filter` let through; returns what `$compute` adds to them.
    private func restrict(
        _ level: inout Level, to nested: NestedOptions, of target: TableMapping,
        _ expressions: inout ExpressionCompiler
    ) throws -> [DerivedColumn] {
        var computed: [DerivedColumn] = []
        for item in nested.compute {
            let term = try expressions.rendered(expressions.compile(item.expression))
            expressions.scopes[0].cursor.dynamic[item.alias] = term
            computed.append(
                DerivedColumn(path: [item.alias], type: nil, source: term, name: item.alias))
        }
        if let search = nested.search {
            level.conditions.append(
                "(\(try expressions.search(search, table: target, alias: level.alias)))")
        }
        if let filter = nested.filter {
            level.conditions.append("(\(try expressions.condition(filter)))")
        }
        return computed
    }

    /// The plan of a level whose rows `$apply` made for each parent: the other options see nothing but those.
    private func plan(
        _ item: ExpandTerm, _ navigation: NavigationMapping, _ target: TableMapping,
        _ applied: ApplyCompiler
    ) throws -> ExpandPlan {
        var apply = applied
        let nested = item.options
        guard nested.expand.isEmpty, nested.search == nil, item.kind == .entities else {
            throw ExpressionCompiler.notImplemented("$expand and $search behind groups")
        }
        for item in nested.compute { try apply.compute(item) }
        var steps: [Transformation] = []
        if let filter = nested.filter { steps.append(.filter(filter)) }
        if !nested.orderBy.isEmpty { steps.append(.orderBy(nested.orderBy)) }
        try apply.run(steps)
        guard let parent = apply.partitions.first?.sql else {
            throw ODataError(.storage, "Expected rows that know their parents.")
        }
        var plan = ExpandPlan(
            navigation: navigation, kind: item.kind, table: target.id,
            shape: ResultShape(table: target.id, structure: target.structure), children: [],
            isDerived: true)
        plan.alias = item.alias
        if nested.includesCount {
            let sql: SQLText =
                "SELECT \(parent), count(*)\(apply.target.fromClause)\(apply.target.whereClause)"
                + " GROUP BY \(parent)"
            plan.countStatement = sql.statement(options.dialect)
        }
        var pages: [Transformation] = []
        if let skip = nested.skip { pages.append(.skip(skip)) }
        if let top = nested.top { pages.append(.top(top)) }
        try apply.run(pages)
        let row = apply.partitions.first?.sql ?? parent
        let selected = Self.selection(nested.select, all: nested.selectsAll).paths
        let list = try apply.list(selected: selected, start: 1) { _ in nil }
        plan.shape.parentRow = 0
        plan.shape.count = 1
        plan.shape.take(list)
        let order = try apply.target.expressions.order(
            apply.order, table: target, alias: apply.target.alias, keyed: false)
        let keys: SQLText = order.isEmpty ? "" : ", \(order)"
        var columns = [row] + list.items
        plan.children = try NestCompiler(expands: self).plans(
            apply, selected: selected, &plan.shape, &columns)
        let items = columns.joined(", ")
        let sql: SQLText =
            "SELECT \(items)\(apply.target.fromClause)\(apply.target.whereClause)"
            + " ORDER BY \(row)\(keys)"
        plan.statement = sql.statement(options.dialect)
        return plan
    }

    /// Nested items, and the same navigation again while `$levels` asks for it.
    private func children(
        of item: ExpandTerm, _ navigation: NavigationMapping, _ target: TableMapping, depth: Int
    ) throws -> [ExpandPlan] {
        var items = item.options.expand
        if let levels = item.options.levels, levels > 1, depth + 1 < Self.maximumDepth,
            target.navigation(path: navigation.path) != nil, !item.isStar
        {
            var again = item
            again.options.levels = levels == .max ? .max : levels - 1
            items.append(again)
        }
        guard !items.isEmpty else { return [] }
        return try plans(items, from: target, structure: target.structure, depth: depth + 1)
    }

    /// Also the depth of `$levels=max`.
    private static let maximumDepth = 12
}

extension ExpandTerm {
    /// True when whatever a row leads to is taken as it is.
    fileprivate var takesAnyRow: Bool {
        if case .typeCast? = path.segments.last { return false }
        return kind == .entities && options.filter == nil && options.search == nil
            && options.apply.isEmpty && options.compute.isEmpty && options.period.isEmpty
    }
}

/// The FROM and WHERE of one expanded level.
private struct Level {
    var alias: String
    var from: SQLText
    /// What relates the rows to their parents.
    private var relation: [SQLText]
    var conditions: [SQLText] = []
    /// The relation by one column of the parents.
    private(set) var byColumn: (column: ColumnMapping?, from: SQLText, relation: [SQLText])?
    /// The one column that the rows are found by, where a column of the parents has its value.
    private var farColumn: String?

    /// The level by the column of the parents.
    var byColumnOnly: Level? {
        guard let byColumn else { return nil }
        var level = self
        (level.from, level.relation) = (byColumn.from, byColumn.relation)
        return level
    }

    init(
        _ navigation: NavigationMapping, from source: TableMapping, to target: TableMapping,
        _ expressions: inout ExpressionCompiler
    ) throws {
        let parent = expressions.makeAlias("p")
        alias = expressions.makeAlias()
        var cursor = RowCursor(scope: 0, alias: alias, table: target)
        cursor.structure = target.structure
        expressions.scopes = [ExpressionCompiler.Scope(cursor: cursor)]
        let rows = try expressions.source(
            of: navigation, from: RowCursor(scope: 0, alias: parent, table: source), alias: alias)
        let elements = expressions.dialect.elements(
            of: SQLText(argument: .parentRows), alias: "k")
        from =
            "\(elements) CROSS JOIN \(table: source.name) AS \(name: parent)"
            + " CROSS JOIN \(rows.from)"
        relation =
            Self.identity(of: source, alias: parent, expressions.dialect) + rows.conditions
        guard expressions.dialect.keepsOrderOfCrossJoin, source.system.id != nil,
            case .columns(let pairs) = navigation.storage, pairs.count == 1, let pair = pairs.first
        else { return }
        let column = source.columns.first { $0.name == pair.source }
        guard pair.source == source.system.id || Self.isPlain(column, target, pair.target) else {
            return
        }
        farColumn = pair.target
        let far: SQLText = "\(table: target.name) AS \(name: alias)"
        byColumn = (
            column, "\(elements) CROSS JOIN \(far)",
            ["\(name: alias).\(name: pair.target) = \(name: "k").\(name: "value")"]
                + (expressions.options.visible(target, alias: alias).map { [$0] } ?? [])
        )
    }

    /// How the one row that a row leads to is read with it; nil where there may be several, or where it takes more than
    /// one column.
    func join(to target: TableMapping, _ selection: Selection) -> RelatedRowJoin? {
        guard let column = byColumn?.column, let farColumn, target.system.id != nil,
            target.uniqueColumns == [farColumn]
        else { return nil }
        return RelatedRowJoin(column: column, key: farColumn, selection: selection)
    }

    /// True when the column's values pass through JSON unchanged, and compare with those of the other as they are.
    private static func isPlain(
        _ column: ColumnMapping?, _ target: TableMapping, _ other: String
    ) -> Bool {
        guard let column, column.comparedColumn == column.name,
            let other = target.columns.first(where: { $0.name == other }),
            other.comparedColumn == other.name, other.encoding == column.encoding
        else { return false }
        switch column.encoding {
        case .integer, .string, .guid: return true
        default: return false
        }
    }

    /// The parent row is the one whose identity stands in the array.
    private static func identity(
        of source: TableMapping, alias: String, _ dialect: SQLDialect
    ) -> [SQLText] {
        let value: SQLText = "\(name: "k").\(name: "value")"
        if let id = source.system.id {
            return ["\(name: alias).\(name: id) = \(dialect.rowValue(value, nil))"]
        }
        return source.identityColumns.enumerated().map { position, column in
            let encoding = source.columns.first { $0.name == column }?.encoding
            let element = dialect.element(position, of: value, like: encoding)
            return "\(name: alias).\(name: column) = \(element)"
        }
    }

    /// The rows as the steps of `$apply` begin with them.
    func target(_ expressions: ExpressionCompiler, _ table: TableMapping) -> QueryTarget {
        QueryTarget(
            expressions: expressions, table: table, structure: table.structure, alias: alias,
            from: from, conditions: relation + conditions, isSingle: false, result: .entities,
            propertyPath: "")
    }

    /// The rows as `$these` stands for them.
    func input(_ expressions: ExpressionCompiler) -> InputRows {
        InputRows(
            from: from, conditions: relation + conditions, scope: expressions.scopes[0],
            part: "\(name: "k").\(name: "key")")
    }

    /// The rows are those that the steps left, whose conditions include what relates them to their parents.
    mutating func continues(with target: QueryTarget) {
        (from, relation, conditions, byColumn) = (target.from, [], target.conditions, nil)
    }

    private func body(_ expressions: ExpressionCompiler) -> SQLText {
        " FROM \(from)\(expressions.joins(of: 0)) WHERE \((relation + conditions).joined(" AND "))"
    }

    func select(_ list: SQLText, _ order: SQLText, _ expressions: ExpressionCompiler) -> SQLText {
        let sql: SQLText = "SELECT \(list)\(body(expressions))"
        // SQLite walks cross joins from left to right: without a further order the parents' order is there.
        if order.isEmpty, expressions.dialect.keepsOrderOfCrossJoin { return sql }
        let keys = order.isEmpty ? "" as SQLText : ", \(order)"
        return sql + " ORDER BY \(name: "k").\(name: "key")\(keys)"
    }

    /// Skip and top count within each parent.
    func paged(
        _ list: SQLText, _ order: SQLText, _ expressions: ExpressionCompiler, top: Int?, skip: Int?
    ) -> SQLText {
        let window: SQLText =
            "row_number() OVER (PARTITION BY \(name: "k").\(name: "key") ORDER BY \(order))"
        let inner: SQLText =
            "SELECT \(list), \(window) AS \(name: "_odata_number"), "
            + "\(name: "k").\(name: "key") AS \(name: "_odata_parent_row")\(body(expressions))"
        let first = Int64(skip ?? 0)
        var range: SQLText = "\(name: "_odata_number") > \(argument: .integer(first))"
        if let top {
            let (last, overflow) = first.addingReportingOverflow(Int64(top))
            if !overflow {
                range.append(" AND \(name: "_odata_number") <= \(argument: .integer(last))")
            }
        }
        return "SELECT * FROM (\(inner))\(expressions.dialect.unusedAlias) WHERE \(range)"
            + " ORDER BY \(name: "_odata_parent_row"), \(name: "_odata_number")"
    }

    func count(_ expressions: ExpressionCompiler) -> SQLText {
        "SELECT \(name: "k").\(name: "key"), count(*)\(body(expressions))"
            + " GROUP BY \(name: "k").\(name: "key")"
    }
}
