/// Dates of HTTP headers (RFC 9110, section 5.6.7): `Thu, 01 May 2031 08:30:00 GMT`.
package enum HTTPDate {
    /// The IMF-fixdate of an instant; years outside of 0 to 9999 are held at the nearest of these.
    package static func text(secondsSince1970: Int64) -> String {
        let seconds = min(max(secondsSince1970, firstSecond), lastSecond)
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let second = Int(seconds) - days * 86_400
        let date = civil(days)
        let weekday = weekdays[((days + 4) % 7 + 7) % 7]
        return "\(weekday), \(pad(date.day, 2)) \(months[date.month - 1]) \(pad(date.year, 4)) "
            + "\(pad(second / 3_600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2)) GMT"
    }

    /// The instant of an IMF-fixdate; nil for any other text, a wrong weekday included.
    package static func secondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29 else { return nil }
        let field = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        let number = { (range: Range<Int>) -> Int? in
            bytes[range].allSatisfy { (48...57).contains($0) } ? Int(field(range)) : nil
        }
        guard let day = number(5..<7), let month = months.firstIndex(of: field(8..<11)),
            let year = number(12..<16), let hour = number(17..<19), let minute = number(20..<22),
            let second = number(23..<25), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        let seconds = Int64(days * 86_400 + hour * 3_600 + minute * 60 + min(second, 59))
        let canonical = self.text(secondsSince1970: seconds)
        let isSame = canonical.utf8.elementsEqual(bytes) || second == 60
        return isSame ? seconds : nil
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let firstSecond: Int64 = -62_167_219_200
    private static let lastSecond: Int64 = 253_402_300_799

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// The Gregorian date of a day number, counted in eras of 400 years that begin in March.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
