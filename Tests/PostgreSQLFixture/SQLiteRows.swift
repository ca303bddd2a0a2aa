import Foundation
import GRDB
import ODataSQL

extension Database {
    /// The rows of a statement as SQLite stores them.
    package func storedRows(_ statement: SQLStatement) throws -> [[SQLArgument]] {
        let arguments = statement.arguments.map { argument -> DatabaseValue in
            switch argument {
            case .null, .parentRows: .null
            case .integer(let value): value.databaseValue
            case .real(let value): value.databaseValue
            case .text(let value): value.databaseValue
            case .blob(let bytes): Data(bytes).databaseValue
            }
        }
        let cursor = try Row.fetchCursor(
            self, sql: statement.text, arguments: StatementArguments(arguments))
        var rows: [[SQLArgument]] = []
        while let row = try cursor.next() {
            rows.append(
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: .null
                    case .int64(let value): .integer(value)
                    case .double(let value): .real(value)
                    case .string(let value): .text(value)
                    case .blob(let data): .blob(Array(data))
                    }
                })
        }
        return rows
    }
}
