import GRDB
import GRDBSQLite
import ODataSQL
import ODataSQLite

extension Database {
    // Hot: ServerFigures
    /// The integer in the first column of the first row; nil where there is no row, or null in it. For the few numbers that
    /// each request asks for: GRDB's way to one value took longer than SQLite's.
    ///
    /// - Throws: `DatabaseError`.
    func integer(_ text: String, _ arguments: [SQLArgument] = []) throws -> Int64? {
        try firstRow(text, arguments) { handle in
            sqlite3_column_type(handle, 0) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, 0)
        } ?? nil
    }

    /// What `read` makes of the first row of a statement that stays prepared; nil where there is none.
    ///
    /// - Throws: `DatabaseError`, and what `read` throws.
    func firstRow<Result>(
        _ text: String, _ arguments: [SQLArgument], _ read: (OpaquePointer) throws -> Result
    ) throws -> Result? {
        let raw = try statement(SQLStatement(text: text), arguments, nil)
        return try hasRow(raw.handle) ? read(raw.handle) : nil
    }

    /// What `read` makes of each row of a statement that stays prepared.
    ///
    /// - Throws: `DatabaseError`.
    func eachRow<Result>(
        _ text: String, _ arguments: [SQLArgument], _ read: (OpaquePointer) -> Result
    ) throws -> [Result] {
        let raw = try statement(SQLStatement(text: text), arguments, nil)
        var rows: [Result] = []
        while try hasRow(raw.handle) { rows.append(read(raw.handle)) }
        return rows
    }

    /// As ``RawStatement/step()``, but with SQLite's own error, which says what a change has violated.
    private func hasRow(_ handle: OpaquePointer) throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code),
                message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) })
        }
    }
}

extension SQLArgument {
    /// The value in a column of the row that a statement stands on.
    init(_ handle: OpaquePointer, column: Int32) {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            self = .text(Self.text(of: handle, column))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(handle, column)
            let length = Int(sqlite3_column_bytes(handle, column))
            self = .blob(Array(UnsafeRawBufferPointer(start: bytes, count: length)))
        default: self = .null
        }
    }

    /// The text in a column of such a row; empty for null.
    static func text(of handle: OpaquePointer, _ column: Int32) -> String {
        let start = sqlite3_column_text(handle, column)
        let length = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
    }
}
