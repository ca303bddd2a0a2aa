import GRDB
import GRDBSQLite
import ODataSQL
import ODataText

/// A prepared statement on the raw handle of a connection, bound from bytes.
///
/// Lives inside one access to the connection and is finalised when released; bytes bound in place must stay where
/// they are until the statement has run.
final class BoundStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    /// Added to the number of every parameter: where the parameters of a row of a batch begin.
    var offset: Int32 = 0

    init(_ database: Database, sql: String) throws {
        guard let connection = database.sqliteConnection else {
            throw ODataError(.storage, "Expected an open connection, found a closed one.")
        }
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else {
            throw Self.failure(connection, code, "Expected a statement that SQLite understands.")
        }
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    @inline(__always)
    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, offset + index) }

    @inline(__always)
    func bind(_ value: Int64, _ index: Int32) { sqlite3_bind_int64(handle, offset + index, value) }

    @inline(__always)
    func bind(real value: Double, _ index: Int32) {
        sqlite3_bind_double(handle, offset + index, value)
    }

    /// Binds UTF-8 in place.
    @inline(__always)
    func bind(text: UnsafeRawBufferPointer, _ index: Int32) {
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing
        sqlite3_bind_text(
            handle, offset + index, start, Int32(truncatingIfNeeded: text.count), nil)
    }

    /// Binds a copy of the text.
    func bind(copy text: String, _ index: Int32) {
        sqlite3_bind_text(
            handle, offset + index, text, Int32(truncatingIfNeeded: text.utf8.count), Self.copy)
    }

    /// Binds a copy of the bytes.
    func bind(copy bytes: [UInt8], _ index: Int32) {
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, offset + index, 0)
            return
        }
        sqlite3_bind_blob(
            handle, offset + index, bytes, Int32(truncatingIfNeeded: bytes.count), Self.copy)
    }

    /// Runs a statement that gives no rows; it can be bound again afterwards.
    @inline(__always)
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else {
            throw Self.failure(connection, code, "Expected to write a row.")
        }
    }

    /// Runs to the first row, hands it to `read`, and resets; nil when there is no row.
    @inline(__always)
    func first<Result>(_ read: (borrowing ColumnReader) throws -> Result) throws -> Result? {
        defer { sqlite3_reset(handle) }
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return try read(ColumnReader(handle: handle))
        case SQLITE_DONE: return nil
        case let code: throw Self.failure(connection, code, "Expected to read a row.")
        }
    }

    /// Rows changed by the last statement that ran.
    var changes: Int { Int(sqlite3_changes(connection)) }
    /// Id of the row inserted last.
    var lastInsertedID: Int64 { sqlite3_last_insert_rowid(connection) }

    private static let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    nonisolated(unsafe) private static let nothing: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.initialize(to: 0)
        return UnsafePointer(byte)
    }()

    private static func failure(
        _ connection: OpaquePointer, _ code: Int32, _ message: String
    ) -> DatabaseError {
        let text = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        return DatabaseError(
            resultCode: ResultCode(rawValue: code), message: "\(message) \(text)")
    }
}

/// The columns of the row a statement stands on.
struct ColumnReader: ~Copyable {
    fileprivate let handle: OpaquePointer

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The bytes of a text or blob, valid while the statement stands on the row.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column),
            count: Int(sqlite3_column_bytes(handle, column)))
    }
}

extension BoundStatement {
    /// Binds a column value, copied.
    func bind(copy value: SQLArgument, _ index: Int32) {
        switch value {
        case .integer(let value): bind(value, index)
        case .real(let value): bind(real: value, index)
        case .text(let text): bind(copy: text, index)
        case .blob(let bytes): bind(copy: bytes, index)
        case .null, .parentRows: bindNull(index)
        }
    }
}
