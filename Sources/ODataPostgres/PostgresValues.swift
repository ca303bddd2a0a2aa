import CLibPQ
import ODataModel
import ODataSQL

/// Values as PostgreSQL sends them: in binary, because numbers need no parsing then, bytes half the room, and a text no
/// end mark. Each becomes what the same value is in SQLite; dates and times become the text that our columns hold.
enum PostgresValues {
    /// - Parameter type: its number in `pg_type`, that of the base type for a domain.
    /// - Throws: `unreadable` for a type that is not read here, which a statement has to cast.
    static func value(_ bytes: UnsafeRawBufferPointer, type: Oid) throws(PostgresError)
        -> SQLArgument
    {
        switch type {
        case 16: return .integer(integer(bytes) == 0 ? 0 : 1)
        case 20, 21, 23: return .integer(integer(bytes))
        case 26: return .integer(Int64(UInt32(truncatingIfNeeded: integer(bytes))))
        case 700: return real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: integer(bytes)))))
        case 701: return real(Double(bitPattern: UInt64(bitPattern: integer(bytes))))
        case 17: return .blob(Array(bytes))
        case 18, 19, 25, 114, 1042, 1043, 705:
            return .text(String(decoding: bytes, as: UTF8.self))
        case 1700: return .text(try PostgresNumeric.text(bytes))
        case 2950: return .text(guid(bytes))
        case 1082: return .text(day(integer(bytes)))
        case 1083: return .text(time(integer(bytes)))
        case 1114, 1184: return .text(instant(integer(bytes)))
        case 2278: return .null
        default:
            throw PostgresError(
                .unreadable, "Expected a value of a type that is read here, found type \(type).")
        }
    }

    /// A number of 1 to 8 bytes, the highest first.
    static func integer(_ bytes: some Sequence<UInt8>) -> Int64 {
        var (number, count) = (Int64(0), Int64(0))
        for byte in bytes {
            number = number << 8 | Int64(byte)
            count += 1
        }
        guard count < 8, count > 0 else { return number }
        let unused = 64 - count * 8
        return (number << unused) >> unused
    }

    /// NaN and infinities as texts, as in SQLite.
    private static func real(_ value: Double) -> SQLArgument {
        if value.isNaN { return .text("NaN") }
        if value.isInfinite { return .text(value < 0 ? "-INF" : "INF") }
        return .real(value)
    }

    private static func guid(_ bytes: UnsafeRawBufferPointer) -> String {
        Guid(bytes: Array(bytes))?.description ?? ""
    }

    /// UTC, without `Z`; the server's two infinities have names, which no column of OData holds.
    private static func instant(_ microseconds: Int64) -> String {
        if microseconds == .max { return "infinity" }
        if microseconds == .min { return "-infinity" }
        var seconds = microseconds / 1_000_000
        var rest = microseconds % 1_000_000
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000) }
        return OffsetDateTime(
            seconds: seconds + secondsTo2000, picoseconds: rest * 1_000_000)?.utcText ?? "beyond"
    }

    private static func day(_ days: Int64) -> String {
        if days == Int64(Int32.max) { return "infinity" }
        if days == Int64(Int32.min) { return "-infinity" }
        let text = OffsetDateTime(seconds: secondsTo2000 + days * 86_400)?.utcText
        return text.map { String($0.prefix { $0 != "T" }) } ?? "beyond"
    }

    private static func time(_ microseconds: Int64) -> String {
        guard microseconds < 86_400_000_000 else { return "24:00:00" }
        let text = instant(microseconds)
        return String(text.drop { $0 != "T" }.dropFirst())
    }

    /// 2000-01-01, from where PostgreSQL counts, in seconds since 1970.
    private static let secondsTo2000: Int64 = 946_684_800
}

/// `numeric` in binary: digits to the base of 10,000 with the place of the first, and how many decimal places are shown.
enum PostgresNumeric {
    static func text(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) -> String {
        guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { throw unreadable }
        func word(_ position: Int) -> Int {
            Int(PostgresValues.integer(bytes[position * 2..<position * 2 + 2]))
        }
        let (count, weight, sign, scale) = (word(0), word(1), word(2) & 0xFFFF, word(3))
        switch sign {
        case 0xC000: return "NaN"
        case 0xD000: return "INF"
        case 0xF000: return "-INF"
        default: break
        }
        guard bytes.count == 8 + count * 2, scale >= 0 else { throw unreadable }
        /// The digit of this weight, as four characters.
        func group(_ place: Int) -> String {
            let position = weight - place
            let digit = position >= 0 && position < count ? word(4 + position) : 0
            return String(repeating: "0", count: max(0, 4 - String(digit).count)) + String(digit)
        }
        var whole = weight < 0 ? "0" : (0...weight).reversed().map(group).joined()
        whole = String(whole.drop { $0 == "0" })
        var text = (sign == 0x4000 ? "-" : "") + (whole.isEmpty ? "0" : whole)
        guard scale > 0 else { return text }
        let groups = (scale + 3) / 4
        let fraction = (1...groups).map { group(-$0) }.joined()
        text += "." + fraction.prefix(scale)
        return text
    }

    private static let unreadable = PostgresError(
        .unreadable, "Expected a numeric of PostgreSQL, found other bytes.")
}
