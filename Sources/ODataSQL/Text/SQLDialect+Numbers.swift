import ODataQuery

/// Arithmetic that SQLite does not have as such: on decimals of any size, on doubles with NaN and infinities, and on
/// dates. SQLite connections register functions for it (`SQLFunctions`); PostgreSQL has types for it.
extension SQLDialect {
    private var isSQLite: Bool { product == .sqlite }

    /// Decimal text of an INTEGER that stands for value · 10^scale.
    func scaled(_ sql: SQLText, _ scale: Int) -> SQLText {
        isSQLite
            ? "_odata_scaled(\(sql), \(number: Int64(scale)))"
            : "(CAST(\(sql) AS numeric) / 1\(raw: String(repeating: "0", count: scale)))"
    }

    /// What orders decimal texts as numbers.
    func decimalOrder(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_order(\(sql))" : "CAST(\(sql) AS numeric)"
    }

    func double(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_double(\(sql))" : "CAST(\(sql) AS double precision)"
    }

    /// Exact arithmetic; `isInteger` makes `div` cut the quotient.
    func decimal(
        _ operation: BinaryOperator, _ a: SQLText, _ b: SQLText, isInteger: Bool
    ) -> SQLText {
        guard isSQLite else {
            let (x, y): (SQLText, SQLText) = ("CAST(\(a) AS numeric)", "CAST(\(b) AS numeric)")
            switch operation {
            case .div where isInteger: return "div(\(x), nullif(\(y), 0))"
            case .div, .divby: return "(\(x) / nullif(\(y), 0))"
            case .mod: return "mod(\(x), nullif(\(y), 0))"
            default: return "(\(x) \(raw: operation.symbol) \(y))"
            }
        }
        let name = (isInteger ? "i" : "") + operation.rawValue
        return "_odata_decimal('\(raw: name)', \(a), \(b))"
    }

    /// Arithmetic on doubles; NaN and infinities are text in SQLite.
    func doubles(_ operation: BinaryOperator, _ a: SQLText, _ b: SQLText) -> SQLText {
        guard isSQLite else {
            let (x, y): (SQLText, SQLText) = (double(a), double(b))
            switch operation {
            case .div, .divby:
                return
                    "CASE WHEN \(y) <> 0 THEN \(x) / \(y) WHEN \(y) IS NULL OR \(x) IS NULL THEN NULL "
                    + "WHEN \(x) = 0 OR \(x) = 'NaN' THEN 'NaN' WHEN \(x) < 0 THEN '-Infinity' "
                    + "ELSE 'Infinity' END"
            case .mod: return "(\(x) - \(y) * trunc(\(x) / nullif(\(y), 0)))"
            default: return "(\(x) \(raw: operation.symbol) \(y))"
            }
        }
        return "_odata_real('\(raw: operation.rawValue)', \(a), \(b))"
    }

    /// -1, 0 or 1; 2 where one is NaN; null where one is null.
    func compareDoubles(_ a: SQLText, _ b: SQLText) -> SQLText {
        isSQLite
            ? "_odata_compare(\(a), \(b))"
            : "CASE WHEN \(a) = 'NaN' OR \(b) = 'NaN' THEN 2 ELSE sign(\(a) - \(b)) END"
    }

    func rounded(_ function: Function, _ sql: SQLText, isDouble: Bool) -> SQLText {
        guard isSQLite else {
            return "\(raw: function == .ceiling ? "ceil" : function.rawValue)(\(sql))"
        }
        return "_odata_round('\(raw: function.rawValue)', \(sql), \(raw: isDouble ? "1" : "0"))"
    }

    /// Arithmetic on dates (`D`), instants (`I`), times without offset (`W`), durations (`P`) and numbers (`N`).
    func temporal(
        _ operation: BinaryOperator, _ first: String, _ a: SQLText, _ second: String, _ b: SQLText
    ) -> SQLText {
        guard isSQLite else {
            let types = [
                "D": "date", "I": "timestamptz", "W": "timestamp", "P": "interval", "N": "numeric",
            ]
            let sign = operation == .divby ? "/" : operation.symbol
            return "(CAST(\(a) AS \(raw: types[first] ?? "interval")) \(raw: sign) "
                + "CAST(\(b) AS \(raw: types[second] ?? "interval")))"
        }
        return "_odata_temporal('\(raw: operation.rawValue)', '\(raw: first)', \(a), "
            + "'\(raw: second)', \(b))"
    }

    func durationOrder(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_duration_order(\(sql))" : "CAST(\(sql) AS interval)"
    }

    /// The seconds of a duration as a decimal.
    func seconds(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_total_seconds(\(sql))" : "extract(epoch FROM CAST(\(sql) AS interval))"
    }

    /// A double rounded to single precision.
    func single(_ sql: SQLText) -> SQLText {
        isSQLite ? "_odata_single(\(sql))" : "CAST(\(sql) AS real)"
    }
}
