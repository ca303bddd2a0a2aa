import Foundation
import ODataModel

/// A date without zone (`Edm.Date`; CSDL 4.01, section 3.3).
open class LocalDate: DataValue, @unchecked Sendable {
    // Immutable.
    package final let calendarDate: CalendarDate

    package init(_ calendarDate: CalendarDate) {
        self.calendarDate = calendarDate
        super.init()
    }

    package final var scalar: Scalar { .date(calendarDate) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.localDate }

    /// The XML Schema form.
    open override func toString() -> String { calendarDate.description }

    /// The date of these fields. A date that does not exist is a programming error and traps; see ``parse(_:)``.
    open class func of(year: Int, month: Int, day: Int) -> LocalDate {
        guard let date = CalendarDate(year: year, month: month, day: day) else {
            preconditionFailure("Expected a month of 1 to 12 and a day of that month.")
        }
        return LocalDate(date)
    }

    /// Reads the XML Schema form; nil for other text.
    open class func parse(_ text: String) -> LocalDate? { CalendarDate(text).map { LocalDate($0) } }

    /// The date now, in Greenwich mean time.
    open class func now() -> LocalDate { from(utc: CalendarBridge.currentDate()) }

    /// The date that a calendar in the zone shows at an instant.
    open class func from(utc: Date, in timeZone: TimeZone = .gmt) -> LocalDate {
        LocalDate(CalendarBridge.wall(utc, in: timeZone)?.date ?? .epoch)
    }

    /// The instant at which the date begins in the zone.
    open func utc(from timeZone: TimeZone = .gmt) -> Date? {
        CalendarBridge.date(WallDateTime(date: calendarDate, time: .midnight), from: timeZone)
    }

    /// The year; 0 is the year before 1.
    open var year: Int { Int(calendarDate.year) }
    /// 1 to 12.
    open var month: Int { Int(calendarDate.month) }
    /// 1 to 31.
    open var day: Int { Int(calendarDate.day) }
    /// Monday is 1, Sunday is 7.
    open var dayOfWeek: Int { calendarDate.dayOfWeek }
    /// 1 to 366.
    open var dayOfYear: Int { calendarDate.dayOfYear }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> LocalDate? {
        cast(optional: value, to: LocalDate.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> LocalDate {
        cast(required: value, to: LocalDate.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: LocalDate?, _ right: LocalDate?) -> Bool { left == right }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: LocalDate, _ right: LocalDate) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}
