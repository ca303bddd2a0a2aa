import ODataModel

/// How the value of a property, parameter or result looks in Swift.
enum ValueShape: Sendable, Hashable {
    /// A class that wraps a plain Swift value.
    case plain(wrapper: String, swift: String)
    /// A class that is its own Swift value.
    case object(String)
    /// Any value.
    case untyped
    case stream
    /// A generated enumeration.
    case enumeration(String)
    /// A generated class, or the base class.
    case complex(String)
    case entity(String)

    /// The Swift type of one value that is there.
    var swiftType: String {
        switch self {
        case .plain(_, let swift): swift
        case .object(let name), .enumeration(let name), .complex(let name), .entity(let name): name
        case .untyped: "DataValue"
        case .stream: "StreamLink"
        }
    }

    /// The shape of a primitive type.
    init(_ type: PrimitiveType, _ facets: TypeFacetValues) {
        switch type {
        case .string: self = .plain(wrapper: "StringValue", swift: "String")
        case .boolean: self = .plain(wrapper: "BooleanValue", swift: "Bool")
        case .sbyte: self = .plain(wrapper: "ByteValue", swift: "Int")
        case .byte: self = .plain(wrapper: "UnsignedByte", swift: "Int")
        case .int16: self = .plain(wrapper: "ShortValue", swift: "Int")
        case .int32: self = .plain(wrapper: "IntValue", swift: "Int")
        case .int64: self = .plain(wrapper: "LongValue", swift: "Int64")
        case .single: self = .plain(wrapper: "FloatValue", swift: "Float")
        case .double: self = .plain(wrapper: "DoubleValue", swift: "Double")
        case .binary: self = .plain(wrapper: "BinaryValue", swift: "Data")
        case .decimal:
            self =
                Self.isWhole(facets)
                ? .plain(wrapper: "IntegerValue", swift: "BigInteger")
                : .plain(wrapper: "DecimalValue", swift: "BigDecimal")
        case .guid: self = .object("GuidValue")
        case .date: self = .object("LocalDate")
        case .timeOfDay, .time: self = .object("LocalTime")
        case .dateTime: self = .object("LocalDateTime")
        case .dateTimeOffset: self = .object("GlobalDateTime")
        case .duration: self = .object("DayTimeDuration")
        case .stream: self = .stream
        case .untyped: self = .untyped
        case .geography: self = .object("GeographyValue")
        case .geometry: self = .object("GeometryValue")
        default: self = .object(type.name)
        }
    }

    /// Decimals that the library reads as `IntegerValue`: explicit scale 0 and more digits than any integer type has.
    static func isWhole(_ facets: TypeFacetValues) -> Bool {
        facets.scale == .fixed(0) && (facets.precision ?? 0) > 18
    }
}

/// The type of a property, parameter or result of the generated code.
struct ProxyType: Sendable, Hashable {
    var shape: ValueShape
    var isCollection: Bool
    var isNullable: Bool

    /// As an argument or a result is declared: arrays are never optional.
    var declared: String {
        if isCollection { return "[\(shape.swiftType)]" }
        return shape.swiftType + (isOptional ? "?" : "")
    }

    /// Enumeration members may come that the generated code does not know, and untyped values may be anything.
    var isOptional: Bool { isNullable || shape == .untyped }
}
