import ODataModel
import ODataQuery
import ODataText

/// Compiles `$apply` and `$compute` (Data Aggregation 4.0, section 3): steps that keep entities become conditions and
/// computed values, steps that make other rows become subselects.
struct ApplyCompiler {
    private(set) var target: QueryTarget
    /// The columns of the rows; nil while they are entities.
    private(set) var derived: [DerivedColumn]?
    /// Values that `compute` added to the rows as they are.
    private(set) var computed: [DerivedColumn] = []
    /// What `orderby` asked for, while the rows are the ones that it ordered.
    private(set) var order: [OrderItem] = []
    private var depth = 0

    init(_ target: QueryTarget) { self.target = target }

    private var graph: MetadataGraph { target.expressions.graph }
    private var dialect: SQLDialect { target.expressions.dialect }

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
        case .expand, .addNested, .nest, .join, .relatives, .traverse, .custom:
            throw ExpressionCompiler.notImplemented("this step of $apply")
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
        guard derived == nil, let id = target.table.system.id else {
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

    private mutating func group(_ paths: [ExpressionPath], by terms: [AggregateTerm]) throws {
        var columns: [(DerivedColumn, SQLTerm)] = []
        var keys: [SQLText] = []
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
        let items = columns.flatMap { $0.0.items($0.1) }
        var body: SQLText =
            "SELECT \(items.joined(", "))\(target.fromClause)\(target.whereClause)"
        if !keys.isEmpty { body.append(" GROUP BY \(keys.joined(", "))") }
        derive(columns.map(\.0), body)
    }

    private func column(
        _ path: [String], _ type: TypeReference?, _ term: SQLTerm
    ) -> DerivedColumn {
        DerivedColumn(path: path, type: type, source: term, name: path.joined(separator: "/"))
    }

    // MARK: Subselects

    /// All values of the rows as columns of a subselect.
    private mutating func materialise(suffix: SQLText = "") throws {
        let columns = current()
        let items = columns.flatMap { $0.0.items($0.1) }
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
            let items = columns.flatMap { column -> [SQLText] in
                let term = own.first { $0.0.path == column.path }?.1
                return column.items(term ?? SQLTerm("NULL", .null))
            }
            return "SELECT \(items.joined(", "))\(part.target.fromClause)\(part.target.whereClause)"
        }
        derive(columns, selects.joined(" UNION ALL "))
    }

    // MARK: Results

    /// The select list of the rows as they are now: everything, or what is selected.
    func list(
        selected: [String]?, type: (String) -> TypeReference?
    ) throws -> ComputedList {
        var list = ComputedList(start: 0)
        for (column, term) in current() where selected?.contains(column.name) ?? true {
            try list.add(column.path, term, type: column.type ?? type(column.name))
        }
        return list
    }

    private static let maximumSteps = 64
}
