import GRDBSQLite
import ODataSQL

/// Result rows as SQLite gave them: a fixed cell per column, texts and blobs in one run of bytes.
struct PackedRows: Sendable {
    /// One value: a number, or where its bytes stand.
    struct Cell: Sendable {
        /// The number's bits, or the offset in ``PackedRows/bytes``.
        var bits: Int64
        var count: UInt32
        var kind: Kind
    }

    enum Kind: UInt8, Sendable { case null, integer, real, text, blob }

    let columnCount: Int
    private(set) var rowCount = 0
    private var cells: [Cell] = []
    private var bytes: [UInt8] = []

    init(columnCount: Int) { self.columnCount = columnCount }

    mutating func reserve(rows: Int) {
        cells.reserveCapacity(rows * columnCount)
    }

    /// Takes over the row that the statement stands on.
    mutating func append(_ handle: OpaquePointer) {
        for column in 0..<Int32(truncatingIfNeeded: columnCount) {
            switch sqlite3_column_type(handle, column) {
            case SQLITE_INTEGER:
                let value = sqlite3_column_int64(handle, column)
                cells.append(Cell(bits: value, count: 0, kind: .integer))
            case SQLITE_FLOAT:
                let value = sqlite3_column_double(handle, column)
                cells.append(
                    Cell(
                        bits: Int64(bitPattern: value.bitPattern), count: 0, kind: .real))
            case SQLITE_TEXT:
                let start = UnsafeRawPointer(sqlite3_column_text(handle, column))
                append(start, sqlite3_column_bytes(handle, column), .text)
            case SQLITE_BLOB:
                let start = sqlite3_column_blob(handle, column)
                append(start, sqlite3_column_bytes(handle, column), .blob)
            default:
                cells.append(Cell(bits: 0, count: 0, kind: .null))
            }
        }
        rowCount += 1
    }

    private mutating func append(_ start: UnsafeRawPointer?, _ count: Int32, _ kind: Kind) {
        cells.append(Cell(bits: Int64(bytes.count), count: UInt32(count), kind: kind))
        if let start, count > 0 {
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(count)))
        }
    }

    func cell(_ row: Int, _ column: Int) -> Cell { cells[row * columnCount + column] }

    func isNull(_ row: Int, _ column: Int) -> Bool { cell(row, column).kind == .null }

    func integer(_ row: Int, _ column: Int) -> Int64? {
        let cell = cell(row, column)
        return cell.kind == .integer ? cell.bits : nil
    }

    func text(_ row: Int, _ column: Int) -> String? {
        let cell = cell(row, column)
        return cell.kind == .text ? text(cell) : nil
    }

    func text(_ cell: Cell) -> String {
        withText(cell) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text or blob, where they stand.
    @inline(__always)
    func withText<Result>(_ cell: Cell, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let start = Int(cell.bits)
        return bytes.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[start..<start + Int(cell.count)]))
        }
    }

    func real(_ cell: Cell) -> Double { Double(bitPattern: UInt64(bitPattern: cell.bits)) }

    func argument(_ row: Int, _ column: Int) -> SQLArgument {
        let cell = cell(row, column)
        switch cell.kind {
        case .null: return .null
        case .integer: return .integer(cell.bits)
        case .real: return .real(real(cell))
        case .text: return .text(text(cell))
        case .blob:
            let start = Int(cell.bits)
            return .blob(Array(bytes[start..<start + Int(cell.count)]))
        }
    }
}
