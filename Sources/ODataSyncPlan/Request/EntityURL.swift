import ODataModel
import ODataQuery
import ODataText

/// The relative URL of an entity by its key (URL Conventions 4.01, section 4.3).
package struct EntityURL: Sendable {
    package let graph: MetadataGraph
    package let dialect: Dialect
    /// How keys stand in the path.
    package let keys: KeyStyle

    package init(graph: MetadataGraph, dialect: Dialect, keys: KeyStyle = .parentheses) {
        self.graph = graph
        self.dialect = dialect
        self.keys = keys
    }

    /// `Set(key)`, `Set/key`, or `Singleton`; `values` in key order.
    ///
    /// - Throws: `usage` when the values are not those of a key, `invalidQuery` for a literal the dialect cannot say.
    package func text(set: String, key values: [Scalar]) throws -> String {
        guard let id = graph.entitySet(named: set) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found an unknown name.",
                at: .path(set))
        }
        var segments: [ResourcePath.Segment] = [.entitySet(set)]
        if !graph[id].isSingleton {
            segments.append(.key(try keyValues(graph[id].type, values, at: set)))
        }
        return try URLWriter.pathText(
            ResourcePath(segments), graph: graph, dialect: dialect, keys: keys)
    }

    /// `parent/Navigation(key)` of a contained entity, `parent/Navigation` of a contained single one.
    package func text(parent: String, navigation: PropertyDefinition, key values: [Scalar]) throws
        -> String
    {
        let base = parent + "/" + PercentCoding.encode(navigation.name, for: .path)
        guard navigation.type.isCollection, let type = navigation.type.structure else {
            return base
        }
        let path = ResourcePath([
            .entitySet(navigation.name), .key(try keyValues(type, values, at: base)),
        ])
        return try parent + "/"
            + URLWriter.pathText(
                path, graph: graph, dialect: dialect,
                keys: key(type, allows: keys) ? keys : .parentheses)
    }

    /// Only a key of one part needs no set to tell the order of its segments.
    private func key(_ type: StructureID, allows style: KeyStyle) -> Bool {
        graph[type].key.count == 1 || style == .parentheses
    }

    private func keyValues(
        _ type: StructureID, _ values: [Scalar], at place: String
    ) throws -> [KeyValue] {
        let key = graph[type].key
        guard key.count == values.count, !key.isEmpty, !values.contains(.null) else {
            throw ODataError(
                .usage, "Expected a value for each of \(key.count) key properties.",
                at: .path(place))
        }
        return zip(key, values).map { part, value in
            KeyValue(
                name: key.count == 1 ? nil : part.name,
                value: literal(value, of: keyType(type, part.path)))
        }
    }

    private func literal(_ value: Scalar, of type: TypeReference?) -> Expression {
        if let id = type?.enumeration, case .integer(let number) = value {
            let definition = graph[id]
            let member = definition.members.first { $0.value == number }
            return .enumeration(
                type: definition.qualifiedName, members: member?.name ?? "\(number)")
        }
        return .literal(value, type?.primitive)
    }

    /// The type of a key property, which may stand in a complex property.
    private func keyType(_ owner: StructureID, _ path: String) -> TypeReference? {
        var owner = owner
        var type: TypeReference?
        for name in path.split(separator: "/") {
            guard let slot = graph[owner].slot(named: String(name)) else { return nil }
            let found = graph[owner].properties[slot].type
            type = found
            if let next = found.structure { owner = next }
        }
        return type
    }
}
