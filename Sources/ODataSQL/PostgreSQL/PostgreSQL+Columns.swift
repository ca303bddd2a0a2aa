import ODataModel
import ODataQuery
import ODataText

/// Columns: the same encodings as in a local store, but for what has a type of its own (`docs/store-format.md`,
/// "PostgreSQL").
extension PostgreSQL {
    static func columnType(_ encoding: ColumnEncoding) -> String {
        switch encoding {
        case .boolean: return "boolean"
        case .real, .realDecimal: return "double precision"
        case .orderedDecimal, .textDecimal, .duration: return "numeric"
        case .binary, .guidBytes: return "bytea"
        case .integer, .enumeration, .scaledDecimal, .presence, .unixSeconds, .unixMilliseconds:
            return integerType
        case .utcDateTime, .wallDateTime, .date, .timeOfDay, .guid, .string, .json, .looseBoolean,
            .isoDateTime:
            return textType
        }
    }

    static let integerType = "bigint"
    static let textType = "text COLLATE \"C\""

    /// - Throws: `notImplemented` for a text with U+0000, which has no room here.
    static func written(_ argument: SQLArgument, as encoding: ColumnEncoding) throws -> SQLText {
        switch (encoding, argument) {
        case (_, .null): return "NULL"
        case (.boolean, .integer(let value)): return SQLText(truth: value != 0)
        case (.orderedDecimal, .text), (.real, .text):
            return "CAST(\(SQLText(argument: argument)) AS \(raw: columnType(encoding)))"
        case (.duration, .text): return "_odata_seconds(\(SQLText(argument: argument)))"
        case (.json, .text(let text)) where text.contains("\\u0000"):
            // Only found out when an element is read, else.
            return try bound(.text("\0"))
        default: return try bound(argument)
        }
    }

    /// A column as its owner made it, against a literal; nil where its type has no such value, or another order.
    static func compare(
        _ operation: BinaryOperator, _ native: NativeOperand, _ argument: SQLArgument,
        _ literal: SQLText
    ) -> SQLText? {
        guard case .text(let text) = argument else { return nil }
        let sign = operation.symbol
        switch native.kind {
        case .text(let collation):
            guard operation == .eq || operation == .ne else { return nil }
            return "\(native.sql) \(raw: sign) (\(literal) COLLATE \(raw: collation))"
        case .type(let type):
            guard type == "uuid" || isWithinMicroseconds(text) else { return nil }
            return "\(native.sql) \(raw: sign) CAST(\(literal) AS \(raw: type))"
        }
    }

    /// A date and time, or one of both, of a year of four digits and with at most six digits of a second's fraction.
    private static func isWithinMicroseconds(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count > 4, bytes.first != UInt8(ascii: "-") else { return false }
        let isTime = bytes[2] == UInt8(ascii: ":")
        guard isTime || bytes[4] == UInt8(ascii: "-") && !text.hasPrefix("0000") else {
            return false
        }
        let fraction = bytes.firstIndex(of: UInt8(ascii: ".")).map { bytes.count - $0 - 1 } ?? 0
        return fraction <= 6
    }

    static func readable(scaled name: String, by factor: String, _ scale: Int) -> String {
        "round(\(name)::numeric / \(factor), \(scale))"
    }

    static func readable(duration name: String) -> String { "_odata_duration(\(name))" }
    static func readable(number name: String) -> String { "CAST(\(name) AS text)" }
}
