/// A date of the proleptic Gregorian calendar without zone (`Edm.Date`); years may be negative or beyond 9999.
package struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year: Int32
    package let month: UInt8
    package let day: UInt8

    /// Nil when the month or day does not exist, or the year is beyond ±999,999,999.
    package init?(year: Int, month: Int, day: Int) { return nil }
    /// The date this many days after 1970-01-01; nil beyond the years that can be held.
    package init?(daysSince1970: Int64) { return nil }
    /// Nil when `text` is not `[-]YYYY-MM-DD`.
    package init?(_ text: some StringProtocol) { return nil }
    package var daysSince1970: Int64 { 0 }
    /// Monday is 1, Sunday is 7.
    package var dayOfWeek: Int { 1 }
    package var dayOfYear: Int { 1 }
    package var description: String { "" }
    package static func < (left: CalendarDate, right: CalendarDate) -> Bool { false }
}
