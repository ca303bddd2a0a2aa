import Foundation
import GRDB
import GRDBSQLite

/// A SQL function that depends on its arguments only and takes and gives texts whole: those of GRDB end at U+0000.
struct SQLFunction: Sendable {
    typealias Body = @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    /// Works on SQLite's own values, for functions that are called for each row of a scan.
    typealias RawBody =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private enum Form: Sendable {
        case values(Body)
        case raw(RawBody)
    }

    private let name: String
    private let argumentCount: Int32
    private let form: Form

    init(_ name: String, argumentCount: Int, _ body: @escaping Body) {
        self.name = name
        self.argumentCount = Int32(argumentCount)
        form = .values(body)
    }

    init(_ name: String, argumentCount: Int, raw body: @escaping RawBody) {
        self.name = name
        self.argumentCount = Int32(argumentCount)
        form = .raw(body)
    }

    func register(in database: Database) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
        switch form {
        case .raw(let body):
            sqlite3_create_function_v2(
                database.sqliteConnection, name, argumentCount, flags, nil, body, nil, nil, nil)
        case .values(let body):
            let box = Unmanaged.passRetained(Box(body)).toOpaque()
            sqlite3_create_function_v2(
                database.sqliteConnection, name, argumentCount, flags, box,
                { context, count, values in
                    guard let box = sqlite3_user_data(context), let values else { return }
                    Unmanaged<Box>.fromOpaque(box).takeUnretainedValue()
                        .call(context, UnsafeBufferPointer(start: values, count: Int(count)))
                }, nil, nil,
                { box in
                    if let box { Unmanaged<Box>.fromOpaque(box).release() }
                })
        }
    }

    /// A reference that SQLite keeps.
    private final class Box: Sendable {
        private let body: Body

        init(_ body: @escaping Body) { self.body = body }

        func call(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) {
            do {
                let result = try body(values.map(SQLFunction.value))
                SQLFunction.give(result?.databaseValue ?? .null, to: context)
            } catch {
                sqlite3_result_error(context, "\(error)", -1)
            }
        }
    }

    // MARK: Values

    private static func value(_ value: OpaquePointer?) -> DatabaseValue {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: sqlite3_value_int64(value).databaseValue
        case SQLITE_FLOAT: sqlite3_value_double(value).databaseValue
        case SQLITE_TEXT: String(decoding: text(value), as: UTF8.self).databaseValue
        case SQLITE_BLOB:
            Data(
                UnsafeRawBufferPointer(
                    start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value)))
            ).databaseValue
        default: .null
        }
    }

    /// The bytes of a text, those behind U+0000 included; good until the call returns.
    static func text(_ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_value_text(value)
        return UnsafeBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func give(_ result: DatabaseValue, to context: OpaquePointer?) {
        switch result.storage {
        case .null: sqlite3_result_null(context)
        case .int64(let value): sqlite3_result_int64(context, value)
        case .double(let value): sqlite3_result_double(context, value)
        case .string(var text): text.withUTF8 { give($0, to: context) }
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_result_zeroblob(context, 0)
                }
                sqlite3_result_blob(context, start, Int32(bytes.count), copy)
            }
        }
    }

    /// Gives a copy of a text.
    static func give(_ text: UnsafeBufferPointer<UInt8>, to context: OpaquePointer?) {
        guard let start = UnsafeRawPointer(text.baseAddress), !text.isEmpty else {
            return sqlite3_result_text(context, "", 0, nil)
        }
        sqlite3_result_text(
            context, start.assumingMemoryBound(to: CChar.self), Int32(text.count), copy)
    }

    /// SQLITE_TRANSIENT: SQLite takes a copy.
    private static let copy = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
