import ODataModel
import ODataWorld

/// The date of a message as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Nil for a year that has not four digits.
    package static func text(_ instant: Instant) -> String? {
        let (day, second) = instant.seconds.flooredQuotientAndRemainder(by: 86_400)
        guard let date = CalendarDate(daysSince1970: day), (0...9_999).contains(date.year) else {
            return nil
        }
        // The first day of 1970 was a Thursday.
        let weekday = days[Int(day.flooredQuotientAndRemainder(by: 7).remainder)]
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, 2) }
        return weekday + ", " + padded(Int64(date.day), 2) + " " + months[Int(date.month) - 1] + " "
            + padded(Int64(date.year), 4) + " " + clock.joined(separator: ":") + " GMT"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    fileprivate func flooredQuotientAndRemainder(
        by divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
