import Foundation
import ODataModel

/// A time of day without zone (`Edm.TimeOfDay`, V2 `Edm.Time`; CSDL 4.01, section 3.3).
open class LocalTime: DataValue, @unchecked Sendable {
    // Immutable.
    package final let clockTime: ClockTime

    package init(_ clockTime: ClockTime) {
        self.clockTime = clockTime
        super.init()
    }

    package final var scalar: Scalar { .timeOfDay(clockTime) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.localTime }

    /// The XML Schema form.
    open override func toString() -> String { clockTime.description }

    /// The time of these fields. Fields out of range are a programming error and trap; see ``parse(_:)``.
    open class func of(hour: Int, minute: Int = 0, second: Int = 0, nano: Int = 0) -> LocalTime {
        guard
            let time = ClockTime(
                hour: hour, minute: minute, second: second,
                fraction: Int64(clamping: nano.multipliedReportingOverflow(by: 1000).partialValue))
        else { preconditionFailure("Expected fields of a time of day.") }
        return LocalTime(time)
    }

    /// Reads the XML Schema form; nil for other text. Hour 24 is read as 24:00:00 only.
    open class func parse(_ text: String) -> LocalTime? {
        ClockTime(text, allowsHour24: true).map { LocalTime($0) }
    }

    /// The time of day now, in Greenwich mean time.
    open class func now() -> LocalTime { from(utc: CalendarBridge.currentDate()) }

    /// The time that a clock in the zone shows at an instant.
    open class func from(utc: Date, in timeZone: TimeZone = .gmt) -> LocalTime {
        LocalTime(CalendarBridge.wall(utc, in: timeZone)?.time ?? .midnight)
    }

    /// The instant of this time on 1970-01-01 in the zone.
    open func utc(from timeZone: TimeZone = .gmt) -> Date? {
        CalendarBridge.date(WallDateTime(date: .epoch, time: clockTime), from: timeZone)
    }

    /// 0 to 23.
    open var hour: Int { clockTime.hour }
    /// 0 to 59.
    open var minute: Int { clockTime.minute }
    /// 0 to 59.
    open var second: Int { clockTime.second }
    /// Nanoseconds of the second; finer digits are cut.
    open var nano: Int { Int(clockTime.fraction / 1000) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> LocalTime? {
        cast(optional: value, to: LocalTime.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> LocalTime {
        cast(required: value, to: LocalTime.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: LocalTime?, _ right: LocalTime?) -> Bool { left == right }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: LocalTime, _ right: LocalTime) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}
