import Foundation
import ODataModel
import ODataQuery
import ODataText

/// The arithmetic operators and functions (URL Conventions 4.01, sections 5.1.1.2 and 5.1.1.9).
///
/// Where the text leaves a choice it is the one of `docs/conformance.md`: integers and decimals are exact whatever their
/// size, a division by zero of anything but doubles gives null, quotients keep 20 digits.
enum OracleArithmetic {
    static func value(
        _ symbol: BinaryOperator, _ a: OracleValue, _ b: OracleValue
    ) throws -> OracleValue {
        if a.isNull || b.isNull { return .null }
        if let result = try temporal(symbol, a, b) { return result }
        if a.isReal || b.isReal {
            guard let x = a.double, let y = b.double else { throw misfit() }
            return reals(symbol, x, y)
        }
        if symbol != .divby, case .whole(let x) = a, case .whole(let y) = b {
            return wholes(symbol, x, y)
        }
        guard let x = a.exact, let y = b.exact else { throw misfit() }
        return decimals(symbol, x, y)
    }

    static func misfit() -> ODataError {
        ODataError(.invalidQuery, "Expected operands that the oracle knows.")
    }

    private static func reals(_ symbol: BinaryOperator, _ a: Double, _ b: Double) -> OracleValue {
        switch symbol {
        case .add: return .real(a + b)
        case .sub: return .real(a - b)
        case .mul: return .real(a * b)
        case .mod: return b == 0 ? .null : .real(fmod(a, b))
        default:
            guard b == 0 else { return .real(a / b) }
            return .real(a == 0 || a.isNaN ? .nan : a < 0 ? -.infinity : .infinity)
        }
    }

    private static func wholes(_ symbol: BinaryOperator, _ a: Int64, _ b: Int64) -> OracleValue {
        let (x, y) = (Int128(a), Int128(b))
        switch symbol {
        case .add: return integer(x + y)
        case .sub: return integer(x - y)
        case .mul: return integer(x * y)
        case .mod: return y == 0 ? .null : integer(x % y)
        default: return y == 0 ? .null : integer(x / y)
        }
    }

    private static func integer(_ value: Int128) -> OracleValue {
        if let small = Int64(exactly: value) { return .whole(small) }
        return DecimalNumber(String(value)).map(OracleValue.decimal) ?? .null
    }

    private static func decimals(
        _ symbol: BinaryOperator, _ a: DecimalNumber, _ b: DecimalNumber
    ) -> OracleValue {
        switch symbol {
        case .add: return .decimal(a + b)
        case .sub: return .decimal(a - b)
        case .mul: return .decimal(a * b)
        case .mod: return a.remainder(dividingBy: b).map(OracleValue.decimal) ?? .null
        default:
            return a.divided(by: b, scale: max(20, a.scale, b.scale))
                .map { .decimal($0.withoutTrailingZeros) } ?? .null
        }
    }

    static func negated(_ value: OracleValue) throws -> OracleValue {
        switch value {
        case .null: return .null
        case .whole(let value): return integer(-Int128(value))
        case .decimal(let value): return .decimal(-value)
        case .real(let value): return .real(-value)
        case .span(let value): return .span(-value)
        default: throw misfit()
        }
    }

    /// `round` takes halves away from zero. An integer is promoted to a decimal first.
    static func rounded(_ function: Function, _ value: OracleValue) throws -> OracleValue {
        if case .real(let value) = value {
            switch function {
            case .floor: return .real(Foundation.floor(value))
            case .ceiling: return .real(Foundation.ceil(value))
            default: return .real(Foundation.round(value))
            }
        }
        guard let number = value.exact else { throw misfit() }
        let text = number.description
        let isNegative = text.hasPrefix("-")
        let parts = text.split(separator: ".")
        guard parts.count > 1, let cut = DecimalNumber(String(parts[0])) else {
            return .decimal(number)
        }
        let one = DecimalNumber(1)
        let hasRest = parts[1].contains { $0 != "0" }
        let goesOut: Bool =
            switch function {
            case .floor: isNegative && hasRest
            case .ceiling: !isNegative && hasRest
            default: parts[1].first.map { $0 >= "5" } ?? false
            }
        return .decimal(goesOut ? (isNegative ? cut - one : cut + one) : cut)
    }

    // MARK: Dates and durations

    private static func temporal(
        _ symbol: BinaryOperator, _ a: OracleValue, _ b: OracleValue
    ) throws -> OracleValue? {
        switch (a, symbol, b) {
        case (.span(let x), .add, .span(let y)): return .span(x + y)
        case (.span(let x), .sub, .span(let y)): return .span(x - y)
        case (.instant(let x, let offset), .add, .span(let y)):
            return moved(x + y, offset)
        case (.instant(let x, let offset), .sub, .span(let y)):
            return moved(x - y, offset)
        case (.instant(let x, _), .sub, .instant(let y, _)): return .span(x - y)
        case (.day(let x), .sub, .day(let y)):
            return .span(Int128(x - y) * OracleValue.dayLength)
        case (.day(let x), .add, .span(let y)): return moved(x, y)
        case (.day(let x), .sub, .span(let y)): return moved(x, -y)
        case (.span(let x), .mul, _): return try b.exact.map { try scaled(x, $0) }
        case (_, .mul, .span(let y)): return try a.exact.map { try scaled(y, $0) }
        case (.span(let x), .div, _), (.span(let x), .divby, _):
            guard let divisor = b.exact else { throw misfit() }
            return seconds(x).divided(by: divisor, scale: 12).flatMap(span)
                .map(OracleValue.span) ?? .null
        default: return nil
        }
    }

    /// Nothing lies before `mindatetime` or behind `maxdatetime`.
    private static let instants =
        Int128(-719_162) * OracleValue.dayLength..<Int128(2_932_897) * OracleValue.dayLength

    private static func moved(_ instant: Int128, _ offset: Int) -> OracleValue {
        instants.contains(instant) ? .instant(instant, offset: offset) : .null
    }

    /// To a date and time, along the duration, and back to a date by leaving the time.
    private static func moved(_ day: Int64, _ span: Int128) -> OracleValue {
        let moved = Int128(day) * OracleValue.dayLength + span
        guard instants.contains(moved) else { return .null }
        return .day(Int64(OracleLexical.floor(moved, OracleValue.dayLength)))
    }

    private static func scaled(_ span: Int128, _ factor: DecimalNumber) throws -> OracleValue {
        self.span(seconds(span) * factor).map(OracleValue.span) ?? .null
    }

    static func seconds(_ span: Int128) -> DecimalNumber {
        let (whole, rest) = span.quotientAndRemainder(dividingBy: OracleValue.second)
        return (DecimalNumber(Int64(whole)) + DecimalNumber(coefficient: Int64(rest), scale: 12))
            .withoutTrailingZeros
    }

    private static func span(_ seconds: DecimalNumber) -> Int128? {
        let parts = seconds.description.split(separator: ".")
        guard let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
        var picoseconds = Int128(whole.magnitude) * OracleValue.second
        if parts.count > 1 {
            let digits = parts[1].prefix(12)
            let padded = digits + String(repeating: "0", count: 12 - digits.count)
            picoseconds += Int128(Int64(padded) ?? 0)
        }
        return seconds.signum < 0 ? -picoseconds : picoseconds
    }
}
