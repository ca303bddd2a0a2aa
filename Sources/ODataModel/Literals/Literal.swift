import ODataText

/// Values as they stand in URLs (ABNF 4.01 `primitiveLiteral`; V2 URI conventions), before percent-encoding.
package enum Literal {
    package static func text(
        _ scalar: Scalar, as type: PrimitiveType, dialect: Dialect
    ) -> String {
        if case .null = scalar { return "null" }
        if case .string(let value) = scalar { return quoted(value) }
        if case .geo(let value) = scalar { return geoText(value, as: type) }
        return dialect.usesTypedLiterals ? typedText(scalar, as: type) : bareText(scalar, as: type)
    }

    /// In single quotes, those inside doubled.
    package static func quoted(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "'")) else { return "'\(text)'" }
        var result = "'"
        for character in text.unicodeScalars {
            result.unicodeScalars.append(character)
            if character == "'" { result.unicodeScalars.append(character) }
        }
        return result + "'"
    }

    /// The text of a quoted literal; nil when the quotes are missing or a quote inside is not doubled.
    package static func unquoted(_ text: some StringProtocol) -> String? {
        let bytes = Array(text.utf8)
        let quote = UInt8(ascii: "'")
        guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 1
        while index < bytes.count - 1 {
            if bytes[index] == quote {
                index += 1
                guard index < bytes.count - 1, bytes[index] == quote else { return nil }
            }
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func bareText(_ scalar: Scalar, as type: PrimitiveType) -> String {
        switch scalar {
        case .binary(let bytes): "binary'\(Base64.text(bytes))'"
        case .duration(let value): "duration'\(value)'"
        // Without an exponent it would be read as a decimal, which knows no negative zero.
        case .double(let value) where value == 0 && value.sign == .minus: "-0e0"
        default: Lexical.text(scalar, as: type)
        }
    }

    /// V2: the type stands in a prefix or a suffix.
    private static func typedText(_ scalar: Scalar, as type: PrimitiveType) -> String {
        let text = Lexical.text(scalar, as: type == .timeOfDay ? .time : type, dialect: .v2)
        switch scalar {
        case .integer: return type == .int64 ? text + "L" : text
        case .decimal: return text + "M"
        case .double(let value):
            guard value.isFinite else { return text }
            return text + (type == .single ? "f" : "d")
        case .binary(let bytes): return "X'\(Base64.hex(bytes))'"
        case .guid: return "guid'\(text)'"
        case .date: return "datetime'\(text)T00:00:00'"
        case .dateTime: return "datetime'\(text)'"
        case .dateTimeOffset: return "datetimeoffset'\(text)'"
        case .timeOfDay(let value):
            return "time'\(Lexical.text(.timeOfDay(value), as: .time))'"
        case .duration: return "time'\(text)'"
        default: return text
        }
    }

    private static func geoText(_ value: GeoValue, as type: PrimitiveType) -> String {
        let isGeography = type.rawValue < PrimitiveType.geometry.rawValue
        let srid = value.srid ?? (isGeography ? 4326 : 0)
        let prefix = isGeography ? "geography" : "geometry"
        return "\(prefix)'\(GeoValue(value.shape, srid: srid).wkt)'"
    }
}
