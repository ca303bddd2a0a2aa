import GRDB
import GRDBSQLite
import ODataSQL
import ODataText

/// A statement of a connection's cache, bound and stepped on SQLite's own handle.
///
/// Lives inside one access to the connection; the handle is reset before the access ends, so that no cursor outlives
/// a call.
package struct RawStatement: ~Copyable {
    private let statement: Statement
    package let handle: OpaquePointer

    /// Prepares the statement, or takes it from the connection's cache, and binds its arguments.
    package init(_ statement: SQLStatement, in database: Database) throws {
        // Statements with long lists come in too many shapes to be kept.
        let isKept = statement.arguments.count <= Self.maximumCachedArguments
        let prepared =
            isKept
            ? try database.cachedStatement(sql: statement.text)
            : try database.makeStatement(sql: statement.text)
        self.statement = prepared
        handle = prepared.sqliteStatement
        sqlite3_reset(handle)
        for (position, argument) in statement.arguments.enumerated() {
            bind(argument, Int32(truncatingIfNeeded: position + 1))
        }
    }

    deinit {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ argument: SQLArgument, _ index: Int32) {
        switch argument {
        case .null, .parentRows: sqlite3_bind_null(handle, index)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .real(let value): sqlite3_bind_double(handle, index, value)
        case .text(var text):
            text.withUTF8 { bytes in
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                if let start {
                    sqlite3_bind_text(
                        handle, index, start, Int32(truncatingIfNeeded: bytes.count), Self.copy)
                } else {
                    sqlite3_bind_text(handle, index, "", 0, Self.copy)
                }
            }
        case .blob(let bytes):
            if bytes.isEmpty {
                sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                sqlite3_bind_blob(
                    handle, index, bytes, Int32(truncatingIfNeeded: bytes.count), Self.copy)
            }
        }
    }

    /// True when there is a further row.
    ///
    /// - Throws: `storage` when SQLite fails, `cancelled` when the connection was interrupted.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Self.failure(handle, code)
        }
    }

    private static func failure(_ handle: OpaquePointer, _ code: Int32) -> ODataError {
        let connection = sqlite3_db_handle(handle)
        if code & 0xFF == SQLITE_INTERRUPT {
            return ODataError(.cancelled, "The query was interrupted.")
        }
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "code \(code)"
        return ODataError(.storage, "Expected rows of a query, SQLite says: \(message).")
    }

    private static let maximumCachedArguments = 64
    /// SQLITE_TRANSIENT: SQLite takes a copy.
    private static let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
