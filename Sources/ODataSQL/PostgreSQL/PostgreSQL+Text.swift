import ODataModel
import ODataQuery

/// Texts are compared by code points: columns, bound values and what functions make of other types say `COLLATE "C"`.
extension PostgreSQL {
    static func position(of needle: SQLText, in text: SQLText) -> SQLText {
        "strpos(\(text), \(needle))"
    }

    static func ends(_ text: SQLText, with suffix: SQLText) -> SQLText {
        "right(\(text), length(\(suffix))) = \(suffix)"
    }

    static func substring(_ text: SQLText, from start: SQLText, length: SQLText?) -> SQLText {
        length.map { "_odata_substring(\(text), \(start), \($0))" }
            ?? "_odata_substring(\(text), \(start))"
    }

    /// - Throws: `notImplemented` for a pattern that PostgreSQL would read in another way.
    static func matches(_ text: SQLText, _ pattern: SQLTerm) throws -> SQLText {
        guard case .literal(.string(let wanted)) = pattern.kind,
            let pattern = PostgreSQLPattern.text(wanted)
        else { throw ExpressionCompiler.notImplemented("this pattern in matchesPattern") }
        return "(\(text) ~ \(try bound(.text(pattern))))"
    }

    static func text(_ sql: SQLText) -> SQLText { "(CAST(\(sql) AS text) COLLATE \"C\")" }

    static func realText(_ sql: SQLText) -> SQLText {
        "(_odata_real_text(\(sql)) COLLATE \"C\")"
    }

    static func typed(_ sql: SQLText, as type: String) -> SQLText {
        "CAST(\(sql) AS \(raw: type))"
    }

    // MARK: JSON

    static func elements(of json: SQLText, alias: String) -> SQLText {
        "(SELECT e.value COLLATE \"C\" AS \(name: "value"), e.number - 1 AS \(name: "key") FROM "
            + "json_array_elements_text(CAST(\(json) AS json)) WITH ORDINALITY AS "
            + "e(value, number)) AS \(name: alias)"
    }

    static func elementCount(of json: SQLText) -> SQLText {
        "json_array_length(CAST(\(json) AS json))"
    }

    static func member(_ name: String, of json: SQLText) -> SQLText {
        "((CAST(\(json) AS json) ->> \(argument: .text(name))) COLLATE \"C\")"
    }

    static func hasMember(_ name: String, of json: SQLText) -> SQLText {
        "((CAST(\(json) AS json) -> \(argument: .text(name))) IS NOT NULL)"
    }

    static func element(_ position: Int, of json: SQLText) -> SQLText {
        "(CAST(\(json) AS json) ->> \(number: Int64(position)))"
    }
}
