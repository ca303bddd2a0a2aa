import ODataModel
import ODataText

extension EntityJSONReader {
    /// A value of any type.
    package func value(_ json: JSONValue, as type: TypeReference) throws -> ODataValue {
        guard type.isCollection else { return try single(json, as: type) }
        if json.isNull { return .list([]) }
        let results = dialect.wrapsPayload ? json["results"] : nil
        guard let elements = (results ?? json).array else { throw expected("an array", json) }
        return .list(
            try elements.enumerated().map { index, element in
                try located("[\(index)]") { try single(element, as: type) }
            })
    }

    private func single(_ json: JSONValue, as type: TypeReference) throws -> ODataValue {
        if json.isNull { return .null }
        switch type.kind {
        case .primitive(.untyped): return try dynamic(json, typeName: nil) ?? .null
        case .primitive(let primitive):
            return .scalar(try ScalarJSON.read(json, as: primitive, dialect: dialect))
        case .enumeration(let id): return .scalar(try enumeration(json, graph[id]))
        case .structure(let id): return .structure(try structure(json, declared: id, set: nil))
        }
    }

    private func enumeration(
        _ json: JSONValue, _ type: EnumerationDefinition
    ) throws -> Scalar {
        switch json {
        case .string(let text):
            guard let value = type.value(of: text) else {
                throw ODataError(.invalidValue, "Expected members of \(type.qualifiedName).")
            }
            return .integer(value)
        case .number(let text):
            guard let value = Int64(text) else {
                throw ODataError(.invalidValue, "Expected an integer for \(type.qualifiedName).")
            }
            return .integer(value)
        default: throw expected("a member of \(type.qualifiedName)", json)
        }
    }

    /// A complex value or entity; nested changes (`@delta`) are left to ``structure(_:declared:set:changes:)``.
    func structure(
        _ json: JSONValue, declared: StructureID, set: EntitySetID?
    ) throws -> StructureValue {
        var changes: [NestedChanges] = []
        return try structure(json, declared: declared, set: set, changes: &changes)
    }

    /// The members of a nested collection that changed.
    struct NestedChanges {
        var slot: Int
        var items: JSONValue
    }

    func structure(
        _ json: JSONValue, declared: StructureID, set: EntitySetID?,
        changes: inout [NestedChanges]
    ) throws -> StructureValue {
        guard let object = json.object else {
            throw expected(graph[declared].qualifiedName, json)
        }
        let type = try actualType(of: object, declared: declared)
        let definition = graph[type]
        var result = StructureValue(type: type, in: graph)
        for member in object.members {
            switch MemberName(member.name) {
            case .operation: continue
            case .property(let name):
                if dialect.wrapsPayload, name == "__metadata" {
                    readV2Metadata(member.value, into: &result)
                } else if let slot = definition.slot(named: name) {
                    try located(name) { try read(slot, member.value, set, into: &result) }
                } else {
                    try unknown(name, member.value, in: object, definition, into: &result)
                }
            case .control(let name):
                readControl(name, member.value, into: &result.control)
            case .annotation(let term):
                result.control.annotations[term] = try? dynamic(member.value, typeName: nil)
            case .propertyControl(let property, "delta"):
                if isRequest {
                    // Whoever asks for one entity gets no changes beside it, and must not overlook them.
                    result.control.annotations["\(property)@odata.delta"] =
                        .scalar(.boolean(true))
                }
                guard let slot = definition.slot(named: property) else { continue }
                changes.append(NestedChanges(slot: slot, items: member.value))
            case .propertyControl(let property, let name):
                try readPropertyControl(
                    name, of: property, member.value, into: &result.control)
            case .propertyAnnotation(let property, let term):
                result.control.annotations["\(property)@\(term)"] =
                    try? dynamic(member.value, typeName: nil)
            }
        }
        return result
    }

    /// The declared type, or the derived type that the payload names.
    private func actualType(of object: JSONObject, declared: StructureID) throws -> StructureID {
        let named = object["@odata.type"] ?? object["@type"] ?? object["__metadata"]?["type"]
        guard let text = named?.string else { return declared }
        let name = Self.typeName(text)
        guard let type = graph.structure(named: name) else {
            guard isRequest else { return declared }
            throw ODataError(.unknownName, "Expected a type of the model.", at: .path(name))
        }
        guard graph.isA(type, declared) else {
            throw ODataError(
                .invalidPayload,
                "Expected \(graph[declared].qualifiedName) or a type derived from it, "
                    + "found \(graph[type].qualifiedName).", at: .path("@odata.type"))
        }
        return type
    }

    /// The name in `#Ns.Type`, `Ns.Type`, or a URL with a fragment.
    static func typeName(_ text: String) -> String {
        text.lastIndex(of: "#").map { String(text[text.index(after: $0)...]) } ?? text
    }

