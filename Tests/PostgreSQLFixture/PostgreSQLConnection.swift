import CPostgreSQL
import ODataSQL
import ODataText

/// One connection to a PostgreSQL server, over libpq. It blocks, and belongs to whoever made it.
package final class PostgreSQLConnection {
    private let handle: OpaquePointer

    /// - Parameter address: what libpq takes, as `host=/run/postgresql dbname=shop`.
    package init(_ address: String) throws {
        guard let handle = PQconnectdb(address) else {
            throw ODataError(.storage, "Expected memory for a connection to PostgreSQL.")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = String(cString: PQerrorMessage(handle))
            PQfinish(handle)
            throw ODataError(.storage, "Expected a connection to PostgreSQL: \(message)")
        }
        try run("SET client_min_messages = warning")
    }

    deinit { PQfinish(handle) }

    /// Runs statements without values.
    package func run(_ text: String) throws {
        let result = PQexec(handle, text)
        defer { PQclear(result) }
        try check(result)
    }

    /// The rows of a statement; each value in the storage class that it has in SQLite.
    package func rows(_ statement: SQLStatement) throws -> [[SQLArgument]] {
        let result = send(statement)
        defer { PQclear(result) }
        try check(result)
        let (rows, columns) = (PQntuples(result), PQnfields(result))
        let types = (0..<columns).map { PQftype(result, $0) }
        return try (0..<rows).map { row in
            try (0..<columns).map { column in
                guard PQgetisnull(result, row, column) == 0 else { return .null }
                let bytes = UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column),
                    count: Int(PQgetlength(result, row, column)))
                return try Self.value(
                    String(decoding: bytes, as: UTF8.self), types[Int(column)])
            }
        }
    }

    /// Every value goes as text, with its type beside it.
    private func send(_ statement: SQLStatement) -> OpaquePointer? {
        let texts: [[CChar]?] = statement.arguments.map { argument in
            switch argument {
            case .null, .parentRows: nil
            case .integer(let value): Array("\(value)".utf8CString)
            case .real(let value): Array("\(value)".utf8CString)
            case .text(let text): Array(text.utf8CString)
            case .blob(let bytes): Array("\\x\(Self.hexadecimal(bytes))".utf8CString)
            }
        }
        var starts: [Int?] = []
        var bytes: [CChar] = []
        for text in texts {
            starts.append(text == nil ? nil : bytes.count)
            bytes += text ?? []
        }
        return bytes.withUnsafeBufferPointer { buffer in
            let values = starts.map { start in
                start.flatMap { buffer.baseAddress?.advanced(by: $0) }
            }
            return PQexecParams(
                handle, statement.text, Int32(values.count), statement.arguments.map(Self.type),
                values, nil, nil, 0)
        }
    }

    private func check(_ result: OpaquePointer?) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default:
            let message = result.map { String(cString: PQresultErrorMessage($0)) } ?? "no result"
            throw ODataError(.storage, "Expected PostgreSQL to answer: \(message)")
        }
    }

    /// The number that a value's type has in `pg_type`.
    private static func type(_ argument: SQLArgument) -> Oid {
        switch argument {
        case .integer: 20
        case .real: 701
        case .blob: 17
        case .null, .text, .parentRows: 25
        }
    }

    /// A value by the number of its type in `pg_type`.
    private static func value(_ text: String, _ type: Oid) throws -> SQLArgument {
        switch type {
        case 16: return .integer(text == "t" ? 1 : 0)
        case 20, 21, 23: if let value = Int64(text) { return .integer(value) }
        case 700, 701:
            switch text {
            case "NaN": return .text("NaN")
            case "Infinity": return .text("INF")
            case "-Infinity": return .text("-INF")
            default: if let value = Double(text) { return .real(value) }
            }
        case 17:
            let digits = Array(text.utf8.dropFirst(2))
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            }
            if bytes.count * 2 == digits.count { return .blob(bytes) }
        default: return .text(text)
        }
        throw ODataError(.storage, "Expected a value of its type, found another form.")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
