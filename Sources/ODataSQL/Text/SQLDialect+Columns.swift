import ODataModel
import ODataText

/// How the values of a property stand in a column.
extension SQLDialect {
    /// The type of a column.
    package func columnType(_ encoding: ColumnEncoding) -> String {
        isSQLite ? encoding.declaredType : PostgreSQL.columnType(encoding)
    }

    /// The type of our own columns.
    package var integerType: String { isSQLite ? "INTEGER" : PostgreSQL.integerType }
    package var textType: String { isSQLite ? "TEXT" : PostgreSQL.textType }

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
        try isSQLite ? SQLText(argument: argument) : PostgreSQL.written(argument, as: encoding)
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
            : PostgreSQL.readable(scaled: name, by: factor, scale)
    }

    func readable(duration name: String) -> String {
        isSQLite ? name : PostgreSQL.readable(duration: name)
    }

    /// A number where texts stand beside it.
    func readable(number name: String) -> String {
        isSQLite ? name : PostgreSQL.readable(number: name)
    }
}
