/// An exact decimal number of any size that remembers its scale: 12.5 and 12.50 are equal and print differently.
///
/// Numbers whose digits fit 63 bits are held and computed inline; larger ones share an immutable box. Operators give
/// exact results, so their digits grow with those of the operands.
package struct DecimalNumber: Sendable {
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

    enum Storage: Sendable {
        case small(Int64, scale: Int32)
        /// Only for digits that do not fit `small`.
        case big(Big)
    }

    final class Big: Sendable {
        let isNegative: Bool
        let magnitude: DecimalMagnitude
        let scale: Int

        init(isNegative: Bool, magnitude: DecimalMagnitude, scale: Int) {
            self.isNegative = isNegative
            self.magnitude = magnitude
            self.scale = scale
        }
    }

    let storage: Storage

    private init(storage: Storage) {
        self.storage = storage
    }

    package static let zero = DecimalNumber(0)

    /// How many digits a text may stand for, written out without exponent.
    package static let maximumDigits = 10_000

    package init(_ value: Int64) {
        self.init(storage: .small(value, scale: 0))
    }

    /// `coefficient · 10^-scale`; a negative scale multiplies.
    package init(coefficient: Int64, scale: Int) {
        if 0...Int(Int32.max) ~= scale {
            self.init(storage: .small(coefficient, scale: Int32(scale)))
        } else {
            self.init(
                isNegative: coefficient < 0, magnitude: DecimalMagnitude(coefficient.magnitude),
                scale: scale)
        }
    }

    /// The sign, digits and scale in the smallest form that holds them.
    init(isNegative: Bool, magnitude: DecimalMagnitude, scale: Int) {
        guard scale >= 0 else {
            self.init(
                isNegative: isNegative, magnitude: magnitude.shiftedLeft(-scale), scale: 0)
            return
        }
        if let value = magnitude.uint64, value <= UInt64(Int64.max), scale <= Int(Int32.max) {
            self.init(
                storage: .small(isNegative ? -Int64(value) : Int64(value), scale: Int32(scale)))
        } else {
            self.init(
                storage: .big(Big(isNegative: isNegative, magnitude: magnitude, scale: scale)))
        }
    }

    /// Digits after the point.
    package var scale: Int {
        switch storage {
        case .small(_, let scale): Int(scale)
        case .big(let big): big.scale
        }
    }

    /// -1, 0 or 1.
    package var signum: Int {
        switch storage {
        case .small(let value, _): Int(value.signum())
        case .big(let big): big.magnitude.isZero ? 0 : big.isNegative ? -1 : 1
        }
    }

    var isNegative: Bool { signum < 0 }

    /// All digits as an integer, without sign.
    var magnitude: DecimalMagnitude {
        switch storage {
        case .small(let value, _): DecimalMagnitude(value.magnitude)
        case .big(let big): big.magnitude
        }
    }

    /// How many digits it has, the scale's zeros included, leading zeros excluded; at least 1.
    package var precision: Int { magnitude.digits.utf8.count }

    /// The same value with the smallest scale.
    package var withoutTrailingZeros: DecimalNumber { trimmed(to: 0) }

    /// Zeros at the end cut until the scale is `least`.
    private func trimmed(to least: Int) -> DecimalNumber {
        let digits = magnitude.digits
        guard signum != 0 else { return DecimalNumber(coefficient: 0, scale: min(scale, least)) }
        let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let cut = min(zeros, scale - least)
        guard cut > 0 else { return self }
        return DecimalNumber(
            isNegative: isNegative,
            magnitude: DecimalMagnitude(digits: Array(digits.utf8.dropLast(cut))),
            scale: scale - cut)
    }
}
