import CLibPQ
import ODataSQL

/// What a statement gave, as it came from the server.
package final class PostgresAnswer {
    private let result: OpaquePointer?
    private let types: [Oid]
    package let rowCount: Int
    package let columnCount: Int

    /// Takes the result over.
    init(_ result: OpaquePointer?) {
        self.result = result
        rowCount = Int(PQntuples(result))
        columnCount = Int(PQnfields(result))
        types = (0..<Int32(columnCount)).map { PQftype(result, $0) }
    }

    deinit { PQclear(result) }

    /// How many rows a statement changed.
    package var changedCount: Int {
        Int(PQcmdTuples(result).map { String(cString: $0) } ?? "") ?? 0
    }

    /// The memory that it takes.
    package var byteCount: Int { PQresultMemorySize(result) }

    /// - Throws: `unreadable` for a value of a type that is not read here.
    package func value(_ row: Int, _ column: Int) throws(PostgresError) -> SQLArgument {
        let (at, of) = (Int32(row), Int32(column))
        guard PQgetisnull(result, at, of) == 0 else { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, at, of), count: Int(PQgetlength(result, at, of)))
        return try PostgresValues.value(bytes, type: types[column])
    }
}

/// The values of a statement, all in binary: texts of any length without a copy of each, and numbers without digits.
struct EncodedArguments {
    private var bytes: [UInt8] = []
    private var starts: [Int?] = []
    private(set) var lengths: [Int32] = []
    let formats: [Int32]

    init(_ arguments: [SQLArgument]) {
        formats = Array(repeating: 1, count: arguments.count)
        for argument in arguments {
            let start = bytes.count
            switch argument {
            case .null, .parentRows:
                starts.append(nil)
                lengths.append(0)
                continue
            case .integer(let value): Self.append(UInt64(bitPattern: value), to: &bytes)
            case .real(let value): Self.append(value.bitPattern, to: &bytes)
            case .text(let text): bytes += Array(text.utf8)
            case .blob(let blob): bytes += blob
            }
            starts.append(start)
            lengths.append(Int32(bytes.count - start))
        }
        // What is empty has a place, too: without one it would be null.
        bytes.append(0)
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    func withPointers<Result>(
        _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return body(starts.map { offset in offset.flatMap { start?.advanced(by: $0) } })
        }
    }

    /// The number that a value's type has in `pg_type`; that of null is for the server to find.
    static func type(_ argument: SQLArgument) -> Oid {
        switch argument {
        case .integer: 20
        case .real: 701
        case .blob: 17
        case .text, .parentRows: 25
        case .null: 0
        }
    }
}

/// The names of the statements that a connection has prepared; those that were not used for longest go first.
struct PreparedNames {
    struct Key: Hashable {
        var text: String
        var types: [Oid]
    }

    private var names: [Key: (name: String, lastUse: UInt64)] = [:]
    private var clock: UInt64 = 0
    private var made = 0

    subscript(key: Key) -> String? {
        mutating get {
            guard let index = names.index(forKey: key) else { return nil }
            clock += 1
            names.values[index].lastUse = clock
            return names.values[index].name
        }
        set {
            clock += 1
            names[key] = newValue.map { ($0, clock) }
        }
    }

    mutating func newName() -> String {
        made += 1
        return "s\(made)"
    }

    /// The one that has to go before there is room for another; nil where there is.
    mutating func toRemove() -> String? {
        guard names.count >= Self.maximumCount,
            let oldest = names.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        names[oldest.key] = nil
        return oldest.value.name
    }

    /// All are prepared anew, under other names.
    mutating func forgetAll() { names = [:] }

    static let maximumCount = 256
}
