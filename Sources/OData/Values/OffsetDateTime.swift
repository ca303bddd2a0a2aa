import Foundation
import ODataModel

/// An instant with the offset it was written in (`Edm.DateTimeOffset`), exact to the picosecond. Equal instants are equal
/// whatever the offset.
public struct OffsetDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    let value: ODataModel.OffsetDateTime

    init(value: ODataModel.OffsetDateTime) { self.value = value }

    /// Reads `2026-03-01T10:15:00+01:00` or the same with `Z`; nil for another text.
    public init?(_ text: String) {
        guard let value = ODataModel.OffsetDateTime(text) else { return nil }
        self.value = value
    }

    /// The instant, to the microsecond, at an offset from UTC of less than a day; nil beyond the years that can be held.
    public init?(_ date: Date, offsetMinutes: Int = 0) {
        let interval = date.timeIntervalSince1970
        let whole = interval.rounded(.down)
        guard whole.magnitude < 1e15 else { return nil }
        let micros = min(999_999, Int64(((interval - whole) * 1e6).rounded()))
        guard
            let value = ODataModel.OffsetDateTime(
                seconds: Int64(whole), picoseconds: micros * 1_000_000, offsetMinutes: offsetMinutes
            )
        else { return nil }
        self.value = value
    }

    /// The instant, to what `Date` holds.
    public var date: Date {
        Date(timeIntervalSince1970: Double(value.seconds) + Double(value.picoseconds) / 1e12)
    }

    /// The minutes that the clock of whoever wrote it is ahead of UTC.
    public var offsetMinutes: Int { Int(value.offsetMinutes) }

    /// ISO 8601, with `Z` for offset 0.
    public var description: String { value.description }

    /// The order of instants.
    public static func < (left: OffsetDateTime, right: OffsetDateTime) -> Bool {
        left.value < right.value
    }
}

extension OffsetDateTime: OrderedFieldValue {
    /// An `Edm.DateTimeOffset`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> OffsetDateTime {
        guard case .dateTimeOffset(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("an OffsetDateTime")
        }
        return OffsetDateTime(value: value)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.dateTimeOffset(value)) }
}
