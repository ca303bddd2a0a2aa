/// A time of day without zone (`Edm.TimeOfDay`), exact to the picosecond.
package struct ClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Picoseconds since midnight.
    package let picoseconds: Int64

    package init?(picoseconds: Int64) { return nil }
    package init?(hour: Int, minute: Int, second: Int = 0, fraction picoseconds: Int64 = 0) {
        return nil
    }
    /// Nil when `text` is not `HH:MM[:SS[.fraction]]`; 24:00:00 only where allowed.
    package init?(_ text: some StringProtocol, allowsHour24: Bool = false) { return nil }
    package var hour: Int { 0 }
    package var minute: Int { 0 }
    package var second: Int { 0 }
    /// Picoseconds of the second.
    package var fraction: Int64 { 0 }
    /// `HH:MM:SS` and the fraction without trailing zeros.
    package var description: String { "" }
    package static func < (left: ClockTime, right: ClockTime) -> Bool { false }
}
