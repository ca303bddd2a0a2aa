import GRDB
import GRDBSQLite
import ODataSQL
import ODataText

/// A statement of a connection, bound and stepped on SQLite's own handle.
///
/// Lives inside one access to the connection; the handle is reset before the access ends, so that no cursor outlives
/// a call.
package struct RawStatement: ~Copyable {
    package let handle: OpaquePointer
    /// Keeps the handle alive; nil where the connection does, or nobody.
    private let owner: AnyObject?
    private let isTemporary: Bool
    /// Copies of texts and blobs that were bound are let go at the end.
    private let holdsBytes: Bool

    /// Prepares the statement, or takes it from the connection's cache, and binds its arguments.
    package init(_ statement: SQLStatement, in database: Database) throws {
        self = try database.statement(statement, statement.arguments, nil)
    }

    /// - Parameter isTemporary: The handle is let go with the statement.
    init(
        _ handle: OpaquePointer, _ arguments: [SQLArgument], owner: AnyObject? = nil,
        isTemporary: Bool = false
    ) {
        self.handle = handle
        self.owner = owner
        self.isTemporary = isTemporary
        sqlite3_reset(handle)
        var index: Int32 = 1
        var holdsBytes = false
        for argument in arguments {
            if Self.bind(argument, index, to: handle) { holdsBytes = true }
            index += 1
        }
        self.holdsBytes = holdsBytes
    }

    deinit {
        if isTemporary {
            sqlite3_finalize(handle)
        } else {
            sqlite3_reset(handle)
            if holdsBytes { sqlite3_clear_bindings(handle) }
        }
    }

    /// True when SQLite took a copy of bytes.
    private static func bind(
        _ argument: SQLArgument, _ index: Int32, to handle: OpaquePointer
    ) -> Bool {
        switch argument {
        case .null, .parentRows: sqlite3_bind_null(handle, index)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .real(let value): sqlite3_bind_double(handle, index, value)
        case .text(var text):
            text.withUTF8 { bytes in
                let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                if let start {
                    sqlite3_bind_text(
                        handle, index, start, Int32(truncatingIfNeeded: bytes.count), copy)
                } else {
                    sqlite3_bind_text(handle, index, "", 0, copy)
                }
            }
            return true
        case .blob(let bytes):
            if bytes.isEmpty {
                sqlite3_bind_zeroblob(handle, index, 0)
            } else {
                sqlite3_bind_blob(
                    handle, index, bytes, Int32(truncatingIfNeeded: bytes.count), copy)
            }
            return true
        }
        return false
    }

    /// True when there is a further row.
    ///
    /// - Throws: `storage` when SQLite fails, `cancelled` when the connection was interrupted.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw Self.failure(sqlite3_db_handle(handle), code)
        }
    }

    /// Runs a statement that gives no rows.
    ///
    /// - Throws: `DatabaseError`, as GRDB does, so that callers can tell a constraint.
    package func run() throws {
        let code = sqlite3_step(handle)
        guard code != SQLITE_DONE, code != SQLITE_ROW else { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code),
            message: sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) })
    }

    static func failure(_ connection: OpaquePointer?, _ code: Int32) -> ODataError {
        if code & 0xFF == SQLITE_INTERRUPT { return cancelled }
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "code \(code)"
        if message == "parser stack overflow" {
            return ODataError(.limitExceeded, "Expected a query that nests less.", status: 400)
        }
        return ODataError(
            .storage, "Expected rows of a query, SQLite says: \(message).",
            underlying: DatabaseError(resultCode: ResultCode(rawValue: code), message: message))
    }

    static var cancelled: ODataError { ODataError(.cancelled, "The query was interrupted.") }

    static let maximumKeptArguments = 64
    /// SQLITE_TRANSIENT: SQLite takes a copy.
    private static let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
