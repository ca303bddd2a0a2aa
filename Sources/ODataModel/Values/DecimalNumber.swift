/// An exact decimal number of any size that remembers its scale: 12.5 and 12.50 are equal and print differently.
package struct DecimalNumber: Sendable, CustomStringConvertible {
    /// How a result that needs more digits than asked for is cut.
    package enum Rounding: Sendable, Hashable, CaseIterable {
        /// Towards zero.
        case down
        /// Away from zero.
        case up
        /// To the nearest, ties away from zero.
        case halfUp
        /// To the nearest, ties to the even digit.
        case halfEven
        /// Towards positive infinity.
        case ceiling
        /// Towards negative infinity.
        case floor
    }

    private var coefficient: Int64
    package private(set) var scale: Int

    package static let zero = DecimalNumber(0)

    package init(_ value: Int64) {
        self.init(coefficient: value, scale: 0)
    }

    /// `coefficient · 10^-scale`; a negative scale multiplies.
    package init(coefficient: Int64, scale: Int) {
        self.coefficient = coefficient
        self.scale = scale
    }

    /// Nil when `text` is not a decimal number or has more than `maximumDigits` digits without exponent.
    package init?(_ text: some StringProtocol) {
        return nil
    }

    /// The shortest decimal that reads back as `value`; nil for NaN and infinities.
    package init?(shortest value: Double) {
        return nil
    }

    /// The exact value of a double, all its digits; nil for NaN and infinities.
    package init?(exactly value: Double) {
        return nil
    }

    package static let maximumDigits = 10_000

    /// -1, 0 or 1.
    package var signum: Int { Int(coefficient.signum()) }
    /// `value · 10^scale` exactly; nil if it is not whole or does not fit.
    package func scaled(by scale: Int) -> Int64? { nil }
    /// The value as an integer; nil if it is not whole or does not fit.
    package var int64Value: Int64? { scaled(by: 0) }
    package var doubleValue: Double { 0 }
    /// Bytes whose order is numeric order, equal for equal numbers.
    package var orderKey: [UInt8] { [] }
    package var description: String { "" }
    package func rounded(toScale scale: Int, _ rounding: Rounding = .halfUp) -> DecimalNumber {
        self
    }
    /// The quotient cut to `scale`; nil when the divisor is zero.
    package func divided(
        by divisor: DecimalNumber, scale: Int, rounding: Rounding = .halfUp
    ) -> DecimalNumber? { nil }
    /// What truncated division leaves, with the sign of the dividend; nil when the divisor is zero.
    package func remainder(dividingBy divisor: DecimalNumber) -> DecimalNumber? { nil }
    package static prefix func - (value: DecimalNumber) -> DecimalNumber { value }
    package static func + (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber { left }
    package static func - (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber { left }
    package static func * (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber { left }
}
extension DecimalNumber: Comparable, Hashable {
    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool { false }
}
