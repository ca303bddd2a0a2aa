import ODataModel
import ODataQuery
import ODataText

/// A number in SQL: exact as an integer times a power of ten, exact as decimal text, or a double.
struct SQLNumber: Sendable {
    enum Form: Sendable, Hashable {
        /// An INTEGER, value · 10^scale, of at most so many digits: 18 never overflow.
        case exact(scale: Int, digits: Int)
        /// Decimal text, or an INTEGER; `order` compares.
        case text(order: SQLText)
        /// `isStored` when NaN and infinities may stand as text.
        case real(isStored: Bool)
    }

    var sql: SQLText
    var form: Form
    /// Of an integer type, whose division is integer division.
    var isInteger = false

    static let null = SQLNumber(sql: "NULL", form: .exact(scale: 0, digits: 1), isInteger: true)

    var isReal: Bool { if case .real = form { true } else { false } }
    var isStoredReal: Bool { form == .real(isStored: true) }

    /// True for the exact form that cannot overflow when a digit is added.
    var isSmall: Bool {
        if case .exact(_, let digits) = form { digits < Self.safeDigits } else { false }
    }

    var term: SQLTerm {
        switch form {
        case .exact(let scale, let digits):
            var term = SQLTerm(sql, isInteger && scale == 0 ? .integer : .scaled(scale))
            term.digits = digits
            return term
        case .text(let order):
            var term = SQLTerm(sql, .decimalText(order: order))
            term.isWhole = isInteger
            return term
        case .real(let isStored): return SQLTerm(sql, .real(isStored: isStored))
        }
    }

    /// Decimal text, or an INTEGER, as the functions on decimals take it.
    func decimal(_ dialect: SQLDialect) -> SQLText {
        guard case .exact(let scale, _) = form, scale > 0 else { return sql }
        return dialect.scaled(sql, scale)
    }

    /// The number as one of type Decimal.
    func decimalTerm(_ dialect: SQLDialect) -> SQLTerm {
        var number = self
        number.isInteger = false
        return number.term
    }

    /// What orders the value among all decimals.
    func order(_ dialect: SQLDialect) -> SQLText {
        if case .text(let order) = form { return order }
        return dialect.decimalOrder(decimal(dialect))
    }

    /// The value as a double; NaN and infinities stay text.
    func real(_ dialect: SQLDialect) -> SQLText {
        switch form {
        case .real: sql
        case .exact(0, _): dialect.real(sql)
        case .exact(let scale, let digits) where digits <= 15 && scale <= 15:
            "(\(dialect.real(sql)) / \(number: Self.power(scale)))"
        default: dialect.double(decimal(dialect))
        }
    }

    /// The exact form with more decimal places; nil when that could overflow.
    func scaled(to wanted: Int) -> (sql: SQLText, digits: Int)? {
        guard case .exact(let scale, let digits) = form, wanted >= scale,
            digits + wanted - scale <= Self.safeDigits
        else { return nil }
        guard wanted > scale else { return (sql, digits) }
        return ("(\(sql) * \(number: Self.power(wanted - scale)))", digits + wanted - scale)
    }

    static func power(_ scale: Int) -> Int64 {
        (0..<scale).reduce(1) { value, _ in value * 10 }
    }

    /// Numbers of so many digits fit 64 bits with room to add.
    static let safeDigits = 18
}

extension ExpressionCompiler {
    /// A term as a number.
    func number(_ term: SQLTerm) throws -> SQLNumber {
        switch term.kind {
        case .null: return .null
        case .literal(let scalar): return try number(scalar)
        case .integer, .enumeration:
            return SQLNumber(
                sql: term.sql, form: .exact(scale: 0, digits: term.digits ?? 19), isInteger: true)
        case .scaled(let scale):
            return SQLNumber(
                sql: term.sql, form: .exact(scale: scale, digits: term.digits ?? 19))
        case .real(let isStored):
            return SQLNumber(sql: term.sql, form: .real(isStored: isStored))
        case .decimalText(let order):
            return SQLNumber(sql: term.sql, form: .text(order: order), isInteger: term.isWhole)
        case .enumerationLiteral:
            return try number(rendered(term))
        case .open: throw Self.notImplemented("a dynamic property where a number has to be")
        default: throw Self.invalid("Expected a number, found another type.")
        }
    }

    private func number(_ scalar: Scalar) throws -> SQLNumber {
        switch scalar {
        case .null: return .null
        case .integer(let value):
            return SQLNumber(
                sql: SQLText(argument: .integer(value)),
                form: .exact(scale: 0, digits: DecimalNumber(value).precision), isInteger: true)
        case .double(let value) where value.isFinite:
            return SQLNumber(
                sql: SQLText(argument: .real(value)), form: .real(isStored: false))
        case .double(let value):
            return SQLNumber(sql: dialect.special(value), form: .real(isStored: true))
        case .decimal(let value):
            if value.precision <= SQLNumber.safeDigits, 0...SQLNumber.safeDigits ~= value.scale,
                let scaled = value.scaled(by: value.scale)
            {
                return SQLNumber(
                    sql: SQLText(argument: .integer(scaled)),
                    form: .exact(scale: value.scale, digits: max(1, value.precision)))
            }
            let order = try dialect.literal(
                .blob(value.orderKey), scalar, like: .decimalText(order: ""))
            return SQLNumber(sql: dialect.numeric(value), form: .text(order: order))
        default: throw Self.invalid("Expected a number, found another type.")
        }
    }

    /// Two numbers compared: as integers of one power of ten, as doubles, or as decimals of any size.
    func compareNumbers(
        _ operation: BinaryOperator, _ left: SQLNumber, _ right: SQLNumber
    ) -> SQLText {
        let sign = operation.symbol
        if left.isReal || right.isReal {
            let (a, b) = (left.real(dialect), right.real(dialect))
            guard left.isStoredReal || right.isStoredReal else { return "\(a) \(raw: sign) \(b)" }
            let outcome = dialect.compareDoubles(a, b)
            switch operation {
            // 2 stands for what does not compare, which only "unequal" holds for.
            case .lt: return "\(outcome) = -1"
            case .le: return "\(outcome) IN (-1, 0)"
            case .gt: return "\(outcome) = 1"
            case .ge: return "\(outcome) IN (0, 1)"
            default: return "\(outcome) \(raw: sign) 0"
            }
        }
        if let (a, b, _, _) = aligned(left, right) { return "\(a) \(raw: sign) \(b)" }
        return "\(left.order(dialect)) \(raw: sign) \(right.order(dialect))"
    }

    /// Two exact numbers times the same power of ten; nil where one is not exact or could overflow.
    func aligned(
        _ left: SQLNumber, _ right: SQLNumber
    ) -> (left: SQLText, right: SQLText, scale: Int, digits: Int)? {
        guard case .exact(let first, let a) = left.form,
            case .exact(let second, let b) = right.form
        else { return nil }
        if first == second { return (left.sql, right.sql, first, max(a, b)) }
        let scale = max(first, second)
        guard let x = left.scaled(to: scale), let y = right.scaled(to: scale) else { return nil }
        return (x.sql, y.sql, scale, max(x.digits, y.digits))
    }
}
