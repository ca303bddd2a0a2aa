/// A time of day without zone (`Edm.TimeOfDay`), exact to the picosecond.
package struct ClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Picoseconds since midnight; 24:00:00 is the end of the day.
    package let picoseconds: Int64

    static let picosecondsPerSecond: Int64 = 1_000_000_000_000

    /// Nil when negative or after 24:00:00.
    package init?(picoseconds: Int64) {
        guard 0...86_400 * Self.picosecondsPerSecond ~= picoseconds else { return nil }
        self.picoseconds = picoseconds
    }

    /// Nil when a field is out of range; hour 24 only as 24:00:00.
    package init?(hour: Int, minute: Int, second: Int = 0, fraction picoseconds: Int64 = 0) {
        guard 0...24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second,
            0..<Self.picosecondsPerSecond ~= picoseconds
        else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + second)
        self.init(picoseconds: seconds * Self.picosecondsPerSecond + picoseconds)
    }

    /// Nil when `text` is not `HH:MM[:SS[.fraction]]`; 24:00:00 only where allowed.
    package init?(_ text: some StringProtocol, allowsHour24: Bool = false) {
        guard
            let time = LexicalCursor.readAll(
                text, { $0.time(allowsHour24: allowsHour24) })
        else { return nil }
        self = time
    }

    package var secondOfDay: Int { Int(picoseconds / Self.picosecondsPerSecond) }
    package var hour: Int { secondOfDay / 3600 }
    package var minute: Int { secondOfDay / 60 % 60 }
    package var second: Int { secondOfDay % 60 }
    /// Picoseconds of the second.
    package var fraction: Int64 { picoseconds % Self.picosecondsPerSecond }

    /// `HH:MM:SS` and the fraction without trailing zeros.
    package var description: String {
        LexicalText.padded(hour, 2) + ":" + LexicalText.padded(minute, 2) + ":"
            + LexicalText.padded(second, 2) + LexicalText.fraction(fraction)
    }

    package static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.picoseconds < right.picoseconds
    }
}

extension ClockTime {
    package static let midnight = ClockTime(checked: 0)

    private init(checked picoseconds: Int64) {
        self.picoseconds = picoseconds
    }
}
