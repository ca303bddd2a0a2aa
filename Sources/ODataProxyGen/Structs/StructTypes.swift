import ODataModel

extension StructType {
    /// The type of one value of a primitive type; nil for streams and for what may be anything.
    static func base(_ type: PrimitiveType) -> String? {
        switch type {
        case .string: "String"
        case .boolean: "Bool"
        case .sbyte, .byte, .int16, .int32, .int64: "Int"
        case .single, .double: "Double"
        case .decimal: "ExactDecimal"
        case .binary: "Data"
        case .guid: "UUID"
        case .date: "CalendarDate"
        case .timeOfDay, .time: "ClockTime"
        case .dateTime: "WallDateTime"
        case .dateTimeOffset: "OffsetDateTime"
        case .duration: "Duration"
        case .stream, .untyped: nil
        default: type.isGeospatial ? "Geography" : nil
        }
    }

    /// Types that Foundation has.
    var needsFoundation: Bool { base == "Data" || base == "UUID" }

    /// The default of a property as code; nil for one that no literal says.
    static func literal(_ text: String, _ type: PrimitiveType) -> String? {
        switch type {
        case .string: return SwiftText.literal(text)
        case .boolean:
            if text == "true" || text == "1" { return "true" }
            return text == "false" || text == "0" ? "false" : nil
        case .sbyte, .byte, .int16, .int32, .int64: return Int64(text).map(String.init)
        case .single, .double:
            guard let value = Double(text), value.isFinite else { return nil }
            return "\(value)"
        case .decimal: return Int64(text).map(String.init)
        default: return nil
        }
    }
}
