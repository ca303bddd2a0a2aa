import ODataModel
import ODataSQL

/// How to decode one slot of a row: a few bytes that are read without touching the mapping.
struct SlotCode: Sendable {
    enum Form: UInt8, Sendable {
        case absent, string, integer, boolean, real, scaled, date, instant
        /// Through ``RowLayout/Source``, by the slot's general description.
        case general
    }

    var form = Form.absent
    var isNullable = true
    var scale: UInt8 = 0
    var column: Int32 = 0
    /// The column of the offset; negative without one.
    var offset: Int32 = -1

    init(_ source: RowLayout.Source) {
        switch source {
        case .absent: return
        case .complex: form = .general
        case .column(let column, let isNullable):
            self.column = Int32(truncatingIfNeeded: column.index)
            self.isNullable = isNullable
            offset = column.offsetIndex.map { Int32(truncatingIfNeeded: $0) } ?? -1
            switch column.mapping.encoding {
            case .string: form = .string
            case .integer where column.mapping.range != nil: form = .general
            case .integer, .enumeration: form = .integer
            case .boolean: form = .boolean
            case .real: form = .real
            case .scaledDecimal(let scale):
                form = .scaled
                self.scale = UInt8(truncatingIfNeeded: scale)
            case .date: form = .date
            case .utcDateTime: form = .instant
            default: form = .general
            }
        }
    }
}

/// Reads the usual forms of dates and times from bytes; anything else is left to the general parsers.
enum TimeBytes {
    /// `YYYY-MM-DD` and nothing more.
    static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarDate? {
        guard bytes.count >= 10, bytes[4] == dash, bytes[7] == dash,
            let century = pair(bytes, 0), let year = pair(bytes, 2), let month = pair(bytes, 5),
            let day = pair(bytes, 8)
        else { return nil }
        return CalendarDate(year: century * 100 + year, month: month, day: day)
    }

    /// `YYYY-MM-DDThh:mm:ss` and a fraction, in UTC.
    static func instant(
        _ bytes: UnsafeBufferPointer<UInt8>, offsetMinutes: Int
    ) -> OffsetDateTime? {
        guard bytes.count >= 19, let date = date(bytes), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == colon, bytes[16] == colon, let hour = pair(bytes, 11), hour < 24,
            let minute = pair(bytes, 14), minute < 60, let second = pair(bytes, 17), second < 60,
            let fraction = fraction(bytes)
        else { return nil }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        return OffsetDateTime(
            seconds: seconds, picoseconds: fraction, offsetMinutes: offsetMinutes)
    }

    /// Picoseconds of `.ddd` behind the seconds.
    @inline(__always)
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard bytes.count > 19 else { return 0 }
        guard bytes[19] == UInt8(ascii: "."), bytes.count > 20, bytes.count <= 32 else {
            return nil
        }
        var value: Int64 = 0
        for position in 20..<bytes.count {
            let digit = bytes[position] &- zero
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        for _ in bytes.count..<32 { value &*= 10 }
        return value
    }

    @inline(__always)
    private static func pair(_ bytes: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
        let (high, low) = (bytes[position] &- zero, bytes[position + 1] &- zero)
        guard high < 10, low < 10 else { return nil }
        return Int(high) * 10 + Int(low)
    }

    private static let zero = UInt8(ascii: "0")
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
}
