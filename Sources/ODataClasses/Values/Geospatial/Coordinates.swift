import ODataModel

/// The coordinates of a point: x (longitude) and y (latitude), then z (altitude) and m (measure) where given.
open class PointCoordinates: DoubleList, @unchecked Sendable {
    // Confined as its base class says.

    /// The coordinates of a point.
    open class func withXY(_ x: Double, _ y: Double) -> PointCoordinates {
        PointCoordinates.fromArray([x, y])
    }

    /// The coordinates of a point with an altitude.
    open class func withXYZ(_ x: Double, _ y: Double, _ z: Double) -> PointCoordinates {
        PointCoordinates.fromArray([x, y, z])
    }

    /// The coordinates of a point with an altitude and a measure.
    open class func withXYZM(
        _ x: Double, _ y: Double, _ z: Double, _ m: Double
    ) -> PointCoordinates {
        PointCoordinates.fromArray([x, y, z, m])
    }

    private func number(_ index: Int) -> Double { index < length ? items[index] : .nan }

    /// The first coordinate; NaN where there is none.
    open var x: Double { number(0) }
    /// The second coordinate; NaN where there is none.
    open var y: Double { number(1) }
    /// The third coordinate; NaN where there is none.
    open var z: Double { number(2) }
    /// The fourth coordinate; NaN where there is none.
    open var m: Double { number(3) }
    /// Degrees; the same as ``x``.
    open var longitude: Double { x }
    /// Degrees; the same as ``y``.
    open var latitude: Double { y }
    /// The same as ``z``.
    open var altitude: Double { z }
    /// The same as ``m``.
    open var measure: Double { m }

    package final var position: GeoValue.Position? {
        guard length >= 2 else { return nil }
        return GeoValue.Position(
            items[0], items[1], z: length > 2 && !items[2].isNaN ? items[2] : nil,
            m: length > 3 ? items[3] : nil)
    }

    package static func of(_ position: GeoValue.Position) -> PointCoordinates {
        var numbers = [position.x, position.y]
        if let z = position.z ?? position.m.map({ _ in Double.nan }) { numbers.append(z) }
        if let m = position.m { numbers.append(m) }
        return PointCoordinates.fromArray(numbers)
    }
}

/// The points of a line, in order.
open class LineStringCoordinates: ValueList<PointCoordinates>, @unchecked Sendable {
    package final var positions: [GeoValue.Position] { items.compactMap(\.position) }

    package static func of(_ positions: [GeoValue.Position]) -> LineStringCoordinates {
        LineStringCoordinates.fromArray(positions.map(PointCoordinates.of))
    }
}

/// Points.
open class MultiPointCoordinates: ValueList<PointCoordinates>, @unchecked Sendable {
    package final var positions: [GeoValue.Position] { items.compactMap(\.position) }

    package static func of(_ positions: [GeoValue.Position]) -> MultiPointCoordinates {
        MultiPointCoordinates.fromArray(positions.map(PointCoordinates.of))
    }
}

/// The rings of a polygon, the outer one first.
open class PolygonCoordinates: ValueList<LineStringCoordinates>, @unchecked Sendable {
    package final var positions: [[GeoValue.Position]] { items.map(\.positions) }

    package static func of(_ positions: [[GeoValue.Position]]) -> PolygonCoordinates {
        PolygonCoordinates.fromArray(positions.map(LineStringCoordinates.of))
    }
}

/// Lines.
open class MultiLineStringCoordinates: ValueList<LineStringCoordinates>, @unchecked Sendable {
    package final var positions: [[GeoValue.Position]] { items.map(\.positions) }

    package static func of(_ positions: [[GeoValue.Position]]) -> MultiLineStringCoordinates {
        MultiLineStringCoordinates.fromArray(positions.map(LineStringCoordinates.of))
    }
}

/// Polygons.
open class MultiPolygonCoordinates: ValueList<PolygonCoordinates>, @unchecked Sendable {
    package final var positions: [[[GeoValue.Position]]] { items.map(\.positions) }

    package static func of(_ positions: [[[GeoValue.Position]]]) -> MultiPolygonCoordinates {
        MultiPolygonCoordinates.fromArray(positions.map(PolygonCoordinates.of))
    }
}
