import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// `$search`: words and phrases are looked up in the index of the set, the operators are SQL's (URL Conventions
    /// 4.01, section 5.1.8).
    func search(
        _ expression: SearchExpression, table: TableMapping?, alias: String
    ) throws -> SQLText {
        guard dialect.isSQLite else {
            throw Self.notImplemented("$search", at: table?.path ?? "$search")
        }
        guard let table, let id = table.system.id, let index = options.searchIndex?(table) else {
            throw ODataError(
                .notImplemented,
                "Expected a set with an index for $search, found one without.",
                at: .path(table?.path ?? "$search"), status: 501)
        }
        let row: SQLText = "\(name: alias).\(name: id)"
        return try search(expression, index, row, depth: 0)
    }

    private func search(
        _ expression: SearchExpression, _ index: SearchIndex, _ row: SQLText, depth: Int
    ) throws -> SQLText {
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) nested search operators.",
                status: 400)
        }
        switch expression {
        case .term(let text), .phrase(let text): return lookUp(text, index, row)
        case .not(let operand):
            return "NOT (\(try search(operand, index, row, depth: depth + 1)))"
        case .and(let left, let right):
            let first = try search(left, index, row, depth: depth + 1)
            return "(\(first)) AND (\(try search(right, index, row, depth: depth + 1)))"
        case .or(let left, let right):
            let first = try search(left, index, row, depth: depth + 1)
            return "(\(first)) OR (\(try search(right, index, row, depth: depth + 1)))"
        }
    }

    /// The text as one phrase, quoted so that nothing in it is an operator.
    private func lookUp(_ text: String, _ index: SearchIndex, _ row: SQLText) -> SQLText {
        let phrase = SQLName.quoted(text)
        return "\(row) IN (SELECT rowid FROM \(name: index.name) WHERE \(name: index.name) MATCH "
            + "\(argument: .text(phrase)))"
    }
}
