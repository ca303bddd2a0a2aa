import ODataModel
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

    static func readable(scaled name: String, by factor: String, _ scale: Int) -> String {
        "round(\(name)::numeric / \(factor), \(scale))"
    }

    static func readable(duration name: String) -> String { "_odata_duration(\(name))" }
    static func readable(number name: String) -> String { "CAST(\(name) AS text)" }
}
