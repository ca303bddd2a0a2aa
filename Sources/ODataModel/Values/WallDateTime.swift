/// A date and time without zone (V2 `Edm.DateTime`): what a clock on the wall shows.
package struct WallDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01T00:00:00 on the same clock, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12.
    package let picoseconds: Int64

    static let secondsPerDay: Int64 = 86_400
    private static let limit = 31_557_600 * Int64(CalendarDate.yearLimit)

    /// Nil beyond the years that can be held, or when the fraction is not below one second.
    package init?(seconds: Int64, picoseconds: Int64 = 0) {
        guard seconds.magnitude <= UInt64(Self.limit),
            0..<ClockTime.picosecondsPerSecond ~= picoseconds
        else { return nil }
        self.seconds = seconds
        self.picoseconds = picoseconds
    }

    /// 24:00:00 is midnight of the next day.
    package init(date: CalendarDate, time: ClockTime) {
        seconds = date.daysSince1970 * Self.secondsPerDay + Int64(time.secondOfDay)
        picoseconds = time.fraction
    }

    /// Nil when `text` is not `date T time` (seconds may be missing).
    package init?(_ text: some StringProtocol, allowsHour24: Bool = false) {
        let read = LexicalCursor.readAll(text) { cursor -> WallDateTime? in
            guard let date = cursor.date(), cursor.takeLetter("t"),
                let time = cursor.time(allowsHour24: allowsHour24)
            else { return nil }
            return WallDateTime(date: date, time: time)
        }
        guard let read else { return nil }
        self = read
    }

    /// Days since 1970 and the second of the day.
    private var split: (days: Int64, second: Int64) {
        let days = seconds.flooredQuotient(by: Self.secondsPerDay)
        return (days, seconds - days * Self.secondsPerDay)
    }

    package var date: CalendarDate {
        // Construction keeps the seconds within the years that a date holds.
        CalendarDate(daysSince1970: split.days) ?? CalendarDate.epoch
    }

    package var time: ClockTime {
        ClockTime(picoseconds: split.second * ClockTime.picosecondsPerSecond + picoseconds)
            ?? ClockTime.midnight
    }

    /// `YYYY-MM-DDTHH:MM:SS` and the fraction without trailing zeros.
    package var description: String { "\(date)T\(time)" }

    package static func < (left: WallDateTime, right: WallDateTime) -> Bool {
        (left.seconds, left.picoseconds) < (right.seconds, right.picoseconds)
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity; `divisor` is positive.
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
