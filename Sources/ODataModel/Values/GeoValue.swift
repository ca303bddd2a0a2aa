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
        /// Nil for the empty point.
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

    /// How deep collections may be nested.
    package static let maximumDepth = 32

    package init(_ shape: Shape, srid: Int32? = nil) {
        self.shape = shape
        self.srid = srid
    }

    /// The text of ``wkt``.
    package var description: String { wkt }

    /// True when a property of `type` may hold the shape.
    package func fits(_ type: PrimitiveType) -> Bool {
        switch type {
        case .geography, .geometry, .untyped: true
        case .geographyPoint, .geometryPoint: if case .point = shape { true } else { false }
        case .geographyLineString, .geometryLineString:
            if case .lineString = shape { true } else { false }
        case .geographyPolygon, .geometryPolygon: if case .polygon = shape { true } else { false }
        case .geographyMultiPoint, .geometryMultiPoint:
            if case .multiPoint = shape { true } else { false }
        case .geographyMultiLineString, .geometryMultiLineString:
            if case .multiLineString = shape { true } else { false }
        case .geographyMultiPolygon, .geometryMultiPolygon:
            if case .multiPolygon = shape { true } else { false }
        case .geographyCollection, .geometryCollection:
            if case .collection = shape { true } else { false }
        default: false
        }
    }

    /// The smallest box around all positions, x and y only; nil for empty shapes.
    package var boundingBox: (minX: Double, minY: Double, maxX: Double, maxY: Double)? {
        let positions = shape.positions
        guard let first = positions.first else { return nil }
        return positions.reduce((first.x, first.y, first.x, first.y)) { box, position in
            (
                min(box.0, position.x), min(box.1, position.y), max(box.2, position.x),
                max(box.3, position.y)
            )
        }
    }
}

extension GeoValue.Shape {
    /// All positions in order.
    package var positions: [GeoValue.Position] {
        switch self {
        case .point(let position): position.map { [$0] } ?? []
        case .lineString(let positions), .multiPoint(let positions): positions
        case .polygon(let lines), .multiLineString(let lines): lines.flatMap(\.self)
        case .multiPolygon(let polygons): polygons.flatMap { $0.flatMap(\.self) }
        case .collection(let shapes): shapes.flatMap(\.positions)
        }
    }

    /// The name of the shape as GeoJSON spells it; WKT of OData shortens the last to `Collection`.
    package var name: String {
        switch self {
        case .point: "Point"
        case .lineString: "LineString"
        case .polygon: "Polygon"
        case .multiPoint: "MultiPoint"
        case .multiLineString: "MultiLineString"
        case .multiPolygon: "MultiPolygon"
        case .collection: "GeometryCollection"
        }
    }
}
