import Foundation
import ODataModel

/// How Foundation's instants and the exact calendar values become each other.
package enum CalendarBridge {
    /// The instant now: the only reading of the clock in this target, for `now()` of the calendar classes.
    static func currentDate() -> Date { Date() }

    /// Whole seconds since 1970, rounded down, and picoseconds; nil for instants beyond the calendar.
    package static func parts(_ date: Date) -> (seconds: Int64, picoseconds: Int64)? {
        let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
        guard let reference = Int64(exactly: whole), abs(reference) < 1 << 55 else { return nil }
        // A double of this size knows about a tenth of a microsecond; nanoseconds would be noise.
        let fraction = (date.timeIntervalSinceReferenceDate - whole) * 10_000_000
        let ticks = min(9_999_999, Int64(fraction.rounded()))
        return (reference + 978_307_200, ticks * 100_000)
    }

    package static func date(seconds: Int64, picoseconds: Int64) -> Date {
        Date(
            timeIntervalSinceReferenceDate: Double(seconds - 978_307_200)
                + Double(picoseconds) / 1_000_000_000_000)
    }

    /// The clock on the wall of a zone; nil beyond the calendar.
    static func wall(_ date: Date, in zone: TimeZone) -> WallDateTime? {
        guard let (seconds, picoseconds) = parts(date) else { return nil }
        let offset = Int64(zone.secondsFromGMT(for: date))
        return WallDateTime(seconds: seconds + offset, picoseconds: picoseconds)
    }

    /// The instant at which the clock on the wall of a zone shows `wall`; the first of two, the moment after a gap.
    static func date(_ wall: WallDateTime, from zone: TimeZone) -> Date {
        let naive = date(seconds: wall.seconds, picoseconds: wall.picoseconds)
        let first = naive.addingTimeInterval(-Double(zone.secondsFromGMT(for: naive)))
        return naive.addingTimeInterval(-Double(zone.secondsFromGMT(for: first)))
    }
}
