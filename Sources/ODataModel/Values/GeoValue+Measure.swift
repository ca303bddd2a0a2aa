import Foundation

/// Distances and lengths (URL Conventions 4.01, section 5.1.1.11). On the earth a sphere of its mean radius stands for
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
}
