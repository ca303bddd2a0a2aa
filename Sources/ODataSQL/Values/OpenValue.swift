import ODataModel
import ODataText

/// A value of a property that no type declares: only the row tells its type, by the control information `type` beside
/// it, else by the form of the JSON (JSON Format 4.01, section 4.6.3).
///
/// In SQL it is one text: the name of its type, a colon, and its canonical text.
package enum OpenValue: Sendable, Hashable {
    case scalar(Scalar)
    /// Members of an enumeration, whose values only the model tells.
    case members(type: String, String)
    /// Collections, structures and shapes as they stand.
    case json(String)

    // MARK: Text

    package init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let (type, value) = (text[..<colon], String(text[bytes.index(after: colon)...]))
        switch type {
        case "Json": self = .json(value)
        // Bytes of columns, which SQL can write so.
        case "Hex":
            guard let bytes = Self.bytes(hex: value) else { return nil }
            self = .scalar(.binary(bytes))
        case "Int64": self = .scalar(Self.number(value) ?? .null)
        default:
            guard let primitive = PrimitiveType(name: String(type)) else {
                self = .members(type: String(type), value)
                return
            }
            guard let scalar = Lexical.scalar(value, as: primitive) else { return nil }
            self = .scalar(scalar)
        }
    }

    /// Nil for null.
    package var text: String? {
        switch self {
        case .scalar(.null): nil
        case .scalar(let scalar): "\(Self.type(of: scalar).name):\(Lexical.text(scalar))"
        case .members(let type, let names): "\(type):\(names)"
        case .json(let text): "Json:\(text)"
        }
    }

    private static func bytes(hex text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }

    /// The type that says what a value without a declared one is.
    package static func type(of scalar: Scalar) -> PrimitiveType {
        switch scalar {
        case .null: .untyped
        case .boolean: .boolean
        case .integer: .int64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .dateTime: .dateTime
        case .duration: .duration
        case .geo: .geography
        }
    }

    // MARK: JSON

    /// The value at a path of names in an object; nil where nothing or null is there.
    package static func find(_ names: [String], in text: String) -> OpenValue? {
        guard let first = names.first, var found = member(first, of: text) else { return nil }
        for name in names.dropFirst() {
            guard let object = found.value.object, let value = object[name] else { return nil }
            found = (value, (object["\(name)@odata.type"] ?? object["\(name)@type"])?.string)
        }
        return value(found.value, typeName: found.typeName)
    }

    /// A member of the outermost object, without looking into the others.
    private static func member(
        _ wanted: String, of text: String
    ) -> (value: JSONValue, typeName: String?)? {
        var reader = JSONReader(text: text)
        var value: JSONValue?
        var typeName: String?
        do {
            try reader.beginObject()
            while let name = try reader.nextName() {
                if name == wanted {
                    value = try reader.readValue(duplicates: .keepLast)
                } else if name == "\(wanted)@odata.type" || name == "\(wanted)@type" {
                    typeName = try reader.readValue(duplicates: .keepLast).string
                } else {
                    try reader.skipValue()
                }
            }
        } catch { return nil }
        return value.map { ($0, typeName) }
    }

    /// Nil for null.
    package static func value(_ json: JSONValue, typeName: String?) -> OpenValue? {
        let name = typeName.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        let type = name.flatMap { PrimitiveType(name: $0) }
        switch json {
        case .null: return nil
        case .boolean(let value): return .scalar(.boolean(value))
        case .string(let text):
            if let name, type == nil, !name.hasPrefix("Collection(") {
                return .members(type: name, text)
            }
            let scalar = type.flatMap { Lexical.scalar(text, as: $0) }
            return .scalar(scalar ?? .string(text))
        case .number(let text):
            let scalar = type.flatMap { $0.isNumeric ? Lexical.scalar(text, as: $0) : nil }
            return (scalar ?? number(text)).map { .scalar($0) }
        case .array, .object: return .json(json.text)
        }
    }

    /// A number without type: exact, but for one with an exponent.
    static func number(_ text: String) -> Scalar? {
        if let value = Int64(text) { return .integer(value) }
        return Lexical.scalar(text, as: .decimal) ?? Lexical.scalar(text, as: .double)
    }

    // MARK: Order

    /// Bytes whose order is one total order of all values: Booleans, numbers by their value, texts by code points, binary
    /// values, GUIDs, dates, times of day, instants, V2 dates and times, durations, members of enumerations by name; nil for
    /// what has no order, as collections.
    package var orderKey: [UInt8]? {
        switch self {
        case .json: nil
        case .members(_, let names): [12] + Array(names.utf8)
        case .scalar(let scalar): Self.orderKey(scalar)
        }
    }

    private static func orderKey(_ scalar: Scalar) -> [UInt8]? {
        switch scalar {
        case .null, .geo: nil
        case .boolean(let value): [1, value ? 1 : 0]
        case .integer(let value): [2, 1] + DecimalNumber(value).orderKey
        case .decimal(let value): [2, 1] + value.orderKey
        case .double(let value):
            if let exact = DecimalNumber(exactly: value) {
                [2, 1] + exact.orderKey
            } else {
                [2, value.isNaN ? 3 : value < 0 ? 0 : 2]
            }
        case .string(let text): [3] + Array(text.utf8)
        case .binary(let bytes): [4] + bytes
        case .guid(let value): [5] + value.bytes
        case .date(let value): [6] + ordered(value.daysSince1970)
        case .timeOfDay(let value): [7] + ordered(value.picoseconds)
        case .dateTimeOffset(let value):
            [8] + ordered(value.seconds) + ordered(value.picoseconds)
        case .dateTime(let value): [9] + ordered(value.seconds) + ordered(value.picoseconds)
        case .duration(let value): [10] + value.orderKey
        }
    }

    /// Big-endian, negative numbers first.
    private static func ordered(_ value: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: value) ^ 1 << 63
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
}
