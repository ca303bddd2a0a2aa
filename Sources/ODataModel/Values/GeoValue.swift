import ODataText

/// A geographic or geometric shape with its reference system (`Edm.Geography*`, `Edm.Geometry*`).
package struct GeoValue: Sendable, Hashable, CustomStringConvertible {
    /// A position: x (longitude), y (latitude), and z and m where given.
    package struct Position: Sendable, Hashable {
        package var x: Double
        package var y: Double
        package var z: Double?
        package var m: Double?

        package init(_ x: Double, _ y: Double, z: Double? = nil, m: Double? = nil) {
            self.x = x
            self.y = y
            self.z = z
            self.m = m
        }
    }

    package indirect enum Shape: Sendable, Hashable {
        case point(Position?)
        case lineString([Position])
        /// Rings, the outer one first.
        case polygon([[Position]])
        case multiPoint([Position])
        case multiLineString([[Position]])
        case multiPolygon([[[Position]]])
        case collection([Shape])
    }

    package var shape: Shape
    /// EPSG code; nil stands for the default of the type (4326 geography, 0 geometry).
    package var srid: Int32?

    package init(_ shape: Shape, srid: Int32? = nil) {
        self.shape = shape
        self.srid = srid
    }

    /// Reads extended WKT, `SRID=…;` optional; nil when malformed.
    package init?(wkt text: some StringProtocol) { return nil }
    /// Extended WKT with `SRID=…;` where the reference system is known.
    package var wkt: String { "" }
    /// Reads a GeoJSON object.
    package init(geoJSON text: some StringProtocol) throws {
        throw ODataError(.malformedText, "Expected a GeoJSON object.")
    }
    /// A GeoJSON object on one line, `crs` only where the reference system is known.
    package var geoJSON: String { "" }
    package var description: String { wkt }
}
