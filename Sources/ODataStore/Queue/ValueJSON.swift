import ODataModel
import ODataText

/// Property values as JSON text of the queue tables: exact, and by name, so that they outlive a change of the
/// metadata's order (`docs/store-format.md`, "Values in the queue").
struct ValueJSON {
    let graph: MetadataGraph
    /// What does not fit the metadata is left out.
    var skipsUnknown = false
    private static let maximumDepth = 64

    // MARK: Writing

    func write(_ structure: StructureValue, to writer: inout JSONWriter) {
        let definition = graph[structure.type]
        let properties = definition.properties
        writer.beginObject()
        writer.name("@type")
        writer.string(definition.qualifiedName)
        for slot in structure.slots.indices where slot < properties.count {
            guard let value = structure.slots[slot] else { continue }
            writer.name(properties[slot].name)
            write(value, type: properties[slot].type, to: &writer)
        }
        if !structure.dynamicValues.isEmpty {
            writer.name("@dynamic")
            writer.beginObject()
            for (name, value) in structure.dynamicValues.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                write(value, type: nil, to: &writer)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    func write(_ value: ODataValue, type: TypeReference?, to writer: inout JSONWriter) {
        switch value {
        case .structure(let structure):
            write(structure, to: &writer)
        case .list(let values):
            writer.beginArray()
            for value in values { write(value, type: type, to: &writer) }
            writer.endArray()
        case .scalar(let scalar):
            write(scalar, isTyped: Self.isTyped(type), to: &writer)
        }
    }

    private func write(_ scalar: Scalar, isTyped: Bool, to writer: inout JSONWriter) {
        switch scalar {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .integer(let value): writer.integer(value)
        case .string(let value): writer.string(value)
        default:
            if isTyped {
                writer.string(Lexical.text(scalar))
            } else {
                writer.beginObject()
                writer.name("@type")
                writer.string("Edm." + Self.dynamicType(of: scalar).name)
                writer.name("@value")
                writer.string(Lexical.text(scalar))
                writer.endObject()
            }
        }
    }

    // MARK: Reading

    /// - Parameter expected: the type that the metadata gives the value; with ``skipsUnknown`` it takes the place of one that
    ///   is gone.
    /// - Throws: `storage` for damage; anything else for what does not fit the metadata.
    func structure(_ json: JSONValue?, expected: StructureID?, depth: Int = 0) throws
        -> StructureValue
    {
        guard let object = json?.object, depth < Self.maximumDepth else { throw Self.damaged() }
        let type = try type(object["@type"]?.string, expected)
        let definition = graph[type]
        var result = StructureValue(type: type, in: graph)
        for member in object.members {
            if member.name == "@type" { continue }
            if member.name == "@dynamic" {
                for entry in member.value.object?.members ?? [] {
                    result.dynamicValues[entry.name] = try value(
                        entry.value, type: nil, depth: depth + 1)
                }
                continue
            }
            guard let slot = definition.slot(named: member.name) else {
                if skipsUnknown { continue }
                throw ODataError(
                    .unknownName,
                    "Expected a property of the metadata in a queued request, found another.",
                    at: .path("\(definition.name)/\(member.name)"))
            }
            do {
                result.slots[slot] = try value(
                    member.value, type: definition.properties[slot].type, depth: depth + 1)
            } catch let error as ODataError where error.code != .storage {
                if skipsUnknown { continue }
                throw error.location == nil
                    ? ODataError(
                        error.code, error.message,
                        at: .path("\(definition.name)/\(member.name)"))
                    : error
            }
        }
        return result
    }

    private func type(_ name: String?, _ expected: StructureID?) throws -> StructureID {
        if let type = name.flatMap({ graph.structure(named: $0) }),
            expected.map({ graph.isA(type, $0) || graph[$0].isAbstract }) ?? true
        {
            return type
        }
        if skipsUnknown,
            let expected = expected ?? graph.structures.indices.first.map({ .init($0) })
        {
            return expected
        }
        throw ODataError(
            .unknownName, "Expected a type of the metadata in a queued request, found another.",
            at: name.map { .path($0) })
    }

    private func value(_ json: JSONValue, type: TypeReference?, depth: Int) throws -> ODataValue {
        guard depth < Self.maximumDepth else { throw Self.damaged() }
        if json.isNull { return .null }
        if let type, type.primitive != .untyped, type.isCollection != (json.array != nil) {
            throw Self.unfit()
        }
        if let items = json.array {
            var item = type
            item?.isCollection = false
            return .list(try items.map { try value($0, type: item, depth: depth + 1) })
        }
        if json.object != nil {
            if let text = json["@value"]?.string {
                guard let primitive = json["@type"]?.string.flatMap(PrimitiveType.init(name:))
                else { throw Self.damaged() }
                return .scalar(try fitted(Lexical.parse(text, as: primitive), type))
            }
            guard type?.structure != nil || type == nil || type?.primitive == .untyped else {
                throw Self.unfit()
            }
            return .structure(try structure(json, expected: type?.structure, depth: depth + 1))
        }
        if let value = json.boolean { return .scalar(try fitted(.boolean(value), type)) }
        if let number = json.number {
            guard let value = Int64(number) else { throw Self.damaged() }
            return .scalar(try fitted(.integer(value), type))
        }
        guard let text = json.string else { throw Self.damaged() }
        guard let primitive = type?.primitive, primitive != .string else {
            return .scalar(try fitted(.string(text), type))
        }
        return .scalar(try ScalarWidening.parse(text, as: primitive))
    }

    /// A value that is not told by its type alone, as one of the property's type, which may be a wider one since.
    private func fitted(_ scalar: Scalar, _ type: TypeReference?) throws -> Scalar {
        guard let type, Self.isTyped(type) || type.primitive == nil else { return scalar }
        switch (type.kind, scalar) {
        case (.structure, _): throw Self.unfit()
        case (.enumeration, .integer), (.primitive(.boolean), .boolean): return scalar
        case (.enumeration(let id), .string(let name)):
            guard graph[id].members.contains(where: { $0.name == name }) else {
                throw Self.unfit()
            }
            return scalar
        case (.enumeration, _): throw Self.unfit()
        case (.primitive(let primitive), _):
            guard let wide = ScalarWidening.scalar(scalar, as: primitive) else {
                throw Self.unfit()
            }
            return wide
        }
    }

    private static func unfit() -> ODataError {
        ODataError(
            .invalidValue,
            "Expected a value of the property's type in a queued request, found another.")
    }

    /// True when the property's type alone says how to read a text.
    private static func isTyped(_ type: TypeReference?) -> Bool {
        guard let primitive = type?.primitive else { return false }
        return primitive != .untyped && primitive != .stream && !primitive.isGeospatial
    }

    private static func dynamicType(of scalar: Scalar) -> PrimitiveType {
        switch scalar {
        case .null, .string: .string
        case .boolean: .boolean
        case .integer: .int64
        case .double: .double
        case .decimal: .decimal
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .dateTime: .dateTime
        case .duration: .duration
        case .geo: .geography
        }
    }

    static func damaged() -> ODataError {
        ODataError(.storage, "Expected a queued request as this library writes it, found damage.")
    }
}
