/// A date of the proleptic Gregorian calendar without zone (`Edm.Date`); years may be negative or beyond 9999.
package struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let year: Int32
    package let month: UInt8
    package let day: UInt8

    package static let yearLimit = 999_999_999

    /// Nil when the month or day does not exist, or the year is beyond ±999,999,999.
    package init?(year: Int, month: Int, day: Int) {
        guard abs(year) <= Self.yearLimit, 1...12 ~= month, day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        self.year = Int32(year)
        self.month = UInt8(month)
        self.day = UInt8(day)
    }

    /// The date this many days after 1970-01-01; nil beyond the years that can be held.
    package init?(daysSince1970 days: Int64) {
        guard abs(days) <= 366 * Int64(Self.yearLimit + 1970) else { return nil }
        // Eras of 400 years that begin on 1 March, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        self.init(
            year: Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month: Int(month),
            day: Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1))
    }

    /// Nil when `text` is not `[-]YYYY-MM-DD`.
    package init?(_ text: some StringProtocol) {
        guard let date = LexicalCursor.readAll(text, { $0.date() }) else { return nil }
        self = date
    }

    package var daysSince1970: Int64 {
        let shiftedYear = Int64(year) - (month <= 2 ? 1 : 0)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let shiftedMonth = (Int64(month) + 9) % 12
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Monday is 1, Sunday is 7.
    package var dayOfWeek: Int {
        // 1970-01-01 was a Thursday.
        let shifted = (daysSince1970 + 3) % 7
        return Int(shifted < 0 ? shifted + 7 : shifted) + 1
    }

    package var dayOfYear: Int {
        (1..<Int(month)).reduce(Int(day)) { $0 + Self.days(inMonth: $1, of: Int(year)) }
    }

    /// At least four digits of the year, as XML Schema writes them.
    package var description: String {
        let sign = year < 0 ? "-" : ""
        return sign + LexicalText.padded(abs(Int(year)), 4) + "-"
            + LexicalText.padded(Int(month), 2) + "-" + LexicalText.padded(Int(day), 2)
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate {
    /// 1970-01-01.
    package static let epoch = CalendarDate(epochYear: 1970)

    private init(epochYear: Int32) {
        year = epochYear
        month = 1
        day = 1
    }
}
