import ODataModel

/// A line on the earth (`Edm.GeographyLineString`).
open class GeographyLineString: GeographyValue, @unchecked Sendable {
    /// A value of the line through these points.
    open class func withCoordinates(_ coordinates: LineStringCoordinates) -> GeographyLineString {
        GeographyLineString(GeoValue(.lineString(coordinates.positions)), .geographyLineString)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyLineString?
    {
        read(wkt: text, .geographyLineString, sridRequired).map {
            GeographyLineString($0, .geographyLineString)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyLineString? {
        read(geoJSON: text, .geographyLineString).map {
            GeographyLineString($0, .geographyLineString)
        }
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

/// A polygon on the earth (`Edm.GeographyPolygon`).
open class GeographyPolygon: GeographyValue, @unchecked Sendable {
    /// A value of the polygon with these rings.
    open class func withCoordinates(_ coordinates: PolygonCoordinates) -> GeographyPolygon {
        GeographyPolygon(GeoValue(.polygon(coordinates.positions)), .geographyPolygon)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyPolygon?
    {
        read(wkt: text, .geographyPolygon, sridRequired).map {
            GeographyPolygon($0, .geographyPolygon)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyPolygon? {
        read(geoJSON: text, .geographyPolygon).map { GeographyPolygon($0, .geographyPolygon) }
    }

    /// The coordinates.
    open var coordinates: PolygonCoordinates {
        if case .polygon(let positions) = geo.shape { PolygonCoordinates.of(positions) } else { [] }
    }
}

/// Points on the earth (`Edm.GeographyMultiPoint`).
open class GeographyMultiPoint: GeographyValue, @unchecked Sendable {
    /// A value of these points.
    open class func withCoordinates(_ coordinates: MultiPointCoordinates) -> GeographyMultiPoint {
        GeographyMultiPoint(GeoValue(.multiPoint(coordinates.positions)), .geographyMultiPoint)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyMultiPoint?
    {
        read(wkt: text, .geographyMultiPoint, sridRequired).map {
            GeographyMultiPoint($0, .geographyMultiPoint)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyMultiPoint? {
        read(geoJSON: text, .geographyMultiPoint).map {
            GeographyMultiPoint($0, .geographyMultiPoint)
        }
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

/// Lines on the earth (`Edm.GeographyMultiLineString`).
open class GeographyMultiLineString: GeographyValue, @unchecked Sendable {
    /// A value of these lines.
    open class func withCoordinates(_ coordinates: MultiLineStringCoordinates)
        -> GeographyMultiLineString
    {
        GeographyMultiLineString(
            GeoValue(.multiLineString(coordinates.positions)), .geographyMultiLineString)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyMultiLineString?
    {
        read(wkt: text, .geographyMultiLineString, sridRequired).map {
            GeographyMultiLineString($0, .geographyMultiLineString)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyMultiLineString? {
        read(geoJSON: text, .geographyMultiLineString).map {
            GeographyMultiLineString($0, .geographyMultiLineString)
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

/// Polygons on the earth (`Edm.GeographyMultiPolygon`).
open class GeographyMultiPolygon: GeographyValue, @unchecked Sendable {
    /// A value of these polygons.
    open class func withCoordinates(_ coordinates: MultiPolygonCoordinates) -> GeographyMultiPolygon
    {
        GeographyMultiPolygon(
            GeoValue(.multiPolygon(coordinates.positions)), .geographyMultiPolygon)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyMultiPolygon?
    {
        read(wkt: text, .geographyMultiPolygon, sridRequired).map {
            GeographyMultiPolygon($0, .geographyMultiPolygon)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyMultiPolygon? {
        read(geoJSON: text, .geographyMultiPolygon).map {
            GeographyMultiPolygon($0, .geographyMultiPolygon)
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

/// Shapes on the earth (`Edm.GeographyCollection`).
open class GeographyCollection: GeographyValue, @unchecked Sendable {
    /// A collection of these shapes.
    open class func withValues(_ values: GeographyValueList) -> GeographyCollection {
        GeographyCollection(GeoValue(.collection(values.map(\.geo.shape))), .geographyCollection)
    }

    /// Reads well-known text; nil for text of another shape.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false)
        -> GeographyCollection?
    {
        read(wkt: text, .geographyCollection, sridRequired).map {
            GeographyCollection($0, .geographyCollection)
        }
    }

    /// Reads a GeoJSON object; nil for text of another shape.
    open override class func parse(_ text: String) -> GeographyCollection? {
        read(geoJSON: text, .geographyCollection).map {
            GeographyCollection($0, .geographyCollection)
        }
    }

    /// The shapes, each with the reference system of the collection.
    open var values: GeographyValueList {
        guard case .collection(let shapes) = geo.shape else { return [] }
        return GeographyValueList.fromArray(
            shapes.compactMap { shape in
                GeospatialValue.of(GeoValue(shape, srid: geo.srid), .geography) as? GeographyValue
            })
    }
}
