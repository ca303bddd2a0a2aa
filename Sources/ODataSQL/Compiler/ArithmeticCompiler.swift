import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// `add sub mul div divby mod` on numbers, dates and durations (URL Conventions 4.01, section 5.1.1.2): integers and
    /// decimals are exact whatever their size, a double makes the result a double, division by zero gives null.
    func arithmetic(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLTerm {
        if left.kind == .null || right.kind == .null { return SQLTerm("NULL", .null) }
        if left.isOpen || right.isOpen { return try open(operation.rawValue, left, right) }
        if let result = try temporal(operation, left, right) { return result }
        let (first, second) = (try number(left), try number(right))
        if first.isReal || second.isReal {
            return real(operation, first, second).term
        }
        if let result = small(operation, first, second) { return result.term }
        let isInteger = first.isInteger && second.isInteger && operation != .divby
        let sql = dialect.decimal(
            operation, first.decimal(dialect), second.decimal(dialect), isInteger: isInteger)
        return SQLNumber(
            sql: sql, form: .text(order: dialect.decimalOrder(sql)), isInteger: isInteger
        ).term
    }

    /// In 64 bits, where that cannot overflow.
    private func small(
        _ operation: BinaryOperator, _ first: SQLNumber, _ second: SQLNumber
    ) -> SQLNumber? {
        let isInteger = first.isInteger && second.isInteger
        guard case .exact(let a, let digitsA) = first.form,
            case .exact(let b, let digitsB) = second.form
        else { return nil }
        switch operation {
        case .mul:
            guard digitsA + digitsB <= SQLNumber.safeDigits else { return nil }
            return SQLNumber(
                sql: "(\(first.sql) * \(second.sql))",
                form: .exact(scale: a + b, digits: digitsA + digitsB), isInteger: isInteger)
        case .div, .divby:
            // The smallest integer divided by -1 is one too many.
            guard operation == .div, isInteger, first.isSmall || second.isSmall && digitsA < 19
            else { return nil }
            return SQLNumber(
                sql: dialect.quotient(first.sql, second.sql),
                form: .exact(scale: 0, digits: digitsA),
                isInteger: true)
        case .mod:
            guard let (x, y, scale, digits) = aligned(first, second) else { return nil }
            return SQLNumber(
                sql: dialect.remainder(x, y), form: .exact(scale: scale, digits: digits),
                isInteger: isInteger)
        default:
            guard let (x, y, scale, digits) = aligned(first, second),
                digits < SQLNumber.safeDigits
            else { return nil }
            return SQLNumber(
                sql: "(\(x) \(raw: operation.symbol) \(y))",
                form: .exact(scale: scale, digits: digits + 1), isInteger: isInteger)
        }
    }

    private func real(
        _ operation: BinaryOperator, _ first: SQLNumber, _ second: SQLNumber
    ) -> SQLNumber {
        let (a, b) = (first.real(dialect), second.real(dialect))
        // The remainder of doubles is not SQL's, and overflow would give an infinity.
        guard operation == .add || operation == .sub, !first.isStoredReal, !second.isStoredReal,
            dialect.addsDoubles
        else {
            return SQLNumber(
                sql: dialect.doubles(operation, a, b), form: .real(isStored: true))
        }
        return SQLNumber(
            sql: "(\(a) \(raw: operation.symbol) \(b))", form: .real(isStored: false))
    }

    /// `-x`.
    func negated(_ term: SQLTerm) throws -> SQLTerm {
        if term.kind == .null { return term }
        if term.isOpen { return try open(UnaryOperator.negate.rawValue, term) }
        let term = isDuration(term) ? try rendered(term) : term
        if isDuration(term) {
            return duration(dialect.negatedDuration(term.sql))
        }
        let number = try number(term)
        switch number.form {
        case .exact(_, let digits) where digits <= SQLNumber.safeDigits:
            var result = number
            result.sql = "-(\(number.sql))"
            return result.term
        case .real(false): return SQLTerm("-(\(number.sql))", number.term.kind)
        case .real(true):
            return SQLTerm(dialect.negatedDouble(number.sql), number.term.kind)
        default:
            let sql = dialect.decimal(
                .sub, "0", number.decimal(dialect), isInteger: number.isInteger)
            return SQLNumber(
                sql: sql, form: .text(order: dialect.decimalOrder(sql)),
                isInteger: number.isInteger
            ).term
        }
    }

    /// `round` (halves away from zero), `floor` and `ceiling`.
    func rounded(_ function: Function, _ operand: SQLTerm) throws -> SQLTerm {
        if operand.kind == .null { return operand }
        let number = try number(operand)
        guard case .exact(let scale, let digits) = number.form else {
            let sql = dialect.rounded(function, number.sql, isDouble: number.isReal)
            return number.isReal
                ? SQLTerm(sql, number.term.kind)
                : SQLNumber(sql: sql, form: .text(order: dialect.decimalOrder(sql))).term
        }
        guard scale > 0 else { return number.decimalTerm(dialect) }
        guard digits <= SQLNumber.safeDigits, scale <= SQLNumber.safeDigits else {
            let sql = dialect.rounded(function, number.decimal(dialect), isDouble: false)
            return SQLNumber(sql: sql, form: .text(order: dialect.decimalOrder(sql))).term
        }
        let (x, unit) = (number.sql, SQLText(raw: String(SQLNumber.power(scale))))
        let half = SQLText(raw: String(SQLNumber.power(scale) / 2))
        let result: SQLText =
            switch function {
            case .round:
                "((\(x) + CASE WHEN \(x) < 0 THEN -\(half) ELSE \(half) END) / \(unit))"
            case .floor:
                "((\(x) / \(unit)) - \(dialect.number(ofCondition: "\(x) % \(unit) < 0")))"
            default: "((\(x) / \(unit)) + \(dialect.number(ofCondition: "\(x) % \(unit) > 0")))"
            }
        return SQLNumber(
            sql: result, form: .exact(scale: 0, digits: max(1, digits - scale + 1))
        ).term
    }

    // MARK: Dates and durations

    private func isDuration(_ term: SQLTerm) -> Bool { temporalCode(term) == "P" }

    /// The letter that tells the functions what a text is; nil for what is no date, time or duration.
    private func temporalCode(_ term: SQLTerm) -> String? {
        switch term.kind {
        case .date, .literal(.date): "D"
        case .instant, .literal(.dateTimeOffset): "I"
        case .wall, .literal(.dateTime): "W"
        case .duration, .literal(.duration): "P"
        default: nil
        }
    }

    /// Dates moved by durations, what lies between two dates, and durations added and multiplied; nil for numbers.
    private func temporal(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLTerm? {
        let (first, second) = (temporalCode(left), temporalCode(right))
        guard first != nil || second != nil else { return nil }
        let misfit = Self.invalid("Expected numbers, or a date and a duration.")
        let (a, b) = (try rendered(left), try rendered(right))
        switch (first, operation, second) {
        case ("P"?, .add, "P"?), ("P"?, .sub, "P"?):
            return duration(dialect.temporal(operation, "P", a.sql, "P", b.sql))
        case (let code?, .sub, let other?) where code == other:
            return duration(dialect.temporal(.sub, code, a.sql, code, b.sql))
        case (let code?, .add, "P"?), (let code?, .sub, "P"?):
            return SQLTerm(dialect.temporal(operation, code, a.sql, "P", b.sql), a.kind)
        case ("P"?, .mul, nil), ("P"?, .div, nil), ("P"?, .divby, nil):
            let factor = try number(right)
            guard !factor.isReal else { throw misfit }
            return duration(
                dialect.temporal(operation, "P", a.sql, "N", factor.decimal(dialect)))
        case (nil, .mul, "P"?):
            let factor = try number(left)
            guard !factor.isReal else { throw misfit }
            return duration(dialect.temporal(.mul, "P", b.sql, "N", factor.decimal(dialect)))
        default: throw misfit
        }
    }

    private func duration(_ sql: SQLText) -> SQLTerm {
        SQLTerm(sql, .duration(order: dialect.durationOrder(sql)))
    }
}
