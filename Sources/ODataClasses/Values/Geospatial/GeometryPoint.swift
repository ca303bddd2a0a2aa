import ODataModel

/// A point in a plane (`Edm.GeometryPoint`).
open class GeometryPoint: GeometryValue, @unchecked Sendable {
    /// The point at these coordinates.
    open class func withXY(_ x: Double, _ y: Double) -> GeometryPoint {
        GeometryPoint(GeoValue(.point(.init(x, y))), .geometryPoint)
    }

    /// The point at these coordinates, with an altitude.
    open class func withXYZ(_ x: Double, _ y: Double, _ z: Double) -> GeometryPoint {
        GeometryPoint(GeoValue(.point(.init(x, y, z: z))), .geometryPoint)
    }

    /// The point at these coordinates, with a measure.
    open class func withXYM(_ x: Double, _ y: Double, _ m: Double) -> GeometryPoint {
        GeometryPoint(GeoValue(.point(.init(x, y, m: m))), .geometryPoint)
    }

    /// The point at these coordinates, with an altitude and a measure.
    open class func withXYZM(_ x: Double, _ y: Double, _ z: Double, _ m: Double) -> GeometryPoint {
        GeometryPoint(GeoValue(.point(.init(x, y, z: z, m: m))), .geometryPoint)
    }

    /// The point with these coordinates.
    open class func withCoordinates(_ coordinates: PointCoordinates) -> GeometryPoint {
        GeometryPoint(GeoValue(.point(coordinates.position)), .geometryPoint)
    }

    /// Reads well-known text of a point; nil for other text.
    open override class func parseWKT(_ text: String, sridRequired: Bool = false) -> GeometryPoint?
    {
        read(wkt: text, .geometryPoint, sridRequired).map { GeometryPoint($0, .geometryPoint) }
    }

    /// Reads the GeoJSON object of a point; nil for other text.
    open override class func parse(_ text: String) -> GeometryPoint? {
        read(geoJSON: text, .geometryPoint).map { GeometryPoint($0, .geometryPoint) }
    }

    /// The coordinates; none for the empty point.
    open var coordinates: PointCoordinates {
        position.map(PointCoordinates.of) ?? PointCoordinates()
    }

    private var position: GeoValue.Position? {
        if case .point(let position) = geo.shape { position } else { nil }
    }

    /// The first coordinate; NaN for the empty point.
    open var x: Double { position?.x ?? .nan }

    /// The second coordinate; NaN for the empty point.
    open var y: Double { position?.y ?? .nan }
}
