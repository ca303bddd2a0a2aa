import ODataModel
import ODataQuery

/// Arithmetic in `numeric` and `double precision`, and by ``PostgreSQLFunctions`` where their rules are not OData's.
extension PostgreSQL {
    static func scaled(_ sql: SQLText, _ scale: Int) -> SQLText {
        let unit = "0." + String(repeating: "0", count: max(0, scale - 1)) + "1"
        return "(CAST(\(sql) AS numeric) * \(raw: unit))"
    }

    static func numeric(_ sql: SQLText) -> SQLText { "CAST(\(sql) AS numeric)" }
    static func double(_ sql: SQLText) -> SQLText { "_odata_double(CAST(\(sql) AS numeric))" }
    static func real(_ sql: SQLText) -> SQLText { "CAST(\(sql) AS double precision)" }
    static func integer(_ sql: SQLText) -> SQLText { "CAST(\(sql) AS bigint)" }
    static func negated(_ sql: SQLText) -> SQLText { "(-(\(sql)))" }

    /// NaN or an infinity, as literals spell it.
    static func special(_ text: String) -> SQLText { "CAST('\(raw: text)' AS double precision)" }

    static func quotient(_ a: SQLText, _ b: SQLText) -> SQLText { "(\(a) / nullif(\(b), 0))" }
    static func remainder(_ a: SQLText, _ b: SQLText) -> SQLText { "(\(a) % nullif(\(b), 0))" }

    static func decimal(
        _ operation: BinaryOperator, _ a: SQLText, _ b: SQLText, isInteger: Bool
    ) -> SQLText {
        let (x, y) = (numeric(a), numeric(b))
        switch operation {
        case .div where isInteger: return "_odata_quotient(\(x), \(y))"
        case .div, .divby: return "_odata_divided(\(x), \(y), 20)"
        case .mod: return "mod(\(x), nullif(\(y), 0))"
        default: return "(\(x) \(raw: operation.symbol) \(y))"
        }
    }

    static func rounded(_ function: Function, _ sql: SQLText, isDouble: Bool) -> SQLText {
        let name = function == .ceiling ? "ceil" : function.rawValue
        return isDouble && function == .round
            ? "_odata_round(\(sql))" : "\(raw: name)(\(isDouble ? sql : numeric(sql)))"
    }

    static func cast(_ sql: SQLText, to type: PrimitiveType) -> SQLText {
        let number: SQLText = "_odata_cast('\(raw: type.name)', CAST(\(sql) AS text))"
        return type == .decimal ? number : integer(number)
    }

    // MARK: Aggregates

    static func aggregate(
        _ method: AggregationMethod, _ kind: String, _ sql: SQLText
    ) -> SQLText {
        let value = kind == "R" ? real(sql) : numeric(sql)
        switch (method, kind) {
        case (.sum, "R"): return "_odata_sum(\(value))"
        case (.average, "R"): return "(_odata_sum(\(value)) / nullif(count(\(value)), 0))"
        case (.sum, "P"): return "_odata_period(sum(\(value)))"
        case (.average, "P"): return "_odata_divided(sum(\(value)), count(\(value)), 12)"
        case (.average, _): return "_odata_divided(sum(\(value)), count(\(value)), 20)"
        default: return "\(raw: method.name)(\(value))"
        }
    }

    static func sumOfIntegers(_ sql: SQLText) -> SQLText { integer("sum(\(sql))") }
    static func averageOfIntegers(_ sql: SQLText) -> SQLText { real("avg(\(sql))") }

    /// - Throws: `notImplemented` for bytes, which have no least or greatest here.
    static func extreme(_ method: AggregationMethod, _ term: SQLTerm) throws -> SQLText {
        switch term.kind {
        case .boolean:
            return "\(raw: method == .min ? "bool_and" : "bool_or")(\(term.sql))"
        case .null: return "NULL"
        case .binary, .guidBytes: throw ExpressionCompiler.notImplemented("\(method.name) of bytes")
        default: return "\(raw: method.name)(\(term.sql))"
        }
    }
}
