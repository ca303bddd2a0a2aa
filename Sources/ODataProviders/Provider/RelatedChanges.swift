import ODataClasses
import ODataModel

extension EntityValue {
    /// The related entities that the app has put or looked at and that are new or changed, by the property that holds
    /// them; those of `others` have requests of their own.
    func changedRelatives(
        besides others: Set<ObjectIdentifier> = []
    ) -> [(property: Property, entities: [EntityValue])] {
        entityType.properties.compactMap { property in
            guard property.isNavigation, let held = lookedAt(property) else { return nil }
            let entities =
                (held as? EntityValueList)?.toArray() ?? (held as? EntityValue).map { [$0] } ?? []
            let changed = entities.filter { entity in
                !others.contains(ObjectIdentifier(entity))
                    && (entity.isNew || !entity.changedSlots.isEmpty)
            }
            return changed.isEmpty ? nil : (property, changed)
        }
    }
}

extension ChangeSet {
    /// The entities that members of the set create, change or delete by name.
    var named: Set<ObjectIdentifier> {
        Set(
            members.compactMap { member -> ObjectIdentifier? in
                switch member.operation {
                case .create(let entity), .createRelated(let entity, _, _),
                    .createMedia(let entity, _), .update(let entity), .delete(let entity):
                    ObjectIdentifier(entity)
                case .createLink, .updateLink, .deleteLink, .action: nil
                }
            })
    }
}
