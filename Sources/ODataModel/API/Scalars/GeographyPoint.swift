/// A point on the earth (`Edm.GeographyPoint`).
open class GeographyPoint: GeographyValue, @unchecked Sendable {
    /// The point at a latitude and a longitude in degrees.
    open class func withLatitudeLongitude(_ latitude: Double, _ longitude: Double) -> GeographyPoint
    {
        GeographyPoint(GeoValue(.point(.init(longitude, latitude))), .geographyPoint)
    }

    /// The point at a longitude and a latitude in degrees.
    open class func withXY(_ x: Double, _ y: Double) -> GeographyPoint {
        withLatitudeLongitude(y, x)
    }

    /// Reads well-known text of a point; nil for other text.
    open class func parseWKT(_ text: String, sridRequired: Bool = false) -> GeographyPoint? {
        guard let geo = GeoValue(wkt: text), geo.fits(.geographyPoint),
            geo.srid != nil || !sridRequired
        else { return nil }
        return GeographyPoint(geo, .geographyPoint)
    }

    /// Reads the GeoJSON object of a point; nil for other text.
    open class func parse(_ text: String) -> GeographyPoint? {
        guard let geo = try? GeoValue(geoJSON: text), geo.fits(.geographyPoint) else { return nil }
        return GeographyPoint(geo, .geographyPoint)
    }

    private var position: GeoValue.Position? {
        if case .point(let position) = geo.shape { position } else { nil }
    }

    /// Degrees; NaN for the empty point.
    open var latitude: Double { position?.y ?? .nan }

    /// Degrees; NaN for the empty point.
    open var longitude: Double { position?.x ?? .nan }
}
