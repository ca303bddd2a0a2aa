import ODataModel
import ODataText

/// Primitive values as JSON has them (JSON Format 4.01, section 7.1; V2 JSON).
package enum ScalarJSON {
    /// The scalar of a JSON value.
    ///
    /// Numbers are taken from their text, so none loses digits; numbers of 64 bits and more may be strings
    /// (IEEE754Compatible, V2).
    ///
    /// - Throws: `invalidPayload` when the JSON value is of a wrong kind, `invalidValue` when its text is not in the
    ///   space of the type.
    package static func read(
        _ json: JSONValue, as type: PrimitiveType, dialect: Dialect
    ) throws -> Scalar {
        switch json {
        case .null: return .null
        case .boolean(let value):
            guard type == .boolean || type == .untyped else { throw mismatch(type, json) }
            return .boolean(value)
        case .number(let text):
            if type == .untyped { return try untypedNumber(text) }
            guard type.isNumeric else { throw mismatch(type, json) }
            return try number(text, as: type)
        case .string(let text):
            return try string(text, as: type, dialect: dialect)
        case .object:
            guard type.isGeospatial else { throw mismatch(type, json) }
            return .geo(try GeoValue(geoJSON: json.text))
        case .array: throw mismatch(type, json)
        }
    }

    /// A number without type: an integer where it is one, otherwise an exact decimal.
    package static func untypedNumber(_ text: String) throws -> Scalar {
        if let integer = Int64(text) { return .integer(integer) }
        if let decimal = try? Lexical.parse(text, as: .decimal) { return decimal }
        return try Lexical.parse(text, as: .double)
    }

    package static func mismatch(_ type: PrimitiveType, _ json: JSONValue) -> ODataError {
        ODataError(.invalidPayload, "Expected Edm.\(type.name), found \(kind(of: json)).")
    }

    /// What a JSON value is, for messages.
    package static func kind(of json: JSONValue) -> String {
        switch json {
        case .null: "null"
        case .boolean: "a JSON Boolean"
        case .number: "a JSON number"
        case .string: "a JSON string"
        case .array: "a JSON array"
        case .object: "a JSON object"
        }
    }

    private static func number(_ text: String, as type: PrimitiveType) throws -> Scalar {
        guard type.isInteger, Int64(text) == nil else { return try Lexical.parse(text, as: type) }
        // A JSON number such as 1.0 or 1e3 is an integer, too.
        guard text.utf8.count <= 40,
            case .decimal(let decimal) = try Lexical.parse(text, as: .decimal),
            let integer = decimal.scaled(by: 0)
        else { return try Lexical.parse(text, as: type) }
        return try Lexical.parse(String(integer), as: type)
    }

    private static func string(
        _ text: String, as type: PrimitiveType, dialect: Dialect
    ) throws -> Scalar {
        switch type {
        case .string, .untyped: return .string(text)
        case .boolean, .byte, .sbyte, .int16, .int32:
            guard dialect.quotesLongNumbers else { throw mismatch(type, .string(text)) }
            return try Lexical.parse(text, as: type)
        case .dateTime, .dateTimeOffset:
            guard text.hasPrefix("/Date(") else { return try Lexical.parse(text, as: type) }
            guard let scalar = ticks(text, as: type) else {
                throw ODataError(.invalidValue, "Expected /Date(milliseconds)/ of a valid date.")
            }
            return scalar
        default:
            guard !type.isGeospatial else { throw mismatch(type, .string(text)) }
            return try Lexical.parse(text, as: type)
        }
    }

    /// `/Date(ms)/` is UTC; `/Date(ms+0120)/` counts on the local clock, 120 minutes ahead of UTC.
    private static func ticks(_ text: String, as type: PrimitiveType) -> Scalar? {
        guard text.hasSuffix(")/") else { return nil }
        let content = text.dropFirst("/Date(".count).dropLast(2)
        let sign = content.dropFirst().firstIndex { $0 == "+" || $0 == "-" } ?? content.endIndex
        guard let milliseconds = Int64(content[..<sign]) else { return nil }
        let offset = sign == content.endIndex ? 0 : Int(content[sign...])
        guard let offset, offset.magnitude < 24 * 60 else { return nil }
        let rest = (milliseconds % 1_000 + 1_000) % 1_000
        let seconds = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
        let picoseconds = rest * 1_000_000_000
        guard let wall = WallDateTime(seconds: seconds, picoseconds: picoseconds) else {
            return nil
        }
        if type == .dateTime { return .dateTime(wall) }
        return OffsetDateTime(wall: wall, offsetMinutes: offset).map { .dateTimeOffset($0) }
    }
}

extension ScalarJSON {
    /// Writes a scalar.
    ///
    /// - Parameter quotesLongNumbers: Int64 and Decimal become strings (IEEE754Compatible, and always in V2).
    package static func write(
        _ scalar: Scalar, as type: PrimitiveType, quotesLongNumbers: Bool, dialect: Dialect,
        to writer: inout JSONWriter
    ) {
        switch scalar {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value):
            if quotesLongNumbers, type == .int64 || type == .decimal {
                writer.string(String(value))
            } else {
                writer.integer(value)
            }
        case .double(let value): write(value, as: type, dialect: dialect, to: &writer)
        case .decimal(let value):
            if quotesLongNumbers {
                writer.string(value.description)
            } else {
                writer.number(value.description)
            }
        case .string(let text): writer.string(text)
        case .geo(let value): writer.raw(value.geoJSON.utf8)
        case .dateTime(let value) where dialect.wrapsPayload:
            write(ticksOf: value, suffix: "", to: &writer)
        case .dateTimeOffset(let value) where dialect.wrapsPayload:
            write(ticksOf: value.wall, suffix: offsetText(value.offsetMinutes), to: &writer)
        case .guid, .date, .timeOfDay, .dateTimeOffset, .dateTime, .duration, .binary:
            writer.string(Lexical.text(scalar, as: type, dialect: dialect))
        }
    }

    private static func write(
        _ value: Double, as type: PrimitiveType, dialect: Dialect, to writer: inout JSONWriter
    ) {
        let text = Lexical.text(.double(value), as: type)
        if dialect.wrapsPayload || !value.isFinite {
            writer.string(text)
        } else {
            writer.number(text)
        }
    }

    /// V2 wants the slashes escaped: `"\/Date(0)\/"`.
    private static func write(
        ticksOf value: WallDateTime, suffix: String, to writer: inout JSONWriter
    ) {
        let (whole, overflow) = value.seconds.multipliedReportingOverflow(by: 1_000)
        let limit = value.seconds < 0 ? Int64.min : Int64.max
        let milliseconds = overflow ? limit : whole + value.picoseconds / 1_000_000_000
        writer.raw("\"\\/Date(\(milliseconds)\(suffix))\\/\"".utf8)
    }

    private static func offsetText(_ minutes: Int16) -> String {
        let digits = String(minutes.magnitude)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return (minutes < 0 ? "-" : "+") + padding + digits
    }
}
