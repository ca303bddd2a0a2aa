import ODataModel
import ODataQuery
import ODataText

/// A number in SQL: exact as an integer times a power of ten, or a REAL.
struct SQLNumber: Sendable {
    var sql: SQLText
    /// Decimal places of the exact form; nil for REAL.
    var scale: Int?
    /// An integer type, whose division is integer division.
    var isInteger: Bool

    func term(_ sql: SQLText) -> SQLTerm {
        guard let scale else { return SQLTerm(sql, .real(isStored: false)) }
        return SQLTerm(sql, isInteger ? .integer : .scaled(scale))
    }

    /// The value as REAL.
    var real: SQLText {
        switch scale {
        case nil: sql
        case 0?: "CAST(\(sql) AS REAL)"
        case let scale?: "(CAST(\(sql) AS REAL) / \(number: Self.power(scale)))"
        }
    }

    static func power(_ scale: Int) -> Int64 {
        (0..<scale).reduce(1) { value, _ in value * 10 }
    }
}

extension ExpressionCompiler {
    /// A term as a number.
    func number(_ term: SQLTerm) throws -> SQLNumber {
        let term = try rendered(term)
        switch term.kind {
        case .null: return SQLNumber(sql: "NULL", scale: 0, isInteger: true)
        case .integer, .enumeration:
            return SQLNumber(sql: term.sql, scale: 0, isInteger: true)
        case .scaled(let scale):
            return SQLNumber(sql: term.sql, scale: scale, isInteger: false)
        case .real: return SQLNumber(sql: term.sql, scale: nil, isInteger: false)
        case .decimalText:
            return SQLNumber(sql: "CAST(\(term.sql) AS REAL)", scale: nil, isInteger: false)
        default: throw Self.invalid("Expected a number, found another type.")
        }
    }

    /// Two numbers in one form: the same power of ten, or both REAL.
    func aligned(
        _ left: SQLNumber, _ right: SQLNumber
    ) throws -> (SQLText, SQLText, scale: Int?) {
        guard let first = left.scale, let second = right.scale else {
            return (left.real, right.real, nil)
        }
        let scale = max(first, second)
        guard scale - min(first, second) <= 9 else { return (left.real, right.real, nil) }
        return (
            Self.multiplied(left.sql, by: scale - first),
            Self.multiplied(right.sql, by: scale - second), scale
        )
    }

    private static func multiplied(_ sql: SQLText, by power: Int) -> SQLText {
        power == 0 ? sql : "(\(sql) * \(number: SQLNumber.power(power)))"
    }

    /// `add sub mul div divby mod` on numbers (URL Conventions 4.01, section 5.1.1.2).
    func arithmetic(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLTerm {
        let (first, second) = (try number(left), try number(right))
        let bothInteger = first.isInteger && second.isInteger
        switch operation {
        case .mul:
            if let a = first.scale, let b = second.scale, a + b <= 18 {
                let product: SQLText = "(\(first.sql) * \(second.sql))"
                return SQLTerm(product, bothInteger ? .integer : .scaled(a + b))
            }
            return SQLTerm("(\(first.real) * \(second.real))", .real(isStored: false))
        case .div where bothInteger:
            return SQLTerm("(\(first.sql) / \(second.sql))", .integer)
        case .div, .divby:
            return SQLTerm("(\(first.real) / \(second.real))", .real(isStored: false))
        default: break
        }
        let (a, b, scale) = try aligned(first, second)
        if operation == .mod, scale == nil {
            return SQLTerm("(\(a) - \(b) * CAST(\(a) / \(b) AS INTEGER))", .real(isStored: false))
        }
        let sql: SQLText = "(\(a) \(raw: operation.symbol) \(b))"
        guard let scale else { return SQLTerm(sql, .real(isStored: false)) }
        return SQLTerm(sql, bothInteger ? .integer : .scaled(scale))
    }

    /// `round` (halves away from zero), `floor` and `ceiling`.
    func rounded(_ function: Function, _ operand: SQLTerm) throws -> SQLTerm {
        let number = try number(operand)
        guard let scale = number.scale else {
            let x = number.sql
            let whole: SQLText = "CAST(\(x) AS INTEGER)"
            let result: SQLText =
                switch function {
                case .round: "round(\(x))"
                case .floor: "(\(whole) - (\(x) < \(whole)))"
                default: "(\(whole) + (\(x) > \(whole)))"
                }
            return SQLTerm(result, .real(isStored: false))
        }
        guard scale > 0 else { return number.term(number.sql) }
        let (x, unit) = (number.sql, SQLText(raw: String(SQLNumber.power(scale))))
        let half = SQLText(raw: String(SQLNumber.power(scale) / 2))
        let result: SQLText =
            switch function {
            case .round:
                "((\(x) + CASE WHEN \(x) < 0 THEN -\(half) ELSE \(half) END) / \(unit))"
            case .floor: "((\(x) / \(unit)) - (\(x) % \(unit) < 0))"
            default: "((\(x) / \(unit)) + (\(x) % \(unit) > 0))"
            }
        return SQLTerm(result, .scaled(0))
    }
}
