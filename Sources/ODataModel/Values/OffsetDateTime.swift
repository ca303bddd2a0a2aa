/// An instant with the offset it was written in (`Edm.DateTimeOffset`); equal instants are equal whatever the offset.
package struct OffsetDateTime: Sendable, Comparable, CustomStringConvertible {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    package let seconds: Int64
    /// 0 ..< 10^12.
    package let picoseconds: Int64
    package let offsetMinutes: Int16

    /// Nil beyond the years or offsets (a day) that can be held.
    package init?(seconds: Int64, picoseconds: Int64 = 0, offsetMinutes: Int = 0) {
        guard abs(offsetMinutes) < 1440,
            WallDateTime(seconds: seconds, picoseconds: picoseconds) != nil,
            WallDateTime(seconds: seconds + Int64(offsetMinutes) * 60) != nil
        else { return nil }
        self.seconds = seconds
        self.picoseconds = picoseconds
        self.offsetMinutes = Int16(offsetMinutes)
    }

    /// The instant at which a clock on the wall at this offset shows `wall`.
    package init?(wall: WallDateTime, offsetMinutes: Int = 0) {
        self.init(
            seconds: wall.seconds - Int64(offsetMinutes) * 60, picoseconds: wall.picoseconds,
            offsetMinutes: offsetMinutes)
    }

    /// Nil when `text` is not `date T time (Z | ±HH:MM)`.
    package init?(_ text: some StringProtocol, allowsHour24: Bool = false) {
        let read = LexicalCursor.readAll(text) { cursor -> OffsetDateTime? in
            guard let date = cursor.date(), cursor.takeLetter("t"),
                let time = cursor.time(allowsHour24: allowsHour24), let offset = cursor.offset()
            else { return nil }
            return OffsetDateTime(
                wall: WallDateTime(date: date, time: time), offsetMinutes: offset)
        }
        guard let read else { return nil }
        self = read
    }

    /// Reads ``utcText``.
    package init?(utcText: some StringProtocol, offsetMinutes: Int = 0) {
        guard let utc = WallDateTime(utcText) else { return nil }
        self.init(
            seconds: utc.seconds, picoseconds: utc.picoseconds, offsetMinutes: offsetMinutes)
    }

    private var utc: WallDateTime {
        // Construction checked that the seconds can be held.
        WallDateTime(seconds: seconds, picoseconds: picoseconds)
            ?? WallDateTime(date: .epoch, time: .midnight)
    }

    /// The clock on the wall at the offset.
    package var wall: WallDateTime {
        WallDateTime(seconds: seconds + Int64(offsetMinutes) * 60, picoseconds: picoseconds) ?? utc
    }

    /// UTC without `Z`, the fraction without trailing zeros: what the store orders by.
    package var utcText: String { utc.description }

    /// With `Z` for offset 0.
    package var description: String {
        guard offsetMinutes != 0 else { return utcText + "Z" }
        let minutes = Int(offsetMinutes.magnitude)
        return wall.description + (offsetMinutes < 0 ? "-" : "+")
            + LexicalText.padded(minutes / 60, 2) + ":" + LexicalText.padded(minutes % 60, 2)
    }

    package static func < (left: OffsetDateTime, right: OffsetDateTime) -> Bool {
        (left.seconds, left.picoseconds) < (right.seconds, right.picoseconds)
    }
}

extension OffsetDateTime: Hashable {
    package static func == (left: OffsetDateTime, right: OffsetDateTime) -> Bool {
        left.seconds == right.seconds && left.picoseconds == right.picoseconds
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
        hasher.combine(picoseconds)
    }
}

extension OffsetDateTime {
    /// 1970-01-01T00:00:00Z.
    package static let epoch = OffsetDateTime(epochSeconds: 0)

    private init(epochSeconds: Int64) {
        seconds = epochSeconds
        picoseconds = 0
        offsetMinutes = 0
    }
}

extension OffsetDateTime {
    /// The seconds from `mindatetime` to `maxdatetime` (URL Conventions 4.01, sections 5.1.1.8.7 and 5.1.1.8.6): the years 1
    /// to 9999, which arithmetic does not leave.
    package static let functionRange: Range<Int64> = -62_135_596_800..<253_402_300_800
}
