import ODataModel

extension BigInteger {
    /// The sum.
    public func add(_ other: BigInteger) -> BigInteger {
        BigInteger(number: number + other.number)
    }

    /// The difference.
    public func subtract(_ other: BigInteger) -> BigInteger {
        BigInteger(number: number - other.number)
    }

    /// The product.
    public func multiply(_ other: BigInteger) -> BigInteger {
        BigInteger(number: number * other.number)
    }

    /// The whole quotient, cut towards zero. A divisor of 0 is a programming error and traps.
    public func divide(_ other: BigInteger) -> BigInteger {
        guard
            let quotient = number.divided(by: other.number, scale: 0, rounding: .down)
        else { preconditionFailure("Expected a divisor other than 0.") }
        return BigInteger(number: quotient)
    }

    /// What truncated division leaves. A divisor of 0 is a programming error and traps.
    public func remainder(_ other: BigInteger) -> BigInteger {
        guard let rest = number.remainder(dividingBy: other.number) else {
            preconditionFailure("Expected a divisor other than 0.")
        }
        return BigInteger(number: rest)
    }

    /// The remainder with the sign of the divisor. A divisor of 0 is a programming error and traps.
    public func modulo(_ other: BigInteger) -> BigInteger {
        let rest = remainder(other)
        let hasOtherSign = rest.sign() * other.sign() < 0
        return hasOtherSign ? rest.add(other) : rest
    }

    /// The number with the other sign.
    public func negate() -> BigInteger { BigInteger(number: -number) }

    /// The number without sign.
    public func abs() -> BigInteger { BigInteger(number: number.absolute) }

    /// -1, 0 or 1.
    public func sign() -> Int { number.signum }

    /// -1, 0 or 1 as this number is below, equal to or above `other`.
    public func compareTo(_ other: BigInteger) -> Int {
        number < other.number ? -1 : number == other.number ? 0 : 1
    }

    /// The sum.
    public static func + (left: BigInteger, right: BigInteger) -> BigInteger { left.add(right) }

    /// The difference.
    public static func - (left: BigInteger, right: BigInteger) -> BigInteger {
        left.subtract(right)
    }

    /// The product.
    public static func * (left: BigInteger, right: BigInteger) -> BigInteger {
        left.multiply(right)
    }

    /// The quotient; see ``divide(_:)``.
    public static func / (left: BigInteger, right: BigInteger) -> BigInteger { left.divide(right) }

    /// The remainder; see ``remainder(_:)``.
    public static func % (left: BigInteger, right: BigInteger) -> BigInteger {
        left.remainder(right)
    }

    /// The number with the other sign.
    public static prefix func - (value: BigInteger) -> BigInteger { value.negate() }
}

/// The forms that assign, as sums over rows are written.
extension BigInteger {
    /// Adds to the number on the left.
    public static func += (left: inout BigInteger, right: BigInteger) { left = left + right }

    /// Takes from the number on the left.
    public static func -= (left: inout BigInteger, right: BigInteger) { left = left - right }

    /// Multiplies the number on the left.
    public static func *= (left: inout BigInteger, right: BigInteger) { left = left * right }

    /// Divides the number on the left; see ``divide(_:)``.
    public static func /= (left: inout BigInteger, right: BigInteger) { left = left / right }
}
