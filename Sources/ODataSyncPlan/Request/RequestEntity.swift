import ODataModel

/// What requests need to know of an entity: its state as it was when the call began.
package struct RequestEntity: Sendable {
    package var place: EntityPlace
    /// The service does not know it yet.
    package var isNew: Bool
    /// What it was read with (Protocol 4.01, section 8.3.1).
    package var entityTag: String?
    /// Structural properties, all that are set; no control information.
    package var values: StructureValue
    /// Slots of structural properties that were changed.
    package var changedSlots: Set<Int>
    /// Properties that the model does not declare were changed.
    package var hasChangedDynamics: Bool
    /// What a create takes along, by navigation property.
    package var related: [Relation] = []
    /// Related entities that are new or changed, for an update.
    package var relatives: [Relatives] = []
    /// Links to make and to let go, in order.
    package var bindings: [Binding] = []

    /// A navigation property of a new entity: new entities go inside, those that exist are bound.
    package struct Relation: Sendable {
        package var slot: Int
        package var inside: [RequestEntity] = []
        package var bound: [EntityPlace] = []

        package init(slot: Int) { self.slot = slot }
    }

    /// Entities that a navigation property of an entity to update holds, new or changed.
    package struct Relatives: Sendable {
        package var slot: Int
        package var entities: [RequestEntity]

        package init(slot: Int, entities: [RequestEntity]) {
            self.slot = slot
            self.entities = entities
        }
    }

    /// A link that goes along with a create or update.
    package struct Binding: Sendable {
        package var property: PropertyDefinition
        /// Nil to let go whatever a single-valued property leads to.
        package var target: EntityPlace?
        package var isBind: Bool

        package init(property: PropertyDefinition, target: EntityPlace?, isBind: Bool) {
            self.property = property
            self.target = target
            self.isBind = isBind
        }
    }

    package init(
        place: EntityPlace, isNew: Bool, entityTag: String?, values: StructureValue,
        changedSlots: Set<Int>, hasChangedDynamics: Bool
    ) {
        self.place = place
        self.isNew = isNew
        self.entityTag = entityTag
        self.values = values
        let missing = place.graph[values.type].properties.count - values.slots.count
        if missing > 0 { self.values.slots += Array(repeating: nil, count: missing) }
        self.changedSlots = changedSlots
        self.hasChangedDynamics = hasChangedDynamics
    }

    /// What it is of.
    package var definition: StructureDefinition { place.graph[values.type] }

    /// Slots of the key.
    package var keySlots: Set<Int> {
        let definition = definition
        return Set(definition.key.compactMap { definition.slot(named: $0.path) })
    }

    /// The entity as an answer has left it, with what the app gave it beside: changed is what the answer does not say.
    package func completing(_ answer: EntityAnswer) -> RequestEntity {
        var entity = self
        entity.isNew = false
        entity.entityTag = answer.values.map { $0.control.etag } ?? answer.entityTag
        var answered = answer.values
        if let key = answer.key {
            var values = StructureValue(type: values.type, in: place.graph)
            for (part, scalar) in zip(definition.key, key) {
                guard let slot = definition.slot(named: part.path) else { continue }
                values.slots[slot] = .scalar(scalar)
            }
            answered = values
        }
        guard let answered, answered.type == values.type else { return entity }
        let keys = keySlots
        for (slot, value) in answered.slots.enumerated()
        where value != nil && slot < values.slots.count
            && !definition.properties[slot].isNavigation
        {
            if value == values.slots[slot] { entity.changedSlots.remove(slot) }
            // A replacement says everything, and the key is the service's.
            if values.slots[slot] == nil || keys.contains(slot) {
                entity.values.slots[slot] = value
            }
        }
        return entity
    }
}

extension MetadataGraph {
    /// True when the service says that related entities may stand inside an update (`Capabilities.DeepUpdateSupport`).
    package var takesDeepUpdates: Bool {
        guard version >= .v401,
            let annotation = defaultContainer?.annotations.first(
                term: "Org.OData.Capabilities.V1.DeepUpdateSupport")
        else { return false }
        guard case .record(_, let properties) = annotation.value else { return true }
        return properties.flag("Supported") ?? true
    }
}
