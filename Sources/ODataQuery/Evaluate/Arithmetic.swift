import ODataModel
import ODataText

/// Arithmetic on scalars (URL Conventions 4.01, section 5.1.1.2): integers stay integers, Decimal stays exact, a Double
/// makes the result a Double, null and division by zero of anything but a Double give null.
package enum Arithmetic {
    /// Digits after the point that a Decimal division keeps at least.
    package static let divisionScale = 20

    package static func negated(_ value: Scalar) throws -> Scalar {
        switch value {
        case .null: return .null
        case .integer(let value):
            return value == .min ? .decimal(-DecimalNumber(value)) : .integer(-value)
        case .decimal(let value): return .decimal(-value)
        case .double(let value): return .double(-value)
        case .duration(let value):
            return EdmDuration(decimalSeconds: -value.decimalSeconds).map(Scalar.duration) ?? .null
        default: throw notNumbers()
        }
    }

    package static func value(
        _ symbol: BinaryOperator, _ left: Scalar, _ right: Scalar
    ) throws -> Scalar {
        switch (left, right) {
        case (.null, _), (_, .null): return .null
        case (.integer(let a), .integer(let b)) where symbol != .divby:
            return try integers(symbol, a, b)
        case (.double, _), (_, .double):
            guard let a = double(left), let b = double(right) else {
                return try temporal(symbol, left, right)
            }
            return doubles(symbol, a, b)
        default:
            guard let a = decimal(left), let b = decimal(right) else {
                return try temporal(symbol, left, right)
            }
            return decimals(symbol, a, b)
        }
    }

    private static func notNumbers() -> ODataError {
        ODataError(.invalidQuery, "Expected numbers, or a date and a duration.")
    }

    private static func integers(
        _ symbol: BinaryOperator, _ a: Int64, _ b: Int64
    ) throws -> Scalar {
        let result: (partialValue: Int64, overflow: Bool)
        switch symbol {
        case .add: result = a.addingReportingOverflow(b)
        case .sub: result = a.subtractingReportingOverflow(b)
        case .mul: result = a.multipliedReportingOverflow(by: b)
        case .div:
            guard b != 0 else { return .null }
            result = a.dividedReportingOverflow(by: b)
        default:
            guard b != 0 else { return .null }
            result = (a.remainderReportingOverflow(dividingBy: b).partialValue, false)
        }
        guard result.overflow else { return .integer(result.partialValue) }
        return decimals(symbol, DecimalNumber(a), DecimalNumber(b))
    }

    private static func decimals(
        _ symbol: BinaryOperator, _ a: DecimalNumber, _ b: DecimalNumber
    ) -> Scalar {
        switch symbol {
        case .add: return .decimal(a + b)
        case .sub: return .decimal(a - b)
        case .mul: return .decimal(a * b)
        case .mod: return a.remainder(dividingBy: b).map(Scalar.decimal) ?? .null
        default:
            let scale = max(divisionScale, max(a.scale, b.scale))
            return a.divided(by: b, scale: scale).map { .decimal($0.withoutTrailingZeros) } ?? .null
        }
    }

    private static func doubles(_ symbol: BinaryOperator, _ a: Double, _ b: Double) -> Scalar {
        switch symbol {
        case .add: .double(a + b)
        case .sub: .double(a - b)
        case .mul: .double(a * b)
        case .mod: b == 0 ? .null : .double(a.truncatingRemainder(dividingBy: b))
        default: .double(quotient(a, b))
        }
    }

    /// Zero has no sign as a divisor: a positive number gives INF, a negative one -INF, zero NaN (section 5.1.1.2.5).
    private static func quotient(_ a: Double, _ b: Double) -> Double {
        guard b == 0 else { return a / b }
        return a == 0 || a.isNaN ? .nan : a < 0 ? -.infinity : .infinity
    }

    private static func temporal(
        _ symbol: BinaryOperator, _ left: Scalar, _ right: Scalar
    ) throws -> Scalar {
        if let a = seconds(left), let b = seconds(right) {
            switch (left, symbol, right) {
            case (.duration, .add, .duration): return duration(a + b)
            case (.duration, .sub, .duration), (.date, .sub, .date),
                (.dateTimeOffset, .sub, .dateTimeOffset), (.dateTime, .sub, .dateTime):
                return duration(a - b)
            case (_, .add, .duration): return moved(left, by: b)
            case (_, .sub, .duration): return moved(left, by: -b)
            default: throw notNumbers()
            }
        }
        switch (left, symbol, right) {
        case (.duration(let value), .mul, _):
            guard let factor = decimal(right) else { throw notNumbers() }
            return duration(value.decimalSeconds * factor)
        case (_, .mul, .duration(let value)):
            guard let factor = decimal(left) else { throw notNumbers() }
            return duration(value.decimalSeconds * factor)
        case (.duration(let value), .div, _), (.duration(let value), .divby, _):
            guard let divisor = decimal(right) else { throw notNumbers() }
            return value.decimalSeconds.divided(by: divisor, scale: 12).map(duration) ?? .null
        default:
            throw notNumbers()
        }
    }

    private static func duration(_ seconds: DecimalNumber) -> Scalar {
        EdmDuration(decimalSeconds: seconds).map(Scalar.duration) ?? .null
    }

    private static func moved(_ value: Scalar, by seconds: DecimalNumber) -> Scalar {
        guard let duration = EdmDuration(decimalSeconds: seconds) else { return .null }
        let carried = { (whole: Int64, fraction: Int64) -> (Int64, Int64)? in
            let sum = fraction + duration.picoseconds
            let carry: Int64 = sum < 0 ? -1 : sum >= 1_000_000_000_000 ? 1 : 0
            let (first, overflow) = whole.addingReportingOverflow(duration.seconds)
            guard !overflow else { return nil }
            return (first + carry, sum - carry * 1_000_000_000_000)
        }
        switch value {
        case .date(let date):
            let (whole, overflow) = (date.daysSince1970 * 86_400)
                .addingReportingOverflow(duration.seconds)
            guard !overflow, OffsetDateTime.functionRange.contains(whole) else { return .null }
            let days = whole >= 0 ? whole / 86_400 : (whole - 86_399) / 86_400
            return CalendarDate(daysSince1970: days).map(Scalar.date) ?? .null
        case .dateTimeOffset(let instant):
            guard let (whole, fraction) = carried(instant.seconds, instant.picoseconds),
                OffsetDateTime.functionRange.contains(whole)
            else { return .null }
            return OffsetDateTime(
                seconds: whole, picoseconds: fraction, offsetMinutes: Int(instant.offsetMinutes)
            ).map(Scalar.dateTimeOffset) ?? .null
        case .dateTime(let wall):
            guard let (whole, fraction) = carried(wall.seconds, wall.picoseconds),
                OffsetDateTime.functionRange.contains(whole)
            else { return .null }
            return WallDateTime(seconds: whole, picoseconds: fraction).map(Scalar.dateTime) ?? .null
        default:
            return .null
        }
    }

    private static func seconds(_ value: Scalar) -> DecimalNumber? {
        switch value {
        case .duration(let value): value.decimalSeconds
        case .date(let value): DecimalNumber(value.daysSince1970) * DecimalNumber(86_400)
        case .dateTimeOffset(let value): exact(value.seconds, value.picoseconds)
        case .dateTime(let value): exact(value.seconds, value.picoseconds)
        default: nil
        }
    }

    private static func exact(_ seconds: Int64, _ picoseconds: Int64) -> DecimalNumber {
        (DecimalNumber(seconds) + DecimalNumber(coefficient: picoseconds, scale: 12))
            .withoutTrailingZeros
    }

    static func decimal(_ value: Scalar) -> DecimalNumber? {
        switch value {
        case .integer(let value): DecimalNumber(value)
        case .decimal(let value): value
        default: nil
        }
    }

    static func double(_ value: Scalar) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .decimal(let value): value.doubleValue
        case .double(let value): value
        default: nil
        }
    }
}
