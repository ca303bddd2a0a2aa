import Foundation

/// Distances and overlaps (URL Conventions 4.01, section 5.1.1.11). On the earth a sphere of its mean radius stands for
/// it, and lengths are metres; in a plane lengths are those of the coordinates. Altitudes and measures do not count.
extension GeoValue {
    private static let meanRadius = 6_371_008.8

    /// The shortest distance between two points; nil when one shape is no point or is empty.
    package func distance(to other: GeoValue, isGeography: Bool) -> Double? {
        guard case .point(let first?) = shape, case .point(let second?) = other.shape else {
            return nil
        }
        return Self.distance(first, second, isGeography)
    }

    /// The length of a line or of several; nil for other shapes.
    package func length(isGeography: Bool) -> Double? {
        switch shape {
        case .lineString(let line): Self.length(line, isGeography)
        case .multiLineString(let lines):
            lines.reduce(0) { $0 + Self.length($1, isGeography) }
        default: nil
        }
    }

    /// True when a point is in a polygon (its border included) or the other way round; nil for other shapes.
    package func intersects(_ other: GeoValue) -> Bool? {
        switch (shape, other.shape) {
        case (.point(let point), .polygon(let rings)), (.polygon(let rings), .point(let point)):
            return point.map { Self.contains(rings, $0) } ?? false
        case (.point(let point), .multiPolygon(let polygons)),
            (.multiPolygon(let polygons), .point(let point)):
            return point.map { point in polygons.contains { Self.contains($0, point) } } ?? false
        default:
            return nil
        }
    }

    private static func length(_ line: [Position], _ isGeography: Bool) -> Double {
        zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1, isGeography) }
    }

    private static func distance(
        _ first: Position, _ second: Position, _ isGeography: Bool
    ) -> Double {
        guard isGeography else {
            return
                ((first.x - second.x) * (first.x - second.x)
                + (first.y - second.y) * (first.y - second.y)).squareRoot()
        }
        let radians = Double.pi / 180
        let (lower, upper) = (first.y * radians, second.y * radians)
        let height = sin((upper - lower) / 2)
        let width = sin((second.x - first.x) * radians / 2)
        let chord = height * height + cos(lower) * cos(upper) * width * width
        return 2 * meanRadius * asin(min(1, chord.squareRoot()))
    }

    /// In the first ring and in none of the others, borders counted as inside.
    private static func contains(_ rings: [[Position]], _ point: Position) -> Bool {
        guard let outer = rings.first else { return false }
        if rings.contains(where: { isOnBorder($0, point) }) { return true }
        return isInside(outer, point) && !rings.dropFirst().contains { isInside($0, point) }
    }

    private static func edges(_ ring: [Position]) -> Zip2Sequence<[Position], [Position]> {
        zip(ring, Array(ring.dropFirst()) + ring.prefix(1))
    }

    private static func isOnBorder(_ ring: [Position], _ point: Position) -> Bool {
        edges(ring).contains { first, second in
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
        for (first, second) in edges(ring) where (first.y > point.y) != (second.y > point.y) {
            let x =
                (second.x - first.x) * (point.y - first.y) / (second.y - first.y) + first.x
            if point.x < x { isInside.toggle() }
        }
        return isInside
    }
}
