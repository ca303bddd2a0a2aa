import ODataText

extension GeoValue {
    /// Reads a GeoJSON object (RFC 7946 and, for `crs`, its predecessor, as OData JSON Format 4.01, section 7.1, asks).
    ///
    /// - Throws: `malformedText` when it is not JSON, `invalidValue` when it is not a shape.
    package init(geoJSON text: some StringProtocol) throws {
        try self.init(json: JSONValue(parsing: String(text)))
    }

    package init(json value: JSONValue) throws {
        guard let shape = Self.shape(value, depth: 0) else {
            throw ODataError(.invalidValue, "Expected a GeoJSON shape.")
        }
        self.init(shape)
        if let name = value["crs"]?["properties"]?["name"]?.string {
            // "EPSG:4326" or "urn:ogc:def:crs:EPSG::4326".
            guard let code = name.split(separator: ":").last.flatMap({ Int32($0) }) else {
                throw ODataError(
                    .invalidValue, "Expected the EPSG code of a reference system, found a name.")
            }
            srid = code
        }
    }

    /// The GeoJSON object on one line, with `crs` only where the reference system is known.
    package var geoJSON: String { json.text }

    package var json: JSONValue {
        var object = Self.object(shape)
        if let srid {
            object["crs"] = .object(
                JSONObject([
                    .init(name: "type", value: .string("name")),
                    .init(
                        name: "properties",
                        value: .object(
                            JSONObject([.init(name: "name", value: .string("EPSG:\(srid)"))]))),
                ]))
        }
        return .object(object)
    }

    private static func object(_ shape: Shape) -> JSONObject {
        var object = JSONObject([.init(name: "type", value: .string(shape.name))])
        switch shape {
        case .point(let position): object["coordinates"] = position.map(json) ?? .array([])
        case .lineString(let value), .multiPoint(let value): object["coordinates"] = json(value)
        case .polygon(let value), .multiLineString(let value): object["coordinates"] = json(value)
        case .multiPolygon(let value): object["coordinates"] = .array(value.map(json))
        case .collection(let value):
            object["geometries"] = .array(value.map { .object(Self.object($0)) })
        }
        return object
    }

    private static func json(_ position: Position) -> JSONValue {
        // GeoJSON has no place for a measure without altitude.
        let third = position.z ?? position.m.map { _ in 0 }
        return .array(
            [position.x, position.y, third, position.m].compactMap { number in
                number.map { .number(text($0)) }
            })
    }

    private static func json(_ positions: [Position]) -> JSONValue { .array(positions.map(json)) }
    private static func json(_ lines: [[Position]]) -> JSONValue { .array(lines.map(json)) }

    private static func shape(_ value: JSONValue, depth: Int) -> Shape? {
        guard depth <= maximumDepth, let type = value["type"]?.string else { return nil }
        if type == "GeometryCollection" {
            return all(value["geometries"]) { shape($0, depth: depth + 1) }.map { .collection($0) }
        }
        guard let coordinates = value["coordinates"] else { return nil }
        switch type {
        case "Point":
            if coordinates.array?.isEmpty == true { return .point(nil) }
            return position(coordinates).map { .point($0) }
        case "LineString": return line(coordinates).map { .lineString($0) }
        case "MultiPoint": return line(coordinates).map { .multiPoint($0) }
        case "Polygon": return all(coordinates, line).map { .polygon($0) }
        case "MultiLineString": return all(coordinates, line).map { .multiLineString($0) }
        case "MultiPolygon": return all(coordinates) { all($0, line) }.map { .multiPolygon($0) }
        default: return nil
        }
    }

    private static func line(_ value: JSONValue) -> [Position]? { all(value, position) }

    private static func position(_ value: JSONValue) -> Position? {
        let numbers = all(value) { element -> Double? in
            guard let text = element.number,
                case .double(let number)? = Lexical.scalar(text, as: .double)
            else { return nil }
            return number
        }
        guard let numbers, 2...4 ~= numbers.count else { return nil }
        return Position(
            numbers[0], numbers[1], z: numbers.count > 2 ? numbers[2] : nil,
            m: numbers.count > 3 ? numbers[3] : nil)
    }

    /// Every element read; nil when it is no array or one does not read.
    private static func all<Item>(
        _ value: JSONValue?, _ read: (JSONValue) -> Item?
    ) -> [Item]? {
        guard let elements = value?.array else { return nil }
        var items: [Item] = []
        items.reserveCapacity(elements.count)
        for element in elements {
            guard let item = read(element) else { return nil }
            items.append(item)
        }
        return items
    }
}
