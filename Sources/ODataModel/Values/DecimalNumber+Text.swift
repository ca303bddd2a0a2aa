extension DecimalNumber: CustomStringConvertible {
    /// Reads `[sign] digits [. digits] [e [sign] digits]` (ABNF `decimalValue`); the scale is what was written.
    ///
    /// Nil when malformed, and when the number has more than ``maximumDigits`` digits without its exponent.
    package init?(_ text: some StringProtocol) {
        guard let number = LexicalCursor.readAll(text, Self.read) else { return nil }
        self = number
    }

    private static func read(_ cursor: inout LexicalCursor) -> DecimalNumber? {
        let isNegative = cursor.sign() < 0
        var digits = DigitRun()
        guard cursor.appendDigits(to: &digits) > 0 else { return nil }
        var scale = 0
        if cursor.take(".") {
            scale = cursor.appendDigits(to: &digits)
            guard scale > 0 else { return nil }
        }
        if cursor.takeLetter("e") {
            let direction = cursor.sign()
            guard let exponent = cursor.number(digits: 1...9) else { return nil }
            scale -= Int(direction * exponent)
        }
        guard digits.count <= maximumDigits, abs(scale) <= maximumDigits else { return nil }
        if let small = digits.small, scale >= 0 {
            return DecimalNumber(coefficient: isNegative ? -small : small, scale: scale)
        }
        let magnitude =
            digits.small.map { DecimalMagnitude(UInt64($0)) }
            ?? DecimalMagnitude(digits: digits.bytes)
        return DecimalNumber(isNegative: isNegative, magnitude: magnitude, scale: scale)
    }

    /// The shortest decimal that reads back as `value`; nil for NaN and infinities.
    package init?(shortest value: Double) {
        guard value.isFinite, let number = DecimalNumber("\(value)") else { return nil }
        self = number.scale == 1 && number.int64Value != nil ? number.withoutTrailingZeros : number
    }

    /// The exact value of a double, all its digits; nil for NaN and infinities.
    package init?(exactly value: Double) {
        guard value.isFinite else { return nil }
        guard value != 0 else {
            self = .zero
            return
        }
        if let whole = Int64(exactly: value) {
            self.init(whole)
            return
        }
        var significand = value.significandBitPattern
        var exponent = Int(value.exponentBitPattern) - 1075
        if value.exponentBitPattern == 0 { exponent += 1 } else { significand |= 1 << 52 }
        let zeros = significand.trailingZeroBitCount
        significand >>= UInt64(zeros)
        exponent += zeros
        // m · 2^-n is m · 5^n · 10^-n.
        let factor = DecimalMagnitude(exponent < 0 ? 5 : 2).power(abs(exponent))
        self.init(
            isNegative: value < 0, magnitude: DecimalMagnitude(significand) * factor,
            scale: max(0, -exponent))
    }

    /// The text without exponent and with all digits of the scale.
    package var description: String {
        let digits = magnitude.digits
        let sign = isNegative ? "-" : ""
        let scale = scale
        guard scale > 0 else { return sign + digits }
        let count = digits.utf8.count
        guard count > scale else {
            return sign + "0." + String(repeating: "0", count: scale - count) + digits
        }
        let point = digits.utf8.index(digits.startIndex, offsetBy: count - scale)
        return sign + digits[..<point] + "." + digits[point...]
    }

    /// The nearest double.
    package var doubleValue: Double { Double(description) ?? 0 }

    /// Bytes whose order is numeric order, equal for equal numbers.
    ///
    /// A header tells sign and decimal exponent, then two digits a byte follow; the bytes of negative numbers are the
    /// complement, closed by 0xFF so that a longer number is the smaller one.
    package var orderKey: [UInt8] {
        guard signum != 0 else { return [0x80] }
        let all = Array(magnitude.digits.utf8)
        let exponent = all.count - scale
        let zeros = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        let digits = all.dropLast(zeros)
        var key: [UInt8] = []
        if abs(exponent) <= 60 {
            key.append(UInt8(0xC0 + exponent))
        } else {
            key.append(exponent > 0 ? 0xFD : 0x82)
            let biased = UInt32(truncatingIfNeeded: exponent) ^ 0x8000_0000
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: biased >> shift))
            }
        }
        var index = digits.startIndex
        while index < digits.endIndex {
            let low = index + 1 < digits.endIndex ? digits[index + 1] - 48 : 0
            key.append((digits[index] - 48) * 10 + low + 1)
            index += 2
        }
        guard isNegative else { return key }
        return key.map { ~$0 } + [0xFF]
    }
}

/// Digits being read: an integer as long as 18 of them suffice, bytes beyond.
private struct DigitRun {
    private(set) var count = 0
    private var value: Int64 = 0
    private var overflow: [UInt8] = []

    mutating func append(_ digit: UInt8) {
        // Leading zeros carry nothing.
        if count == 0, digit == 48 { return }
        count += 1
        if count <= 18 {
            value = value * 10 + Int64(digit &- 48)
        } else {
            if count == 19 { overflow = Array("\(value)".utf8) }
            overflow.append(digit)
        }
    }

    var small: Int64? { count <= 18 ? value : nil }
    var bytes: [UInt8] { overflow }
}

extension LexicalCursor {
    fileprivate mutating func appendDigits(to run: inout DigitRun) -> Int {
        let count = digitsAhead
        for _ in 0..<count {
            if let digit = peek { run.append(digit) }
            skip()
        }
        return count
    }
}

extension DecimalMagnitude {
    /// Square and multiply.
    func power(_ exponent: Int) -> DecimalMagnitude {
        var result = DecimalMagnitude(1)
        var square = self
        var rest = exponent
        while rest > 0 {
            if rest & 1 == 1 { result = result * square }
            rest >>= 1
            if rest > 0 { square = square * square }
        }
        return result
    }
}
