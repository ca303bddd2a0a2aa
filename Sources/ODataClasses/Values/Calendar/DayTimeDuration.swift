import ODataModel

/// A signed length of time in days, hours, minutes, seconds and nanoseconds (`Edm.Duration`; CSDL 4.01,
/// section 3.3).
///
/// Fields keep the values they were given until ``normalize()``; equality and order are those of the lengths.
open class DayTimeDuration: DataValue, @unchecked Sendable {
    // Immutable.
    /// The length; finer than the nanosecond where it was read so.
    package final let duration: EdmDuration
    /// -1 or 1.
    public final let sign: Int
    /// Not negative.
    public final let days: Int
    /// Not negative.
    public final let hours: Int
    /// Not negative.
    public final let minutes: Int
    /// Not negative.
    public final let seconds: Int
    /// Not negative.
    public final let nanos: Int

    /// The fields in their ranges.
    package init(_ duration: EdmDuration) {
        self.duration = duration
        let (total, picoseconds) = duration.magnitude
        sign = duration.isNegative ? -1 : 1
        days = Int(total / 86_400)
        hours = Int(total / 3600 % 24)
        minutes = Int(total / 60 % 60)
        seconds = Int(total % 60)
        nanos = Int(picoseconds / 1000)
        super.init()
    }

    private init(
        _ sign: Int, _ days: Int, _ hours: Int, _ minutes: Int, _ seconds: Int, _ nanos: Int
    ) {
        self.sign = sign < 0 ? -1 : 1
        (self.days, self.hours, self.minutes) = (max(0, days), max(0, hours), max(0, minutes))
        (self.seconds, self.nanos) = (max(0, seconds), max(0, nanos))
        var total = DecimalNumber.zero
        for (count, unit) in [(self.days, 86_400), (self.hours, 3600), (self.minutes, 60)] {
            total = total + DecimalNumber(Int64(count)) * DecimalNumber(Int64(unit))
        }
        total = total + DecimalNumber(Int64(self.seconds))
        total = total + DecimalNumber(coefficient: Int64(self.nanos), scale: 9)
        let length = EdmDuration(decimalSeconds: sign < 0 ? -total : total)
        duration = length ?? (sign < 0 ? .shortest : .longest)
        super.init()
    }

    package final var scalar: Scalar { .duration(duration) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.dayTimeDuration }

    /// The XML Schema form, normalised.
    open override func toString() -> String { duration.description }

    /// The length of these fields, which are counted as 0 where negative.
    open class func of(
        sign: Int = 1, days: Int = 0, hours: Int = 0, minutes: Int = 0, seconds: Int = 0,
        nanos: Int = 0
    ) -> DayTimeDuration {
        DayTimeDuration(sign, days, hours, minutes, seconds, nanos)
    }

    /// The length of this many seconds; the longest there is when they are more.
    open class func ofDecimal(_ seconds: BigDecimal) -> DayTimeDuration {
        DayTimeDuration(
            EdmDuration(decimalSeconds: seconds.number)
                ?? (seconds.number.signum < 0 ? .shortest : .longest))
    }

    /// The length in seconds.
    open func toDecimal() -> BigDecimal { BigDecimal(duration.decimalSeconds) }

    /// Reads the XML Schema form; nil for other text.
    open class func parse(_ text: String) -> DayTimeDuration? {
        EdmDuration(text).map { DayTimeDuration($0) }
    }

    /// The same length with every field in its range.
    open func normalize() -> DayTimeDuration { DayTimeDuration(duration) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> DayTimeDuration? {
        cast(optional: value, to: DayTimeDuration.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> DayTimeDuration {
        cast(required: value, to: DayTimeDuration.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: DayTimeDuration?, _ right: DayTimeDuration?) -> Bool {
        left == right
    }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: DayTimeDuration, _ right: DayTimeDuration) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}

extension EdmDuration {
    /// The longest length that can be held.
    package static let longest = EdmDuration(seconds: 1 << 62) ?? .zero
    /// The longest negative length that can be held.
    package static let shortest = EdmDuration(seconds: -1 << 62) ?? .zero
}
