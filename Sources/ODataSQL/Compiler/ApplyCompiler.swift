import ODataModel
import ODataQuery
import ODataText

/// Compiles `$apply` and `$compute` (Data Aggregation 4.0, section 3): steps that keep entities become conditions and
/// computed values, steps that make other rows become subselects.
struct ApplyCompiler {
    var target: QueryTarget
    /// The columns of the rows; nil while they are entities.
    var derived: [DerivedColumn]?
    /// Values that `compute` added to the rows as they are.
    var computed: [DerivedColumn] = []
    /// What `orderby` asked for, while the rows are the ones that it ordered.
    var order: [OrderItem] = []
    /// What `expand` and `addnested` steps add to the entities; rows made of them have none.
    var expands: [ExpandTerm] = []
    /// What `nest` made, while the rows have the values that tell which part of the input it is made of.
    var nests: [Nest] = []
    /// Parts of the rows that the steps run for one by one, the innermost last.
    var partitions: [RowPartition] = []
    /// What entities keep to whatever the steps leave of them: the conditions of the path, the parents or the groups.
    var base: [SQLText]
    var depth = 0
    /// The subselect that made the rows; nil while they are entities.
    var body: SQLText?

    init(_ target: QueryTarget, partition: RowPartition? = nil) {
        self.target = target
        base = target.conditions
        if let partition { partitions = [partition] }
    }

    var graph: MetadataGraph { target.expressions.graph }
    var dialect: SQLDialect { target.expressions.dialect }

    /// The items of a select list that carry on which parts the rows are of.
    var partitionItems: [SQLText] { partitions.map { "\($0.sql) AS \(name: $0.name)" } }

    /// What tells the rows apart; nil for rows of a subselect.
    var rowIdentity: [SQLText]? {
        guard derived == nil else { return nil }
        let columns = target.table.identityColumns
        return columns.isEmpty ? nil : columns.map { "\(name: target.alias).\(name: $0)" }
    }

    mutating func run(_ steps: [Transformation]) throws {
        guard steps.count <= Self.maximumSteps else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumSteps) steps in $apply.",
                status: 400)
        }
        for step in steps {
            target.expressions.input = input
            try run(step)
        }
        target.expressions.input = input
    }

    /// The rows as they are now, for aggregates over all of them.
    var input: InputRows {
        InputRows(
            from: target.from, conditions: target.conditions, scope: target.expressions.scopes[0],
            part: partitions.last?.sql)
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
        case .addNested(let path, let terms): try addNested(path, terms)
        case .nest(let terms): try nest(terms)
        case .relatives(let term): try relatives(term)
        case .traverse(let term): try traverse(term)
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
        try derive(
            columns.map(\.0),
            "SELECT \(items.joined(", "))\(target.fromClause)\(target.whereClause)\(suffix)")
    }

    /// Entities as rows of a subselect, which has no place for what an open type does not declare.
    mutating func materialiseEntities() throws {
        guard target.table.system.dynamic == nil else {
            throw ExpressionCompiler.notImplemented("concat of entities of an open type")
        }
        try materialise()
    }

    /// The values that the rows have, declared ones first.
    func current() -> [(DerivedColumn, SQLTerm)] {
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

    mutating func derive(_ columns: [DerivedColumn], _ body: SQLText) throws {
        guard body.length <= Self.maximumLength else {
            throw ODataError(
                .limitExceeded, "Expected fewer steps in $apply: their SQL is too long.",
                status: 400)
        }
        let alias = target.expressions.makeAlias("r")
        derived = columns
        computed = []
        order = []
        expands = []
        nests.removeAll { nest in !columns.contains { $0.name == nest.key } }
        base = []
        self.body = body
        for index in partitions.indices {
            partitions[index].sql = "\(name: alias).\(name: partitions[index].name)"
        }
        target.from = "(\(body)) AS \(name: alias)"
        target.conditions = []
        target.alias = alias
        var cursor = RowCursor(scope: 0, alias: alias)
        cursor.isDerived = true
        for column in columns {
            cursor.dynamic[column.name] = column.term(alias, dialect)
        }
        target.expressions.scopes = [ExpressionCompiler.Scope(cursor: cursor)]
        target.expressions.rollups = []
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
        where !column.isHidden
            && (selected?.contains(where: { column.path.starts(with: [$0]) || $0 == column.name })
                ?? true)
        {
            try list.add(
                column.path, term, type: column.type ?? type(column.name),
                structure: column.structure)
        }
        return list
    }

    static let maximumSteps = 64
    /// SQLite reads statements of a million bytes.
    private static let maximumLength = 400_000
}
