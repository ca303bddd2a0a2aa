import ODataModel

/// The numbers of the days of a week.
public enum DayOfWeek {
    /// Monday.
    public static let monday = 1
    /// Tuesday.
    public static let tuesday = 2
    /// Wednesday.
    public static let wednesday = 3
    /// Thursday.
    public static let thursday = 4
    /// Friday.
    public static let friday = 5
    /// Saturday.
    public static let saturday = 6
    /// Sunday.
    public static let sunday = 7
}

/// The numbers of the months of a year.
public enum MonthOfYear {
    /// January.
    public static let january = 1
    /// February.
    public static let february = 2
    /// March.
    public static let march = 3
    /// April.
    public static let april = 4
    /// May.
    public static let may = 5
    /// June.
    public static let june = 6
    /// July.
    public static let july = 7
    /// August.
    public static let august = 8
    /// September.
    public static let september = 9
    /// October.
    public static let october = 10
    /// November.
    public static let november = 11
    /// December.
    public static let december = 12
}
