import ODataModel
import ODataQuery
import ODataWire

/// Entities and links of which an answer has the names only.
extension AnswerReader {
    func item(
        _ item: EntityPageItem, _ type: StructureID, _ set: EntitySetID?
    ) -> AnswerItem? {
        switch item {
        case .entity(let value, let own):
            return .entity(AnswerEntity(value: value, set: own ?? set))
        case .removed(let removed):
            var entity = named(removed.reference, type, removed.set ?? set)
            if case .key = removed.reference { entity.isReference = false }
            entity.isRemoved = true
            return .entity(entity)
        case .link(let change): return link(change, isDeleted: false, type, set)
        case .deletedLink(let change): return link(change, isDeleted: true, type, set)
        }
    }

    /// A relationship that a delta says began or ended; nil for one that the model does not know.
    private func link(
        _ change: LinkChange, isDeleted: Bool, _ type: StructureID, _ set: EntitySetID?
    ) -> AnswerItem? {
        let set = change.set ?? set
        let sourceType = set.map { graph[$0].type } ?? type
        let definition = graph[sourceType]
        guard let slot = definition.slot(named: change.relationship),
            let targetType = definition.properties[slot].type.structure
        else { return nil }
        let targetSet = set.flatMap { graph.targetSet(of: slot, in: $0) }
        return .link(
            AnswerLink(
                source: named(change.source, sourceType, set), sourceType: sourceType, slot: slot,
                target: named(change.target, targetType, targetSet), isDeleted: isDeleted))
    }

    /// An entity of which the name is all that is known; an id may name another set than the one that was asked for.
    func named(
        _ name: EntityReference, _ type: StructureID, _ set: EntitySetID?
    ) -> AnswerEntity {
        var entity: AnswerEntity
        switch name {
        case .key(let value): entity = AnswerEntity(value: value, set: set)
        case .id(let id):
            let found = identity(id, expecting: set)
            let own = found.map { graph[$0.set].type } ?? type
            var value = StructureValue(type: graph.isA(type, own) ? type : own, in: graph)
            value.control.id = id
            for (part, scalar) in zip(graph[value.type].key, found?.key ?? []) {
                guard let slot = graph[value.type].slot(named: part.path) else { continue }
                value.slots[slot] = .scalar(scalar)
            }
            entity = AnswerEntity(value: value, set: found?.set ?? set)
        }
        entity.isReference = true
        return entity
    }

    /// The entity that an entity-id or location names, where it is a URL of this service.
    func identity(_ url: String, expecting set: EntitySetID?) -> EntityIdentity? {
        let url = relative(url)
        return url.contains("://") ? nil : EntityIdentity(url, expecting: set, in: graph)
    }
}
