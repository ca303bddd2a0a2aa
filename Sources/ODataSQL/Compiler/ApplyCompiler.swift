import ODataModel
import ODataQuery
import ODataText

/// Compiles `$apply` and `$compute` (Data Aggregation 4.0, section 3): steps that keep entities become conditions and
/// computed values, steps that make other rows become subselects.
struct ApplyCompiler {
    var target: QueryTarget
    /// The columns of the rows; nil while they are entities.
    private(set) var derived: [DerivedColumn]?
    /// Values that `compute` added to the rows as they are.
    private(set) var computed: [DerivedColumn] = []
    /// What `orderby` asked for, while the rows are the ones that it ordered.
    private(set) var order: [OrderItem] = []
    /// What `expand` steps add to the entities; rows made of them have none.
    private(set) var expands: [ExpandTerm] = []
    /// What tells the rows of one parent from those of others, when the steps run for each parent by itself.
    private(set) var partition: SQLText?
    private var depth = 0
    /// The subselect that made the rows; nil while they are entities.
    private(set) var body: SQLText?

    init(_ target: QueryTarget, partition: SQLText? = nil) {
        self.target = target
        self.partition = partition
    }

    var graph: MetadataGraph { target.expressions.graph }
    var dialect: SQLDialect { target.expressions.dialect }

    static let partitionName = "_odata_parent_row"

    /// The item of a select list that carries the partition on.
    private var partitionItems: [SQLText] {
        partition.map { ["\($0) AS \(name: Self.partitionName)"] } ?? []
    }

