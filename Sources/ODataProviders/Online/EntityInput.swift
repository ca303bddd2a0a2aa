import ODataClasses
import ODataModel
import ODataSyncPlan
import ODataText

/// What requests need to know of entities, and which object of the app each was: the one place where the online client
/// looks into entities.
struct EntityInput {
    /// The objects by the names that the engine gives back.
    private(set) var objects: [EntityPlace.ID: EntityValue] = [:]
    /// Entities with requests of their own, which others do not take along.
    private var planned: Set<EntityPlace.ID>

    private static let maximumDepth = 16

    init(planned: Set<EntityPlace.ID> = []) {
        self.planned = planned
    }

    mutating func place(_ entity: EntityValue) -> EntityPlace { place(entity, depth: 0) }

    private mutating func place(_ entity: EntityValue, depth: Int) -> EntityPlace {
        let id = EntityPlace.ID(entity)
        objects[id] = entity
        let type = entity.entityType
        var place = EntityPlace(
            id: id, graph: type.model.graph, type: type.structureID, set: entity.knownSet,
            key: entity.keyScalars.compactMap { $0 }, link: entity.editLink ?? entity.readLink)
        if depth < Self.maximumDepth, let parent = entity.parentEntity,
            let property = entity.parentProperty
        {
            place.parent = .entity(self.place(parent, depth: depth + 1), property.definition)
        }
        return place
    }

    /// The entity without those that are related to it.
    private mutating func alone(_ entity: EntityValue) -> RequestEntity {
        var values = entity.structureValue
        values.control = ControlInformation()
        for property in entity.entityType.properties
        where property.isNavigation && property.slot < values.slots.count {
            values.slots[property.slot] = nil
        }
        var request = RequestEntity(
            place: place(entity), isNew: entity.isNew, entityTag: entity.entityTag, values: values,
            changedSlots: Set(entity.changedSlots),
            hasChangedDynamics: !values.dynamicValues.isEmpty
                && values.dynamicValues != entity.snapshot?.structureValue.dynamicValues)
        request.bindings = entity.bindings.map { binding in
            RequestEntity.Binding(
                property: binding.property.definition, target: binding.target.map { place($0) },
                isBind: binding.isBind)
        }
        return request
    }

    /// A new entity, with new ones that it holds inside.
    ///
    /// - Throws: `limitExceeded` for entities that hold each other without end.
    mutating func creation(_ entity: EntityValue, depth: Int = 0) throws -> RequestEntity {
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels of related entities.",
                at: .path(entity.entityType.qualifiedName))
        }
        let slots = entity.structureValue.slots
        var request = alone(entity)
        for property in entity.entityType.properties
        where property.isNavigation && slots.indices.contains(property.slot)
            && slots[property.slot] != nil
        {
            var relation = RequestEntity.Relation(slot: property.slot)
            for child in Self.entities(entity.optionalValue(for: property)) {
                if child.isNew {
                    relation.inside.append(try creation(child, depth: depth + 1))
                } else {
                    relation.bound.append(place(child))
                }
            }
            request.related.append(relation)
        }
        return request
    }

    /// An entity with the related ones that the app has put or looked at and that are new or changed.
    mutating func update(_ entity: EntityValue) throws -> RequestEntity {
        planned.insert(EntityPlace.ID(entity))
        var request = alone(entity)
        let isDeep = request.place.graph.takesDeepUpdates
        let found = entity.changedRelatives(besides: planned)
        planned.formUnion(found.flatMap(\.entities).map { EntityPlace.ID($0) })
        request.relatives = try found.map { property, children in
            RequestEntity.Relatives(
                slot: property.slot,
                entities: try children.map { child in
                    guard child.isNew else { return isDeep ? alone(child) : try update(child) }
                    guard !isDeep else { return try creation(child, depth: 1) }
                    (child.parentEntity, child.parentProperty) = (entity, property)
                    return try creation(child)
                })
        }
        return request
    }

    private static func entities(_ held: DataValue?) -> [EntityValue] {
        (held as? EntityValueList)?.toArray() ?? (held as? EntityValue).map { [$0] } ?? []
    }
}

extension EntityValue {
    /// The set by its place in the model of the entity's type; nil until it is known.
    var knownSet: EntitySetID? {
        guard entitySet !== EntitySet.undefined else { return nil }
        let model = entityType.model
        return entitySet.model === model
            ? entitySet.id : model.graph.entitySet(named: entitySet.localName)
    }
}
