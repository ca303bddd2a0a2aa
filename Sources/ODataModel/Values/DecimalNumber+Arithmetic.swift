extension DecimalNumber {
    package static prefix func - (value: DecimalNumber) -> DecimalNumber {
        if case .small(let coefficient, let scale) = value.storage, coefficient != .min {
            return DecimalNumber(coefficient: -coefficient, scale: Int(scale))
        }
        return DecimalNumber(
            isNegative: !value.isNegative, magnitude: value.magnitude, scale: value.scale)
    }

    package static func + (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        if case .small(let a, let scale) = left.storage,
            case .small(let b, let other) = right.storage,
            scale == other
        {
            let (sum, overflow) = a.addingReportingOverflow(b)
            if !overflow { return DecimalNumber(coefficient: sum, scale: Int(scale)) }
        }
        let (a, b, scale) = aligned(left, right)
        guard left.isNegative != right.isNegative else {
            return DecimalNumber(isNegative: left.isNegative, magnitude: a + b, scale: scale)
        }
        guard a < b else {
            return DecimalNumber(isNegative: left.isNegative, magnitude: a - b, scale: scale)
        }
        return DecimalNumber(isNegative: right.isNegative, magnitude: b - a, scale: scale)
    }

    package static func - (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        left + -right
    }

    package static func * (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        if case .small(let a, let scale) = left.storage,
            case .small(let b, let other) = right.storage
        {
            let (product, overflow) = a.multipliedReportingOverflow(by: b)
            if !overflow {
                return DecimalNumber(coefficient: product, scale: Int(scale) + Int(other))
            }
        }
        return DecimalNumber(
            isNegative: left.isNegative != right.isNegative,
            magnitude: left.magnitude * right.magnitude, scale: left.scale + right.scale)
    }

    /// The quotient cut to `scale`; nil when the divisor is zero.
    package func divided(
        by divisor: DecimalNumber, scale: Int, rounding: Rounding = .halfUp
    ) -> DecimalNumber? {
        guard divisor.signum != 0 else { return nil }
        let exponent = scale + divisor.scale - self.scale
        let numerator = magnitude.shiftedLeft(max(0, exponent))
        let denominator = divisor.magnitude.shiftedLeft(max(0, -exponent))
        return Self.cut(
            numerator, by: denominator, isNegative: isNegative != divisor.isNegative,
            scale: scale, rounding)
    }

    /// What truncated division leaves, with the sign of the dividend; nil when the divisor is zero.
    package func remainder(dividingBy divisor: DecimalNumber) -> DecimalNumber? {
        guard divisor.signum != 0 else { return nil }
        let (a, b, scale) = Self.aligned(self, divisor)
        return DecimalNumber(
            isNegative: isNegative, magnitude: a.quotientAndRemainder(dividingBy: b).remainder,
            scale: scale)
    }

    /// The value with at most `scale` digits after the point; fewer digits stay as they are.
    package func rounded(toScale scale: Int, _ rounding: Rounding = .halfUp) -> DecimalNumber {
        guard scale < self.scale else { return self }
        return Self.cut(
            magnitude, by: .powerOfTen(self.scale - scale), isNegative: isNegative, scale: scale,
            rounding)
    }

    /// `value · 10^scale` exactly; nil if it is not whole or does not fit.
    package func scaled(by scale: Int) -> Int64? {
        if case .small(let value, let own) = storage {
            if Int(own) == scale { return value }
            if scale > Int(own), scale - Int(own) <= 18 {
                var result = value
                for _ in 0..<(scale - Int(own)) {
                    let (product, overflow) = result.multipliedReportingOverflow(by: 10)
                    guard !overflow else { return nil }
                    result = product
                }
                return result
            }
        }
        guard signum != 0 else { return 0 }
        let shift = scale - self.scale
        // Ten to the nineteenth is beyond Int64, whatever it is multiplied with.
        guard shift < 19 else { return nil }
        var result = magnitude.shiftedLeft(max(0, shift))
        if shift < 0 {
            guard -shift <= Self.maximumDigits * 2 else { return nil }
            let (quotient, rest) = result.quotientAndRemainder(dividingBy: .powerOfTen(-shift))
            guard rest.isZero else { return nil }
            result = quotient
        }
        guard let value = result.uint64 else { return nil }
        if isNegative { return value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil }
        return Int64(exactly: value)
    }

    /// The value as an integer; nil if it is not whole or does not fit.
    package var int64Value: Int64? { scaled(by: 0) }

    /// The value without its sign.
    package var absolute: DecimalNumber { isNegative ? -self : self }

    /// Both digit strings at the larger of the two scales.
    private static func aligned(
        _ left: DecimalNumber, _ right: DecimalNumber
    ) -> (DecimalMagnitude, DecimalMagnitude, Int) {
        let scale = max(left.scale, right.scale)
        return (
            left.magnitude.shiftedLeft(scale - left.scale),
            right.magnitude.shiftedLeft(scale - right.scale), scale
        )
    }

    private static func cut(
        _ numerator: DecimalMagnitude, by denominator: DecimalMagnitude, isNegative: Bool,
        scale: Int, _ rounding: Rounding
    ) -> DecimalNumber {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        var result = quotient
        if !rest.isZero {
            let twice = rest + rest
            let isOdd = quotient.limbs.first.map { $0 & 1 == 1 } ?? false
            let away =
                switch rounding {
                case .down: false
                case .up: true
                case .halfUp: twice >= denominator
                case .halfEven: twice > denominator || (twice == denominator && isOdd)
                case .ceiling: !isNegative
                case .floor: isNegative
                }
            if away { result = quotient + DecimalMagnitude(1) }
        }
        return DecimalNumber(isNegative: isNegative, magnitude: result, scale: scale)
    }
}

extension DecimalNumber: Comparable, Hashable {
    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    private static func compare(_ left: DecimalNumber, _ right: DecimalNumber) -> Int {
        if case .small(let a, let scale) = left.storage,
            case .small(let b, let other) = right.storage, scale == other
        {
            return a < b ? -1 : a == b ? 0 : 1
        }
        guard left.signum == right.signum else { return left.signum < right.signum ? -1 : 1 }
        let (a, b, _) = aligned(left, right)
        guard a != b else { return 0 }
        return (a < b) == (left.signum > 0) ? -1 : 1
    }

    package static func == (left: DecimalNumber, right: DecimalNumber) -> Bool {
        compare(left, right) == 0
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
        compare(left, right) < 0
    }

    package func hash(into hasher: inout Hasher) {
        var scale = scale
        guard case .small(var coefficient, _) = storage else {
            let digits = magnitude.digits
            let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
            let stripped = DecimalNumber(
                isNegative: isNegative,
                magnitude: DecimalMagnitude(digits: Array(digits.utf8.dropLast(zeros))), scale: 0)
            if case .small(let value, _) = stripped.storage {
                hasher.combine(value)
            } else {
                hasher.combine(stripped.magnitude)
            }
            hasher.combine(scale - zeros)
            return
        }
        if coefficient == 0 { scale = 0 }
        while coefficient != 0, coefficient.isMultiple(of: 10) {
            coefficient /= 10
            scale -= 1
        }
        hasher.combine(coefficient)
        hasher.combine(scale)
    }
}