    mutating func run(_ steps: [Transformation]) throws {
        guard steps.count <= Self.maximumSteps else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumSteps) steps in $apply.",
                status: 400)
        }
        for step in steps { try run(step) }
    }

    private mutating func run(_ step: Transformation) throws {
        switch step {
        case .identity: break
        case .filter(let condition):
            target.conditions.append("(\(try target.expressions.condition(condition)))")
        case .search(let expression):
            let table = derived == nil ? target.table : nil
            let condition = try target.expressions.search(
                expression, table: table, alias: target.alias)
            target.conditions.append("(\(condition))")
        case .compute(let items): for item in items { try compute(item) }
        case .orderBy(let items): order = items
        case .top(let count): try page(top: count, skip: nil)
        case .skip(let count): try page(top: nil, skip: count)
        case .ranked(let method, let amount, let value): try rank(method, amount, value)
        case .aggregate(let terms): try group([], by: terms)
        case .groupBy(let groupings, let steps): try group(groupings, steps)
        case .concat(let sequences): try concatenate(sequences)
        case .expand(let term):
            guard derived == nil else {
                throw ExpressionCompiler.notImplemented("expand behind steps that make new rows")
            }
            expands.append(term)
        case .join(let path, let alias, let steps, let isOuter):
            try join(path, alias: alias, steps, isOuter: isOuter)
        case .nest, .addNested:
            throw ExpressionCompiler.notImplemented("nest and addnested")
        case .relatives, .traverse:
            throw ExpressionCompiler.notImplemented("recursive hierarchies")
        case .custom(let name, _):
            throw ExpressionCompiler.notImplemented("the transformation \(name)")
        }
    }

    /// A value by name, seen by everything behind it.
    mutating func compute(_ item: ComputeItem) throws {
        let expressions = target.expressions
        let term = try target.expressions.rendered(target.expressions.compile(item.expression))
        target.expressions.scopes[0].cursor.dynamic[item.alias] = term
        computed.removeAll { $0.path == [item.alias] }
        computed.append(
            DerivedColumn(path: [item.alias], type: nil, source: term, name: item.alias))
        guard computed.count <= Self.maximumSteps else {
            target.expressions = expressions
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumSteps) computed values.",
                status: 400)
        }
    }

    // MARK: Parts of the rows

    private func orderText(_ items: [OrderItem]) throws -> (SQLText, ExpressionCompiler) {
        var expressions = target.expressions
        let isEntity = derived == nil
        let text = try expressions.order(
            items, table: target.table, alias: target.alias, keyed: isEntity)
        return (text, expressions)
    }

    private mutating func page(top: Int?, skip: Int?) throws {
        let (text, expressions) = try orderText(order)
        target.expressions = expressions
        if let partition { return try page(top: top, skip: skip, within: partition, by: text) }
        let limit = QueryCompiler.limit(top: top, skip: skip)
        let ordered: SQLText = text.isEmpty ? "" : " ORDER BY \(text)"
        if derived == nil, let id = target.table.system.id {
            let row: SQLText = "\(name: target.alias).\(name: id)"
            let body: SQLText =
                "SELECT \(row)\(target.fromClause)\(target.whereClause)\(ordered)\(limit)"
            target.conditions = ["\(row) IN (\(body))"]
            return
        }
        let kept = order
        try materialise(suffix: ordered + limit)
        order = kept
    }

    /// Skips and takes for each parent by itself.
    private mutating func page(
        top: Int?, skip: Int?, within partition: SQLText, by order: SQLText
    ) throws {
        guard derived != nil || target.table.system.id != nil else {
            throw ExpressionCompiler.notImplemented("pages of rows without an id in $apply")
        }
        let ordered: SQLText = order.isEmpty ? "1" : order
        let window: SQLText = "row_number() OVER (PARTITION BY \(partition) ORDER BY \(ordered))"
        let number: SQLText = "\(name: "number")"
        var range: SQLText = "\(number) > \(argument: .integer(Int64(skip ?? 0)))"
        if let top {
            let last = Int64(skip ?? 0).addingReportingOverflow(Int64(top))
            if !last.overflow {
                range.append(" AND \(number) <= \(argument: .integer(last.partialValue))")
            }
        }
        if derived == nil, let id = target.table.system.id {
            let row: SQLText = "\(name: target.alias).\(name: id)"
            let inner: SQLText =
                "SELECT \(partition) AS \(name: "parent"), \(row) AS \(name: "row"), \(window) AS "
                + "\(number)\(target.fromClause)\(target.whereClause)"
            target.conditions.append(
                "(\(partition), \(row)) IN (SELECT \(name: "parent"), \(name: "row") FROM (\(inner))"
                    + " AS \(name: "n") WHERE \(range))")
            return
        }
        let columns = self.current()
        let items = partitionItems + columns.flatMap { $0.0.items($0.1) }
        let inner: SQLText =
            "SELECT \(items.joined(", ")), \(window) AS \(number)\(target.fromClause)"
            + "\(target.whereClause)"
        derive(columns.map(\.0), "SELECT * FROM (\(inner)) AS \(name: "n") WHERE \(range)")
    }

    /// `topcount` and its like: by number, or as many as make up a sum.
    private mutating func rank(
        _ method: RankedMethod, _ amount: Expression, _ value: Expression
    ) throws {
        if method.measure == .count {
            guard case .literal(.integer(let count), _) = amount, count >= 0 else {
                throw ExpressionCompiler.notImplemented("a count that is no literal")
            }
            order = [OrderItem(value, isDescending: method.isTop)]
            defer { order = [] }
            return try page(top: Int(clamping: count), skip: nil)
        }
        guard derived == nil, partition == nil, let id = target.table.system.id else {
            throw ExpressionCompiler.notImplemented("\(method.rawValue) behind groups")
        }
        let term = try target.expressions.rendered(target.expressions.compile(value))
        let number = try target.expressions.number(term)
        let limit = try target.expressions.number(target.expressions.compile(amount)).real(dialect)
        // Sums of scaled decimals and integers are exact as integers, while they cannot overflow.
        var (x, unit): (SQLText, Int64) = (number.real(dialect), 1)
        if case .exact(let scale, let digits) = number.form, digits <= 12, scale <= 12 {
            (x, unit) = (number.sql, SQLNumber.power(scale))
        }
        let row: SQLText = "\(name: target.alias).\(name: id)"
        let direction = method.isTop ? " DESC" : ""
        // Rows are taken until what was taken reaches the amount: a later number below zero brings none back.
        let order: SQLText =
            "OVER (ORDER BY \(name: "x")\(raw: direction), \(name: "row")"
            + " ROWS UNBOUNDED PRECEDING)"
        let numbers: SQLText =
            "SELECT \(row) AS \(name: "row"), \(x) AS \(name: "x")"
            + "\(target.fromClause)\(target.whereClause)"
        let sums: SQLText =
            "SELECT \(name: "row"), \(name: "x"), sum(\(name: "x")) \(order) - \(name: "x") AS "
            + "\(name: "before"), sum(\(name: "x")) OVER () AS \(name: "total") FROM (\(numbers)) AS "
            + "\(name: "n") WHERE \(name: "x") IS NOT NULL"
        let marks: SQLText =
            "SELECT \(name: "row"), max(\(name: "before")) \(order) AS \(name: "most"), "
            + "\(name: "total") FROM (\(sums)) AS \(name: "s")"
        let wanted: SQLText =
            method.measure == .sum
            ? "\(name: "most") < \(limit) * \(number: unit)"
            : "\(name: "most") * 100 < \(name: "total") * \(limit)"
        let body: SQLText =
            "SELECT \(name: "row") FROM (\(marks)) AS \(name: "m") WHERE \(wanted)"
        self.order = []
        target.conditions = ["\(row) IN (\(body))"]
    }

    // MARK: Groups

    private mutating func group(_ groupings: [GroupingTerm], _ steps: [Transformation]) throws {
        var rest = steps[...]
        while case .compute(let items)? = rest.first {
            for item in items { try compute(item) }
            rest = rest.dropFirst()
        }
        var terms: [AggregateTerm] = []
        if case .aggregate(let found)? = rest.first {
            terms = found
            rest = rest.dropFirst()
        }
        let isRowWise = rest.allSatisfy {
            switch $0 {
            case .compute, .filter, .identity: true
            default: false
            }
        }
        guard isRowWise, rest.isEmpty || !terms.isEmpty else {
            throw ExpressionCompiler.notImplemented("this step inside groupby")
        }
        let sets = try Self.groupingSets(groupings)
        guard sets.count > 1 else {
            try group(sets.first ?? [], by: terms)
            return try run(Array(rest))
        }
        var parts: [ApplyCompiler] = []
        for set in sets {
            var part = self
            try part.group(set, by: terms)
            parts.append(part)
        }
        try unite(parts)
        try run(Array(rest))
    }

    /// The combinations of paths that rows are grouped by: one, or those of `rollup`.
    private static func groupingSets(_ terms: [GroupingTerm]) throws -> [[ExpressionPath]] {
        var sets: [[ExpressionPath]] = [[]]
        for term in terms {
            switch term {
            case .path(let path): sets = sets.map { $0 + [path] }
            case .rollup(let paths, let includesAll):
                let levels = (includesAll ? 0 : 1)...max(1, paths.count)
                let prefixes = levels.reversed().map { Array(paths.prefix($0)) }
                sets = sets.flatMap { set in prefixes.map { set + $0 } }
            case .rollupRecursive:
                throw ExpressionCompiler.notImplemented("rolluprecursive")
            }
            guard sets.count <= maximumSteps else {
                throw ODataError(
                    .limitExceeded, "Expected at most \(maximumSteps) combinations of groupings.",
                    status: 400)
            }
        }
        return sets
    }

    /// Groups by paths; aggregates that need rows of their own get them in subselects beside each other.
    private mutating func group(_ paths: [ExpressionPath], by terms: [AggregateTerm]) throws {
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
    private mutating func groupOwnRows(_ paths: [ExpressionPath], by term: AggregateTerm) throws {
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
        target.expressions.crossesCollections = true
        try groupRows(
            level(0), by: [AggregateTerm(term.value, alias: name)])
        target.expressions.crossesCollections = false
        let crossings = target.expressions.crossings
        guard Set(crossings.map(\.fromAlias)).count == crossings.count else {
            throw ExpressionCompiler.notImplemented("an aggregate over two collections at once")
        }
        for (position, from) in term.from.enumerated() {
            guard let method = from.method else {
                throw ExpressionCompiler.notImplemented("a custom aggregate in from")
            }
            let value = Expression.path(ExpressionPath(name))
            try groupRows(
                level(position + 1),
                by: [AggregateTerm(.expression(value, method), alias: name)])
        }
    }

    /// Puts the columns of several groupings by the same paths side by side.
    private mutating func combine(_ parts: [ApplyCompiler], names: [String]) throws {
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
                    key.term(main, dialect).compared, own.term(alias, dialect).compared)
            }
            if partition != nil {
                conditions.append(
                    "\(name: main).\(name: Self.partitionName) = "
                        + "\(name: alias).\(name: Self.partitionName)")
            }
            let condition = conditions.isEmpty ? "1 = 1" as SQLText : conditions.joined(" AND ")
            from.append(" LEFT JOIN (\(body)) AS \(name: alias) ON \(condition)")
            aliases.append(alias)
        }
        var columns = keys
        var items = keys.flatMap { $0.items($0.term(aliases[0], dialect)) }
        if partition != nil {
            items.insert(
                "\(name: aliases[0]).\(name: Self.partitionName) AS \(name: Self.partitionName)",
                at: 0)
        }
        for name in names {
            for (part, alias) in zip(parts, aliases) {
                guard let column = part.derived?.first(where: { $0.name == name }) else { continue }
                columns.append(column)
                items += column.items(column.term(alias, dialect))
                break
            }
        }
        derive(columns, "SELECT \(items.joined(", ")) FROM \(from)")
    }

    private mutating func groupRows(_ paths: [ExpressionPath], by terms: [AggregateTerm]) throws {
        var columns: [(DerivedColumn, SQLTerm)] = []
        var keys: [SQLText] = partition.map { [$0] } ?? []
        for path in paths {
            guard let names = path.propertyNames else {
                throw ExpressionCompiler.notImplemented("this path in groupby")
            }
            let term = try target.expressions.rendered(
                target.expressions.compile(.path(path)))
            guard term.encoding != nil else {
                throw ExpressionCompiler.notImplemented("groups of values that are not primitive")
            }
            keys.append(term.compared)
            columns.append((column(names, nil, term), term))
        }
        for aggregate in terms {
            guard let name = aggregate.name else {
                throw ExpressionCompiler.invalid("Expected a name for each aggregate.")
            }
            let term = try target.expressions.aggregate(aggregate)
            columns.append((column([name], nil, term), term))
        }
        let items = partitionItems + columns.flatMap { $0.0.items($0.1) }
        var body: SQLText =
            "SELECT \(items.joined(", "))\(target.fromClause)\(target.whereClause)"
        if !keys.isEmpty { body.append(" GROUP BY \(keys.joined(", "))") }
        derive(columns.map(\.0), body)
    }

    func column(
        _ path: [String], _ type: TypeReference?, _ term: SQLTerm
    ) -> DerivedColumn {
        DerivedColumn(path: path, type: type, source: term, name: path.joined(separator: "/"))
    }

    // MARK: Subselects

    /// All values of the rows as columns of a subselect.
    mutating func materialise(suffix: SQLText = "", adding more: [(DerivedColumn, SQLTerm)] = [])
        throws
    {
        let columns = current() + more
        let items = partitionItems + columns.flatMap { $0.0.items($0.1) }
        derive(
            columns.map(\.0),
            "SELECT \(items.joined(", "))\(target.fromClause)\(target.whereClause)\(suffix)")
    }

    /// The values that the rows have, declared ones first.
    private func current() -> [(DerivedColumn, SQLTerm)] {
        let own: [DerivedColumn] =
            derived
            ?? target.table.columns.filter {
                $0.encoding != .presence && graph.isA(target.structure, $0.owner)
            }.map {
                column(
                    $0.path.split(separator: "/").map(String.init), $0.type,
                    $0.term(alias: target.alias))
            }
        let base = own.filter { column in !computed.contains { $0.path == column.path } }
            .map { column in
                (column, derived == nil ? column.source : column.term(target.alias, dialect))
            }
        return base + computed.map { ($0, $0.source) }
    }

    private mutating func derive(_ columns: [DerivedColumn], _ body: SQLText) {
        let alias = target.expressions.makeAlias("r")
        derived = columns
        computed = []
        order = []
        expands = []
        self.body = body
        if partition != nil { partition = "\(name: alias).\(name: Self.partitionName)" }
        target.from = "(\(body)) AS \(name: alias)"
        target.conditions = []
        target.alias = alias
        var cursor = RowCursor(scope: 0, alias: alias)
        cursor.isDerived = true
        for column in columns {
            cursor.dynamic[column.name] = column.term(alias, dialect)
        }
        target.expressions.scopes = [ExpressionCompiler.Scope(cursor: cursor)]
    }

    private mutating func concatenate(_ sequences: [[Transformation]]) throws {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 8, sequences.count <= Self.maximumSteps else {
            throw ODataError(
                .limitExceeded, "Expected fewer sequences in concat.", status: 400)
        }
        var parts: [ApplyCompiler] = []
        for steps in sequences {
            var part = self
            try part.run(steps)
            if part.derived == nil { try part.materialise() }
            parts.append(part)
        }
        try unite(parts)
    }

    /// The rows of several selects, one behind the other; what one of them does not have is null.
    private mutating func unite(_ parts: [ApplyCompiler]) throws {
        var columns: [DerivedColumn] = []
        for part in parts {
            for (column, _) in part.current() {
                guard let known = columns.first(where: { $0.path == column.path }) else {
                    columns.append(column)
                    continue
                }
                guard known.source.encoding == column.source.encoding else {
                    throw ExpressionCompiler.notImplemented(
                        "concat of values of different types under one name")
                }
            }
        }
        let selects = parts.map { part -> SQLText in
            let own = part.current()
            let items =
                part.partitionItems
                + columns.flatMap { column -> [SQLText] in
                    let term = own.first { $0.0.path == column.path }?.1
                    return column.items(term ?? SQLTerm("NULL", .null))
                }
            return "SELECT \(items.joined(", "))\(part.target.fromClause)\(part.target.whereClause)"
        }
        derive(columns, selects.joined(" UNION ALL "))
    }

    // MARK: Results

    /// The select list of the rows as they are now: everything, or what is selected.
    ///
    /// - Parameter start: How many columns stand before them.
    func list(
        selected: [String]?, start: Int = 0, type: (String) -> TypeReference?
    ) throws -> ComputedList {
        var list = ComputedList(start: start)
        for (column, term) in current()
        where selected?.contains(where: { column.path.starts(with: [$0]) || $0 == column.name })
            ?? true
        {
            try list.add(
                column.path, term, type: column.type ?? type(column.name),
                structure: column.structure)
        }
        return list
    }

    private static let maximumSteps = 64
}
