/// A position in the bytes of a lexical form; the readers of calendar values, durations and numbers share it.
struct LexicalCursor {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Runs `read` over the text and gives its result only when it consumed everything.
    static func readAll<Value>(
        _ text: some StringProtocol, _ read: (inout LexicalCursor) -> Value?
    ) -> Value? {
        func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
            var cursor = LexicalCursor(bytes)
            guard let value = read(&cursor), cursor.isAtEnd else { return nil }
            return value
        }
        if let value = text.utf8.withContiguousStorageIfAvailable(run) { return value }
        return Array(text.utf8).withUnsafeBufferPointer(run)
    }

    var isAtEnd: Bool { position == bytes.count }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip() { position += 1 }

    /// The bytes ahead, as long as they satisfy the condition, as text.
    func remaining(_ isPart: (UInt8) -> Bool) -> String {
        var end = position
        while end < bytes.count, isPart(bytes[end]) { end += 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// True, and one byte further, when the next byte is this ASCII character.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// As ``take(_:)``, for a letter in either case.
    mutating func takeLetter(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, byte | 0x20 == UInt8(ascii: character) | 0x20 else { return false }
        position += 1
        return true
    }

    /// How many decimal digits follow.
    var digitsAhead: Int {
        var end = position
        while end < bytes.count, bytes[end] &- 48 < 10 { end += 1 }
        return end - position
    }

    /// All digits that follow, when their number is within bounds and the value fits.
    mutating func number(digits allowed: ClosedRange<Int>) -> Int64? {
        let count = digitsAhead
        guard allowed.contains(count) else { return nil }
        var value: Int64 = 0
        for _ in 0..<count {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(bytes[position] &- 48))
            guard !overflow, !carry else { return nil }
            value = sum
            position += 1
        }
        return value
    }

    /// `.` and 1 to 12 digits as picoseconds; 0 when no `.` follows, nil when malformed.
    mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        let count = digitsAhead
        guard let value = number(digits: 1...12) else { return nil }
        return (count..<12).reduce(value) { result, _ in result * 10 }
    }

    /// -1 after `-`, 1 after `+` or nothing.
    mutating func sign() -> Int64 {
        if take("-") { return -1 }
        _ = take("+")
        return 1
    }

    /// `[-]YYYY-MM-DD`.
    mutating func date() -> CalendarDate? {
        let isNegative = take("-")
        let hasLeadingZero = peek == UInt8(ascii: "0")
        let count = digitsAhead
        guard let year = number(digits: 4...9), count == 4 || !hasLeadingZero,
            !(isNegative && year == 0), take("-"), digitsAhead == 2,
            let month = number(digits: 2...2), take("-"), let day = number(digits: 2...2)
        else { return nil }
        return CalendarDate(
            year: Int(isNegative ? -year : year), month: Int(month), day: Int(day))
    }

    /// `HH:MM[:SS[.fraction]]`; 24:00:00 where allowed.
    mutating func time(allowsHour24: Bool) -> ClockTime? {
        guard let hour = number(digits: 2...2), take(":"), let minute = number(digits: 2...2)
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if take(":") {
            guard let whole = number(digits: 2...2), let part = self.fraction() else { return nil }
            second = whole
            fraction = part
        }
        guard hour < 24 || allowsHour24 else { return nil }
        return ClockTime(
            hour: Int(hour), minute: Int(minute), second: Int(second), fraction: fraction)
    }

    /// `Z` or `±HH:MM`, in minutes.
    mutating func offset() -> Int? {
        if takeLetter("z") { return 0 }
        guard peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") else { return nil }
        let direction = sign()
        guard let hours = number(digits: 2...2), take(":"), let minutes = number(digits: 2...2),
            hours < 24, minutes < 60
        else { return nil }
        return Int(direction * (hours * 60 + minutes))
    }
}

/// Small pieces of text that the calendar values share.
enum LexicalText {
    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        let missing = width - digits.utf8.count
        return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
    }

    /// `.` and the digits of a fraction without trailing zeros; empty for 0.
    static func fraction(_ picoseconds: Int64) -> String {
        guard picoseconds != 0 else { return "" }
        // As a number: to take characters off a text took nine tenths of writing a time.
        var (rest, width) = (picoseconds, 12)
        while rest.isMultiple(of: 10) { (rest, width) = (rest / 10, width - 1) }
        return "." + padded(Int(rest), width)
    }
}
