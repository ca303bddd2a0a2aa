import ODataModel
import ODataQuery
import ODataText

/// What PostgreSQL writes in another way than SQLite, by the same names as in ``SQLDialect``, which asks for it.
enum PostgreSQL {
    // MARK: Statements

    static func placeholder(_ number: Int, for argument: SQLArgument) -> String {
        switch argument {
        case .null: return "NULL"
        case .integer, .real, .blob: return "$\(number)"
        case .text, .parentRows: return "($\(number) COLLATE \"C\")"
        }
    }

    /// Names are cut at 63 bytes, so longer ones end with a fingerprint instead.
    static func withShortNames(_ text: String) -> String {
        guard text.utf8.count > maximumNameLength else { return text }
        var result: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                result.append(quote)
                index += 1
                continue
            }
            // A doubled quote is part of the name.
            var end = index + 1
            while end < bytes.count {
                if bytes[end] == quote {
                    guard end + 1 < bytes.count, bytes[end + 1] == quote else { break }
                    end += 1
                }
                end += 1
            }
            let token = bytes[index..<min(end + 1, bytes.count)]
            if quote == UInt8(ascii: "\""), token.count - 2 > maximumNameLength {
                result += shortened(Array(token.dropFirst().dropLast()))
            } else {
                result += token
            }
            index = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func shortened(_ name: [UInt8]) -> [UInt8] {
        var head = name.prefix(maximumNameLength - 16)
        // Whole characters, and no quote cut in two.
        while let last = head.last, last & 0xC0 == 0x80 || last >= 0xC0 || last == 0x22 {
            head.removeLast()
        }
        return [0x22] + head + Array("~\(Fingerprint.text(of: name))".utf8) + [0x22]
    }

    private static let maximumNameLength = 63

    static func nullOrder(descending: Bool) -> String {
        descending ? " NULLS LAST" : " NULLS FIRST"
    }

    /// No constant, which names no column: it is refused.
    static func isOrder(_ sql: SQLText) -> Bool {
        sql.segments.contains {
            switch $0 {
            case .argument: true
            case .text(let text): text.contains("\"")
            case .truth, .null: false
            }
        }
    }

    static func isSame(_ left: SQLText, _ right: SQLText) -> SQLText {
        "\(left) IS NOT DISTINCT FROM \(right)"
    }

    static func anyValue(_ sql: SQLText) -> SQLText {
        sql == .nullInteger ? sql : "(array_agg(\(sql)))[1]"
    }

    // MARK: Literals

    static func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }

    static func number(ofCondition condition: SQLText) -> SQLText {
        "CAST((\(condition)) AS integer)"
    }

    static func literal(_ argument: SQLArgument, _ scalar: Scalar, like kind: SQLTerm.Kind) throws
        -> SQLText
    {
        switch kind {
        case .boolean: return SQLText(truth: argument == .boolean(true))
        case .decimalText:
            guard let value = ColumnEncoding.decimal(scalar) else { break }
            return numeric(value)
        case .duration:
            guard case .duration(let value) = duration(scalar) else { break }
            return numeric(value.decimalSeconds)
        default: break
        }
        return try bound(argument)
    }

    private static func duration(_ scalar: Scalar) -> Scalar? {
        guard case .string(let text) = scalar else { return scalar }
        return Lexical.scalar(text, as: .duration)
    }

    /// - Throws: `notImplemented` for a text with U+0000, which has no room here.
    static func bound(_ argument: SQLArgument) throws -> SQLText {
        if case .text(let text) = argument, text.utf8.contains(0) {
            throw ExpressionCompiler.notImplemented("a text with the character U+0000")
        }
        return SQLText(argument: argument)
    }

    static func numeric(_ value: DecimalNumber) -> SQLText {
        "CAST(\(SQLText(argument: .text(value.description))) AS numeric)"
    }

    static func null(type: String) -> String { "CAST(NULL AS \(type))" }
}
