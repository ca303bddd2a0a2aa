import ODataModel
import ODataQuery
import ODataText

/// The functions on collections (URL Conventions 4.01, sections 5.1.1.5 and 5.1.1.6), which stand in JSON text.
extension ExpressionCompiler {
    /// Nil where the first argument is no collection.
    func collectionFunction(_ function: Function, _ terms: [SQLTerm]) throws -> SQLTerm? {
        guard case .json(let type) = terms[0].kind, type.isCollection else { return nil }
        if function == .length {
            return SQLTerm(dialect.elementCount(of: terms[0].sql), .integer)
        }
        try dialect.requireSQLite(for: "\(function.rawValue) of a collection")
        switch function {
        case .substring: return try part(of: terms, type)
        default: break
        }
        if terms.contains(where: { $0.kind == .null }) { return SQLTerm("NULL", .null) }
        guard terms.count == 2, case .json(let other) = terms[1].kind, other.isCollection else {
            throw Self.invalid("Expected two collections in \(function.rawValue)().")
        }
        let name = function.rawValue.lowercased()
        let sql: SQLText =
            "_odata_collection('\(raw: name)', \(terms[0].sql), \(terms[1].sql))"
        switch function {
        case .hasSubset, .hasSubsequence, .contains, .startsWith, .endsWith:
            return SQLTerm(sql, .boolean)
        case .indexOf: return SQLTerm(sql, .integer)
        case .concat: return SQLTerm(sql, .json(type.primitive == .untyped ? other : type))
        default: throw Self.invalid("Expected no collection in \(function.rawValue)().")
        }
    }

    /// `substring(collection, start, length)`: a negative start counts from the end.
    private func part(of terms: [SQLTerm], _ type: TypeReference) throws -> SQLTerm {
        let numbers = try terms.dropFirst().map { term -> SQLText in
            let number = try number(term)
            guard number.isInteger else {
                throw Self.invalid("Expected an integer in substring().")
            }
            return number.sql
        }
        let length = numbers.count > 1 ? numbers[1] : "\(number: Int64(Int32.max))"
        return SQLTerm(
            "_odata_part(\(terms[0].sql), \(numbers[0]), \(length))", .json(type))
    }
}
