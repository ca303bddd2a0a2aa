/// A non-negative integer of any size in base 10^9, so that decimal text and powers of ten are cheap.
struct DecimalMagnitude: Sendable, Hashable, Comparable {
    /// Least significant first; no zero on top; empty is zero.
    private(set) var limbs: [UInt32]

    static let base: UInt64 = 1_000_000_000
    private static let digitsPerLimb = 9

    private init(limbs: [UInt32]) {
        self.limbs = limbs
        while self.limbs.last == 0 { self.limbs.removeLast() }
    }

    init(_ value: UInt64) {
        var rest = value
        limbs = []
        while rest > 0 {
            limbs.append(UInt32(rest % Self.base))
            rest /= Self.base
        }
    }

    /// ASCII digits, most significant first.
    init(digits: some BidirectionalCollection<UInt8>) {
        var limbs: [UInt32] = []
        var limb: UInt32 = 0
        var unit: UInt32 = 1
        for digit in digits.reversed() {
            limb += UInt32(digit &- 48) * unit
            if unit == 100_000_000 {
                limbs.append(limb)
                (limb, unit) = (0, 1)
            } else {
                unit *= 10
            }
        }
        limbs.append(limb)
        self.init(limbs: limbs)
    }

    static func powerOfTen(_ exponent: Int) -> DecimalMagnitude {
        DecimalMagnitude(1).shiftedLeft(exponent)
    }

    var isZero: Bool { limbs.isEmpty }

    /// Nil when it does not fit.
    var uint64: UInt64? {
        guard limbs.count <= 3 else { return nil }
        var value: UInt64 = 0
        for limb in limbs.reversed() {
            let (product, overflow) = value.multipliedReportingOverflow(by: Self.base)
            let (sum, carry) = product.addingReportingOverflow(UInt64(limb))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }

    /// Decimal digits without leading zeros; `0` for zero.
    var digits: String {
        guard let top = limbs.last else { return "0" }
        var text = String(top)
        for limb in limbs.dropLast().reversed() {
            text += LexicalText.padded(Int(limb), Self.digitsPerLimb)
        }
        return text
    }

    static func < (left: Self, right: Self) -> Bool {
        guard left.limbs.count == right.limbs.count else {
            return left.limbs.count < right.limbs.count
        }
        return left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed())
    }

    static func + (left: Self, right: Self) -> Self {
        var result = left.limbs.count >= right.limbs.count ? left.limbs : right.limbs
        let other = left.limbs.count >= right.limbs.count ? right.limbs : left.limbs
        var carry: UInt32 = 0
        for index in result.indices {
            guard index < other.count || carry > 0 else { break }
            let sum = result[index] + (index < other.count ? other[index] : 0) + carry
            carry = sum >= 1_000_000_000 ? 1 : 0
            result[index] = sum - carry * 1_000_000_000
        }
        if carry > 0 { result.append(carry) }
        return Self(limbs: result)
    }

    /// The difference; `left` is at least `right`.
    static func - (left: Self, right: Self) -> Self {
        var result = left.limbs
        var borrow: Int64 = 0
        for index in result.indices {
            guard index < right.limbs.count || borrow > 0 else { break }
            var difference = Int64(result[index]) - borrow
            if index < right.limbs.count { difference -= Int64(right.limbs[index]) }
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt32(difference + borrow * Int64(base))
        }
        return Self(limbs: result)
    }

    /// Schoolbook product: time is the product of the lengths.
    static func * (left: Self, right: Self) -> Self {
        guard !left.isZero, !right.isZero else { return Self(0) }
        var result = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (position, limb) in left.limbs.enumerated() where limb != 0 {
            var carry: UInt64 = 0
            for (offset, other) in right.limbs.enumerated() {
                let sum =
                    UInt64(result[position + offset]) + UInt64(limb) * UInt64(other) + carry
                result[position + offset] = UInt32(sum % base)
                carry = sum / base
            }
            result[position + right.limbs.count] = UInt32(carry)
        }
        return Self(limbs: result)
    }

    /// The product with `10^exponent`.
    func shiftedLeft(_ exponent: Int) -> Self {
        guard !isZero, exponent > 0 else { return self }
        let (whole, part) = exponent.quotientAndRemainder(dividingBy: Self.digitsPerLimb)
        let factor = (0..<part).reduce(UInt64(1)) { product, _ in product * 10 }
        let scaled = factor == 1 ? self : self * Self(factor)
        return Self(limbs: [UInt32](repeating: 0, count: whole) + scaled.limbs)
    }

    /// Quotient and remainder of a divisor below 10^9.
    func dividedBySmall(_ divisor: UInt32) -> (quotient: Self, remainder: UInt32) {
        var result = limbs
        var remainder: UInt64 = 0
        for index in result.indices.reversed() {
            let value = remainder * Self.base + UInt64(result[index])
            result[index] = UInt32(value / UInt64(divisor))
            remainder = value % UInt64(divisor)
        }
        return (Self(limbs: result), UInt32(remainder))
    }
}

extension DecimalMagnitude {
    /// Long division (Knuth, volume 2, algorithm D); `divisor` is not zero.
    func quotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
        guard self >= divisor else { return (Self(0), self) }
        if divisor.limbs.count == 1 {
            let (quotient, remainder) = dividedBySmall(divisor.limbs[0])
            return (quotient, Self(UInt64(remainder)))
        }
        // Scaled so that the top limb of the divisor is at least half the base.
        let factor = UInt32(Self.base / (UInt64(divisor.limbs[divisor.limbs.count - 1]) + 1))
        let right = (divisor * Self(UInt64(factor))).limbs
        var left = (self * Self(UInt64(factor))).limbs
        while left.count <= limbs.count { left.append(0) }
        let length = right.count
        var quotient = [UInt32](repeating: 0, count: left.count - length)
        for position in quotient.indices.reversed() {
            quotient[position] = Self.step(&left, right, at: position)
        }
        let remainder = Self(limbs: Array(left[..<length])).dividedBySmall(factor).quotient
        return (Self(limbs: quotient), remainder)
    }

    /// One digit of the quotient; subtracts its multiple of `right` from `left`.
    private static func step(_ left: inout [UInt32], _ right: [UInt32], at position: Int) -> UInt32
    {
        let length = right.count
        let head = UInt64(left[position + length]) * base + UInt64(left[position + length - 1])
        var digit = head / UInt64(right[length - 1])
        var rest = head % UInt64(right[length - 1])
        while digit >= base
            || digit * UInt64(right[length - 2]) > rest * base
                + UInt64(left[position + length - 2])
        {
            digit -= 1
            rest += UInt64(right[length - 1])
            if rest >= base { break }
        }
        var borrow: Int64 = 0
        var carry: UInt64 = 0
        for index in 0...length {
            let product = (index < length ? digit * UInt64(right[index]) : 0) + carry
            carry = product / base
            var difference =
                Int64(left[position + index]) - Int64(product % base) - borrow
            borrow = difference < 0 ? 1 : 0
            difference += borrow * Int64(base)
            left[position + index] = UInt32(difference)
        }
        guard borrow > 0 else { return UInt32(digit) }
        // The estimate was one too large: add the divisor back.
        var addCarry: UInt32 = 0
        for index in 0...length {
            let sum = left[position + index] + (index < length ? right[index] : 0) + addCarry
            addCarry = sum >= 1_000_000_000 ? 1 : 0
            left[position + index] = sum - addCarry * 1_000_000_000
        }
        return UInt32(digit - 1)
    }
}
