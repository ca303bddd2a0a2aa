import ODataModel
import ODataText

/// How the values of a property stand in a column of PostgreSQL: the same encodings as in a local store, but for what
/// has a type of its own there (`docs/store-format.md`, "PostgreSQL").
extension SQLDialect {
    /// The type of a column.
    package func columnType(_ encoding: ColumnEncoding) -> String {
        guard !isSQLite else { return encoding.declaredType }
        switch encoding {
        case .boolean: return "boolean"
        case .real, .realDecimal: return "double precision"
        case .orderedDecimal, .textDecimal, .duration: return "numeric"
        case .binary, .guidBytes: return "bytea"
        case .integer, .enumeration, .scaledDecimal, .presence, .unixSeconds, .unixMilliseconds:
            return "bigint"
        case .utcDateTime, .wallDateTime, .date, .timeOfDay, .guid, .string, .json, .looseBoolean,
            .isoDateTime:
            return "text COLLATE \"C\""
        }
    }

    /// The type of our own columns.
    package var integerType: String { isSQLite ? "INTEGER" : "bigint" }
    package var textType: String { isSQLite ? "TEXT" : "text COLLATE \"C\"" }

    /// True where the columns of Decimals and durations order themselves, so that they need no companion.
    var hasNumeric: Bool { !isSQLite }

    /// The type of an expression; nil for what has none.
    func columnType(of kind: SQLTerm.Kind) -> String? {
        SQLTerm("", kind).encoding.map { encoding in
            let type = columnType(encoding)
            return type.hasPrefix("text") ? "text" : type
        }
    }

    /// A value as ``RowEncoder`` gives it, for a column of this encoding.
    ///
    /// - Throws: `notImplemented` for a text that the database has no room for.
    package func written(_ argument: SQLArgument, as encoding: ColumnEncoding) throws -> SQLText {
        guard !isSQLite else { return SQLText(argument: argument) }
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

    // MARK: Definitions

    /// What stands behind the columns of a table whose key is all that rows are found by.
    var tableOptions: String { isSQLite ? " WITHOUT ROWID" : "" }

    /// The functions that statements call and a database has to have before.
    var functionDefinitions: [String] { isSQLite ? [] : PostgreSQLFunctions.definitions }

    /// What people read of a Decimal that stands as value · 10^scale, by the quoted name of its column.
    func readable(scaled name: String, _ scale: Int) -> String {
        let factor = "1" + String(repeating: "0", count: scale)
        return isSQLite
            ? "CASE WHEN \(name) < 0 THEN '-' ELSE '' END || abs(\(name) / \(factor))"
                + " || '.' || substr(printf('%0\(scale)d', abs(\(name) % \(factor))), -\(scale))"
            : "round(\(name)::numeric / \(factor), \(scale))"
    }

    func readable(duration name: String) -> String {
        isSQLite ? name : "_odata_duration(\(name))"
    }

    /// A number where texts stand beside it.
    func readable(number name: String) -> String { isSQLite ? name : "CAST(\(name) AS text)" }
}
