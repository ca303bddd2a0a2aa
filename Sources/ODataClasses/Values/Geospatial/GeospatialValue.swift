import ODataModel

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

    /// Equality of shape and reference system; the default of the type is the same written or not.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? GeospatialValue else { return false }
        return geo.shape == other.geo.shape && srsCode == other.srsCode
            && isGeography == other.isGeography
    }

    /// Feeds the shape and the reference system into `hasher`.
    open override func hash(into hasher: inout Hasher) {
        hasher.combine(geo.shape)
        hasher.combine(srsCode)
    }

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

    private var isGeography: Bool { Self.isGeography(type) }

    /// The object for a shape in a property of this type, of the class that the shape itself has.
    package static func of(_ geo: GeoValue, _ type: PrimitiveType) -> GeospatialValue {
        let concrete = geo.shape.type(isGeography: isGeography(type))
        switch concrete {
        case .geographyPoint: return GeographyPoint(geo, concrete)
        case .geographyLineString: return GeographyLineString(geo, concrete)
        case .geographyPolygon: return GeographyPolygon(geo, concrete)
        case .geographyMultiPoint: return GeographyMultiPoint(geo, concrete)
        case .geographyMultiLineString: return GeographyMultiLineString(geo, concrete)
        case .geographyMultiPolygon: return GeographyMultiPolygon(geo, concrete)
        case .geographyCollection: return GeographyCollection(geo, concrete)
        case .geometryPoint: return GeometryPoint(geo, concrete)
        case .geometryLineString: return GeometryLineString(geo, concrete)
        case .geometryPolygon: return GeometryPolygon(geo, concrete)
        case .geometryMultiPoint: return GeometryMultiPoint(geo, concrete)
        case .geometryMultiLineString: return GeometryMultiLineString(geo, concrete)
        case .geometryMultiPolygon: return GeometryMultiPolygon(geo, concrete)
        case .geometryCollection: return GeometryCollection(geo, concrete)
        default: return GeospatialValue(geo, type)
        }
    }

    private static func isGeography(_ type: PrimitiveType) -> Bool {
        type.rawValue < PrimitiveType.geometry.rawValue || type == .untyped
    }

    /// The GeoJSON object of the shape (JSON Format 4.01, section 7.1).
    open func toGeoJSON() -> String { geo.geoJSON }

    /// Reads the GeoJSON object of a shape that a value of `type` may hold; nil for other text.
    public static func parseAny(_ text: String, type: DataType) -> GeospatialValue? {
        (try? GeoValue(geoJSON: text)).flatMap { value($0, type) }
    }

    /// Reads well-known text of a shape that a value of `type` may hold; nil for other text.
    public static func parseAnyWKT(
        _ text: String, type: DataType, sridRequired: Bool = false
    ) -> GeospatialValue? {
        guard let geo = GeoValue(wkt: text), geo.srid != nil || !sridRequired else { return nil }
        return value(geo, type)
    }

    private static func value(_ geo: GeoValue, _ type: DataType) -> GeospatialValue? {
        let primitive = PrimitiveType.allCases.first { BasicType.of($0) === type }
        guard let primitive, primitive.isGeospatial, geo.fits(primitive) else { return nil }
        return of(geo, primitive)
    }

    static func read(
        geoJSON text: String, _ type: PrimitiveType
    ) -> GeoValue? {
        guard let geo = try? GeoValue(geoJSON: text), geo.fits(type) else { return nil }
        return geo
    }

    static func read(wkt text: String, _ type: PrimitiveType, _ sridRequired: Bool) -> GeoValue? {
        guard let geo = GeoValue(wkt: text), geo.fits(type), geo.srid != nil || !sridRequired
        else { return nil }
        return geo
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

/// A shape on the earth (`Edm.Geography`).
open class GeographyValue: GeospatialValue, @unchecked Sendable {
    /// Reads well-known text of any shape as a value of that shape's class; nil for other text, and for text without a
    /// reference system where one is required.
    open class func parseWKT(_ text: String, sridRequired: Bool = false) -> GeographyValue? {
        read(wkt: text, .geography, sridRequired).flatMap { of($0, .geography) as? GeographyValue }
    }

    /// Reads the GeoJSON object of any shape (JSON Format 4.01, section 7.1) as a value of that shape's class; nil for
    /// other text.
    open class func parse(_ text: String) -> GeographyValue? {
        read(geoJSON: text, .geography).flatMap { of($0, .geography) as? GeographyValue }
    }
}

/// A shape in a plane (`Edm.Geometry`).
open class GeometryValue: GeospatialValue, @unchecked Sendable {
    /// Reads well-known text of any shape as a value of that shape's class; nil for other text, and for text without a
    /// reference system where one is required.
    open class func parseWKT(_ text: String, sridRequired: Bool = false) -> GeometryValue? {
        read(wkt: text, .geometry, sridRequired).flatMap { of($0, .geometry) as? GeometryValue }
    }

    /// Reads the GeoJSON object of any shape (JSON Format 4.01, section 7.1) as a value of that shape's class; nil for
    /// other text.
    open class func parse(_ text: String) -> GeometryValue? {
        read(geoJSON: text, .geometry).flatMap { of($0, .geometry) as? GeometryValue }
    }
}

extension GeoValue.Shape {
    /// The Edm type of the shape.
    package func type(isGeography: Bool) -> PrimitiveType {
        switch self {
        case .point: isGeography ? .geographyPoint : .geometryPoint
        case .lineString: isGeography ? .geographyLineString : .geometryLineString
        case .polygon: isGeography ? .geographyPolygon : .geometryPolygon
        case .multiPoint: isGeography ? .geographyMultiPoint : .geometryMultiPoint
        case .multiLineString:
            isGeography ? .geographyMultiLineString : .geometryMultiLineString
        case .multiPolygon: isGeography ? .geographyMultiPolygon : .geometryMultiPolygon
        case .collection: isGeography ? .geographyCollection : .geometryCollection
        }
    }
}
