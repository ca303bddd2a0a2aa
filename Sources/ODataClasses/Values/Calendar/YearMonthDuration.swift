import ODataModel

/// A signed length of time in years and months (XML Schema `yearMonthDuration`); no Edm type holds one.
///
/// Fields keep the values they were given; equality and order are those of the lengths.
open class YearMonthDuration: DataValue, @unchecked Sendable {
    // Immutable.
    /// -1 or 1.
    public final let sign: Int
    /// Not negative.
    public final let years: Int
    /// Not negative.
    public final let months: Int

    private static let limit = Int(Int32.max)

    private init(_ sign: Int, _ years: Int, _ months: Int) {
        self.sign = sign < 0 ? -1 : 1
        self.years = Swift.min(max(0, years), Self.limit)
        self.months = Swift.min(max(0, months), Self.limit)
        super.init()
    }

    /// The length of these fields, which are counted as 0 where negative.
    open class func of(sign: Int = 1, years: Int = 0, months: Int = 0) -> YearMonthDuration {
        YearMonthDuration(sign, years, months)
    }

    /// Reads the XML Schema form (`P1Y6M`, `-P18M`); nil for other text.
    open class func parse(_ text: String) -> YearMonthDuration? {
        MonthsLexical.read(text).map { YearMonthDuration($0.sign, $0.years, $0.months) }
    }

    /// The length in months.
    package final var totalMonths: Int { sign * (years * 12 + months) }

    /// The same length with fewer than twelve months beside the years.
    open func normalize() -> YearMonthDuration {
        let total = abs(totalMonths)
        return YearMonthDuration(sign, total / 12, total % 12)
    }

    /// The type of this value.
    open override var dataType: DataType { BasicType.yearMonthDuration }

    /// The XML Schema form, normalised.
    open override func toString() -> String {
        let total = abs(totalMonths)
        let (years, months) = (total / 12, total % 12)
        let sign = totalMonths < 0 ? "-" : ""
        if years == 0 { return "\(sign)P\(months)M" }
        return months == 0 ? "\(sign)P\(years)Y" : "\(sign)P\(years)Y\(months)M"
    }

    /// Equal to a duration of the same length.
    open override func equals(_ other: AnyObject?) -> Bool {
        totalMonths == (other as? YearMonthDuration)?.totalMonths
    }

    /// Equal lengths hash alike.
    open override func hash(into hasher: inout Hasher) { hasher.combine(totalMonths) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> YearMonthDuration? {
        cast(optional: value, to: YearMonthDuration.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> YearMonthDuration {
        cast(required: value, to: YearMonthDuration.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: YearMonthDuration?, _ right: YearMonthDuration?) -> Bool {
        left == right
    }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    open class func compare(_ left: YearMonthDuration, _ right: YearMonthDuration) -> Int {
        (left.totalMonths - right.totalMonths).signum()
    }
}

/// A list of durations in years and months.
open class YearMonthDurationList: ValueList<YearMonthDuration>, @unchecked Sendable {
    /// The list type.
    open override var dataType: DataType { DataType.listOf(BasicType.yearMonthDuration) }
}
