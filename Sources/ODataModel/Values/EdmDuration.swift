/// A signed length of time in days, hours, minutes and seconds (`Edm.Duration`), exact to the picosecond.
package struct EdmDuration: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whole seconds, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12, added to ``seconds``.
    package let picoseconds: Int64

    package static let zero = EdmDuration(checked: 0, 0)

    private init(checked seconds: Int64, _ picoseconds: Int64) {
        self.seconds = seconds
        self.picoseconds = picoseconds
    }

    /// Nil beyond 2^62 seconds, or when the fraction is not below one second.
    package init?(seconds: Int64, picoseconds: Int64 = 0) {
        guard seconds.magnitude <= 1 << 62, 0..<ClockTime.picosecondsPerSecond ~= picoseconds
        else { return nil }
        self.init(checked: seconds, picoseconds)
    }

    /// A length given by its magnitude and sign.
    package init?(isNegative: Bool, seconds: Int64, picoseconds: Int64) {
        guard isNegative else {
            self.init(seconds: seconds, picoseconds: picoseconds)
            return
        }
        let borrows = picoseconds > 0
        self.init(
            seconds: -seconds - (borrows ? 1 : 0),
            picoseconds: borrows ? ClockTime.picosecondsPerSecond - picoseconds : 0)
    }

    /// Nil when `text` is not `[-]P[nD][T[nH][nM][n[.n]S]]` with at least one part.
    package init?(_ text: some StringProtocol) {
        guard let read = LexicalCursor.readAll(text, Self.read) else { return nil }
        self = read
    }

    private static func read(_ cursor: inout LexicalCursor) -> EdmDuration? {
        let isNegative = cursor.sign() < 0
        guard cursor.take("P") else { return nil }
        var total: Int64 = 0
        var fraction: Int64 = 0
        func add(_ value: Int64, times unit: Int64) -> Bool {
            let (part, overflow) = value.multipliedReportingOverflow(by: unit)
            let (sum, carry) = total.addingReportingOverflow(part)
            total = sum
            return !overflow && !carry
        }
        if cursor.digitsAhead > 0 {
            guard let days = cursor.number(digits: 1...18), cursor.take("D"),
                add(days, times: WallDateTime.secondsPerDay)
            else { return nil }
            if cursor.isAtEnd {
                return EdmDuration(isNegative: isNegative, seconds: total, picoseconds: 0)
            }
        }
        guard cursor.take("T"), cursor.digitsAhead > 0 else { return nil }
        // The smallest unit so far: each part must be smaller than the one before it.
        var lastUnit: Int64 = 86_400
        while cursor.digitsAhead > 0 {
            guard let value = cursor.number(digits: 1...18) else { return nil }
            let unit: Int64
            if cursor.take("H") {
                unit = 3600
            } else if cursor.take("M") {
                unit = 60
            } else {
                guard let part = cursor.fraction(), cursor.take("S") else { return nil }
                fraction = part
                unit = 1
            }
            guard unit < lastUnit, add(value, times: unit) else { return nil }
            lastUnit = unit
        }
        return EdmDuration(isNegative: isNegative, seconds: total, picoseconds: fraction)
    }

    package var isNegative: Bool { seconds < 0 }

    /// Whole seconds and picoseconds of the length without its sign.
    package var magnitude: (seconds: Int64, picoseconds: Int64) {
        guard isNegative else { return (seconds, picoseconds) }
        guard picoseconds > 0 else { return (-seconds, 0) }
        return (-seconds - 1, ClockTime.picosecondsPerSecond - picoseconds)
    }

    /// Total seconds as an exact decimal.
    package var decimalSeconds: DecimalNumber {
        DecimalNumber(seconds)
            + DecimalNumber(coefficient: picoseconds, scale: 12).withoutTrailingZeros
    }

    /// The length of this many seconds; nil when too long, digits beyond the picosecond are cut.
    package init?(decimalSeconds value: DecimalNumber) {
        let whole = value.rounded(toScale: 0, .floor)
        guard let seconds = whole.int64Value,
            let picoseconds = (value - whole).rounded(toScale: 12, .down).scaled(by: 12)
        else { return nil }
        self.init(seconds: seconds, picoseconds: picoseconds)
    }

    /// Bytes whose order is the order of lengths, equal for equal lengths.
    package var orderKey: [UInt8] { decimalSeconds.orderKey }

    /// Days, hours, minutes and seconds in their ranges; zero is `PT0S`.
    package var description: String {
        let (seconds, picoseconds) = magnitude
        var text = isNegative ? "-P" : "P"
        let days = seconds / WallDateTime.secondsPerDay
        if days > 0 { text += "\(days)D" }
        let rest = seconds % WallDateTime.secondsPerDay
        guard rest > 0 || picoseconds > 0 || days == 0 else { return text }
        text += "T"
        if rest >= 3600 { text += "\(rest / 3600)H" }
        if rest / 60 % 60 > 0 { text += "\(rest / 60 % 60)M" }
        if rest % 60 > 0 || picoseconds > 0 || seconds == 0 {
            text += "\(rest % 60)" + LexicalText.fraction(picoseconds) + "S"
        }
        return text
    }

    package static func < (left: EdmDuration, right: EdmDuration) -> Bool {
        (left.seconds, left.picoseconds) < (right.seconds, right.picoseconds)
    }
}
