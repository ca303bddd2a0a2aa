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
        return try scalars(key, for: properties, of: type, place: place)
    }

    /// The values of an alternate key that the model declares (Core vocabulary, `AlternateKeys`); nil when the names are
    /// not those of one.
    package func alternate(
        _ key: [KeyValue], of type: StructureID, place: String
    ) throws -> [(property: KeyProperty, value: Scalar)]? {
        guard let properties = graph.alternateKey(key, of: type) else { return nil }
        return Array(
            zip(properties, try scalars(key, for: properties, of: type, place: place)))
    }

    private func scalars(
        _ key: [KeyValue], for properties: [KeyProperty], of type: StructureID, place: String
    ) throws -> [Scalar] {
        try properties.map { property in
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
    /// The alternate key whose names these are; nil for those of the key itself and of no key.
    package func alternateKey(_ key: [KeyValue], of type: StructureID) -> [KeyProperty]? {
        let names = Set(key.compactMap(\.name))
        guard names.count == key.count, !names.isEmpty, names != Set(self[type].key.map(\.name))
        else { return nil }
        let sets = entitySets.filter { isA(type, $0.type) }.flatMap(\.annotations)
        for annotation in self[type].annotations + sets
        where annotation.term == "Org.OData.Core.V1.AlternateKeys" {
            guard case .collection(let keys) = annotation.value else { continue }
            for candidate in keys {
                let properties = Self.keyProperties(candidate)
                if Set(properties.map(\.name)) == names { return properties }
            }
        }
        return nil
    }

    private static func keyProperties(_ record: AnnotationExpression) -> [KeyProperty] {
        guard case .collection(let parts)? = record.member("Key") else { return [] }
        return parts.compactMap { part in
            guard let path = part.member("Name")?.textValue else { return nil }
            return KeyProperty(path: path, alias: part.member("Alias")?.textValue)
        }
    }

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

extension AnnotationExpression {
    /// The value of a property of a record; nil for other values.
    fileprivate func member(_ name: String) -> AnnotationExpression? {
        guard case .record(_, let properties) = self else { return nil }
        return properties.first { $0.term == name }?.value
    }

    /// The text of a string or a path; nil for other values.
    fileprivate var textValue: String? {
        switch self {
        case .string(let text), .path(_, let text): text
        default: nil
        }
    }
}
