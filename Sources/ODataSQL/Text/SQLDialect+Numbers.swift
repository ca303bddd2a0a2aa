import ODataModel
import ODataQuery

/// Arithmetic that SQLite does not have as such: on decimals of any size, and on doubles with NaN and infinities. SQLite
/// connections register functions for it (`SQLFunctions`); PostgreSQL has `numeric` and `double precision`, and
/// ``postgreSQLFunctions`` where their rules are not OData's.
extension SQLDialect {
    /// Decimal of an INTEGER that stands for value · 10^scale.
    func scaled(_ sql: SQLText, _ scale: Int) -> SQLText {
        guard !isSQLite else { return "_odata_scaled(\(sql), \(number: Int64(scale)))" }
        let unit = "0." + String(repeating: "0", count: max(0, scale - 1)) + "1"
        return "(CAST(\(sql) AS numeric) * \(raw: unit))"
    }

    /// What orders decimals as numbers.
    func decimalOrder(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_order(\(sql))" : "CAST(\(sql) AS numeric)"
    }

    /// What decimal text stands for, in the form of decimals.
    func decimal(text sql: SQLText) -> SQLText { isSQLite ? sql : "CAST(\(sql) AS numeric)" }

    func double(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_double(\(sql))" : "_odata_double(CAST(\(sql) AS numeric))"
    }

    /// A double of a number that it has room for.
    func real(_ sql: SQLText) -> SQLText {
        isSQLite ? "CAST(\(sql) AS REAL)" : "CAST(\(sql) AS double precision)"
    }

    /// An integer of 64 bits of a number or a text that is one.
    func integer(_ sql: SQLText) -> SQLText {
        isSQLite ? "CAST(\(sql) AS INTEGER)" : "CAST(\(sql) AS bigint)"
    }

    /// NaN or an infinity.
    func special(_ value: Double) -> SQLText {
        let text = value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF"
        return isSQLite
            ? SQLText(argument: .text(text)) : "CAST('\(raw: text)' AS double precision)"
    }

    /// True where NaN and the infinities are text, which sorts behind every number.
    var storesSpecialsAsText: Bool { isSQLite }

    /// Integer division, null by zero.
    func quotient(_ a: SQLText, _ b: SQLText) -> SQLText {
        isSQLite ? "(\(a) / \(b))" : "(\(a) / nullif(\(b), 0))"
    }

    /// The remainder of an integer division, null by zero.
    func remainder(_ a: SQLText, _ b: SQLText) -> SQLText {
        isSQLite ? "(\(a) % \(b))" : "(\(a) % nullif(\(b), 0))"
    }

    /// Exact arithmetic; `isInteger` makes `div` cut the quotient.
    func decimal(
        _ operation: BinaryOperator, _ a: SQLText, _ b: SQLText, isInteger: Bool
    ) -> SQLText {
        guard isSQLite else {
            let (x, y): (SQLText, SQLText) = ("CAST(\(a) AS numeric)", "CAST(\(b) AS numeric)")
            switch operation {
            case .div where isInteger: return "_odata_quotient(\(x), \(y))"
            case .div, .divby: return "_odata_divided(\(x), \(y), 20)"
            case .mod: return "mod(\(x), nullif(\(y), 0))"
            default: return "(\(x) \(raw: operation.symbol) \(y))"
            }
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
        isSQLite ? doubles(.sub, "-0.0", sql) : "(-(\(sql)))"
    }

    /// -1, 0 or 1; 2 where one is NaN; null where one is null.
    func compareDoubles(_ a: SQLText, _ b: SQLText) -> SQLText { "_odata_compare(\(a), \(b))" }

    func rounded(_ function: Function, _ sql: SQLText, isDouble: Bool) -> SQLText {
        guard isSQLite else {
            let name = function == .ceiling ? "ceil" : function.rawValue
            return isDouble && function == .round
                ? "_odata_round(\(sql))" : "\(raw: name)(\(isDouble ? sql : decimalOrder(sql)))"
        }
        return "_odata_round('\(raw: function.rawValue)', \(sql), \(raw: isDouble ? "1" : "0"))"
    }

    /// A double rounded to single precision.
    func single(_ sql: SQLText) -> SQLText { "_odata_single(\(sql))" }

    /// A number as one of another type, null where that has no room for it.
    func cast(_ sql: SQLText, to type: PrimitiveType) -> SQLText {
        guard !isSQLite else { return "_odata_cast('\(raw: type.name)', \(sql))" }
        let number: SQLText = "_odata_cast('\(raw: type.name)', CAST(\(sql) AS text))"
        return type == .decimal ? number : "CAST(\(number) AS bigint)"
    }

    // MARK: Aggregates

    /// `sum`, `min`, `max` and `average` of decimals (`N`), stored doubles (`R`) and durations (`P`).
    func aggregate(_ method: AggregationMethod, _ kind: String, _ sql: SQLText) -> SQLText {
        guard !isSQLite else {
            return "_odata_aggregate('\(raw: method.name)', '\(raw: kind)', \(sql))"
        }
        let value = kind == "R" ? real(sql) : decimalOrder(sql)
        switch (method, kind) {
        case (.sum, "R"): return "_odata_sum(\(value))"
        case (.average, "R"): return "(_odata_sum(\(value)) / nullif(count(\(value)), 0))"
        case (.sum, "P"): return "_odata_period(sum(\(value)))"
        case (.average, "P"): return "_odata_divided(sum(\(value)), count(\(value)), 12)"
        case (.average, _): return "_odata_divided(sum(\(value)), count(\(value)), 20)"
        default: return "\(raw: method.name)(\(value))"
        }
    }

    /// The sum of integers that stays within 64 bits.
    func sumOfIntegers(_ sql: SQLText) -> SQLText {
        isSQLite ? "sum(\(sql))" : "CAST(sum(\(sql)) AS bigint)"
    }

    /// The sum or average of doubles that are no text.
    func aggregateOfReals(_ method: AggregationMethod, _ sql: SQLText) -> SQLText {
        guard !isSQLite else { return "\(raw: method == .sum ? "sum" : "avg")(\(sql))" }
        return aggregate(method, "R", sql)
    }

    /// The average of integers as a double.
    func averageOfIntegers(_ sql: SQLText) -> SQLText {
        isSQLite ? "avg(\(sql))" : "CAST(avg(\(sql)) AS double precision)"
    }

    /// The least or greatest of values that the database orders.
    func extreme(_ method: AggregationMethod, _ term: SQLTerm) throws -> SQLText {
        guard !isSQLite else { return "\(raw: method.name)(\(term.sql))" }
        switch term.kind {
        case .boolean:
            return "\(raw: method == .min ? "bool_and" : "bool_or")(\(term.sql))"
        case .null: return "NULL"
        case .binary, .guidBytes: throw ExpressionCompiler.notImplemented("\(method.name) of bytes")
        default: return "\(raw: method.name)(\(term.sql))"
        }
    }
}
