import Foundation
import GRDB
import ODataSQL

/// Old rows of a table, put where the same statement that reads the table finds them instead: a temporary table of
/// the same name stands in front of the real one while a body runs.
///
/// Its columns have the affinities of the real ones, so a compiled filter means the same for both.
struct OldState {
    private let database: Database
    private let table: TableMapping

    init(_ database: Database, table: TableMapping) {
        self.database = database
        self.table = table
    }

    /// Runs `body` while unqualified uses of the table's name mean `rows`.
    func withRows<Result>(_ rows: [[String: DatabaseValue]], _ body: () throws -> Result) throws
        -> Result
    {
        let name = "temp.\(SQLName.quoted(table.name))"
        try database.execute(sql: "DROP TABLE IF EXISTS \(name)")
        try database.execute(
            sql: "CREATE TABLE \(name) AS SELECT * FROM main.\(SQLName.quoted(table.name)) WHERE 0")
        defer { try? database.execute(sql: "DROP TABLE IF EXISTS \(name)") }
        let columns = table.contentColumns
        let list = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try database.makeStatement(
            sql: "INSERT INTO \(name) (\(list)) VALUES (\(marks))")
        for row in rows {
            try insert.execute(arguments: StatementArguments(columns.map { row[$0] ?? .null }))
        }
        return try body()
    }
}
