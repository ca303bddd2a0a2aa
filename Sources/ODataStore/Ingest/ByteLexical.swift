/// Readers of the common lexical forms on bytes, for the ingest path. Nil means: not this common form, so the
/// general reader decides whether it is a value at all.
enum ByteLexical {
    typealias Bytes = UnsafeRawBufferPointer

    @inline(__always)
    static func digit(_ byte: UInt8) -> Int64? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? Int64(value) : nil
    }

    /// `[-] digits`, as far as 18 digits go without overflow.
    @inline(__always)
    static func int64(_ text: Bytes) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard text.count > first, text.count - first <= 18 else { return nil }
        var value: Int64 = 0
        for index in first..<text.count {
            guard let digit = digit(text[index]) else { return nil }
            value = value &* 10 &+ digit
        }
        return isNegative ? -value : value
    }

    /// A plain decimal as value · 10^scale; nil when it has more places, an exponent or too many digits.
    @inline(__always)
    static func scaled(_ text: Bytes, scale: Int) -> Int64? {
        guard let (coefficient, places) = decimal(text), places <= scale else { return nil }
        var value = coefficient
        for _ in places..<scale {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product
        }
        return value
    }

    /// `[-] digits [. digits]` as digits without the point and the number of decimal places.
    @inline(__always)
    static func decimal(_ text: Bytes) -> (coefficient: Int64, places: Int)? {
        let isNegative = text.first == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard text.count > first, text.count - first <= 19 else { return nil }
        var value: Int64 = 0
        var digits = 0
        var point: Int?
        for index in first..<text.count {
            let byte = text[index]
            if let digit = digit(byte) {
                value = value &* 10 &+ digit
                digits += 1
            } else {
                guard byte == UInt8(ascii: "."), point == nil, digits > 0 else { return nil }
                point = digits
            }
        }
        guard digits <= 18, digits > (point ?? 0) else { return nil }
        return (isNegative ? -value : value, digits - (point ?? digits))
    }

    /// A double whose digits and power of ten are both exact, so that one division rounds correctly.
    @inline(__always)
    static func double(_ text: Bytes) -> Double? {
        guard let (coefficient, places) = decimal(text), abs(coefficient) < 1 << 53 else {
            return nil
        }
        // Minus zero has no integer.
        if coefficient == 0 { return text.first == UInt8(ascii: "-") ? -0.0 : 0 }
        return Double(coefficient) / powersOfTen[places]
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18,
    ]

    /// True for `YYYY-MM-DD` with a day that the month has.
    @inline(__always)
    static func isDate(_ text: Bytes) -> Bool {
        guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            let century = pair(text, 0), let rest = pair(text, 2), let month = pair(text, 5),
            let day = pair(text, 8), day >= 1
        else { return false }
        let year = century * 100 + rest
        switch month {
        case 1, 3, 5, 7, 8, 10, 12: return day <= 31
        case 4, 6, 9, 11: return day <= 30
        case 2:
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            return day <= (isLeap ? 29 : 28)
        default: return false
        }
    }

    /// The length of `hh:mm:ss[.digits]` from `start` to `end` without trailing zeros of the fraction.
    @inline(__always)
    static func timeLength(_ text: Bytes, from start: Int, to end: Int) -> Int? {
        guard end - start >= 8, text[start + 2] == UInt8(ascii: ":"),
            text[start + 5] == UInt8(ascii: ":"), let hour = pair(text, start), hour < 24,
            let minute = pair(text, start + 3), minute < 60, let second = pair(text, start + 6),
            second < 60
        else { return nil }
        guard end - start > 8 else { return 8 }
        guard text[start + 8] == UInt8(ascii: "."), end - start > 9, end - start <= 21 else {
            return nil
        }
        var last = start + 8
        for index in start + 9..<end {
            guard let digit = digit(text[index]) else { return nil }
            if digit != 0 { last = index + 1 }
        }
        return last - start
    }

    /// The length of what the store keeps of `YYYY-MM-DDThh:mm:ss[.digits]Z`.
    @inline(__always)
    static func utcLength(_ text: Bytes) -> Int? {
        guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z"),
            text[10] == UInt8(ascii: "T"), isDate(text),
            let time = timeLength(text, from: 11, to: text.count - 1)
        else { return nil }
        return 11 + time
    }

    /// Writes the 36 characters of a Guid in lower case; false when it is none.
    @inline(__always)
    static func lowerGuid(_ text: Bytes, into target: UnsafeMutablePointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in 0..<36 {
            let byte = text[index]
            switch (index, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
                (23, UInt8(ascii: "-")):
                target[index] = byte
            case (8, _), (13, _), (18, _), (23, _): return false
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")),
                (_, UInt8(ascii: "a")...UInt8(ascii: "f")):
                target[index] = byte
            case (_, UInt8(ascii: "A")...UInt8(ascii: "F")): target[index] = byte | 0x20
            default: return false
            }
        }
        return true
    }

    @inline(__always)
    private static func pair(_ text: Bytes, _ index: Int) -> Int64? {
        guard let tens = digit(text[index]), let ones = digit(text[index + 1]) else { return nil }
        return tens * 10 + ones
    }
}
