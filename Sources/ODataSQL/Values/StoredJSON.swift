import ODataModel
import ODataQuery
import ODataText

/// Values in JSON columns: the same JSON as in V4 payloads, so that received text can be stored as it came.
package struct StoredJSON: Sendable {
    let graph: MetadataGraph

    package init(graph: MetadataGraph) { self.graph = graph }

    /// JSON text of a value.
    package func text(_ value: ODataValue, type: TypeReference) throws -> String {
        var writer = JSONWriter()
        try write(value, type: type, to: &writer, depth: 0)
        return writer.text
    }

    /// The value in JSON text; lenient about numbers in strings, strict about everything else.
    package func value(_ text: String, type: TypeReference) throws -> ODataValue {
        try value(try JSONValue(parsing: text, duplicates: .keepLast), type: type, depth: 0)
    }

    /// Dynamic properties as one object, with their type beside those whose JSON does not show it.
    package func dynamicText(_ values: [String: ODataValue]) throws -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            try write(name, value, to: &writer, depth: 0)
        }
        writer.endObject()
        return writer.text
    }

    private func write(
        _ name: String, _ dynamic: ODataValue, to writer: inout JSONWriter, depth: Int
    ) throws {
        if let scalar = dynamic.scalar {
            switch scalar {
            case .null, .boolean, .integer, .string: break
            default:
                writer.name(name + "@odata.type")
                writer.string("#" + OpenValue.type(of: scalar).name)
            }
        }
        writer.name(name)
        try write(dynamic, type: Self.untyped, to: &writer, depth: depth)
    }

    package func dynamicValues(_ text: String) throws -> [String: ODataValue] {
        guard let object = try JSONValue(parsing: text, duplicates: .keepLast).object else {
            throw Self.malformed()
        }
        var values: [String: ODataValue] = [:]
        for member in object.members where !member.name.contains("@") {
            values[member.name] = try dynamic(member, of: object, depth: 0)
        }
        return values
    }

    /// The value that ``OpenValue`` stands for.
    package func value(boxed text: String) throws -> ODataValue {
        switch OpenValue(text) {
        case .scalar(let scalar): return .scalar(scalar)
        case .json(let text):
            return try untyped(try JSONValue(parsing: text, duplicates: .keepLast), depth: 0)
        case .members(let type, let names):
            guard let id = graph.enumeration(named: type), let value = graph[id].value(of: names)
            else { return .scalar(.string(names)) }
            return .scalar(.integer(value))
        case nil: return .null
        }
    }

    /// A value whose type stands beside it, or is the one that its JSON shows.
    private func dynamic(
        _ member: JSONObject.Member, of object: JSONObject, depth: Int
    ) throws -> ODataValue {
        let name = (object["\(member.name)@odata.type"] ?? object["\(member.name)@type"])?.string
        if let type = name.map(Self.typeName).flatMap(type),
            let value = try? value(member.value, type: type, depth: depth)
        {
            return value
        }
        return try untyped(member.value, depth: depth)
    }

    private func type(_ name: String) -> TypeReference? {
        guard name.hasPrefix("Collection("), name.hasSuffix(")") else {
            return PrimitiveType(name: name).map { TypeReference(.primitive($0)) }
                ?? graph.type(named: name)
        }
        var type = type(String(name.dropFirst("Collection(".count).dropLast()))
        type?.isCollection = true
        return type
    }

    private func write(
        _ value: ODataValue, type: TypeReference, to writer: inout JSONWriter, depth: Int
    ) throws {
        guard depth < Self.maximumDepth else { throw Self.tooDeep() }
        switch value {
        case .list(let elements):
            var element = type
            element.isCollection = false
            writer.beginArray()
            for item in elements { try write(item, type: element, to: &writer, depth: depth + 1) }
            writer.endArray()
        case .structure(let structure):
            try write(structure, declared: type.structure, to: &writer, depth: depth)
        case .scalar(let scalar):
            write(scalar, type: type, to: &writer)
        }
    }

    private func write(
        _ value: StructureValue, declared: StructureID?, to writer: inout JSONWriter, depth: Int
    ) throws {
        let definition = graph[value.type]
        writer.beginObject()
        if value.type != declared {
            writer.name("@odata.type")
            writer.string("#" + definition.qualifiedName)
        }
        for (property, slot) in zip(definition.properties, value.slots) {
            guard let slot else { continue }
            writer.name(property.name)
            try write(slot, type: property.type, to: &writer, depth: depth + 1)
        }
        for (name, dynamic) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            try write(name, dynamic, to: &writer, depth: depth + 1)
        }
        writer.endObject()
    }

    private func write(_ scalar: Scalar, type: TypeReference, to writer: inout JSONWriter) {
        switch scalar {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .double(let value) where value.isFinite: writer.number("\(value)")
        case .double(let value):
            writer.string(value.isNaN ? "NaN" : value < 0 ? "-INF" : "INF")
        case .decimal(let value): writer.number(value.description)
        case .geo(let value): writer.raw(value.geoJSON.utf8)
        default: writer.string(Lexical.text(scalar))
        }
    }

    private func value(
        _ json: JSONValue, type: TypeReference, depth: Int
    ) throws -> ODataValue {
        guard depth < Self.maximumDepth else { throw Self.tooDeep() }
        if json.isNull { return .null }
        if type.isCollection {
            guard let elements = json.array else { throw Self.malformed() }
            var element = type
            element.isCollection = false
            return .list(try elements.map { try value($0, type: element, depth: depth + 1) })
        }
        switch type.kind {
        case .structure(let id):
            guard let object = json.object else { throw Self.malformed() }
            return .structure(try structure(object, declared: id, depth: depth))
        case .enumeration(let id): return .scalar(try enumeration(json, id))
        case .primitive(.untyped): return try untyped(json, depth: depth)
        case .primitive(let primitive): return .scalar(try scalar(json, primitive))
        }
    }

    private func structure(
        _ object: JSONObject, declared: StructureID, depth: Int
    ) throws -> StructureValue {
        var type = declared
        let name = object["@odata.type"]?.string ?? object["@type"]?.string
        if let name, let found = graph.structure(named: Self.typeName(name)),
            graph.isA(found, declared)
        {
            type = found
        }
        var result = StructureValue(type: type, in: graph)
        for member in object.members where !member.name.contains("@") {
            if let slot = graph[type].slot(named: member.name) {
                result.slots[slot] = try value(
                    member.value, type: graph[type].properties[slot].type, depth: depth + 1)
            } else if graph[type].isOpen {
                result.dynamicValues[member.name] = try dynamic(
                    member, of: object, depth: depth + 1)
            }
        }
        return result
    }

    private func enumeration(_ json: JSONValue, _ id: EnumerationID) throws -> Scalar {
        if let number = json.number, let value = Int64(number) { return .integer(value) }
        guard let text = json.string, let value = graph[id].value(of: text) else {
            throw Self.malformed()
        }
        return .integer(value)
    }

    private func scalar(_ json: JSONValue, _ type: PrimitiveType) throws -> Scalar {
        switch json {
        case .boolean(let value): return .boolean(value)
        case .number(let text), .string(let text): return try Lexical.parse(text, as: type)
        case .object where type.isGeospatial: return .geo(try GeoValue(geoJSON: json.text))
        default: throw Self.malformed()
        }
    }

    private func untyped(_ json: JSONValue, depth: Int) throws -> ODataValue {
        switch json {
        case .null: return .null
        case .boolean(let value): return .scalar(.boolean(value))
        case .string(let text): return .scalar(.string(text))
        case .number(let text):
            guard let value = OpenValue.number(text) else { throw Self.malformed() }
            return .scalar(value)
        case .array(let elements):
            guard depth < Self.maximumDepth else { throw Self.tooDeep() }
            return .list(try elements.map { try untyped($0, depth: depth + 1) })
        case .object(let object):
            if let name = (object["@odata.type"] ?? object["@type"])?.string,
                let type = graph.structure(named: Self.typeName(name))
            {
                return .structure(try structure(object, declared: type, depth: depth))
            }
            guard object["type"]?.string != nil, object["coordinates"]?.array != nil,
                let shape = try? GeoValue(geoJSON: json.text)
            else { return .scalar(.string(json.text)) }
            return .scalar(.geo(shape))
        }
    }

    private static func typeName(_ text: String) -> String {
        text.hasPrefix("#") ? String(text.dropFirst()) : text
    }

    private static let untyped = TypeReference(.primitive(.untyped))
    private static let maximumDepth = 64

    private static func malformed() -> ODataError {
        ODataError(.storage, "Expected JSON of the declared type in a column, found another form.")
    }

    private static func tooDeep() -> ODataError {
        ODataError(.limitExceeded, "Expected at most \(maximumDepth) levels in a stored value.")
    }
}
