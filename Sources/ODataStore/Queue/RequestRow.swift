import GRDBSQLite

/// A row of `_odata_request`, read by the places of its columns: GRDB finds each by its name, which took longer than all else that
/// reading a request does.
///
/// Lives as long as its statement stands on the row.
struct RequestRow {
    /// The columns in the order in which ``RequestRows`` selects them.
    enum Column: Int32 {
        case id, position, operation, table, row, navigation, otherTable, otherRow, isContained
        case body, effects, principals, ifMatch, headers, changeSet, customTag, uploadGroup
        case transactionID, flags, repeatabilityID, firstSent, state, attempt, blockedBy, status
        case errorCode, errorMessage, innerError, responseBody, createdAt, user
    }

    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// - Throws: `storage` where there is none.
    func text(_ column: Column) throws -> String {
        guard let text = optionalText(column) else { throw ValueJSON.damaged() }
        return text
    }

    func optionalText(_ column: Column) -> String? {
        guard let start = sqlite3_column_text(handle, column.rawValue) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column.rawValue))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// 0 where there is none.
    func integer(_ column: Column) -> Int64 { sqlite3_column_int64(handle, column.rawValue) }

    func optionalInteger(_ column: Column) -> Int64? {
        guard sqlite3_column_type(handle, column.rawValue) != SQLITE_NULL else { return nil }
        return integer(column)
    }
}
