/// An instant with the offset it was written in (`Edm.DateTimeOffset`); equal instants are equal whatever the offset.
package struct OffsetDateTime: Sendable, Comparable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12.
    package let picoseconds: Int64
    package let offsetMinutes: Int16

    package init?(seconds: Int64, picoseconds: Int64 = 0, offsetMinutes: Int = 0) { return nil }
    /// Nil when `text` is not `date T time (Z | ±HH:MM)`.
    package init?(_ text: some StringProtocol) { return nil }
    /// Reads ``utcText``.
    package init?(utcText: some StringProtocol, offsetMinutes: Int = 0) { return nil }
    /// The clock on the wall at the offset.
    package var wall: WallDateTime { WallDateTime(seconds: 0, picoseconds: 0) }
    /// UTC without `Z`, the fraction without trailing zeros: what the store orders by.
    package var utcText: String { "" }
    /// With `Z` for offset 0.
    package var description: String { "" }
    package static func < (left: OffsetDateTime, right: OffsetDateTime) -> Bool { false }
}
extension OffsetDateTime: Hashable {}
