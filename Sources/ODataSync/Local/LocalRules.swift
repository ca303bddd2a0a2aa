import ODataModel
import ODataText

/// What a local database does by itself when entities are created and updated; all of it unless an app says otherwise.
package struct LocalRules: Sendable, Hashable {
    package var generatesKeys = true
    package var usesGivenKeys = true
    package var binds = true
    package var unbinds = true
    package var createsParents = true
    package var createsChildren = true

    package init() {}

    /// The creation as the rules have it: with or without keys, and with those nested entities that go along.
    ///
    /// - Throws: `invalidValue` for a key property without value where none is generated.
    package func applied(to value: StructureValue, in graph: MetadataGraph) throws -> StructureValue
    {
        guard self != LocalRules() else { return value }
        return try applied(to: value, in: graph, depth: 0)
    }

    private func applied(
        to value: StructureValue, in graph: MetadataGraph, depth: Int
    ) throws -> StructureValue {
        guard depth < 16 else {
            throw ODataError(.limitExceeded, "Expected at most 16 levels of nested entities.")
        }
        let definition = graph[value.type]
        var result = value
        for slot in definition.key.compactMap({ definition.slot(named: $0.path) })
        where slot < result.slots.count {
            let property = definition.properties[slot]
            if !usesGivenKeys, property.type.hasLocalKeys { result.slots[slot] = nil }
            guard generatesKeys || result.slots[slot].map({ !$0.isNull }) ?? false else {
                throw ODataError(
                    .invalidValue, "Expected a value for each key property, found none.",
                    at: .path("\(definition.qualifiedName)/\(property.name)"), status: 400)
            }
        }
        for (slot, property) in definition.properties.enumerated()
        where property.isNavigation && slot < result.slots.count {
            switch result.slots[slot] {
            case .structure(let entity):
                result.slots[slot] = try kept(entity, property, graph, depth)
                    .map { .structure($0) }
            case .list(let items):
                let entities = try items.compactMap(\.structure).compactMap {
                    try kept($0, property, graph, depth)
                }
                result.slots[slot] = .list(entities.map { .structure($0) })
            default: continue
            }
        }
        return result
    }

    /// A nested entity, nil for one that does not go along.
    private func kept(
        _ entity: StructureValue, _ property: PropertyDefinition, _ graph: MetadataGraph,
        _ depth: Int
    ) throws -> StructureValue? {
        let control = entity.control
        guard control.readLink == nil, control.editLink == nil, control.id == nil else {
            return binds ? entity : nil
        }
        guard creates(property) else { return nil }
        return try applied(to: entity, in: graph, depth: depth + 1)
    }

    /// True when new entities of a navigation property are created with the one that holds them.
    package func creates(_ property: PropertyDefinition) -> Bool {
        property.type.isCollection ? createsChildren : createsParents
    }
}
