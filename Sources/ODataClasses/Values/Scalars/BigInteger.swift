import Foundation
import ODataModel

/// A whole number of any size.
///
/// Operators give exact results.
open class BigInteger: ObjectBase, Comparable, Hashable, @unchecked Sendable {
    // Immutable.
    package final let number: DecimalNumber

    package init(number: DecimalNumber) {
        self.number = number
        super.init()
    }

    /// Nil when the number has a fraction.
    package convenience init?(exactly number: DecimalNumber) {
        let whole = number.rounded(toScale: 0, .down)
        guard whole == number else { return nil }
        self.init(number: whole)
    }

    package convenience init(truncating number: DecimalNumber) {
        self.init(number: number.rounded(toScale: 0, .down))
    }

    /// The number of an integer.
    public convenience init(_ value: Int) {
        self.init(number: DecimalNumber(Int64(value)))
    }

    /// The number of a Foundation decimal; a fraction is cut.
    public convenience init(_ value: Decimal) {
        self.init(truncating: DecimalNumber("\(value)") ?? .zero)
    }

    /// Reads a number. Text that is no whole number is a programming error and traps; see ``parse(_:)``.
    public convenience init(_ text: String) {
        guard let number = Self.number(text) else {
            preconditionFailure("Expected the digits of a number.")
        }
        self.init(number: number)
    }

    /// Reads a number; nil when `text` is none.
    public static func parse(_ text: String) -> BigInteger? {
        number(text).map { BigInteger(number: $0) }
    }

    private static func number(_ text: String) -> DecimalNumber? {
        DecimalNumber(text).flatMap {
            $0.rounded(toScale: 0, .down) == $0 ? $0.rounded(toScale: 0) : nil
        }
    }

    /// The number of an integer.
    public static func fromInt(_ value: Int) -> BigInteger { BigInteger(value) }

    /// The number of an integer.
    public static func fromLong(_ value: Int64) -> BigInteger {
        BigInteger(number: DecimalNumber(value))
    }

    /// The shortest decimal that reads back as `value`, its fraction cut; 0 for NaN and infinities.
    public static func fromDouble(_ value: Double) -> BigInteger {
        BigInteger(truncating: DecimalNumber(shortest: value) ?? .zero)
    }

    /// The shortest decimal that reads back as `value`, its fraction cut; 0 for NaN and infinities.
    public static func fromFloat(_ value: Float) -> BigInteger {
        BigInteger(truncating: DecimalNumber("\(value)") ?? .zero)
    }

    /// The digits without exponent.
    open override func toString() -> String { number.description }

    /// The value as a Foundation decimal, which holds 38 digits.
    public func decimalValue() -> Decimal { Decimal(string: toString()) ?? Decimal() }

    /// The nearest double.
    public func doubleValue() -> Double { number.doubleValue }

    /// The nearest float.
    public func floatValue() -> Float { Float(number.doubleValue) }

    /// The whole part; the nearest value of the type when it does not fit.
    public func longValue() -> Int64 { number.saturated() }

    /// The whole part; the nearest value of the type when it does not fit.
    public func intValue() -> Int { Int(longValue()) }

    /// The whole part; the nearest value of the type when it does not fit.
    public func shortValue() -> Int { Int(Int16(clamping: longValue())) }

    /// The whole part; the nearest value of the type when it does not fit.
    public func byteValue() -> Int { Int(Int8(clamping: longValue())) }

    /// The number with an empty fraction.
    public func toDecimal() -> BigDecimal { BigDecimal(number) }

    /// Equality of numbers, whatever the scale.
    public static func == (left: BigInteger, right: BigInteger) -> Bool {
        left.number == right.number
    }

    /// Numeric order.
    public static func < (left: BigInteger, right: BigInteger) -> Bool {
        left.number < right.number
    }

    /// Equal numbers hash alike.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
