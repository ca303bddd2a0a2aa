import GRDBSQLite
import ODataSQL

/// Result rows as SQLite gave them: a fixed cell per column, texts and blobs in one run of bytes.
///
/// Memory of its own instead of arrays: rows are appended and cells looked at without reference counts.
final class PackedRows: @unchecked Sendable {
    // Only the reader that makes the rows appends, before anyone else has them; nothing changes afterwards.

    /// One value: a number, or where its bytes stand.
    struct Cell: Sendable {
        /// The number's bits, or the offset in the run of bytes.
        var bits: Int64
        var count: UInt32
        var kind: Kind
    }

    enum Kind: UInt8, Sendable { case null, integer, real, text, blob }

    let columnCount: Int
    @exclusivity(unchecked) private(set) var rowCount = 0
    @exclusivity(unchecked) private var cells: UnsafeMutablePointer<Cell>
    @exclusivity(unchecked) private var rowCapacity: Int
    @exclusivity(unchecked) private var bytes: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var byteCount = 0
    @exclusivity(unchecked) private var byteCapacity: Int
    /// The first room, cells and then bytes in one piece; most results never need another.
    private let block: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var hasOwnCells = false
    @exclusivity(unchecked) private var hasOwnBytes = false

    /// - Parameter rows: How many rows to make room for.
    init(columnCount: Int, rows: Int = 1) {
        self.columnCount = columnCount
        rowCapacity = max(1, rows)
        byteCapacity = min(max(256, rowCapacity * columnCount * 8), 65_536)
        let cellSize = rowCapacity * columnCount * MemoryLayout<Cell>.stride
        block = .allocate(
            byteCount: cellSize + byteCapacity, alignment: MemoryLayout<Cell>.alignment)
        cells = block.bindMemory(to: Cell.self, capacity: rowCapacity * columnCount)
        bytes = (block + cellSize).bindMemory(to: UInt8.self, capacity: byteCapacity)
    }

    deinit {
        if hasOwnCells { cells.deallocate() }
        if hasOwnBytes { bytes.deallocate() }
        block.deallocate()
    }

    /// Takes over the row that the statement stands on.
    func append(_ handle: OpaquePointer) {
        if rowCount == rowCapacity { growRows() }
        var cell = cells + rowCount * columnCount
        for column in 0..<Int32(truncatingIfNeeded: columnCount) {
            // Connections are opened without a mutex, so a value of a row may be looked at where it is.
            let value = sqlite3_column_value(handle, column)
            switch sqlite3_value_type(value) {
            case SQLITE_INTEGER:
                let bits = sqlite3_value_int64(value)
                cell.initialize(to: Cell(bits: bits, count: 0, kind: .integer))
            case SQLITE_FLOAT:
                let bits = Int64(bitPattern: sqlite3_value_double(value).bitPattern)
                cell.initialize(to: Cell(bits: bits, count: 0, kind: .real))
            case SQLITE_TEXT:
                let start = UnsafeRawPointer(sqlite3_value_text(value))
                cell.initialize(to: taken(start, sqlite3_value_bytes(value), .text))
            case SQLITE_BLOB:
                let start = sqlite3_value_blob(value)
                cell.initialize(to: taken(start, sqlite3_value_bytes(value), .blob))
            default:
                cell.initialize(to: Cell(bits: 0, count: 0, kind: .null))
            }
            cell += 1
        }
        rowCount += 1
    }

    /// Takes over a row of another database; columns that it lacks are null.
    func append(_ values: [SQLArgument]) {
        if rowCount == rowCapacity { growRows() }
        var cell = cells + rowCount * columnCount
        for column in 0..<columnCount {
            switch column < values.count ? values[column] : .null {
            case .null, .parentRows:
                cell.initialize(to: Cell(bits: 0, count: 0, kind: .null))
            case .integer(let value):
                cell.initialize(to: Cell(bits: value, count: 0, kind: .integer))
            case .real(let value):
                let bits = Int64(bitPattern: value.bitPattern)
                cell.initialize(to: Cell(bits: bits, count: 0, kind: .real))
            case .text(var text):
                cell.initialize(
                    to: text.withUTF8 { taken($0.baseAddress, Int32($0.count), .text) })
            case .blob(let bytes):
                cell.initialize(
                    to: bytes.withUnsafeBufferPointer {
                        taken($0.baseAddress, Int32($0.count), .blob)
                    })
            }
            cell += 1
        }
        rowCount += 1
    }

    /// Copies bytes into the run.
    @inline(__always)
    private func taken(_ start: UnsafeRawPointer?, _ length: Int32, _ kind: Kind) -> Cell {
        let count = start == nil ? 0 : Int(length)
        if byteCount + count > byteCapacity { growBytes(by: count) }
        if let start, count > 0 {
            UnsafeMutableRawPointer(bytes + byteCount).copyMemory(from: start, byteCount: count)
        }
        let cell = Cell(
            bits: Int64(byteCount), count: UInt32(truncatingIfNeeded: count), kind: kind)
        byteCount += count
        return cell
    }

    @inline(never)
    private func growRows() {
        let capacity = rowCapacity * 2
        let grown = UnsafeMutablePointer<Cell>.allocate(capacity: capacity * columnCount)
        grown.moveInitialize(from: cells, count: rowCount * columnCount)
        if hasOwnCells { cells.deallocate() }
        (cells, rowCapacity, hasOwnCells) = (grown, capacity, true)
    }

    @inline(never)
    private func growBytes(by count: Int) {
        let capacity = max(byteCapacity * 2, byteCount + count)
        let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        grown.moveInitialize(from: bytes, count: byteCount)
        if hasOwnBytes { bytes.deallocate() }
        (bytes, byteCapacity, hasOwnBytes) = (grown, capacity, true)
    }

    /// The bytes that the rows take.
    var size: Int { byteCount + rowCount * columnCount * MemoryLayout<Cell>.stride }

    // MARK: Cells

    @inline(__always)
    func cell(_ row: Int, _ column: Int) -> Cell {
        precondition(UInt(bitPattern: row) < UInt(bitPattern: rowCount), "Expected a row.")
        return cells[row * columnCount + column]
    }

    func isNull(_ row: Int, _ column: Int) -> Bool { cell(row, column).kind == .null }

    func integer(_ row: Int, _ column: Int) -> Int64? {
        let cell = cell(row, column)
        return cell.kind == .integer ? cell.bits : nil
    }

    func text(_ row: Int, _ column: Int) -> String? {
        let cell = cell(row, column)
        return cell.kind == .text ? text(cell) : nil
    }

    func text(_ cell: Cell) -> String { String(decoding: bytes(cell), as: UTF8.self) }

    /// The bytes of a text or blob, where they stand: for as long as the rows are there.
    @inline(__always)
    func bytes(_ cell: Cell) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + Int(cell.bits), count: Int(cell.count))
    }

    func real(_ cell: Cell) -> Double { Double(bitPattern: UInt64(bitPattern: cell.bits)) }

    func argument(_ row: Int, _ column: Int) -> SQLArgument {
        let cell = cell(row, column)
        switch cell.kind {
        case .null: return .null
        case .integer: return .integer(cell.bits)
        case .real: return .real(real(cell))
        case .text: return .text(text(cell))
        case .blob: return .blob(Array(bytes(cell)))
        }
    }
}
