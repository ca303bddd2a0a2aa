import ODataModel
import ODataQuery

/// Texts, compared by code points in both databases.
extension SQLDialect {
    /// The position, counted from 1, of a text in another; 0 when it is not there.
    func position(of needle: SQLText, in text: SQLText) -> SQLText {
        isSQLite ? "instr(\(text), \(needle))" : PostgreSQL.position(of: needle, in: text)
    }

    /// By characters, U+0000 among them, which ends a text for SQLite's own functions; PostgreSQL stores none.
    func length(_ text: SQLText) -> SQLText {
        "\(raw: isSQLite ? "_odata_length" : "length")(\(text))"
    }

    func characters(of text: SQLText, _ first: SQLText, _ count: SQLText? = nil) -> SQLText {
        let range = count.map { "\(first), \($0)" as SQLText } ?? first
        return "\(raw: isSQLite ? "_odata_substr" : "substr")(\(text), \(range))"
    }

    func replacing(_ part: SQLText, with other: SQLText, in text: SQLText) -> SQLText {
        "\(raw: isSQLite ? "_odata_replace" : "replace")(\(text), \(part), \(other))"
    }

    /// True when a text ends with another that is not empty.
    func ends(_ text: SQLText, with suffix: SQLText) -> SQLText {
        isSQLite
            ? "\(characters(of: text, "-\(length(suffix))")) = \(suffix)"
            : PostgreSQL.ends(text, with: suffix)
    }

    /// The part from `start`, counted from 0 or, below, from the end.
    func substring(
        _ text: SQLText, from start: SQLText, constant: Int64?, length: SQLText?
    ) -> SQLText {
        guard isSQLite else {
            return PostgreSQL.substring(text, from: start, length: length)
        }
        let first: SQLText =
            constant.map { "\(number: min($0, Int64(Int32.max)) + 1)" }
            ?? ("CASE WHEN \(start) < 0 THEN max(\(self.length(text)) + \(start), 0) "
                + "ELSE \(start) END + 1")
        return characters(of: text, first, length.map { "max(\($0), 0)" })
    }

    /// Unicode case conversion. SQLite's own knows only ASCII, as does PostgreSQL's under the collation "C".
    func lower(_ text: SQLText) -> SQLText { "_odata_lower(\(text))" }
    func upper(_ text: SQLText) -> SQLText { "_odata_upper(\(text))" }

    /// True where a part of the text matches a pattern.
    ///
    /// - Throws: `notImplemented` for a pattern that PostgreSQL would read in another way.
    func matches(_ text: SQLText, _ pattern: SQLTerm, _ sql: SQLText) throws -> SQLText {
        try isSQLite ? "_odata_matches(\(text), \(sql))" : PostgreSQL.matches(text, pattern)
    }

    /// The text of a value of another type.
    func text(_ sql: SQLText) -> SQLText {
        isSQLite ? "CAST(\(sql) AS TEXT)" : PostgreSQL.text(sql)
    }

    /// The text of a decimal.
    func decimalText(_ sql: SQLText) -> SQLText { isSQLite ? sql : text(sql) }

    /// The text of a double as literals spell it.
    func realText(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_real_text(\(sql))" : PostgreSQL.realText(sql)
    }

    /// A text read as a value of another type, null where it is none.
    func parsed(_ sql: SQLText, as type: PrimitiveType, _ kind: SQLTerm.Kind) -> SQLText {
        let value: SQLText = "_odata_parse('\(raw: type.name)', \(sql))"
        guard !isSQLite, let name = columnType(of: kind) else { return value }
        return PostgreSQL.typed(value, as: name)
    }

    // MARK: JSON

    /// The elements of a JSON array as rows with `key` (position from 0) and `value`; in PostgreSQL every value is text.
    func elements(of json: SQLText, alias: String) -> SQLText {
        isSQLite
            ? "json_each(\(json)) AS \(name: alias)"
            : PostgreSQL.elements(of: json, alias: alias)
    }

    func elementCount(of json: SQLText) -> SQLText {
        isSQLite ? "json_array_length(\(json))" : PostgreSQL.elementCount(of: json)
    }

    /// A member of a JSON object; in PostgreSQL text, whatever it is.
    func member(_ name: String, of json: SQLText) -> SQLText {
        isSQLite
            ? "json_extract(\(json), \(argument: .text("$.\"\(name)\"")))"
            : PostgreSQL.member(name, of: json)
    }

    /// True where a JSON object has a member, be it null.
    func hasMember(_ name: String, of json: SQLText) -> SQLText {
        isSQLite
            ? "(json_type(\(json), \(argument: .text("$.\"\(name)\""))) IS NOT NULL)"
            : PostgreSQL.hasMember(name, of: json)
    }

    /// What tells a part of the rows from others, as ``elements(of:alias:)`` gives back what was read of it.
    func partKey(_ sql: SQLText) -> SQLText { isSQLite ? sql : text(sql) }

    /// An element of a JSON array that stands for a value of a column.
    func element(_ position: Int, of json: SQLText, like encoding: ColumnEncoding?) -> SQLText {
        isSQLite
            ? "json_extract(\(json), '$[\(number: Int64(position))]')"
            : rowValue(PostgreSQL.element(position, of: json), encoding)
    }

    /// A value of ``elements(of:alias:)`` as one of a column, of the internal id where there is no encoding.
    func rowValue(_ value: SQLText, _ encoding: ColumnEncoding?) -> SQLText {
        isSQLite ? value : PostgreSQL.typed(value, as: columnType(encoding ?? .integer))
    }

    /// A value of JSON as a Boolean.
    func jsonBoolean(_ sql: SQLText) -> SQLText {
        isSQLite ? sql : PostgreSQL.typed(sql, as: "boolean")
    }
}
