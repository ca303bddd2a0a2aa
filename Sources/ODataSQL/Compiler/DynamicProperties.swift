import ODataModel
import ODataQuery
import ODataText

/// Dynamic properties of open types (URL Conventions 4.01, section 5.1.1.15) as JSON keeps them: numbers, texts, truth
/// values; each row says what its value is.
extension ExpressionCompiler {
    /// A property that the open type does not declare; nil where there is no place for one.
    func dynamicProperty(_ name: String, of cursor: RowCursor) throws -> SQLTerm? {
        guard let column = cursor.table?.system.dynamic, let structure = cursor.structure,
            graph[structure].isOpen, cursor.prefix.isEmpty
        else { return nil }
        try dialect.requireSQLite(for: "a dynamic property in an expression")
        let path = "$.\"\(name.replacing("\"", with: ""))\""
        return SQLTerm(
            "json_extract(\(name: cursor.alias).\(name: column), \(argument: .text(path)))",
            .dynamic)
    }

    /// A dynamic property against another value; what has no order with it gives null.
    func compareDynamic(
        _ operation: BinaryOperator, _ term: SQLTerm, _ other: SQLTerm
    ) throws -> SQLText {
        let value: SQLText
        let isNumber: Bool
        switch other.kind {
        case .dynamic:
            return "\(term.sql) \(raw: operation.symbol) \(other.sql)"
        case .literal(.boolean(let truth)):
            (value, isNumber) = (truth ? "1" : "0", true)
        case .literal(.integer(let number)):
            (value, isNumber) = (SQLText(argument: .integer(number)), true)
        case .literal(let scalar):
            if let number = ColumnEncoding.double(scalar), number.isFinite {
                (value, isNumber) = (SQLText(argument: .real(number)), true)
            } else {
                (value, isNumber) = (SQLText(argument: .text(Lexical.text(scalar))), false)
            }
        case .integer, .boolean, .real(isStored: false): (value, isNumber) = (other.sql, true)
        case .scaled, .decimalText, .real:
            (value, isNumber) = ("CAST(\(try number(other).term.sql) AS REAL)", true)
        case .string, .guid, .date, .time: (value, isNumber) = (other.sql, false)
        default: throw Self.invalid("Expected operands of comparable types.")
        }
        let comparison: SQLText = "\(term.sql) \(raw: operation.symbol) \(value)"
        guard operation != .eq, operation != .ne else { return comparison }
        let types = isNumber ? "('integer', 'real')" : "('text')"
        return "CASE WHEN typeof(\(term.sql)) IN \(raw: types) THEN \(comparison) END"
    }
}
