/// The primitive types of OData V2 and V4 (CSDL 4.01, section 3.3; V2 adds `Edm.DateTime` and `Edm.Time`).
package enum PrimitiveType: UInt8, Sendable, Hashable, CaseIterable {
    case binary, boolean, byte, sbyte, int16, int32, int64, single, double, decimal, string, guid
    case date, timeOfDay, dateTimeOffset, duration
    /// V2 wall-clock date and time without offset.
    case dateTime
    /// V2 time of day, written as a duration.
    case time
    case stream
    case geography, geographyPoint, geographyLineString, geographyPolygon
    case geographyMultiPoint, geographyMultiLineString, geographyMultiPolygon, geographyCollection
    case geometry, geometryPoint, geometryLineString, geometryPolygon
    case geometryMultiPoint, geometryMultiLineString, geometryMultiPolygon, geometryCollection
    /// `Edm.PrimitiveType`, `Edm.Untyped` and the path types: any scalar, decided by the value.
    case untyped

    /// The name without the `Edm.` prefix, as CSDL spells it.
    package var name: String { Self.names[Int(rawValue)] }

    /// The type with this name, with or without the `Edm.` prefix; nil when there is none.
    package init?(name: String) {
        let local = name.hasPrefix("Edm.") ? String(name.dropFirst(4)) : name
        guard let type = Self.byName[local] else { return nil }
        self = type
    }

    private static let names: [String] = [
        "Binary", "Boolean", "Byte", "SByte", "Int16", "Int32", "Int64", "Single", "Double",
        "Decimal",
        "String", "Guid", "Date", "TimeOfDay", "DateTimeOffset", "Duration", "DateTime", "Time",
        "Stream",
        "Geography", "GeographyPoint", "GeographyLineString", "GeographyPolygon",
        "GeographyMultiPoint",
        "GeographyMultiLineString", "GeographyMultiPolygon", "GeographyCollection", "Geometry",
        "GeometryPoint", "GeometryLineString", "GeometryPolygon", "GeometryMultiPoint",
        "GeometryMultiLineString", "GeometryMultiPolygon", "GeometryCollection", "Untyped",
    ]

    private static let byName: [String: PrimitiveType] = {
        var map = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
        for alias in ["PrimitiveType", "AnyPropertyPath", "PropertyPath", "NavigationPropertyPath"]
        {
            map[alias] = .untyped
        }
        return map
    }()

    package var isInteger: Bool {
        switch self {
        case .byte, .sbyte, .int16, .int32, .int64: true
        default: false
        }
    }

    package var isNumeric: Bool {
        switch self {
        case .single, .double, .decimal: true
        default: isInteger
        }
    }

    package var isGeospatial: Bool { rawValue >= Self.geography.rawValue && self != .untyped }
}
