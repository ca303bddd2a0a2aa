import ODataQuery

/// The codes of the canonical functions.
public enum QueryFunctionCode {
    /// The function `concat`.
    public static let concat = 1
    /// The function `contains`.
    public static let contains = 2
    /// The function `endsWith`.
    public static let endsWith = 3
    /// The function `indexOf`.
    public static let indexOf = 4
    /// The function `length`.
    public static let stringLength = 5
    /// The function `startsWith`.
    public static let startsWith = 6
    /// The function `substring`.
    public static let substring = 7
    /// The function `matchesPattern`.
    public static let matchesPattern = 8
    /// The function `toLower`.
    public static let toLower = 9
    /// The function `toUpper`.
    public static let toUpper = 10
    /// The function `trim`.
    public static let trim = 11
    /// The function `replace`.
    public static let replace = 12
    /// The function `hasSubset`.
    public static let hasSubset = 13
    /// The function `hasSubsequence`.
    public static let hasSubsequence = 14
    /// The function `year`.
    public static let year = 15
    /// The function `month`.
    public static let month = 16
    /// The function `day`.
    public static let day = 17
    /// The function `hour`.
    public static let hour = 18
    /// The function `minute`.
    public static let minute = 19
    /// The function `second`.
    public static let second = 20
    /// The function `fractionalSeconds`.
    public static let fractionalSeconds = 21
    /// The function `date`.
    public static let date = 22
    /// The function `time`.
    public static let time = 23
    /// The function `totalOffsetMinutes`.
    public static let totalOffsetMinutes = 24
    /// The function `totalSeconds`.
    public static let totalSeconds = 25
    /// The function `now`.
    public static let now = 26
    /// The function `minDateTime`.
    public static let minDateTime = 27
    /// The function `maxDateTime`.
    public static let maxDateTime = 28
    /// The function `ceiling`.
    public static let ceiling = 29
    /// The function `floor`.
    public static let floor = 30
    /// The function `round`.
    public static let round = 31
    /// The function `geoDistance`.
    public static let geoDistance = 32
    /// The function `geoIntersects`.
    public static let geoIntersects = 33
    /// The function `geoLength`.
    public static let geoLength = 34
    /// The function `case`.
    public static let `case` = 35
    /// The function `isDefined`.
    public static let isDefined = 36
}
