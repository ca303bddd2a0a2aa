/// A shape on the earth or in a plane (`Edm.Geography*`, `Edm.Geometry*`).
open class GeospatialValue: DataValue, @unchecked Sendable {
    // Immutable.
    package final let geo: GeoValue
    private final let type: PrimitiveType

    package init(_ geo: GeoValue, _ type: PrimitiveType) {
        self.geo = geo
        self.type = type
        super.init()
    }

    package final var scalar: Scalar { .geo(geo) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.of(type) }

    /// The EPSG code of the reference system; the default of the type where none was given.
    open var srsCode: Int { geo.srid.map { Int($0) } ?? (isGeography ? 4326 : 0) }

    /// The name of the reference system, `EPSG:` and the code.
    open var srsName: String? { geo.srid.map { "EPSG:\($0)" } }

    /// Well-known text with `SRID=…;` where the reference system is known.
    open override func toString() -> String { geo.wkt }

    /// Well-known text, with the reference system where it is asked for.
    open func formatWKT(sridRequired: Bool = true) -> String {
        GeoValue(geo.shape, srid: sridRequired ? Int32(clamping: srsCode) : nil).wkt
    }

    private var isGeography: Bool { type.rawValue < PrimitiveType.geometry.rawValue }

    /// The object for a shape in a property of this type.
    package static func of(_ geo: GeoValue, _ type: PrimitiveType) -> GeospatialValue {
        if type == .geographyPoint { return GeographyPoint(geo, type) }
        return type.rawValue >= PrimitiveType.geometry.rawValue && type != .untyped
            ? GeometryValue(geo, type) : GeographyValue(geo, type)
    }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    public static func castOptional(_ value: AnyObject?) -> Self? {
        value.map { castRequired($0) }
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    public static func castRequired(_ value: AnyObject?) -> Self {
        guard let result = value as? Self else {
            preconditionFailure("Expected \(Self.self), found \(className(value)).")
        }
        return result
    }
}

/// A shape on the earth.
open class GeographyValue: GeospatialValue, @unchecked Sendable {}

/// A shape in a plane.
open class GeometryValue: GeospatialValue, @unchecked Sendable {}
