import ODataModel

/// Dates of cookies, in any of the forms that servers have written them (RFC 6265, section 5.1.1):
/// `Thu, 01 May 2031 08:30:00 GMT`, `Thursday, 01-May-31 08:30:00 GMT`, `Thu May  1 08:30:00 2031`.
enum CookieDate {
    /// The instant; nil for a text that lacks a time, a day, a month or a year, and for a day that no calendar has.
    static func secondsSince1970(_ text: String) -> Int64? {
        var (time, day, month, year): (Int64?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = months[name(token)] {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, let year else { return nil }
        let full = year < 70 ? year + 2_000 : year < 100 ? year + 1_900 : year
        guard full >= 1_601,
            let date = CalendarDate(year: full, month: month, day: day)
        else { return nil }
        return date.daysSince1970 * 86_400 + time
    }

    private static let months: [String: Int] = [
        "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
        "oct": 10, "nov": 11, "dec": 12,
    ]

    /// Everything but digits, letters, colons and what is beyond ASCII.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func name(_ token: Substring.UTF8View) -> String {
        String(decoding: token.prefix(3), as: UTF8.self).lowercased()
    }

    /// Hour, minute and second in one or two digits each, whatever stands behind them; nil for anything else.
    private static func clock(_ token: Substring.UTF8View) -> Int64? {
        let parts = token.split(separator: 0x3A, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
            let hour = number(parts[0], digits: 1...2), hour < 24,
            let minute = number(parts[1], digits: 1...2), minute < 60,
            let second = number(parts[2], digits: 1...2), second < 60
        else { return nil }
        return Int64(hour * 3_600 + minute * 60 + second)
    }

    /// The digits at the start of a token; nil when there are more or fewer of them than that.
    private static func number(
        _ token: Substring.UTF8View, digits: ClosedRange<Int>
    ) -> Int? {
        let found = token.prefix { (48...57).contains($0) }
        guard digits.contains(found.count) else { return nil }
        return Int(String(decoding: found, as: UTF8.self))
    }
}
