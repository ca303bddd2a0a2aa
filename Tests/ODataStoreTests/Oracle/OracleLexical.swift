import Foundation
import ODataModel

/// Values read from and written as the literals of payloads (JSON Format 4.01, section 7.1).
enum OracleLexical {
    // MARK: Reading

    static func whole(_ text: String, _ range: ClosedRange<Int64>) -> Int64? {
        guard isNumber(text, fraction: false, exponent: false), let value = Int64(text) else {
            return nil
        }
        return range.contains(value) ? value : nil
    }

    static func decimal(_ text: String) -> DecimalNumber? {
        isNumber(text, fraction: true, exponent: false) ? DecimalNumber(text) : nil
    }

    static func real(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "INF": .infinity
        case "-INF": -.infinity
        default: isNumber(text, fraction: true, exponent: true) ? Double(text) : nil
        }
    }

    /// `[sign] digits [. digits] [e [sign] digits]`
    private static func isNumber(_ text: String, fraction: Bool, exponent: Bool) -> Bool {
        var rest = Array(text.utf8)[...]
        func digits() -> Bool {
            let before = rest.count
            while let byte = rest.first, 48...57 ~= byte { rest.removeFirst() }
            return rest.count < before
        }
        func sign() { if let byte = rest.first, byte == 43 || byte == 45 { rest.removeFirst() } }
        sign()
        guard digits() else { return false }
        if fraction, rest.first == 46 {
            rest.removeFirst()
            guard digits() else { return false }
        }
        if exponent, let byte = rest.first, byte == 101 || byte == 69 {
            rest.removeFirst()
            sign()
            guard digits() else { return false }
        }
        return rest.isEmpty
    }

    /// `YYYY-MM-DD`
    static func day(_ text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, let year = digits(parts[0], 4),
            let month = digits(parts[1], 2), let day = digits(parts[2], 2), 1...12 ~= month,
            day >= 1, day <= lengths[Int(month) - 1] + (month == 2 && isLeap(year) ? 1 : 0)
        else { return nil }
        return days(year, month, day)
    }

    /// `hh:mm:ss[.f]`
    static func clock(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = digits(parts[0], 2), let minute = digits(parts[1], 2),
            let second = digits(parts[2].prefix(2), 2), hour < 24, minute < 60, second < 60,
            let fraction = fraction(parts[2].dropFirst(2))
        else { return nil }
        return (hour * 3_600 + minute * 60 + second) * 1_000_000_000_000 + fraction
    }

    /// `dateThh:mm:ss[.f](Z|±hh:mm)`
    static func instant(_ text: String) -> OracleValue? {
        guard text.utf8.count > 19, let day = day(String(text.prefix(10))) else { return nil }
        var rest = text.dropFirst(11)
        var offset: Int64 = 0
        if rest.last == "Z" {
            rest.removeLast()
        } else {
            let zone = rest.suffix(6)
            guard let hours = digits(zone.dropFirst().prefix(2), 2),
                let minutes = digits(zone.suffix(2), 2)
            else { return nil }
            offset = (hours * 60 + minutes) * (zone.first == "-" ? -1 : 1)
            rest.removeLast(6)
        }
        guard let clock = clock(rest) else { return nil }
        let wall = Int128(day) * OracleValue.dayLength + Int128(clock)
        return .instant(wall - Int128(offset) * 60 * OracleValue.second, offset: Int(offset))
    }

    /// `[-]PnDTnHnMn.nS`
    static func span(_ text: String) -> Int128? {
        let isNegative = text.hasPrefix("-")
        var total: Int128 = 0
        var isTime = false
        var number = ""
        for character in isNegative ? text.dropFirst(2) : text.dropFirst(1) {
            switch character {
            case "T": isTime = true
            case "D": total += Int128(Int64(number) ?? 0) * OracleValue.dayLength
            case "H": total += Int128(Int64(number) ?? 0) * 3_600 * OracleValue.second
            case "M" where isTime: total += Int128(Int64(number) ?? 0) * 60 * OracleValue.second
            case "S":
                let parts = number.split(separator: ".")
                total += Int128(parts.first.flatMap { Int64($0) } ?? 0) * OracleValue.second
                if parts.count > 1 { total += Int128(fraction("." + parts[1]) ?? 0) }
            default:
                number.append(character)
                continue
            }
            number = ""
        }
        return isNegative ? -total : total
    }

    private static func digits(_ text: some StringProtocol, _ count: Int) -> Int64? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int64(text)
    }

    /// Empty or `.f`, in picoseconds.
    private static func fraction(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty else { return 0 }
        let digits = text.dropFirst()
        guard text.first == ".", 1...12 ~= digits.utf8.count,
            digits.utf8.allSatisfy({ 48...57 ~= $0 })
        else { return nil }
        return Int64(digits + String(repeating: "0", count: 12 - digits.utf8.count))
    }

    // MARK: Calendar

    private static let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days since 1970 in the proleptic Gregorian calendar, counted in years that begin in March.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let y = month < 3 ? year - 1 : year
        let century = floor(y, 400)
        let rest = y - century * 400
        let inYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return century * 146_097 + rest * 365 + rest / 4 - rest / 100 + inYear - 719_468
    }

    static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let inEra = shifted - era * 146_097
        let year = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * year + year / 4 - year / 100)
        let index = (5 * inYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (
            year + era * 400 + (month < 3 ? 1 : 0), month, inYear - (153 * index + 2) / 5 + 1
        )
    }

    static func floor<Number: FixedWidthInteger & SignedInteger>(
        _ value: Number, _ unit: Number
    ) -> Number {
        value >= 0 ? value / unit : -((-value + unit - 1) / unit)
    }

    // MARK: Writing

    static func text(_ value: OracleValue) -> String {
        switch value {
        case .null: return "null"
        case .truth(let value): return value ? "true" : "false"
        case .whole(let value), .flags(let value): return String(value)
        case .decimal(let value): return value.description
        case .real(let value): return text(value)
        case .text(let value), .guid(let value): return value
        case .bytes(let value): return Data(value).base64EncodedString()
        case .day(let value): return dayText(value)
        case .clock(let value): return clockText(value)
        case .instant(let value, let offset):
            let wall = value + Int128(offset) * 60 * OracleValue.second
            let day = floor(wall, OracleValue.dayLength)
            let zone =
                offset == 0
                ? "Z"
                : (offset < 0 ? "-" : "+") + two(Int64(abs(offset) / 60)) + ":"
                    + two(Int64(abs(offset) % 60))
            return dayText(Int64(day)) + "T"
                + clockText(Int64(wall - day * OracleValue.dayLength)) + zone
        case .span(let value):
            let size = value.magnitude
            return (value < 0 ? "-PT" : "PT") + String(size / 1_000_000_000_000)
                + fractionText(Int64(size % 1_000_000_000_000)) + "S"
        case .list(let members): return "[\(members.map(text).joined(separator: ", "))]"
        case .record(let members):
            let parts = members.sorted { $0.key < $1.key }
            return "{\(parts.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
        case .shape(let shape): return shape.json
        case .row(let row): return "\(row.type)\(row.key)"
        }
    }

    private static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-INF" : "INF" }
        return value.description.replacing("+", with: "")
    }

    private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : String(value) }

    private static func dayText(_ value: Int64) -> String {
        let (year, month, day) = date(value)
        let digits = String(abs(year))
        return (year < 0 ? "-" : "") + String(repeating: "0", count: max(0, 4 - digits.count))
            + digits + "-" + two(month) + "-" + two(day)
    }

    private static func clockText(_ value: Int64) -> String {
        let seconds = value / 1_000_000_000_000
        return two(seconds / 3_600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60)
            + fractionText(value % 1_000_000_000_000)
    }

    private static func fractionText(_ value: Int64) -> String {
        guard value > 0 else { return "" }
        let digits = String(value)
        var text = String(repeating: "0", count: 12 - digits.count) + digits
        while text.last == "0" { text.removeLast() }
        return "." + text
    }
}
