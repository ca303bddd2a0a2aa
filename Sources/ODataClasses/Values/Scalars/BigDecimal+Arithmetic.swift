import ODataModel

extension BigDecimal {
    /// The sum.
    public func add(_ other: BigDecimal) -> BigDecimal {
        BigDecimal(number: number + other.number)
    }

    /// The difference.
    public func subtract(_ other: BigDecimal) -> BigDecimal {
        BigDecimal(number: number - other.number)
    }

    /// The product.
    public func multiply(_ other: BigDecimal) -> BigDecimal {
        BigDecimal(number: number * other.number)
    }

    /// The quotient, rounded half up at 34 digits or more of scale than the operands need; trailing zeros are cut. A divisor of 0
    /// is a programming error and traps.
    public func divide(_ other: BigDecimal) -> BigDecimal {
        let scale = max(number.scale, other.number.scale) + 34
        guard let quotient = number.divided(by: other.number, scale: scale) else {
            preconditionFailure("Expected a divisor other than 0.")
        }
        return BigDecimal(number: quotient.withoutTrailingZeros)
    }

    /// The quotient with `scale` digits after the point, cut as one of the rounding constants says.
    public func divide(_ other: BigDecimal, scale: Int, rounding: Int = BigDecimal.roundEven)
        -> BigDecimal
    {
        guard
            let quotient = number.divided(
                by: other.number, scale: scale, rounding: Self.rounding(rounding))
        else { preconditionFailure("Expected a divisor other than 0.") }
        return BigDecimal(number: quotient)
    }

    /// Digits after the point.
    public var scale: Int { number.scale }

    /// The number with at most `scale` digits after the point, cut as one of the rounding constants says.
    public func round(_ scale: Int, _ rounding: Int = BigDecimal.roundEven) -> BigDecimal {
        BigDecimal(number: number.rounded(toScale: scale, Self.rounding(rounding)))
    }

    /// Digits beyond the scale are cut as by ``roundDown``.
    public static let roundNone = 0
    /// Towards zero.
    public static let roundDown = 1
    /// To the nearest, ties to the even digit.
    public static let roundEven = 2
    /// To the nearest, ties away from zero.
    public static let roundUp = 3

    private static func rounding(_ code: Int) -> DecimalNumber.Rounding {
        switch code {
        case roundEven: .halfEven
        case roundUp: .halfUp
        default: .down
        }
    }

    /// What truncated division leaves. A divisor of 0 is a programming error and traps.
    public func remainder(_ other: BigDecimal) -> BigDecimal {
        guard let rest = number.remainder(dividingBy: other.number) else {
            preconditionFailure("Expected a divisor other than 0.")
        }
        return BigDecimal(number: rest)
    }

    /// The remainder with the sign of the divisor. A divisor of 0 is a programming error and traps.
    public func modulo(_ other: BigDecimal) -> BigDecimal {
        let rest = remainder(other)
        let hasOtherSign = rest.sign() * other.sign() < 0
        return hasOtherSign ? rest.add(other) : rest
    }

    /// The number with the other sign.
    public func negate() -> BigDecimal { BigDecimal(number: -number) }

    /// The number without sign.
    public func abs() -> BigDecimal { BigDecimal(number: number.absolute) }

    /// -1, 0 or 1.
    public func sign() -> Int { number.signum }

    /// -1, 0 or 1 as this number is below, equal to or above `other`.
    public func compareTo(_ other: BigDecimal) -> Int {
        number < other.number ? -1 : number == other.number ? 0 : 1
    }

    /// The sum.
    public static func + (left: BigDecimal, right: BigDecimal) -> BigDecimal { left.add(right) }

    /// The difference.
    public static func - (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        left.subtract(right)
    }

    /// The product.
    public static func * (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        left.multiply(right)
    }

    /// The quotient; see ``divide(_:)``.
    public static func / (left: BigDecimal, right: BigDecimal) -> BigDecimal { left.divide(right) }

    /// The remainder; see ``remainder(_:)``.
    public static func % (left: BigDecimal, right: BigDecimal) -> BigDecimal {
        left.remainder(right)
    }

    /// The number with the other sign.
    public static prefix func - (value: BigDecimal) -> BigDecimal { value.negate() }
}

/// The forms that assign, as sums over rows are written.
extension BigDecimal {
    /// Adds to the number on the left.
    public static func += (left: inout BigDecimal, right: BigDecimal) { left = left + right }

    /// Takes from the number on the left.
    public static func -= (left: inout BigDecimal, right: BigDecimal) { left = left - right }

    /// Multiplies the number on the left.
    public static func *= (left: inout BigDecimal, right: BigDecimal) { left = left * right }

    /// Divides the number on the left; see ``divide(_:)``.
    public static func /= (left: inout BigDecimal, right: BigDecimal) { left = left / right }
}
