import Foundation
import ODataModel

/// An exact decimal number of any size that remembers its scale.
///
/// Operators give exact results.
open class BigDecimal: ObjectBase, Comparable, Hashable, @unchecked Sendable {
    // Immutable.
    package final let number: DecimalNumber

    package init(number: DecimalNumber) {
        self.number = number
        super.init()
    }

    package convenience init(_ number: DecimalNumber) {
        self.init(number: number)
    }

    /// The number of an integer.
    public convenience init(_ value: Int) {
        self.init(number: DecimalNumber(Int64(value)))
    }

    /// The number of a Foundation decimal.
    public convenience init(_ value: Decimal) {
        self.init(DecimalNumber("\(value)") ?? .zero)
    }

    /// Reads a number. Text that is no decimal number is a programming error and traps; see ``parse(_:)``.
    public convenience init(_ text: String) {
        guard let number = Self.number(text) else {
            preconditionFailure("Expected the digits of a number.")
        }
        self.init(number: number)
    }

    /// Reads a number; nil when `text` is none.
    public static func parse(_ text: String) -> BigDecimal? {
        number(text).map { BigDecimal(number: $0) }
    }

    private static func number(_ text: String) -> DecimalNumber? {
        DecimalNumber(text)
    }

    /// The number of an integer.
    public static func fromInt(_ value: Int) -> BigDecimal { BigDecimal(value) }

    /// The number of an integer.
    public static func fromLong(_ value: Int64) -> BigDecimal {
        BigDecimal(number: DecimalNumber(value))
    }

    /// The shortest decimal that reads back as `value`; 0 for NaN and infinities.
    public static func fromDouble(_ value: Double) -> BigDecimal {
        BigDecimal(DecimalNumber(shortest: value) ?? .zero)
    }

    /// The shortest decimal that reads back as `value`; 0 for NaN and infinities.
    public static func fromFloat(_ value: Float) -> BigDecimal {
        BigDecimal(DecimalNumber("\(value)") ?? .zero)
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

    /// The whole part.
    public func integerValue() -> BigInteger { BigInteger(truncating: number) }

    /// The whole part.
    public func toInteger() -> BigInteger { integerValue() }

    /// Equality of numbers, whatever the scale.
    public static func == (left: BigDecimal, right: BigDecimal) -> Bool {
        left.number == right.number
    }

    /// Numeric order.
    public static func < (left: BigDecimal, right: BigDecimal) -> Bool {
        left.number < right.number
    }

    /// Equal numbers hash alike.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
