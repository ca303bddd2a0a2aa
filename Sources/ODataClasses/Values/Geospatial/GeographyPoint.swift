import ODataModel

/// A point on the earth (`Edm.GeographyPoint`).
open class GeographyPoint: GeographyValue, @unchecked Sendable {
    /// The point at a latitude and a longitude in degrees.
    open class func withLatitudeLongitude(_ latitude: Double, _ longitude: Double) -> GeographyPoint
    {
        withXY(longitude, latitude)
    }

    /// The point at a longitude and a latitude in degrees.
    open class func withXY(_ x: Double, _ y: Double) -> GeographyPoint {
        GeographyPoint(GeoValue(.point(.init(x, y))), .geographyPoint)
    }

    /// The point at a longitude and a latitude in degrees, with an altitude.
    open class func withXYZ(_ x: Double, _ y: Double, _ z: Double) -> GeographyPoint {
        GeographyPoint(GeoValue(.point(.init(x, y, z: z))), .geographyPoint)
    }

    /// The point at a longitude and a latitude in degrees, with a measure.
    open class func withXYM(_ x: Double, _ y: Double, _ m: Double) -> GeographyPoint {
        GeographyPoint(GeoValue(.point(.init(x, y, m: m))), .geographyPoint)
    }

    /// The point at a longitude and a latitude in degrees, with an altitude and a measure.
    open class func withXYZM(_ x: Double, _ y: Double, _ z: Double, _ m: Double) -> GeographyPoint {
        GeographyPoint(GeoValue(.point(.init(x, y, z: z, m: m))), .geographyPoint)
    }

    /// The point with these coordinates.
    open class func withCoordinates(_ coordinates: PointCoordinates) -> GeographyPoint {
        GeographyPoint(GeoValue(.point(coordinates.position)), .geographyPoint)
    }

    /// Reads well-known text of a point; nil for other text.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false) -> GeographyPoint?
    {
        read(wkt: text, .geographyPoint, sridRequired).map { GeographyPoint($0, .geographyPoint) }
    }

    /// Reads the GeoJSON object of a point; nil for other text.
    open override class func parse(_ text: String) -> GeographyPoint? {
        read(geoJSON: text, .geographyPoint).map { GeographyPoint($0, .geographyPoint) }
    }

    /// The coordinates; none for the empty point.
    open var coordinates: PointCoordinates {
        position.map(PointCoordinates.of) ?? PointCoordinates()
    }

    private var position: GeoValue.Position? {
        if case .point(let position) = geo.shape { position } else { nil }
    }

    /// Degrees; NaN for the empty point.
    open var latitude: Double { position?.y ?? .nan }

    /// Degrees; NaN for the empty point.
    open var longitude: Double { position?.x ?? .nan }
}
