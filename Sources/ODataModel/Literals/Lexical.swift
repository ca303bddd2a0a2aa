import ODataText

/// The bare lexical form of values, as in JSON strings, XML and CSV, without quotes or prefixes.
package enum Lexical {
    /// The canonical text; empty for null.
    ///
    /// The type matters for Single (shortest digits of a Float) and V2 Time (written as a duration); the dialect for
    /// Binary (base64url in V4, base64 in V2).
    package static func text(
        _ scalar: Scalar, as type: PrimitiveType? = nil, dialect: Dialect = .v4
    ) -> String {
        switch scalar {
        case .null: ""
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .double(let value): type == .single ? text(Float(value)) : text(value)
        case .decimal(let value): value.description
        case .string(let value): value
        case .binary(let value): Base64.text(value, urlSafe: dialect.version >= .v4)
        case .guid(let value): value.description
        case .date(let value): value.description
        case .timeOfDay(let value): type == .time ? durationText(value) : value.description
        case .dateTimeOffset(let value): value.description
        case .dateTime(let value): value.description
        case .duration(let value): value.description
        case .geo(let value): value.wkt
        }
    }

    /// - Throws: `invalidValue` when `text` is not in the lexical or value space of `type`.
    package static func parse(
        _ text: some StringProtocol, as type: PrimitiveType
    ) throws -> Scalar {
        guard let scalar = scalar(text, as: type) else {
            throw ODataError(.invalidValue, "Expected a value of Edm.\(type.name).")
        }
        return scalar
    }

    /// As ``parse(_:as:)``; nil in place of an error.
    package static func scalar(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        switch type {
        case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .byte, .sbyte, .int16, .int32, .int64: integer(text, as: type)
        case .single, .double: double(text, as: type)
        case .decimal:
            DecimalNumber(text).map(Scalar.decimal) ?? special(text).map(Scalar.double)
        case .string, .untyped, .stream: .string(String(text))
        case .binary: Base64.bytes(text).map(Scalar.binary)
        case .guid: text.utf8.count == 36 ? Guid(text).map(Scalar.guid) : nil
        case .date: CalendarDate(text).map(Scalar.date)
        case .timeOfDay: ClockTime(text).map(Scalar.timeOfDay)
        case .time: (clockTime(duration: text) ?? ClockTime(text)).map(Scalar.timeOfDay)
        case .dateTimeOffset: OffsetDateTime(text).map(Scalar.dateTimeOffset)
        case .dateTime: WallDateTime(text).map(Scalar.dateTime)
        case .duration: EdmDuration(text).map(Scalar.duration)
        default: geo(text, as: type)
        }
    }

    /// The values of an integer type; nil for types that are none.
    package static func range(of type: PrimitiveType) -> ClosedRange<Int64>? {
        switch type {
        case .byte: 0...255
        case .sbyte: -128...127
        case .int16: -32_768...32_767
        case .int32: -2_147_483_648...2_147_483_647
        case .int64: Int64.min...Int64.max
        default: nil
        }
    }

    private static func integer(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        // Int64 reads exactly `[sign] digits` in ASCII.
        guard let value = Int64(text), let range = range(of: type), range ~= value else {
            return nil
        }
        return .integer(value)
    }

    private static func double(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        if let value = special(text) { return .double(value) }
        guard isDecimalValue(text), let value = Double(text), value.isFinite else { return nil }
        guard type == .single else { return .double(value) }
        guard let single = Float(text), single.isFinite else { return nil }
        return .double(Double(single))
    }

    private static func special(_ text: some StringProtocol) -> Double? {
        switch text {
        case "INF": .infinity
        case "-INF": -.infinity
        case "NaN": .nan
        default: nil
        }
    }

    /// `[sign] digits [. digits] [e [sign] digits]`: stricter than the reader of the standard library.
    private static func isDecimalValue(_ text: some StringProtocol) -> Bool {
        LexicalCursor.readAll(text) { cursor -> Bool? in
            _ = cursor.sign()
            guard cursor.skipDigits() > 0 else { return nil }
            if cursor.take("."), cursor.skipDigits() == 0 { return nil }
            if cursor.takeLetter("e") {
                _ = cursor.sign()
                guard cursor.skipDigits() > 0 else { return nil }
            }
            return true
        } ?? false
    }

    private static func text(_ value: some BinaryFloatingPoint & LosslessStringConvertible)
        -> String
    {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF" }
        let text = value.description
        // "1e+16" has a sign that URLs would have to escape.
        guard let plus = text.firstIndex(of: "+") else { return text }
        return String(text[..<plus] + text[text.index(after: plus)...])
    }

    private static func durationText(_ time: ClockTime) -> String {
        EdmDuration(seconds: Int64(time.secondOfDay), picoseconds: time.fraction)?.description ?? ""
    }

    private static func clockTime(duration text: some StringProtocol) -> ClockTime? {
        guard let duration = EdmDuration(text), 0..<86_400 ~= duration.seconds else { return nil }
        return ClockTime(
            picoseconds: duration.seconds * ClockTime.picosecondsPerSecond + duration.picoseconds)
    }

    private static func geo(_ text: some StringProtocol, as type: PrimitiveType) -> Scalar? {
        let value =
            text.utf8.first == UInt8(ascii: "{")
            ? try? GeoValue(geoJSON: text) : GeoValue(wkt: text)
        guard let value, value.fits(type) else { return nil }
        return .geo(value)
    }
}

extension LexicalCursor {
    /// Passes the digits that follow; how many they were.
    mutating func skipDigits() -> Int {
        let count = digitsAhead
        for _ in 0..<count { skip() }
        return count
    }
}
