import Foundation
import ODataModel

/// A date and time without zone (V2 `Edm.DateTime`).
open class LocalDateTime: DataValue, @unchecked Sendable {
    // Immutable.
    package final let wallDateTime: WallDateTime

    package init(_ wallDateTime: WallDateTime) {
        self.wallDateTime = wallDateTime
        super.init()
    }

    package final var scalar: Scalar { .dateTime(wallDateTime) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.localDateTime }

    /// The XML Schema form.
    open override func toString() -> String { wallDateTime.description }

    /// The moment of these fields. Fields out of range are a programming error and trap; see ``parse(_:)``.
    open class func of(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        nano: Int = 0
    ) -> LocalDateTime {
        let date = LocalDate.of(year: year, month: month, day: day)
        let time = LocalTime.of(hour: hour, minute: minute, second: second, nano: nano)
        return of(date: date, time: time)
    }

    /// The moment of a date and a time; 24:00:00 is midnight of the next day.
    open class func of(date: LocalDate, time: LocalTime) -> LocalDateTime {
        LocalDateTime(WallDateTime(date: date.calendarDate, time: time.clockTime))
    }

    /// Reads the XML Schema form; nil for other text. Hour 24 is read as 24:00:00 only.
    open class func parse(_ text: String) -> LocalDateTime? {
        WallDateTime(text, allowsHour24: true).map { LocalDateTime($0) }
    }

    /// The moment now, in Greenwich mean time.
    open class func now() -> LocalDateTime { from(utc: CalendarBridge.currentDate()) }

    /// What calendar and clock in the zone show at an instant.
    open class func from(utc: Date, in timeZone: TimeZone = .gmt) -> LocalDateTime {
        LocalDateTime(
            CalendarBridge.wall(utc, in: timeZone) ?? WallDateTime(date: .epoch, time: .midnight))
    }

    /// The instant at which calendar and clock in the zone show this moment.
    open func utc(from timeZone: TimeZone = .gmt) -> Date? {
        CalendarBridge.date(wallDateTime, from: timeZone)
    }

    /// The date.
    open var date: LocalDate { LocalDate(wallDateTime.date) }
    /// The time of day.
    open var time: LocalTime { LocalTime(wallDateTime.time) }

    /// The year; 0 is the year before 1.
    open var year: Int { Int(wallDateTime.date.year) }
    /// 1 to 12.
    open var month: Int { Int(wallDateTime.date.month) }
    /// 1 to 31.
    open var day: Int { Int(wallDateTime.date.day) }
    /// Monday is 1, Sunday is 7.
    open var dayOfWeek: Int { wallDateTime.date.dayOfWeek }
    /// 1 to 366.
    open var dayOfYear: Int { wallDateTime.date.dayOfYear }

    /// 0 to 23.
    open var hour: Int { wallDateTime.time.hour }
    /// 0 to 59.
    open var minute: Int { wallDateTime.time.minute }
    /// 0 to 59.
    open var second: Int { wallDateTime.time.second }
    /// Nanoseconds of the second; finer digits are cut.
    open var nano: Int { Int(wallDateTime.time.fraction / 1000) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> LocalDateTime? {
        cast(optional: value, to: LocalDateTime.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> LocalDateTime {
        cast(required: value, to: LocalDateTime.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: LocalDateTime?, _ right: LocalDateTime?) -> Bool { left == right }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: LocalDateTime, _ right: LocalDateTime) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}
