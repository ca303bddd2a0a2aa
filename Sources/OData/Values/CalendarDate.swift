import ODataModel

/// A date without a time or a zone (`Edm.Date`).
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    let value: ODataModel.CalendarDate

    init(value: ODataModel.CalendarDate) { self.value = value }

    /// Nil for a day that is in no calendar.
    public init?(year: Int, month: Int, day: Int) {
        guard let value = ODataModel.CalendarDate(year: year, month: month, day: day) else {
            return nil
        }
        self.value = value
    }

    /// Reads `2026-03-01`; nil for another text.
    public init?(_ text: String) {
        guard let value = ODataModel.CalendarDate(text) else { return nil }
        self.value = value
    }

    /// The year.
    public var year: Int { Int(value.year) }
    /// 1 to 12.
    public var month: Int { Int(value.month) }
    /// 1 to 31.
    public var day: Int { Int(value.day) }

    /// `YYYY-MM-DD`.
    public var description: String { value.description }

    /// The order of days.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.value < right.value
    }
}

extension CalendarDate: OrderedFieldValue {
    /// An `Edm.Date`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> CalendarDate {
        guard case .date(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a CalendarDate")
        }
        return CalendarDate(value: value)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.date(value)) }
}

/// A time of day without a zone (`Edm.TimeOfDay`, V2 `Edm.Time`), exact to the picosecond.
public struct ClockTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    let value: ODataModel.ClockTime

    init(value: ODataModel.ClockTime) { self.value = value }

    /// Nil for a time that no clock shows.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard let value = ODataModel.ClockTime(hour: hour, minute: minute, second: second) else {
            return nil
        }
        self.value = value
    }

    /// Reads `08:30:00` or the same without seconds; nil for another text.
    public init?(_ text: String) {
        guard let value = ODataModel.ClockTime(text) else { return nil }
        self.value = value
    }

    /// The hour.
    public var hour: Int { value.hour }
    /// The minute of the hour.
    public var minute: Int { value.minute }
    /// The second of the minute.
    public var second: Int { value.second }

    /// `HH:MM:SS` and the fraction.
    public var description: String { value.description }

    /// The order within a day.
    public static func < (left: ClockTime, right: ClockTime) -> Bool { left.value < right.value }
}

extension ClockTime: OrderedFieldValue {
    /// An `Edm.TimeOfDay` or `Edm.Time`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> ClockTime {
        guard case .timeOfDay(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a ClockTime")
        }
        return ClockTime(value: value)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.timeOfDay(value)) }
}

/// A date and time without a zone (V2 `Edm.DateTime`): what a clock on the wall shows.
public struct WallDateTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    let value: ODataModel.WallDateTime

    init(value: ODataModel.WallDateTime) { self.value = value }

    /// What calendar and clock show.
    public init(date: CalendarDate, time: ClockTime) {
        value = ODataModel.WallDateTime(date: date.value, time: time.value)
    }

    /// The date.
    public var date: CalendarDate { CalendarDate(value: value.date) }
    /// The time of day.
    public var time: ClockTime { ClockTime(value: value.time) }

    /// ISO 8601 without an offset.
    public var description: String { value.description }

    /// The order on one and the same wall.
    public static func < (left: WallDateTime, right: WallDateTime) -> Bool {
        left.value < right.value
    }
}

extension WallDateTime: OrderedFieldValue {
    /// A V2 `Edm.DateTime`.
    ///
    /// - Throws: `wrongType` for another.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> WallDateTime {
        guard case .dateTime(let value) = try stored.scalar() else {
            throw StoredValue.mismatch("a WallDateTime")
        }
        return WallDateTime(value: value)
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue { StoredValue(.dateTime(value)) }
}
