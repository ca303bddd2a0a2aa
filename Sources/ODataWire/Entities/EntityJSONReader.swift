import ODataModel
import ODataText

/// Reads entities, collections, changes and values from JSON against a model (JSON Format 4.01; V2 JSON).
///
/// Strict about types, with the path of what does not fit; tolerant about everything else a response may carry:
/// unknown annotations, operations and properties, and any order of members. Values of derived types are read by
/// their `@odata.type`; properties that an open type does not declare become dynamic values.
package struct EntityJSONReader: Sendable {
    package let graph: MetadataGraph
    package var dialect: Dialect
    /// Reads for a service: unknown properties, nulls that are not allowed and duplicates are errors, and entity
    /// references become bindings.
    package var isRequest: Bool
    /// Keeps properties that no type declares, as `$apply` and `$compute` make them, as dynamic values.
    package var keepsComputed = false
    package var limits: JSONLimits

    package init(
        _ graph: MetadataGraph, dialect: Dialect? = nil, isRequest: Bool = false,
        limits: JSONLimits = JSONLimits()
    ) {
        self.graph = graph
        self.dialect = dialect ?? Dialect.of(graph.version)
        self.isRequest = isRequest
        self.limits = limits
    }

    /// A collection of entities, or a delta, with the type and set that the request asked for.
    ///
    /// - Throws: `malformedText`, `invalidPayload`, `invalidValue`; `service` when the body is an error after all.
    package func page(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> EntityPage {
        var reader = JSONReader(bytes, limits: limits)
        return try page(&reader, of: type, in: set)
    }

    /// As ``page(_:of:in:)``, each item handed over as it is read; the page returned has none.
    package func page(
        from source: any ByteSource, of type: StructureID, in set: EntitySetID? = nil,
        _ body: (EntityPageItem) throws -> Void
    ) throws -> EntityPage {
        var reader = JSONReader(source: source, limits: limits)
        return try page(&reader, of: type, in: set, each: body)
    }

    /// A single entity.
    package func entity(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> StructureValue {
        try structure(result(unwrapped(document(bytes)), of: type), declared: type, set: set)
    }

    /// A single entity, nil where the body says null: `{"d":null}`, or an operation of V2 that returns none.
    package func optionalEntity(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> StructureValue? {
        let json = try result(unwrapped(document(bytes)), of: type)
        return json.isNull ? nil : try structure(json, declared: type, set: set)
    }

    /// The value of a property, or the result of an operation that is no entity or collection of them.
    package func property(_ bytes: [UInt8], as type: TypeReference) throws -> ODataValue {
        let json = try unwrapped(document(bytes))
        guard let object = json.object else {
            guard dialect.wrapsPayload else { throw expected("an object", json) }
            return try value(json, as: type)
        }
        if dialect.wrapsPayload {
            if let results = object["results"] { return try value(results, as: type) }
            guard object.members.count == 1, let member = object.members.first,
                !isPart(member, of: type)
            else { return try value(json, as: type) }
            return try value(member.value, as: type)
        }
        if let member = object["value"] { return try value(member, as: type) }
        guard type.structure != nil, !type.isCollection else {
            throw ODataError(
                .invalidPayload, "Expected a member named value.", at: .path("value"))
        }
        return try value(json, as: type)
    }

    /// The parameters of an action, by name (JSON Format 4.01, section 18).
    package func arguments(
        _ bytes: [UInt8], of operation: OperationDefinition
    ) throws -> [String: ODataValue] {
        if bytes.allSatisfy({ $0 <= 32 }) { return [:] }
        let json = try document(bytes)
        guard let object = json.object else { throw expected("an object", json) }
        var arguments: [String: ODataValue] = [:]
        let parameters = operation.ownParameters
        for member in object.members {
            guard case .property(let name) = MemberName(member.name) else { continue }
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                throw ODataError(
                    .unknownName, "Expected a parameter of the operation.", at: .path(name))
            }
            arguments[name] = try located(name) { try value(member.value, as: parameter.type) }
        }
        return arguments
    }

    /// The entity-id of a reference body: `{"@odata.id": …}`, V2 `{"uri": …}` (JSON Format 4.01, section 14).
    package func reference(_ bytes: [UInt8]) throws -> String {
        let json = try unwrapped(document(bytes))
        guard let id = referenceID(json) else {
            throw ODataError(
                .invalidPayload, "Expected an entity reference.",
                at: .path(dialect.wrapsPayload ? "uri" : "@odata.id"))
        }
        return id
    }

    /// The entity-ids of a collection of references, and its next link.
    package func references(_ bytes: [UInt8]) throws -> (ids: [String], nextLink: String?) {
        let json = try unwrapped(document(bytes))
        let list = json["value"] ?? json["results"] ?? json
        guard let elements = list.array else {
            throw ODataError(
                .invalidPayload, "Expected a collection of entity references.",
                at: .path(dialect.wrapsPayload ? "results" : "value"))
        }
        let ids = try elements.enumerated().map { index, element in
            guard let id = referenceID(element) else {
                throw ODataError(
                    .invalidPayload, "Expected an entity reference.", at: .path("value[\(index)]"))
            }
            return id
        }
        let next = json["@odata.nextLink"] ?? json["@nextLink"] ?? json["__next"]
        return (ids, next?.string)
    }

    private func referenceID(_ json: JSONValue) -> String? {
        (json["@odata.id"] ?? json["@id"] ?? json["uri"] ?? json["url"])?.string
    }

    var duplicates: JSONDuplicates { isRequest ? .refuse : .keepLast }

    private func document(_ bytes: [UInt8]) throws -> JSONValue {
        try JSONValue(parsing: bytes, duplicates: duplicates, limits: limits)
    }

    /// What V2 responses wrap in `d`.
    private func unwrapped(_ json: JSONValue) -> JSONValue {
        guard dialect.wrapsPayload, let object = json.object, let inner = object["d"],
            object.members.count == 1
        else { return json }
        return inner
    }

    /// True for a member of the value itself: its only one, where the value stands in `d` without a name.
    private func isPart(_ member: JSONObject.Member, of type: TypeReference) -> Bool {
        guard !type.isCollection, let id = type.structure else { return false }
        return graph[id].slot(named: member.name) != nil && member.value.object == nil
    }

    /// An entity that an operation of V2 returns may stand under the name of the operation: `{"d":{"Best":{…}}}`.
    private func result(_ json: JSONValue, of type: StructureID) -> JSONValue {
        guard dialect.wrapsPayload, let object = json.object, object.members.count == 1,
            let member = object.members.first, !member.name.hasPrefix("__"),
            member.value.object != nil || member.value.isNull
        else { return json }
        let definition = graph[type]
        let slot = definition.slot(named: member.name)
        return slot.map { definition.properties[$0].isNavigation } ?? true ? member.value : json
    }

    func expected(_ what: String, _ json: JSONValue) -> ODataError {
        ODataError(.invalidPayload, "Expected \(what), found \(ScalarJSON.kind(of: json)).")
    }

    /// Puts `segment` in front of the path of what `body` throws.
    func located<Result>(_ segment: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as ODataError {
            switch error.location {
            case nil: error.location = .path(segment)
            case .path(let path):
                error.location = .path(path.hasPrefix("[") ? segment + path : "\(segment)/\(path)")
            default: break
            }
            throw error
        }
    }
}
