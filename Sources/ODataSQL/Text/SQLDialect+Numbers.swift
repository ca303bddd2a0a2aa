import ODataModel
import ODataQuery

/// Arithmetic that SQLite does not have as such: on decimals of any size, and on doubles with NaN and infinities. SQLite
/// connections register functions for it (`SQLFunctions`).
extension SQLDialect {
    /// Decimal of an INTEGER that stands for value · 10^scale.
    func scaled(_ sql: SQLText, _ scale: Int) -> SQLText {
        isSQLite
            ? "_odata_scaled(\(sql), \(number: Int64(scale)))" : PostgreSQL.scaled(sql, scale)
    }

    /// What orders decimals as numbers.
    func decimalOrder(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_order(\(sql))" : PostgreSQL.numeric(sql)
    }

    /// What decimal text stands for, in the form of decimals.
    func decimal(text sql: SQLText) -> SQLText { isSQLite ? sql : PostgreSQL.numeric(sql) }

    func double(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_double(\(sql))" : PostgreSQL.double(sql)
    }

    /// A double of a number that it has room for.
    func real(_ sql: SQLText) -> SQLText {
        isSQLite ? "CAST(\(sql) AS REAL)" : PostgreSQL.real(sql)
    }

    /// An integer of 64 bits of a number or a text that is one.
    func integer(_ sql: SQLText) -> SQLText {
        isSQLite ? "CAST(\(sql) AS INTEGER)" : PostgreSQL.integer(sql)
    }

    /// NaN or an infinity.
    func special(_ value: Double) -> SQLText {
        let text = value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF"
        return isSQLite ? SQLText(argument: .text(text)) : PostgreSQL.special(text)
    }

    /// True where NaN and the infinities are text, which sorts behind every number.
    var storesSpecialsAsText: Bool { isSQLite }

    /// Integer division, null by zero.
    func quotient(_ a: SQLText, _ b: SQLText) -> SQLText {
        isSQLite ? "(\(a) / \(b))" : PostgreSQL.quotient(a, b)
    }

    /// The remainder of an integer division, null by zero.
    func remainder(_ a: SQLText, _ b: SQLText) -> SQLText {
        isSQLite ? "(\(a) % \(b))" : PostgreSQL.remainder(a, b)
    }

    /// Exact arithmetic; `isInteger` makes `div` cut the quotient.
    func decimal(
        _ operation: BinaryOperator, _ a: SQLText, _ b: SQLText, isInteger: Bool
    ) -> SQLText {
        guard isSQLite else {
            return PostgreSQL.decimal(operation, a, b, isInteger: isInteger)
        }
        let name = (isInteger ? "i" : "") + operation.rawValue
        return "_odata_decimal('\(raw: name)', \(a), \(b))"
    }

    /// True where a sum of doubles that are no text gives an infinity when it has no room.
    var addsDoubles: Bool { isSQLite }

    /// Arithmetic on doubles; NaN and infinities are text in SQLite.
    func doubles(_ operation: BinaryOperator, _ a: SQLText, _ b: SQLText) -> SQLText {
        "_odata_real('\(raw: operation.rawValue)', \(a), \(b))"
    }

    func negatedDouble(_ sql: SQLText) -> SQLText {
        isSQLite ? doubles(.sub, "-0.0", sql) : PostgreSQL.negated(sql)
    }

    /// -1, 0 or 1; 2 where one is NaN; null where one is null.
    func compareDoubles(_ a: SQLText, _ b: SQLText) -> SQLText { "_odata_compare(\(a), \(b))" }

    func rounded(_ function: Function, _ sql: SQLText, isDouble: Bool) -> SQLText {
        guard isSQLite else {
            return PostgreSQL.rounded(function, sql, isDouble: isDouble)
        }
        return "_odata_round('\(raw: function.rawValue)', \(sql), \(raw: isDouble ? "1" : "0"))"
    }

    /// A double rounded to single precision.
    func single(_ sql: SQLText) -> SQLText { "_odata_single(\(sql))" }

    /// A number as one of another type, null where that has no room for it.
    func cast(_ sql: SQLText, to type: PrimitiveType) -> SQLText {
        isSQLite
            ? "_odata_cast('\(raw: type.name)', \(sql))" : PostgreSQL.cast(sql, to: type)
    }

    // MARK: Aggregates

    /// `sum`, `min`, `max` and `average` of decimals (`N`), stored doubles (`R`) and durations (`P`).
    func aggregate(_ method: AggregationMethod, _ kind: String, _ sql: SQLText) -> SQLText {
        isSQLite
            ? "_odata_aggregate('\(raw: method.name)', '\(raw: kind)', \(sql))"
            : PostgreSQL.aggregate(method, kind, sql)
    }

    /// The sum of integers that stays within 64 bits.
    func sumOfIntegers(_ sql: SQLText) -> SQLText {
        isSQLite ? "sum(\(sql))" : PostgreSQL.sumOfIntegers(sql)
    }

    /// The sum or average of doubles that are no text.
    func aggregateOfReals(_ method: AggregationMethod, _ sql: SQLText) -> SQLText {
        guard !isSQLite else { return "\(raw: method == .sum ? "sum" : "avg")(\(sql))" }
        return aggregate(method, "R", sql)
    }

    /// The average of integers as a double.
    func averageOfIntegers(_ sql: SQLText) -> SQLText {
        isSQLite ? "avg(\(sql))" : PostgreSQL.averageOfIntegers(sql)
    }

    /// The least or greatest of values that the database orders.
    func extreme(_ method: AggregationMethod, _ term: SQLTerm) throws -> SQLText {
        try isSQLite ? "\(raw: method.name)(\(term.sql))" : PostgreSQL.extreme(method, term)
    }
}
