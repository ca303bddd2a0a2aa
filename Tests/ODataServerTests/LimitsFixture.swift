import GRDB

/// A query that looks at 400⁴ combinations of rows, which takes hours.
enum SlowRows {
    static let schema = """
        CREATE TABLE N (Id INTEGER PRIMARY KEY, V INTEGER, ParentId INTEGER REFERENCES N(Id));
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
            INSERT INTO N SELECT i, i, 1 FROM n;
        """

    static let url =
        "/N/$count?$filter=Parent/N_Parent/any(a:a/Parent/N_Parent/any("
        + "b:b/Parent/N_Parent/any(c:c/V%20add%20b/V%20add%20a/V%20lt%200)))"
}

/// Another program that writes: holds the database until it is told to let go.
final class HeldDatabase {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func release() throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try queue.close()
    }
}

/// Blanks in gzip: one literal and copies of what stands before, in a block of fixed codes (RFC 1951, section 3.2.6).
enum GzipOfBlanks {
    static func bytes(count: Int) -> [UInt8] {
        var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var (bits, length) = (UInt64(0), 0)
        func put(_ value: UInt64, _ size: Int) {
            bits |= value << length
            length += size
            while length >= 8 {
                output.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                length -= 8
            }
        }
        /// Codes stand with their first bit first.
        func code(_ value: UInt64, _ size: Int) {
            for bit in (0..<size).reversed() { put(value >> bit & 1, 1) }
        }
        put(1, 1)
        put(1, 2)
        code(0x30 + 32, 8)
        for _ in 0..<count / 258 {
            code(0xC0 + 5, 8)
            code(0, 5)
        }
        code(0, 7)
        put(0, 7)
        return output + Array(repeating: 0, count: 8)
    }
}
