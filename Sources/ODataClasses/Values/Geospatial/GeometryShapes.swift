import ODataModel

/// A line in a plane (`Edm.GeometryLineString`).
open class GeometryLineString: GeometryValue, @unchecked Sendable {
    /// A value of the line through these points.
    open class func withCoordinates(_ coordinates: LineStringCoordinates) -> GeometryLineString {
        GeometryLineString(GeoValue(.lineString(coordinates.positions)), .geometryLineString)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryLineString?
    {
        read(wkt: text, .geometryLineString, sridRequired).map {
            GeometryLineString($0, .geometryLineString)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryLineString? {
        read(geoJSON: text, .geometryLineString).map { GeometryLineString($0, .geometryLineString) }
    }

    /// The coordinates.
    open var coordinates: LineStringCoordinates {
        if case .lineString(let positions) = geo.shape {
            LineStringCoordinates.of(positions)
        } else {
            []
        }
    }
}

/// A polygon in a plane (`Edm.GeometryPolygon`).
open class GeometryPolygon: GeometryValue, @unchecked Sendable {
    /// A value of the polygon with these rings.
    open class func withCoordinates(_ coordinates: PolygonCoordinates) -> GeometryPolygon {
        GeometryPolygon(GeoValue(.polygon(coordinates.positions)), .geometryPolygon)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryPolygon?
    {
        read(wkt: text, .geometryPolygon, sridRequired).map {
            GeometryPolygon($0, .geometryPolygon)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryPolygon? {
        read(geoJSON: text, .geometryPolygon).map { GeometryPolygon($0, .geometryPolygon) }
    }

    /// The coordinates.
    open var coordinates: PolygonCoordinates {
        if case .polygon(let positions) = geo.shape { PolygonCoordinates.of(positions) } else { [] }
    }
}

/// Points in a plane (`Edm.GeometryMultiPoint`).
open class GeometryMultiPoint: GeometryValue, @unchecked Sendable {
    /// A value of these points.
    open class func withCoordinates(_ coordinates: MultiPointCoordinates) -> GeometryMultiPoint {
        GeometryMultiPoint(GeoValue(.multiPoint(coordinates.positions)), .geometryMultiPoint)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryMultiPoint?
    {
        read(wkt: text, .geometryMultiPoint, sridRequired).map {
            GeometryMultiPoint($0, .geometryMultiPoint)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryMultiPoint? {
        read(geoJSON: text, .geometryMultiPoint).map { GeometryMultiPoint($0, .geometryMultiPoint) }
    }

    /// The coordinates.
    open var coordinates: MultiPointCoordinates {
        if case .multiPoint(let positions) = geo.shape {
            MultiPointCoordinates.of(positions)
        } else {
            []
        }
    }
}

/// Lines in a plane (`Edm.GeometryMultiLineString`).
open class GeometryMultiLineString: GeometryValue, @unchecked Sendable {
    /// A value of these lines.
    open class func withCoordinates(_ coordinates: MultiLineStringCoordinates)
        -> GeometryMultiLineString
    {
        GeometryMultiLineString(
            GeoValue(.multiLineString(coordinates.positions)), .geometryMultiLineString)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryMultiLineString?
    {
        read(wkt: text, .geometryMultiLineString, sridRequired).map {
            GeometryMultiLineString($0, .geometryMultiLineString)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryMultiLineString? {
        read(geoJSON: text, .geometryMultiLineString).map {
            GeometryMultiLineString($0, .geometryMultiLineString)
        }
    }

    /// The coordinates.
    open var coordinates: MultiLineStringCoordinates {
        if case .multiLineString(let positions) = geo.shape {
            MultiLineStringCoordinates.of(positions)
        } else {
            []
        }
    }
}

/// Polygons in a plane (`Edm.GeometryMultiPolygon`).
open class GeometryMultiPolygon: GeometryValue, @unchecked Sendable {
    /// A value of these polygons.
    open class func withCoordinates(_ coordinates: MultiPolygonCoordinates) -> GeometryMultiPolygon
    {
        GeometryMultiPolygon(GeoValue(.multiPolygon(coordinates.positions)), .geometryMultiPolygon)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryMultiPolygon?
    {
        read(wkt: text, .geometryMultiPolygon, sridRequired).map {
            GeometryMultiPolygon($0, .geometryMultiPolygon)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryMultiPolygon? {
        read(geoJSON: text, .geometryMultiPolygon).map {
            GeometryMultiPolygon($0, .geometryMultiPolygon)
        }
    }

    /// The coordinates.
    open var coordinates: MultiPolygonCoordinates {
        if case .multiPolygon(let positions) = geo.shape {
            MultiPolygonCoordinates.of(positions)
        } else {
            []
        }
    }
}

/// Shapes in a plane (`Edm.GeometryCollection`).
open class GeometryCollection: GeometryValue, @unchecked Sendable {
    /// A collection of these shapes.
    open class func withValues(_ values: GeometryValueList) -> GeometryCollection {
        GeometryCollection(GeoValue(.collection(values.map(\.geo.shape))), .geometryCollection)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeometryCollection?
    {
        read(wkt: text, .geometryCollection, sridRequired).map {
            GeometryCollection($0, .geometryCollection)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeometryCollection? {
        read(geoJSON: text, .geometryCollection).map { GeometryCollection($0, .geometryCollection) }
    }

    /// The shapes, each with the reference system of the collection.
    open var values: GeometryValueList {
        guard case .collection(let shapes) = geo.shape else { return [] }
        return GeometryValueList.fromArray(
            shapes.compactMap { shape in
                GeospatialValue.of(GeoValue(shape, srid: geo.srid), .geometry) as? GeometryValue
            })
    }
}
