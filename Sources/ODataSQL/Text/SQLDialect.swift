/// What SQLite and PostgreSQL write differently.
package struct SQLDialect: Sendable, Hashable {
    package enum Product: Sendable, Hashable { case sqlite, postgreSQL }

    package var product: Product

    package static let sqlite = SQLDialect(product: .sqlite)
    package static let postgreSQL = SQLDialect(product: .postgreSQL)

    /// The placeholder of the `number`-th bound value, counted from 1.
    package func placeholder(_ number: Int) -> String {
        product == .sqlite ? "?\(number)" : "$\(number)"
    }

    /// Null sorts below all values (URL Conventions 4.01, section 5.1.7): SQLite's own order.
    package func nullOrder(descending: Bool) -> String {
        guard product == .postgreSQL else { return "" }
        return descending ? " NULLS LAST" : " NULLS FIRST"
    }

    /// The position, counted from 1, of a text in another; 0 when it is not there.
    package func position(of needle: SQLText, in text: SQLText) -> SQLText {
        product == .sqlite ? "instr(\(text), \(needle))" : "strpos(\(text), \(needle))"
    }

    /// Unicode case conversion; SQLite's own knows only ASCII, so connections register ours.
    package var lowerFunction: String { product == .sqlite ? "_odata_lower" : "lower" }
    package var upperFunction: String { product == .sqlite ? "_odata_upper" : "upper" }

    /// By characters, U+0000 among them, which ends a text for SQLite's own functions; PostgreSQL stores none.
    package var lengthFunction: String { product == .sqlite ? "_odata_length" : "length" }
    package var substringFunction: String { product == .sqlite ? "_odata_substr" : "substr" }
    package var replaceFunction: String { product == .sqlite ? "_odata_replace" : "replace" }

    /// The elements of a JSON array as rows with `key` (position) and `value`.
    package func elements(of json: SQLText, alias: String) -> SQLText {
        product == .sqlite
            ? "json_each(\(json)) AS \(name: alias)"
            : "jsonb_array_elements(CAST(\(json) AS jsonb)) WITH ORDINALITY AS \(name: alias)(value, key)"
    }

    /// True when both are null, or both are not and equal.
    func isSame(_ left: SQLText, _ right: SQLText) -> SQLText {
        product == .sqlite ? "\(left) IS \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
    }

    /// True when the operand is not true: false or null.
    package func isNotTrue(_ condition: SQLText) -> SQLText { "(\(condition)) IS NOT TRUE" }
}
