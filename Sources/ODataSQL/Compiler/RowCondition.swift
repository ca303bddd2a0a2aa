import ODataModel
import ODataQuery
import ODataText

extension QueryCompiler {
    /// The condition that a checked filter puts on one row of a table, for statements of others: it names nothing of them
    /// but the row.
    ///
    /// - Parameter alias: what the statement calls the row.
    /// - Throws: as ``compile(_:)``; also for a filter that follows navigation properties from a table without a key.
    package func condition(
        _ filter: Expression, on table: TableMapping, alias: String
    ) throws -> SQLText {
        var direct = expressions(over: table, alias: alias, besides: alias)
        let condition = try direct.condition(filter)
        guard !direct.scopes[0].joins.isEmpty else { return condition }
        // What it joins stands in a statement of its own, where the row is found again.
        let identity = table.identityColumns
        guard !identity.isEmpty else {
            throw ExpressionCompiler.notImplemented(
                "navigation properties of entities without a key", at: table.path)
        }
        var inner = expressions(over: table, alias: "", besides: alias)
        let own = inner.makeAlias()
        inner.scopes[0].cursor.alias = own
        let test = try inner.condition(filter)
        let same = identity.map {
            "\(name: own).\(name: $0) = \(name: alias).\(name: $0)" as SQLText
        }
        return
            "EXISTS (SELECT 1 FROM \(table: table.name) AS \(name: own)\(inner.joins(of: 0)) WHERE "
            + "\(same.joined(" AND ")) AND (\(test)))"
    }

    /// - Parameter other: a name that stands outside, which no alias may hide.
    private func expressions(
        over table: TableMapping, alias: String, besides other: String
    ) -> ExpressionCompiler {
        var options = options
        // The filter is the operator's: it looks at rows that its reader may not see.
        options.visibility = nil
        var expressions = ExpressionCompiler(mapping: mapping, options: options)
        // Aliases are a letter and a number: with a greater number none is this one.
        let digits = other.reversed().prefix { $0.isASCII && $0.isNumber }
        expressions.aliasCount = (Int(String(digits.reversed())) ?? 0) + 1
        expressions.scopes = [
            ExpressionCompiler.Scope(
                cursor: RowCursor(
                    scope: 0, alias: alias, table: table, structure: table.structure))
        ]
        return expressions
    }
}