    private func read(
        _ slot: Int, _ json: JSONValue, _ set: EntitySetID?, into result: inout StructureValue
    ) throws {
        let property = graph[result.type].properties[slot]
        guard property.isNavigation, let target = property.type.structure else {
            if property.type.primitive == .stream { return }
            if json.isNull, isRequest, !property.type.isNullable, !property.type.isCollection {
                throw ODataError(.invalidPayload, "Expected a value, found null.")
            }
            result.slots[slot] = try value(json, as: property.type)
            return
        }
        let targetSet = set.flatMap { owner in
            graph.isA(result.type, graph[owner].type) ? graph.targetSet(of: slot, in: owner) : nil
        }
        if property.type.isCollection {
            result.slots[slot] = try related(
                json, target, targetSet, property.name, &result.control)
        } else if json.isNull || json["@removed"] != nil || json["@odata.removed"] != nil {
            result.slots[slot] = .null
        } else if let id = bindingID(json) {
            result.control.bindings[property.name] = [id]
        } else if let link = deferredLink(json) {
            result.control.annotations["\(property.name)@odata.navigationLink"] =
                .scalar(.string(link))
        } else {
            result.slots[slot] = .structure(
                try structure(json, declared: target, set: targetSet))
        }
    }

    /// An expanded collection; nil when a V2 payload says that it was not expanded.
    private func related(
        _ json: JSONValue, _ target: StructureID, _ targetSet: EntitySetID?, _ name: String,
        _ control: inout ControlInformation
    ) throws -> ODataValue? {
        if json.isNull { return .list([]) }
        if let link = deferredLink(json) {
            control.annotations["\(name)@odata.navigationLink"] = .scalar(.string(link))
            return nil
        }
        var list = json
        if dialect.wrapsPayload, let results = json["results"] {
            list = results
            control.nextLinks[name] = Self.link(json["__next"])
            control.counts[name] = Self.count(json["__count"])
        }
        guard let elements = list.array else { throw expected("an array", json) }
        var values: [ODataValue] = []
        for (index, element) in elements.enumerated() {
            if let id = bindingID(element) {
                control.bindings[name, default: []].append(id)
                continue
            }
            values.append(
                .structure(
                    try located("[\(index)]") {
                        try structure(element, declared: target, set: targetSet)
                    }))
        }
        return values.isEmpty && control.bindings[name] != nil ? nil : .list(values)
    }

    /// The entity-id of an object that is nothing but a reference, in a request.
    private func bindingID(_ json: JSONValue) -> String? {
        guard isRequest, let object = json.object, object.members.count == 1 else { return nil }
        if dialect.wrapsPayload {
            return (object["__metadata"] ?? object["__deferred"])?["uri"]?.string
        }
        return (object["@odata.id"] ?? object["@id"])?.string
    }

    private func deferredLink(_ json: JSONValue) -> String? {
        dialect.wrapsPayload ? json["__deferred"]?["uri"]?.string : nil
    }

    private func unknown(
        _ name: String, _ json: JSONValue, in object: JSONObject,
        _ definition: StructureDefinition, into result: inout StructureValue
    ) throws {
        guard definition.isOpen || keepsComputed else {
            guard isRequest else { return }
            throw ODataError(
                .unknownName, "Expected a property of \(definition.qualifiedName).",
                at: .path(name))
        }
        let typeName = (object["\(name)@odata.type"] ?? object["\(name)@type"])?.string
        result.dynamicValues[name] = try located(name) { try dynamic(json, typeName: typeName) }
    }

    /// A value whose type only the payload tells; nil for an object whose type is not known.
    func dynamic(_ json: JSONValue, typeName: String?) throws -> ODataValue? {
        if let typeName, let type = typeReference(Self.typeName(typeName)) {
            return try value(json, as: type)
        }
        switch json {
        case .null: return .null
        case .boolean(let value): return .scalar(.boolean(value))
        case .number(let text): return .scalar(try ScalarJSON.untypedNumber(text))
        case .string(let text): return .scalar(.string(text))
        case .array(let elements):
            return .list(try elements.compactMap { try dynamic($0, typeName: nil) })
        case .object(let object):
            if let name = (object["@odata.type"] ?? object["@type"])?.string,
                let type = graph.structure(named: Self.typeName(name))
            {
                return .structure(try structure(json, declared: type, set: nil))
            }
            guard object["type"]?.string != nil, object["coordinates"]?.array != nil else {
                return nil
            }
            return .scalar(.geo(try GeoValue(geoJSON: json.text)))
        }
    }

    private func typeReference(_ name: String) -> TypeReference? {
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            var type = typeReference(String(name.dropFirst("Collection(".count).dropLast()))
            type?.isCollection = true
            return type
        }
        if let id = graph.structure(named: name) { return TypeReference(.structure(id)) }
        if let id = graph.enumeration(named: name) { return TypeReference(.enumeration(id)) }
        if let definition = graph.typeDefinitions.first(where: {
            $0.qualifiedName == graph.unaliased(name)
        }) {
            return TypeReference(.primitive(definition.underlyingType))
        }
        return PrimitiveType(name: name).map { TypeReference(.primitive($0)) }
    }
}
