import Foundation
import ODataModel
import ODataQuery

/// A shape as the oracle has it: its kind, its positions, and whether they are on the earth.
struct OracleShape: Sendable {
    enum Kind: String, Sendable { case point = "Point", line = "LineString", area = "Polygon" }

    var kind: Kind
    /// Of an area its one ring, closed.
    var positions: [SIMD2<Double>]
    var isRound: Bool

    init(_ kind: Kind, _ positions: [SIMD2<Double>], isRound: Bool = false) {
        (self.kind, self.positions, self.isRound) = (kind, positions, isRound)
    }

    /// Nil for kinds that the oracle has none of.
    init?(_ value: GeoValue) {
        func pair(_ position: GeoValue.Position) -> SIMD2<Double> {
            SIMD2(position.x, position.y)
        }
        let isRound = value.srid == 4326
        switch value.shape {
        case .point(let position?): self.init(.point, [pair(position)], isRound: isRound)
        case .lineString(let line): self.init(.line, line.map(pair), isRound: isRound)
        case .polygon(let rings) where rings.count == 1:
            self.init(.area, rings[0].map(pair), isRound: isRound)
        default: return nil
        }
    }

    /// As the library has it.
    var value: GeoValue {
        let all = positions.map { GeoValue.Position($0.x, $0.y) }
        let shape: GeoValue.Shape =
            switch kind {
            case .point: .point(all.first)
            case .line: .lineString(all)
            case .area: .polygon([all])
            }
        return GeoValue(shape, srid: isRound ? 4326 : 0)
    }

    /// GeoJSON, as payloads have it.
    var json: String {
        let texts = positions.map { "[\($0.x),\($0.y)]" }
        let list = texts.joined(separator: ",")
        let coordinates: String =
            switch kind {
            case .point: list
            case .line: "[\(list)]"
            case .area: "[[\(list)]]"
            }
        return "{\"type\":\"\(kind.rawValue)\",\"coordinates\":\(coordinates)}"
    }
}

/// Distances, lengths and intersections (URL Conventions 4.01, section 5.1.1.11), with the measures that
/// `docs/conformance.md` tells: a sphere of 6,371,008.8 metres for the earth.
enum OracleGeo {
    static func value(_ function: Function, _ arguments: [OracleValue]) throws -> OracleValue {
        let shapes = try arguments.map { argument -> OracleShape in
            guard case .shape(let shape) = argument else { throw OracleArithmetic.misfit() }
            return shape
        }
        let isRound = shapes.contains { $0.isRound }
        switch function {
        case .geoLength:
            let line = shapes[0].positions
            return .real(
                zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1, isRound) })
        case .geoDistance:
            return .real(distance(shapes[0].positions[0], shapes[1].positions[0], isRound))
        default:
            let (point, area) =
                shapes[0].kind == .point ? (shapes[0], shapes[1]) : (shapes[1], shapes[0])
            return .truth(isInside(point.positions[0], area.positions))
        }
    }

    private static func distance(
        _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ isRound: Bool
    ) -> Double {
        let difference = a - b
        guard isRound else { return (difference * difference).sum().squareRoot() }
        // The angle between two directions from the middle of the earth.
        func direction(_ position: SIMD2<Double>) -> SIMD3<Double> {
            let (east, north) = (position.x * .pi / 180, position.y * .pi / 180)
            return SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north))
        }
        let (x, y) = (direction(a), direction(b))
        let cross = SIMD3(
            x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
        return 6_371_008.8 * atan2((cross * cross).sum().squareRoot(), (x * y).sum())
    }

    /// True inside a convex ring of the plane and on its edge; coordinates are small whole numbers, so that all is exact.
    private static func isInside(_ point: SIMD2<Double>, _ ring: [SIMD2<Double>]) -> Bool {
        let sides = zip(ring, ring.dropFirst()).map { a, b in
            (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
