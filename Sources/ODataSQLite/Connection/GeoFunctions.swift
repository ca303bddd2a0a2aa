import Foundation
import GRDB
import ODataModel
import ODataText

/// Distances, lengths and crossings of shapes in GeoJSON: on a sphere of the earth's mean radius for geography, in the
/// plane for geometry. Every function gives null for null and for shapes that it cannot answer for.
enum GeoFunctions {
    static let all = [distance, intersects, length]

    private static func shape(_ value: DatabaseValue) -> GeoValue.Shape? {
        guard let text = String.fromDatabaseValue(value) else { return nil }
        return (try? GeoValue(geoJSON: text))?.shape
    }

    private static func flag(_ value: DatabaseValue) -> Bool {
        Int64.fromDatabaseValue(value) == 1
    }

    private static let distance = DatabaseFunction(
        "_odata_geo_distance", argumentCount: 3, pure: true
    ) { values in
        guard case .point(let a?)? = shape(values[0]), case .point(let b?)? = shape(values[1])
        else {
            return nil
        }
        return length(from: a, to: b, isRound: flag(values[2]))
    }

    private static let length = DatabaseFunction(
        "_odata_geo_length", argumentCount: 2, pure: true
    ) { values in
        guard let shape = shape(values[0]) else { return nil }
        let isRound = flag(values[1])
        func total(_ line: [GeoValue.Position]) -> Double {
            zip(line, line.dropFirst()).reduce(0) {
                $0 + length(from: $1.0, to: $1.1, isRound: isRound)
            }
        }
        switch shape {
        case .lineString(let line): return total(line)
        case .multiLineString(let lines): return lines.reduce(0) { $0 + total($1) }
        default: return nil
        }
    }

    /// In metres along a great circle, or in units of the plane.
    private static func length(
        from a: GeoValue.Position, to b: GeoValue.Position, isRound: Bool
    ) -> Double {
        guard isRound else {
            let (x, y) = (b.x - a.x, b.y - a.y)
            return (x * x + y * y).squareRoot()
        }
        let (latitude, other) = (radians(a.y), radians(b.y))
        let (across, along) = (sin((other - latitude) / 2), sin(radians(b.x - a.x) / 2))
        let h = across * across + cos(latitude) * cos(other) * along * along
        return 2 * meanRadius * asin(min(1, h.squareRoot()))
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    /// The mean radius of the earth in metres (IUGG).
    private static let meanRadius = 6_371_008.8

    // MARK: Crossings

    private static let intersects = DatabaseFunction(
        "_odata_geo_intersects", argumentCount: 2, pure: true
    ) { values in
        guard let a = shape(values[0]), let b = shape(values[1]) else { return nil }
        switch (a, b) {
        case (.point(let point?), _): return touches(point, b)
        case (_, .point(let point?)): return touches(point, a)
        default: return nil
        }
    }

    /// True when the point lies in a polygon, on its edge or in no hole of it.
    private static func touches(_ point: GeoValue.Position, _ shape: GeoValue.Shape) -> Bool? {
        switch shape {
        case .point(let other?): return other.x == point.x && other.y == point.y
        case .polygon(let rings): return isInside(point, rings)
        case .multiPolygon(let polygons): return polygons.contains { isInside(point, $0) }
        case .lineString(let line): return isOn(point, line)
        default: return nil
        }
    }

    private static func isInside(
        _ point: GeoValue.Position, _ rings: [[GeoValue.Position]]
    ) -> Bool {
        guard let outer = rings.first else { return false }
        if rings.contains(where: { isOn(point, $0) }) { return true }
        return isWithin(point, outer) && !rings.dropFirst().contains { isWithin(point, $0) }
    }

    /// By how often a ray to the right crosses the ring.
    private static func isWithin(
        _ point: GeoValue.Position, _ ring: [GeoValue.Position]
    ) -> Bool {
        var isWithin = false
        for (a, b) in zip(ring, ring.dropFirst()) where (a.y > point.y) != (b.y > point.y) {
            let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            if point.x < x { isWithin.toggle() }
        }
        return isWithin
    }

    private static func isOn(_ point: GeoValue.Position, _ line: [GeoValue.Position]) -> Bool {
        zip(line, line.dropFirst()).contains { a, b in
            let cross = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
            return cross == 0 && min(a.x, b.x)...max(a.x, b.x) ~= point.x
                && min(a.y, b.y)...max(a.y, b.y) ~= point.y
        }
    }
}
