import ODataModel
import ODataQuery
import ODataText

extension ApplyCompiler {
    /// `join` and `outerjoin` (Data Aggregation 4.0, section 3.4): each row once for each related one, which gets a name.
    mutating func join(
        _ path: ExpressionPath, alias name: String, _ steps: [Transformation], isOuter: Bool
    ) throws {
        guard derived == nil,
            case .rows(let navigation, let cursor, let cast) = try target.expressions.resolve(path),
            cursor.alias == target.alias
        else {
            throw ExpressionCompiler.notImplemented("join with other than a collection of the rows")
        }
        let alias = target.expressions.makeAlias()
        var source = try target.expressions.source(of: navigation, from: cursor, alias: alias)
        let table = target.expressions.mapping[navigation.target]
        if let cast,
            let condition = target.expressions.typeCondition(cast, table: table, alias: alias)
        {
            source.conditions.append(condition)
        }
        let scope = target.expressions.scopes.count
        target.expressions.scopes.append(
            ExpressionCompiler.Scope(
                cursor: RowCursor(
                    scope: scope, alias: alias, table: table, structure: cast ?? table.structure)))
        let outer = target.expressions.itScope
        target.expressions.itScope = scope
        for step in steps {
            switch step {
            case .identity: break
            case .filter(let condition):
                source.conditions.append("(\(try target.expressions.condition(condition)))")
            case .search(let search):
                let found = try target.expressions.search(search, table: table, alias: alias)
                source.conditions.append("(\(found))")
            default: throw ExpressionCompiler.notImplemented("this step inside join")
            }
        }
        let joins = target.expressions.joins(of: scope)
        target.expressions.scopes.removeLast()
        target.expressions.itScope = outer
        // SQLite forgets the alias of a single table between parentheses.
        var isSingle = joins.isEmpty
        if case .linkTable = navigation.storage { isSingle = false }
        let related: SQLText = isSingle ? source.from : "(\(source.from)\(joins))"
        target.from =
            "\(target.from) \(raw: isOuter ? "LEFT JOIN" : "JOIN") \(related) ON "
            + "\(source.conditions.joined(" AND "))"
        // The key first: where it is null there is no related row.
        let keys = table.keys
        let columns = keys + table.columns.filter { !keys.contains($0) }
        try materialise(
            adding: columns.filter {
                $0.encoding != .presence && graph.isA(table.structure, $0.owner)
            }.map { column in
                let term = column.term(alias: alias)
                let path = [name] + column.path.split(separator: "/").map(String.init)
                var made = self.column(path, column.type, term)
                made.structure = table.structure
                return (made, term)
            })
    }
}
