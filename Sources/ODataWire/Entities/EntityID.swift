import ODataModel
import ODataQuery
import ODataText

/// Canonical entity-ids by convention: set name and key predicate (Protocol 4.01, section 4.3).
package enum EntityID {
    /// `Tools(7)`, relative to the service root and percent-encoded; a singleton is just its name.
    ///
    /// - Throws: `usage` when a key property of the value is not set.
    package static func text(
        of entity: StructureValue, in set: EntitySetID, of graph: MetadataGraph, dialect: Dialect
    ) throws -> String {
        let definition = graph[set]
        var segments = [ResourcePath.Segment.entitySet(definition.name)]
        if !definition.isSingleton {
            segments.append(.key(try key(of: entity, in: graph)))
        }
        return try URLWriter.text(
            Query(path: ResourcePath(segments)), graph: graph, dialect: dialect)
    }

    /// The key of an entity; the name is left out when there is only one part.
    ///
    /// - Throws: `usage` when a key property of the value is not set.
    package static func key(
        of entity: StructureValue, in graph: MetadataGraph
    ) throws -> [KeyValue] {
        let key = graph[entity.type].key
        return try key.map { part in
            guard let found = scalar(at: part.path, of: entity, in: graph) else {
                throw ODataError(
                    .usage, "Expected the key property to be set.", at: .path(part.path))
            }
            let name = key.count == 1 ? nil : part.name
            return KeyValue(name: name, value: .literal(found.value, found.type))
        }
    }

    private static func scalar(
        at path: String, of entity: StructureValue, in graph: MetadataGraph
    ) -> (value: Scalar, type: PrimitiveType?)? {
        var current = entity
        let names = path.split(separator: "/")
        for (index, name) in names.enumerated() {
            let definition = graph[current.type]
            guard let slot = definition.slot(named: String(name)), slot < current.slots.count,
                let value = current.slots[slot]
            else { return nil }
            if index == names.count - 1 {
                return value.scalar.map { ($0, definition.properties[slot].type.primitive) }
            }
            guard let next = value.structure else { return nil }
            current = next
        }
        return nil
    }
}
