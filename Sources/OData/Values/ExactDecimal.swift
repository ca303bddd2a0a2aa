import Foundation
import ODataModel

/// An exact decimal number of any size (`Edm.Decimal`). It remembers its scale: 12.5 and 12.50 are equal and print
/// differently.
public struct ExactDecimal: Sendable, Hashable, Comparable, CustomStringConvertible {
    let number: DecimalNumber

    init(number: DecimalNumber) { self.number = number }

    /// Reads digits with an optional sign, point and exponent; nil for another text and for more than 10,000 digits.
    public init?(_ text: String) {
        guard let number = DecimalNumber(text) else { return nil }
        self.number = number
    }

    /// Takes the number over, digit by digit; nil for one that is not finite.
    public init?(_ value: Decimal) { self.init("\(value)") }

    /// The number with all digits of its scale.
    public var description: String { number.description }

    /// The nearest `Double`.
    public var doubleValue: Double { number.doubleValue }

    /// The number for calculating with; nil where it has more digits than `Decimal` takes.
    public var decimalValue: Decimal? {
        guard number.precision <= 38 else { return nil }
        return Decimal(string: description, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Numeric order.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        left.number < right.number
    }
}

extension ExactDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { number = DecimalNumber(value) }

    /// The shortest decimal that stands for the literal: `12.5` is 12.5 exactly.
    public init(floatLiteral value: Double) {
        // A literal is finite; whoever calls this with another number gets zero and no trap.
        number = DecimalNumber(shortest: value) ?? .zero
    }
}

extension ExactDecimal: OrderedFieldValue {
    /// An `Edm.Decimal`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> ExactDecimal {
        guard case .decimal(let number) = try stored.scalar() else {
            throw StoredValue.mismatch("an ExactDecimal")
        }
        return ExactDecimal(number: number)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.decimal(number)) }
}
