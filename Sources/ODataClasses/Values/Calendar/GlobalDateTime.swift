import Foundation
import ODataModel

/// An instant, with the offset from Greenwich that it was written in (`Edm.DateTimeOffset`; CSDL 4.01,
/// section 3.3).
///
/// The fields are those of the clock at that offset; equality and order are those of the instants.
open class GlobalDateTime: DataValue, @unchecked Sendable {
    // Immutable.
    package final let instant: OffsetDateTime

    package init(_ instant: OffsetDateTime) {
        self.instant = instant
        super.init()
    }

    package final var scalar: Scalar { .dateTimeOffset(instant) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.globalDateTime }

    /// The XML Schema form.
    open override func toString() -> String { instant.description }

    /// The instant of these fields in Greenwich mean time. Fields out of range are a programming error and trap; see ``parse(_:)``.
    open class func of(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        nano: Int = 0
    ) -> GlobalDateTime {
        let date = LocalDate.of(year: year, month: month, day: day)
        let time = LocalTime.of(hour: hour, minute: minute, second: second, nano: nano)
        return of(date: date, time: time)
    }

    /// The instant of a date and a time in Greenwich mean time.
    open class func of(date: LocalDate, time: LocalTime) -> GlobalDateTime {
        let wall = WallDateTime(date: date.calendarDate, time: time.clockTime)
        guard let instant = OffsetDateTime(wall: wall) else {
            preconditionFailure("Expected a year of at most nine digits.")
        }
        return GlobalDateTime(instant)
    }

    /// Reads the XML Schema form with `Z` or an offset; nil for other text. Hour 24 is read as 24:00:00 only.
    open class func parse(_ text: String) -> GlobalDateTime? {
        OffsetDateTime(text, allowsHour24: true).map { GlobalDateTime($0) }
    }

    /// The instant now, in Greenwich mean time.
    open class func now() -> GlobalDateTime { from(utc: CalendarBridge.currentDate()) }

    /// The value of an instant; instants beyond the calendar become 1970-01-01.
    open class func from(utc: Date) -> GlobalDateTime {
        let parts = CalendarBridge.parts(utc)
        let read = parts.flatMap {
            OffsetDateTime(seconds: $0.seconds, picoseconds: $0.picoseconds)
        }
        return GlobalDateTime(read ?? .epoch)
    }

    /// The instant, to the precision of Foundation.
    open func utc() -> Date {
        CalendarBridge.date(seconds: instant.seconds, picoseconds: instant.picoseconds)
    }

    /// The date at the value's own offset.
    open var date: LocalDate { LocalDate(instant.wall.date) }
    /// The time of day at the value's own offset.
    open var time: LocalTime { LocalTime(instant.wall.time) }

    /// The year; 0 is the year before 1.
    open var year: Int { Int(instant.wall.date.year) }
    /// 1 to 12.
    open var month: Int { Int(instant.wall.date.month) }
    /// 1 to 31.
    open var day: Int { Int(instant.wall.date.day) }
    /// Monday is 1, Sunday is 7.
    open var dayOfWeek: Int { instant.wall.date.dayOfWeek }
    /// 1 to 366.
    open var dayOfYear: Int { instant.wall.date.dayOfYear }

    /// 0 to 23.
    open var hour: Int { instant.wall.time.hour }
    /// 0 to 59.
    open var minute: Int { instant.wall.time.minute }
    /// 0 to 59.
    open var second: Int { instant.wall.time.second }
    /// Nanoseconds of the second; finer digits are cut.
    open var nano: Int { Int(instant.wall.time.fraction / 1000) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> GlobalDateTime? {
        cast(optional: value, to: GlobalDateTime.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> GlobalDateTime {
        cast(required: value, to: GlobalDateTime.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: GlobalDateTime?, _ right: GlobalDateTime?) -> Bool {
        left == right
    }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: GlobalDateTime, _ right: GlobalDateTime) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}
