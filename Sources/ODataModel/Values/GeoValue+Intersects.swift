import Foundation

/// `geo.intersects` (URL Conventions 4.01, section 5.1.1.11): edges are straight lines in a plane, and on the earth the
/// shorter arcs of great circles, so that polygons may cross the date line and hold a pole.
extension GeoValue {
    /// True when a point is in a polygon (borders included, holes left out), on a line, or the other way round; nil for
    /// other shapes.
    package func intersects(_ other: GeoValue, isGeography: Bool) -> Bool? {
        switch (shape, other.shape) {
        case (.point(let point), let area), (let area, .point(let point)):
            Self.meets(area, point, isGeography)
        default: nil
        }
    }

    private static func meets(_ shape: Shape, _ point: Position?, _ isGeography: Bool) -> Bool? {
        switch shape {
        case .polygon, .multiPolygon, .lineString, .point: break
        default: return nil
        }
        guard let point else { return false }
        switch shape {
        case .polygon(let rings): return contains(rings, point, isGeography)
        case .multiPolygon(let polygons):
            return polygons.contains { contains($0, point, isGeography) }
        case .lineString(let line):
            return isGeography
                ? SphereRing(line, isClosed: false).isOnBorder(SphereVector(point))
                : isOnBorder(line, point, isClosed: false)
        case .point(let other?):
            return isGeography
                ? SphereVector(point).isSame(SphereVector(other))
                : other.x == point.x && other.y == point.y
        default: return false
        }
    }

    /// In the first ring and in none of the others, borders counted as inside.
    private static func contains(
        _ rings: [[Position]], _ point: Position, _ isGeography: Bool
    ) -> Bool {
        guard !rings.isEmpty else { return false }
        if isGeography {
            let (place, arcs) = (SphereVector(point), rings.map { SphereRing($0, isClosed: true) })
            if arcs.contains(where: { $0.isOnBorder(place) }) { return true }
            return arcs[0].encloses(place) && !arcs.dropFirst().contains { $0.encloses(place) }
        }
        if rings.contains(where: { isOnBorder($0, point, isClosed: true) }) { return true }
        return isInside(rings[0], point) && !rings.dropFirst().contains { isInside($0, point) }
    }

    private static func edges(
        _ ring: [Position], isClosed: Bool
    ) -> Zip2Sequence<[Position], [Position]> {
        zip(ring, Array(ring.dropFirst()) + (isClosed ? Array(ring.prefix(1)) : []))
    }

    private static func isOnBorder(
        _ ring: [Position], _ point: Position, isClosed: Bool
    ) -> Bool {
        edges(ring, isClosed: isClosed).contains { first, second in
            let cross =
                (second.x - first.x) * (point.y - first.y)
                - (second.y - first.y) * (point.x - first.x)
            return cross == 0 && min(first.x, second.x) <= point.x
                && point.x <= max(first.x, second.x) && min(first.y, second.y) <= point.y
                && point.y <= max(first.y, second.y)
        }
    }

    /// Counts the edges that a ray to the right crosses.
    private static func isInside(_ ring: [Position], _ point: Position) -> Bool {
        var isInside = false
        for (first, second) in edges(ring, isClosed: true)
        where (first.y > point.y) != (second.y > point.y) {
            let x =
                (second.x - first.x) * (point.y - first.y) / (second.y - first.y) + first.x
            if point.x < x { isInside.toggle() }
        }
        return isInside
    }
}

/// A place on a sphere as a vector of length 1.
private struct SphereVector {
    var x: Double
    var y: Double
    var z: Double

    init(_ position: GeoValue.Position) {
        let (longitude, latitude) = (position.x * .pi / 180, position.y * .pi / 180)
        x = cos(latitude) * cos(longitude)
        y = cos(latitude) * sin(longitude)
        z = sin(latitude)
    }

    private init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    func dot(_ other: SphereVector) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SphereVector) -> SphereVector {
        SphereVector(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z,
            z: x * other.y - y * other.x)
    }

    var length: Double { dot(self).squareRoot() }

    func isSame(_ other: SphereVector) -> Bool { cross(other).length < 1e-11 && dot(other) > 0 }
}

/// Arcs of great circles from place to place.
private struct SphereRing {
    private var arcs: [(SphereVector, SphereVector)]

    init(_ line: [GeoValue.Position], isClosed: Bool) {
        let places = line.map(SphereVector.init)
        let next = Array(places.dropFirst()) + (isClosed ? Array(places.prefix(1)) : [])
        arcs = zip(places, next).filter { !$0.isSame($1) }
    }

    /// Within a tenth of a millimetre of an arc.
    func isOnBorder(_ place: SphereVector) -> Bool {
        arcs.contains { first, second in
            let normal = first.cross(second)
            if first.isSame(place) || second.isSame(place) { return true }
            guard abs(normal.dot(place)) < 1e-11 * normal.length else { return false }
            return first.cross(place).dot(normal) > 0 && place.cross(second).dot(normal) > 0
        }
    }

    /// True for a place on the smaller side of the ring, whatever its direction.
    ///
    /// The ring winds around a place in it once, in the direction in which it winds around that side; around the
    /// opposite of such a place it winds the other way.
    func encloses(_ place: SphereVector) -> Bool {
        var (turned, area) = (0.0, 0.0)
        for (first, second) in arcs {
            turned += atan2(
                place.dot(first.cross(second)),
                first.dot(second) - first.dot(place) * second.dot(place))
        }
        let winding = (turned / (2 * .pi)).rounded()
        guard winding != 0, let origin = arcs.first?.0 else { return false }
        for (first, second) in arcs {
            area +=
                2
                * atan2(
                    origin.dot(first.cross(second)),
                    1 + origin.dot(first) + first.dot(second) + second.dot(origin))
        }
        // To the left of the ring; more than half of the sphere there is less than half on the right.
        area = area.remainder(dividingBy: 4 * .pi)
        return winding * area > 0
    }
}
