import GRDB
import GRDBSQLite
import ODataSQL

/// The versions of the rows of one table that are written one after the other, inside one database access.
struct RowVersions {
    /// The version of a row that was not seen to change.
    private let since: Int64
    /// Nil where no row was seen to change.
    private let lookup: Statement?

    /// - Parameter count: how many rows there are: of one, to look it up costs no more than to ask whether any changed.
    init(_ log: ChangeLog, _ table: TableMapping, rows count: Int) throws {
        since = try log.trackedSince(table.name)
        lookup = try count == 1 || log.hasVersions(table.name) ? log.versionLookup() : nil
        if let lookup { Self.bind(table.name, 1, to: lookup) }
    }

    // Hot: ServerFigures
    /// The sequence of the last change of a row that was seen.
    func version(of key: @autoclosure () throws -> RowKey) throws -> Int64 {
        guard let lookup else { return since }
        Self.bind(try key().description, 2, to: lookup)
        let handle = lookup.sqliteStatement
        defer { sqlite3_reset(handle) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return max(sqlite3_column_int64(handle, 0), since)
        case SQLITE_DONE: return since
        case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    private static func bind(_ text: String, _ index: Int32, to statement: Statement) {
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                // SQLite takes a copy.
                _ = sqlite3_bind_text(
                    statement.sqliteStatement, index, characters.baseAddress,
                    Int32(characters.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
        }
    }
}
