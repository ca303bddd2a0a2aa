import ODataModel
import ODataText

/// Turns key predicates into scalars in the order of the type's key (URL Conventions 4.01, section 4.3.1).
package struct KeyReader {
    package let graph: MetadataGraph
    package let aliases: [String: Expression]

    package init(graph: MetadataGraph, aliases: [String: Expression] = [:]) {
        self.graph = graph
        self.aliases = aliases
    }

    /// - Throws: `invalidQuery` when names are missing, doubled or unknown, `invalidValue` when a value does not belong to
    ///   the type of its key property.
    package func scalars(
        _ key: [KeyValue], of type: StructureID, place: String
    ) throws -> [Scalar] {
        let properties = graph[type].key
        guard key.count == properties.count, !properties.isEmpty else {
            throw ODataError(
                .invalidQuery,
                "Expected \(properties.count) key values for \(graph[type].qualifiedName), "
                    + "found \(key.count).", at: .path(place))
        }
        return try properties.map { property in
            guard
                let value = key.first(where: {
                    $0.name == property.name || $0.name == nil && key.count == 1
                })
            else {
                throw ODataError(
                    .invalidQuery, "Expected a value for the key property \(property.name).",
                    at: .path(place))
            }
            return try scalar(value.value, of: property, in: type, place: place)
        }
    }

    private func scalar(
        _ value: Expression, of property: KeyProperty, in type: StructureID, place: String
    ) throws -> Scalar {
        var value = value
        if case .alias(let name) = value {
            guard let resolved = aliases[name] else {
                throw ODataError(
                    .invalidQuery, "Expected a value for the alias @\(name).", at: .path(place))
            }
            value = resolved
        }
        guard let target = graph.type(ofPath: property.path, in: type) else {
            throw ODataError(
                .invalidMetadata, "Expected a key property that exists, found \(property.path).",
                at: .path(graph[type].qualifiedName))
        }
        guard let scalar = LiteralConversion(graph: graph).scalar(value, as: target),
            scalar != .null
        else {
            throw ODataError(
                .invalidValue,
                "Expected a key value of \(graph.name(of: target)) for \(property.name).",
                at: .path(place))
        }
        return scalar
    }
}

extension MetadataGraph {
    /// The type at the end of a path of property names; nil when a name is not defined.
    package func type(ofPath path: String, in structure: StructureID) -> TypeReference? {
        var current: StructureID? = structure
        var result: TypeReference?
        for name in path.split(separator: "/") {
            guard let id = current, let slot = self[id].slot(named: String(name)) else {
                return nil
            }
            result = self[id].properties[slot].type
            current = result?.structure
        }
        return result
    }

    /// The qualified name of a type, as CSDL writes it.
    package func name(of type: TypeReference) -> String {
        let name: String
        switch type.kind {
        case .primitive(let primitive): name = "Edm.\(primitive.name)"
        case .enumeration(let id): name = self[id].qualifiedName
        case .structure(let id): name = self[id].qualifiedName
        }
        return type.isCollection ? "Collection(\(name))" : name
    }
}
