import ODataModel
import ODataText

extension ColumnEncoding {
    /// The scalar that a column holds; `offset` is the companion's value, where the encoding has one.
    ///
    /// - Throws: `storage` when the column holds something its encoding does not write.
    package func scalar(from value: SQLArgument, offset: SQLArgument = .null) throws -> Scalar {
        if case .null = value { return .null }
        switch (self, value) {
        case (.integer, .integer(let value)), (.enumeration, .integer(let value)):
            return .integer(value)
        case (.string, .text(let text)), (.json, .text(let text)): return .string(text)
        case (.boolean, .integer(let value)), (.presence, .integer(let value)),
            (.looseBoolean, .integer(let value)):
            return .boolean(value != 0)
        case (.real, .real(let value)): return .double(value)
        case (.real, .integer(let value)): return .double(Double(value))
        case (.scaledDecimal(let scale), .integer(let value)):
            return .decimal(DecimalNumber(coefficient: value, scale: scale))
        case (.binary, .blob(let bytes)): return .binary(bytes)
        case (.binary, .text(let text)): return .binary(Array(text.utf8))
        case (.guidBytes, .blob(let bytes)):
            return .guid(try Self.wanted(Guid(bytes: bytes)))
        case (_, .text(let text)): return try scalar(text: text, offset: offset)
        case (_, .integer(let value)): return try scalar(number: value)
        case (_, .real(let value)): return try scalar(real: value)
        default: return try Self.wanted(nil)
        }
    }

    private func scalar(text: String, offset: SQLArgument) throws -> Scalar {
        switch self {
        case .orderedDecimal, .textDecimal, .scaledDecimal, .realDecimal:
            return .decimal(try Self.wanted(DecimalNumber(text)))
        case .utcDateTime:
            var minutes = 0
            if case .integer(let value) = offset { minutes = Int(clamping: value) }
            return .dateTimeOffset(
                try Self.wanted(OffsetDateTime(utcText: text, offsetMinutes: minutes)))
        case .wallDateTime: return .dateTime(try Self.wanted(WallDateTime(text)))
        case .date: return .date(try Self.wanted(CalendarDate(text.prefix(10)) ?? .init(text)))
        case .timeOfDay: return .timeOfDay(try Self.wanted(ClockTime(text)))
        case .duration:
            // PostgreSQL has the seconds as `numeric`.
            let value =
                EdmDuration(text)
                ?? DecimalNumber(text).flatMap { EdmDuration(decimalSeconds: $0) }
            return .duration(try Self.wanted(value))
        case .guid, .guidBytes: return .guid(try Self.wanted(Guid(text)))
        case .real: return .double(try Self.wanted(Self.real(text)))
        case .looseBoolean, .boolean: return .boolean(try Self.wanted(Self.boolean(text)))
        case .isoDateTime: return .dateTimeOffset(try Self.wanted(Self.instant(text)))
        case .integer: return .integer(try Self.wanted(Int64(text)))
        default: return try Self.wanted(nil)
        }
    }

    private func scalar(number: Int64) throws -> Scalar {
        switch self {
        case .realDecimal, .textDecimal, .orderedDecimal: return .decimal(DecimalNumber(number))
        case .string: return .string(String(number))
        case .unixSeconds:
            return .dateTimeOffset(try Self.wanted(OffsetDateTime(seconds: number)))
        case .unixMilliseconds:
            let seconds = number.flooredQuotient(1_000)
            return .dateTimeOffset(
                try Self.wanted(
                    OffsetDateTime(
                        seconds: seconds, picoseconds: (number - seconds * 1_000) * 1_000_000_000)))
        default: return try Self.wanted(nil)
        }
    }

    private func scalar(real value: Double) throws -> Scalar {
        switch self {
        case .realDecimal, .textDecimal, .orderedDecimal, .scaledDecimal:
            return .decimal(try Self.wanted(DecimalNumber(shortest: value)))
        case .string: return .string("\(value)")
        case .integer where value == value.rounded():
            return .integer(try Self.wanted(Int64(exactly: value)))
        case .unixSeconds:
            let whole = value.rounded(.down)
            let seconds = try Self.wanted(Int64(exactly: whole))
            // Microseconds are what a Double can still tell apart in this century.
            let micro = Int64(((value - whole) * 1e6).rounded())
            let carry = micro == 1_000_000
            return .dateTimeOffset(
                try Self.wanted(
                    OffsetDateTime(
                        seconds: seconds + (carry ? 1 : 0),
                        picoseconds: carry ? 0 : micro * 1_000_000)))
        default: return try Self.wanted(nil)
        }
    }

    private static func real(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "INF": .infinity
        case "-INF": -.infinity
        default: Double(text)
        }
    }

    private static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true", "t", "yes", "y": true
        case "0", "false", "f", "no", "n": false
        default: nil
        }
    }

    /// ISO text with `T` or a blank, a date alone, with or without an offset (then UTC).
    private static func instant(_ text: String) -> OffsetDateTime? {
        let joined = text.replacing(" ", with: "T", maxReplacements: 1)
        if let value = OffsetDateTime(joined) { return value }
        return OffsetDateTime(utcText: joined.contains("T") ? joined : joined + "T00:00:00")
    }

    private static func wanted<Value>(_ value: Value?) throws -> Value {
        guard let value else {
            throw ODataError(
                .storage, "Expected a column value of the declared encoding, found another form.")
        }
        return value
    }

    private static func wanted(_ value: Scalar?) throws -> Scalar {
        guard let value else {
            throw ODataError(
                .storage, "Expected a column value of the declared encoding, found another form.")
        }
        return value
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
