import GRDB
import GRDBSQLite
import ODataText

/// The sample data of `odata serve --sample fieldservice`: customers, their sites and equipment, work orders, time
/// entries and photos, made from a seed into a plain SQLite file.
///
/// The rows of a seed are the same on every machine, and a bigger scale keeps the rows of a smaller one (but for the
/// foreign keys, which spread over what there is).
package struct FieldServiceSample: Sendable {
    package static let name = "fieldservice"

    package var seed: UInt64
    /// About how many rows there are in all tables together; at least 20.
    package var scale: Int

    package init(seed: UInt64 = 1, scale: Int = 1_000) {
        self.seed = seed
        self.scale = min(max(scale, 20), Self.maximumScale)
    }

    /// The names of the entity types, by table.
    package static let typeNames = [
        "Customers": "Customer", "Sites": "Site", "Equipment": "EquipmentItem",
        "WorkOrders": "WorkOrder", "TimeEntries": "TimeEntry", "Photos": "Photo",
    ]

    /// Rows in each table, in the order in which the tables are filled.
    package var rowCounts: [(table: String, rows: Int)] {
        FieldServiceTable.allCases.map { ($0.rawValue, rows(of: $0)) }
    }

    func rows(of table: FieldServiceTable) -> Int {
        max(1, scale * table.share / 100)
    }

    /// Creates the tables in the file at `path` (made when missing) and fills them.
    ///
    /// - Throws: `storage` when the file already holds one of the tables, or cannot be written.
    package func write(to path: String) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -65536")
        }
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                try database.inTransaction {
                    try database.execute(sql: FieldServiceSchema.tables)
                    return .commit
                }
                for table in FieldServiceTable.allCases { try fill(table, in: database) }
                try database.execute(sql: FieldServiceSchema.indexes)
            }
            try queue.close()
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a file that takes the sample tables, SQLite refused.",
                at: .path(path), underlying: error)
        }
    }

    private func fill(_ table: FieldServiceTable, in database: Database) throws {
        let count = rows(of: table)
        let maker = FieldServiceRows(sample: self)
        var first = 0
        while first < count {
            let end = min(first + Self.rowsPerTransaction, count)
            try database.inTransaction {
                let insert = try BulkInsert(
                    database, table: table.rawValue, columns: table.columnCount)
                for row in first..<end {
                    try insert.run(maker.values(of: table, row: row))
                }
                return .commit
            }
            first = end
        }
    }

    private static let rowsPerTransaction = 20_000
    private static let maximumScale = 100_000_000
}

/// Inserts rows through one prepared statement; used by one thread, inside one transaction.
private struct BulkInsert {
    private let statement: Statement

    init(_ database: Database, table: String, columns: Int) throws {
        let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
        statement = try database.makeStatement(sql: "INSERT INTO \"\(table)\" VALUES (\(marks))")
    }

    func run(_ values: [SampleValue]) throws {
        let handle = statement.sqliteStatement
        sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            bind(value, at: Int32(index + 1), to: handle)
        }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE else {
            sqlite3_reset(handle)
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    private func bind(_ value: SampleValue, at index: Int32, to handle: OpaquePointer?) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        case .text(let text):
            sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), transient)
        case .blob(let bytes):
            sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), transient)
        }
    }
}

/// What the generator puts into a column.
package enum SampleValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
