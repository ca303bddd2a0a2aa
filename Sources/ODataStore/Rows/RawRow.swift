import GRDBSQLite
import ODataModel
import ODataSQL
import ODataSQLite

/// The columns of the row that a statement stands on, one after the other.
///
/// Use it only as long as the statement is there.
struct RawRow {
    private let handle: OpaquePointer
    private var position: Int32 = 0

    init(_ statement: borrowing RawStatement) { handle = statement.handle }

    /// The next column; null, and none taken, for a table without a column of this kind.
    mutating func next(_ name: String?) -> SQLArgument { name == nil ? .null : next() }

    mutating func next() -> SQLArgument {
        defer { position += 1 }
        switch sqlite3_column_type(handle, position) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, position))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, position))
        case SQLITE_TEXT:
            guard let start = sqlite3_column_text(handle, position) else { return .text("") }
            let count = Int(sqlite3_column_bytes(handle, position))
            let bytes = UnsafeBufferPointer(start: start, count: count)
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, position)
            let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, position))
            return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    mutating func skip() { position += 1 }

    /// The next column where its value is one of the usual forms of its encoding, without companions; nil, and none taken, where
    /// it is not: the general way reads it then.
    mutating func plain(_ encoding: ColumnEncoding) -> Scalar? {
        switch (encoding, sqlite3_column_type(handle, position)) {
        case (.string, SQLITE_TEXT):
            guard case .text(let text) = next() else { return nil }
            return .string(text)
        case (.integer, SQLITE_INTEGER):
            defer { position += 1 }
            return .integer(sqlite3_column_int64(handle, position))
        case (.boolean, SQLITE_INTEGER):
            defer { position += 1 }
            return .boolean(sqlite3_column_int64(handle, position) != 0)
        case (.scaledDecimal(let scale), SQLITE_INTEGER):
            defer { position += 1 }
            return .decimal(
                DecimalNumber(coefficient: sqlite3_column_int64(handle, position), scale: scale))
        default: return nil
        }
    }

    mutating func integer(_ name: String?) -> Int64? {
        if case .integer(let value) = next(name) { value } else { nil }
    }

    mutating func text(_ name: String?) -> String? {
        if case .text(let text) = next(name) { text } else { nil }
    }
}
