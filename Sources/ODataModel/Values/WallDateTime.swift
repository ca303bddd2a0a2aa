/// A date and time without zone (V2 `Edm.DateTime`): what a clock on the wall shows.
package struct WallDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01T00:00:00 on the same clock, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12.
    package let picoseconds: Int64

    package init(seconds: Int64, picoseconds: Int64) {
        self.seconds = seconds
        self.picoseconds = picoseconds
    }
    package init(date: CalendarDate, time: ClockTime) { self.init(seconds: 0, picoseconds: 0) }
    /// Nil when `text` is not `date T time` (seconds may be missing).
    package init?(_ text: some StringProtocol) { return nil }
    package var date: CalendarDate? { nil }
    package var time: ClockTime? { nil }
    /// The fraction without trailing zeros.
    package var description: String { "" }
    package static func < (left: WallDateTime, right: WallDateTime) -> Bool { false }
}
