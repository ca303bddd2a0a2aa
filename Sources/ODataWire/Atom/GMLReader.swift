import ODataModel
import ODataText

/// Reads shapes in GML as Atom payloads hold them (Atom Format 4.0, section 7.1; V3 writes the same): points, lines,
/// polygons, and collections of these from the simple features profile.
///
/// Names are compared by their local part. Positions of geographies begin with the latitude.
struct GMLReader {
    /// Whether positions are latitude and longitude; otherwise they are x and y.
    let isGeography: Bool

    /// - Throws: `invalidValue` for anything but one shape that is written in full.
    func value(_ element: XMLElement) throws -> GeoValue {
        do {
            return GeoValue(try shape(element, depth: 0), srid: try srid(element))
        } catch var error as ODataError {
            error.location = error.location ?? .offset(element.offset)
            throw error
        }
    }

    /// The last number of `srsName`, as in `http://www.opengis.net/def/crs/EPSG/0/4326`; nil without the attribute.
    private func srid(_ element: XMLElement) throws -> Int32? {
        guard let name = element.attribute("srsName") else { return nil }
        guard let last = name.split(whereSeparator: { "/:#".contains($0) }).last,
            let number = Int32(last), number >= 0
        else { throw Self.unexpected("the number of a reference system") }
        return number
    }

    private func shape(_ element: XMLElement, depth: Int) throws -> GeoValue.Shape {
        guard depth < GeoValue.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected shapes nested at most \(GeoValue.maximumDepth) levels.")
        }
        switch element.name.localName {
        case "Point": return .point(try point(element))
        case "LineString": return .lineString(try positions(element))
        case "Polygon": return .polygon(try rings(element))
        case "MultiPoint":
            return .multiPoint(
                try members(of: element, in: "pointMember", named: "Point").map { member in
                    guard let position = try point(member) else {
                        throw Self.unexpected("a point that is not empty")
                    }
                    return position
                })
        case "MultiCurve":
            return .multiLineString(
                try members(of: element, in: "curveMember", named: "LineString").map(positions))
        case "MultiLineString":
            return .multiLineString(
                try members(of: element, in: "lineStringMember", named: "LineString")
                    .map(positions))
        case "MultiSurface":
            return .multiPolygon(
                try members(of: element, in: "surfaceMember", named: "Polygon").map(rings))
        case "MultiPolygon":
            return .multiPolygon(
                try members(of: element, in: "polygonMember", named: "Polygon").map(rings))
        case "MultiGeometry":
            return .collection(
                try members(of: element, in: "geometryMember", named: nil)
                    .map { try shape($0, depth: depth + 1) })
        default:
            throw Self.unexpected("a shape of GML")
        }
    }

    /// What stands in `<wrapper>` elements, one in each, or together in one `<wrappers>`.
    private func members(
        of element: XMLElement, in wrapper: String, named name: String?
    ) throws -> [XMLElement] {
        let found = element.children.filter {
            $0.name.localName == wrapper || $0.name.localName == wrapper + "s"
        }.flatMap(\.children)
        guard found.allSatisfy({ name == nil || $0.name.localName == name }) else {
            throw Self.unexpected(name.map { "members that are \($0)" } ?? "members")
        }
        return found
    }

    // MARK: Positions

    private func point(_ element: XMLElement) throws -> GeoValue.Position? {
        let positions = try positions(element)
        guard positions.count < 2 else { throw Self.unexpected("one position") }
        return positions.first
    }

    private func rings(_ element: XMLElement) throws -> [[GeoValue.Position]] {
        let outer = element.children("exterior")
        guard outer.count < 2 else { throw Self.unexpected("one outer ring") }
        return try (outer + element.children("interior")).map { wrapper in
            guard let ring = wrapper.child("LinearRing") else {
                throw Self.unexpected("a linear ring")
            }
            return try positions(ring)
        }
    }

    /// The positions of `<pos>` elements, of a `<posList>`, or of points in between.
    private func positions(_ element: XMLElement) throws -> [GeoValue.Position] {
        var result: [GeoValue.Position] = []
        for child in element.children {
            switch child.name.localName {
            case "pos":
                let numbers = try numbers(child.text)
                if !numbers.isEmpty { result.append(try position(numbers[...])) }
            case "posList":
                let numbers = try numbers(child.text)
                let size = child.attribute("srsDimension").flatMap { Int($0) } ?? 2
                guard (2...4).contains(size), numbers.count % size == 0 else {
                    throw Self.unexpected("whole positions")
                }
                for start in stride(from: 0, to: numbers.count, by: size) {
                    result.append(try position(numbers[start..<start + size]))
                }
            case "pointProperty", "pointRep":
                guard let inner = child.child("Point"), let position = try point(inner) else {
                    throw Self.unexpected("a point")
                }
                result.append(position)
            default: continue
            }
        }
        return result
    }

    private func position(_ numbers: ArraySlice<Double>) throws -> GeoValue.Position {
        guard (2...4).contains(numbers.count) else {
            throw Self.unexpected("two to four coordinates")
        }
        let (first, second) = (numbers[numbers.startIndex], numbers[numbers.startIndex + 1])
        return GeoValue.Position(
            isGeography ? second : first, isGeography ? first : second,
            z: numbers.count > 2 ? numbers[numbers.startIndex + 2] : nil,
            m: numbers.count > 3 ? numbers[numbers.startIndex + 3] : nil)
    }

    private func numbers(_ text: String) throws -> [Double] {
        try text.utf8.split(whereSeparator: { $0 == 32 || (9...13).contains($0) }).map { part in
            guard case .double(let number)? = Lexical.scalar(String(Substring(part)), as: .double),
                number.isFinite
            else { throw Self.unexpected("numbers") }
            return number
        }
    }

    private static func unexpected(_ what: String) -> ODataError {
        ODataError(.invalidValue, "Expected \(what) in GML.")
    }
}
