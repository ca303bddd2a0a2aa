import ODataModel
import ODataQuery
import ODataText

/// What SQLite and PostgreSQL write differently: one form for each difference, here and in the extensions beside this
/// file.
package struct SQLDialect: Sendable, Hashable {
    package enum Product: Sendable, Hashable { case sqlite, postgreSQL }

    package var product: Product

    package static let sqlite = SQLDialect(product: .sqlite)
    package static let postgreSQL = SQLDialect(product: .postgreSQL)

    var isSQLite: Bool { product == .sqlite }

    /// - Throws: `notImplemented` for what only SQLite answers, with the functions that its connections register.
    func requireSQLite(for what: String) throws {
        guard isSQLite else { throw ExpressionCompiler.notImplemented(what) }
    }

    // MARK: Statements

    /// The placeholder of the `number`-th bound value, counted from 1. PostgreSQL is told the types of the values beside
    /// the statement: `bigint`, `double precision`, `text` and `bytea`.
    func placeholder(_ number: Int, for argument: SQLArgument) -> String {
        guard !isSQLite else { return "?\(number)" }
        switch argument {
        case .null: return "NULL"
        case .integer, .real, .blob: return "$\(number)"
        case .text, .parentRows: return "($\(number) COLLATE \"C\")"
        }
    }

    /// True where equal values share a placeholder: PostgreSQL takes two expressions for the same one (as `GROUP BY`
    /// needs it) only when they name the same parameters.
    var sharesPlaceholders: Bool { !isSQLite }

    /// Text of a statement with names that the database keeps apart: PostgreSQL cuts them at 63 bytes, so longer ones
    /// end with a fingerprint instead.
    package func withShortNames(_ text: String) -> String {
        guard !isSQLite, text.utf8.count > Self.maximumNameLength else { return text }
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
            if quote == UInt8(ascii: "\""), token.count - 2 > Self.maximumNameLength {
                result += Self.shortened(Array(token.dropFirst().dropLast()))
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

    // MARK: Rows

    /// Null sorts below all values (URL Conventions 4.01, section 5.1.7): SQLite's own order.
    package func nullOrder(descending: Bool) -> String {
        isSQLite ? "" : descending ? " NULLS LAST" : " NULLS FIRST"
    }

    /// What follows `ORDER BY`: the rows that are skipped, and how many come.
    func limit(top: Int?, skip: Int?) -> SQLText {
        switch (top, skip) {
        case (nil, nil), (nil, 0?): return ""
        case (let top?, nil), (let top?, 0?): return " LIMIT \(argument: .integer(Int64(top)))"
        case (nil, let skip?):
            return
                " LIMIT \(raw: isSQLite ? "-1" : "ALL") OFFSET \(argument: .integer(Int64(skip)))"
        case (let top?, let skip?):
            return " LIMIT \(argument: .integer(Int64(top)))"
                + " OFFSET \(argument: .integer(Int64(skip)))"
        }
    }

    /// The name of a subselect that nothing refers to; PostgreSQL 15 wants one.
    var unusedAlias: SQLText { isSQLite ? "" : " AS \(name: "n")" }

    /// True where rows of `CROSS JOIN` come in the order of the first table: SQLite walks them from left to right.
    var keepsOrderOfCrossJoin: Bool { isSQLite }

    /// False for what PostgreSQL refuses to order by, and what gives no order: a constant, which names no column.
    func isOrder(_ sql: SQLText) -> Bool {
        isSQLite
            || sql.segments.contains {
                switch $0 {
                case .argument: true
                case .text(let text): text.contains("\"")
                case .truth, .null: false
                }
            }
    }

    /// True when both are null, or both are not and equal.
    func isSame(_ left: SQLText, _ right: SQLText) -> SQLText {
        isSQLite ? "\(left) IS \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
    }

    /// The value of one row of a group; all rows have the same one, or any one will do.
    func anyValue(_ sql: SQLText) -> SQLText {
        isSQLite || sql == .nullInteger ? sql : "(array_agg(\(sql)))[1]"
    }

    // MARK: Truth

    func truth(_ value: Bool) -> String {
        isSQLite ? (value ? "1" : "0") : value ? "TRUE" : "FALSE"
    }

    /// True when the operand is not true: false or null.
    package func isNotTrue(_ condition: SQLText) -> SQLText { "(\(condition)) IS NOT TRUE" }

    /// 1 for true, 0 for false.
    func number(ofCondition condition: SQLText) -> SQLText {
        isSQLite ? "(\(condition))" : "CAST((\(condition)) AS integer)"
    }

    // MARK: Literals

    /// A literal in the form of what it is compared with: `argument` as SQLite stores it.
    func literal(_ argument: SQLArgument, _ scalar: Scalar, like kind: SQLTerm.Kind) throws
        -> SQLText
    {
        guard !isSQLite else { return SQLText(argument: argument) }
        switch kind {
        case .boolean: return SQLText(truth: argument == .boolean(true))
        case .decimalText:
            guard let value = ColumnEncoding.decimal(scalar) else { break }
            return numeric(value)
        case .duration:
            guard case .duration(let value) = Self.duration(scalar) else { break }
            return numeric(value.decimalSeconds)
        default: break
        }
        return try bound(argument)
    }

    private static func duration(_ scalar: Scalar) -> Scalar? {
        guard case .string(let text) = scalar else { return scalar }
        return Lexical.scalar(text, as: .duration)
    }

    /// A bound value.
    ///
    /// - Throws: `notImplemented` for a text that the database has no room for.
    func bound(_ argument: SQLArgument) throws -> SQLText {
        if !isSQLite, case .text(let text) = argument, text.utf8.contains(0) {
            throw ExpressionCompiler.notImplemented("a text with the character U+0000")
        }
        return SQLText(argument: argument)
    }

    /// A Decimal of any size.
    func numeric(_ value: DecimalNumber) -> SQLText {
        let text = SQLText(argument: .text(value.description))
        return isSQLite ? text : "CAST(\(text) AS numeric)"
    }

    /// A constant null of the same type as other values.
    func null(like kind: SQLTerm.Kind) -> SQLText {
        SQLText(raw: columnType(of: kind).map(null(type:)) ?? "NULL")
    }

    func null(type: String) -> String { isSQLite ? "NULL" : "CAST(NULL AS \(type))" }
}
