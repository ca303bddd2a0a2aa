import ODataModel
import ODataQuery

/// What SQLite and PostgreSQL write differently: one form for each difference, here and in the extensions beside this
/// file; those of ``PostgreSQL`` stand in a folder of their own.
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
        isSQLite ? "?\(number)" : PostgreSQL.placeholder(number, for: argument)
    }

    /// True where equal values share a placeholder: PostgreSQL takes two expressions for the same one (as `GROUP BY`
    /// needs it) only when they name the same parameters.
    var sharesPlaceholders: Bool { !isSQLite }

    /// Text of a statement with names that the database keeps apart, however long they are.
    package func withShortNames(_ text: String) -> String {
        isSQLite ? text : PostgreSQL.withShortNames(text)
    }

    // MARK: Rows

    /// Null sorts below all values (URL Conventions 4.01, section 5.1.7): SQLite's own order.
    package func nullOrder(descending: Bool) -> String {
        isSQLite ? "" : PostgreSQL.nullOrder(descending: descending)
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

    /// False for what the database refuses to order by, and what gives no order.
    func isOrder(_ sql: SQLText) -> Bool { isSQLite || PostgreSQL.isOrder(sql) }

    /// True when both are null, or both are not and equal.
    func isSame(_ left: SQLText, _ right: SQLText) -> SQLText {
        isSQLite ? "\(left) IS \(right)" : PostgreSQL.isSame(left, right)
    }

    /// The value of one row of a group; all rows have the same one, or any one will do.
    func anyValue(_ sql: SQLText) -> SQLText {
        isSQLite ? sql : PostgreSQL.anyValue(sql)
    }

    // MARK: Truth

    func truth(_ value: Bool) -> String {
        isSQLite ? (value ? "1" : "0") : PostgreSQL.truth(value)
    }

    /// True when the operand is not true: false or null.
    package func isNotTrue(_ condition: SQLText) -> SQLText { "(\(condition)) IS NOT TRUE" }

    /// 1 for true, 0 for false.
    func number(ofCondition condition: SQLText) -> SQLText {
        isSQLite ? "(\(condition))" : PostgreSQL.number(ofCondition: condition)
    }

    // MARK: Literals

    /// A literal in the form of what it is compared with: `argument` as SQLite stores it.
    func literal(_ argument: SQLArgument, _ scalar: Scalar, like kind: SQLTerm.Kind) throws
        -> SQLText
    {
        try isSQLite
            ? SQLText(argument: argument) : PostgreSQL.literal(argument, scalar, like: kind)
    }

    /// A bound value.
    ///
    /// - Throws: `notImplemented` for a text that the database has no room for.
    func bound(_ argument: SQLArgument) throws -> SQLText {
        try isSQLite ? SQLText(argument: argument) : PostgreSQL.bound(argument)
    }

    /// A Decimal of any size.
    func numeric(_ value: DecimalNumber) -> SQLText {
        isSQLite ? SQLText(argument: .text(value.description)) : PostgreSQL.numeric(value)
    }

    /// A constant null of the same type as other values.
    func null(like kind: SQLTerm.Kind) -> SQLText {
        SQLText(raw: columnType(of: kind).map(null(type:)) ?? "NULL")
    }

    func null(type: String) -> String { isSQLite ? "NULL" : PostgreSQL.null(type: type) }
}
