import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan

/// Brings the objects of the app to what the answers of the service say.
extension EntityInput {
    func apply(_ outcome: ChangeOutcome) {
        switch outcome {
        case .created(let id, let answer): object(id)?.take(created: answer)
        case .createdMedia(let id, let answer): object(id)?.take(createdMedia: answer)
        case .updated(let id, let answer, let inside):
            object(id)?.take(updated: answer)
            for child in inside { object(child)?.settle() }
        case .completed(let id, let answer, let inside):
            object(id)?.take(updated: answer)
            object(id)?.isCreated = true
            for child in inside { object(child)?.settle() }
        case .deleted(let id):
            object(id)?.flags.subtract([.new, .local])
            object(id)?.isDeleted = true
        case .finished(let id): object(id)?.bindings = []
        case .linked, .returned: break
        }
    }

    private func object(_ id: EntityPlace.ID?) -> EntityValue? { id.flatMap { objects[$0] } }
}

extension EntityValue {
    /// What the answer to a create says becomes the entity's state.
    fileprivate final func take(created answer: EntityAnswer) {
        if !takeState(of: answer) {
            entityTag = answer.entityTag
            if let link = answer.readLink {
                var value = structureValue
                value.control.readLink = link
                let definition = entityType.definition
                for (part, scalar) in zip(definition.key, answer.key ?? []) {
                    guard let slot = definition.slot(named: part.path) else { continue }
                    value.setSlot(slot, .scalar(scalar))
                }
                load(.value(value))
            }
            settle()
        }
        isCreated = true
    }

    /// What the answer to the content says becomes the entity's state, and what else it was given is a change of that.
    fileprivate final func take(createdMedia answer: EntityAnswer) {
        let wanted = structureValue
        // The service knows nothing yet of what the app gave the entity; only what it answers is its state.
        var bare = wanted
        for (slot, property) in entityType.definition.properties.enumerated()
        where slot < bare.slots.count && !property.isNavigation {
            bare.slots[slot] = nil
        }
        structureValue = bare
        take(created: answer)
        let definition = entityType.definition
        let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
        var value = structureValue
        for slot in wanted.slots.indices where slot < value.slots.count && !keys.contains(slot) {
            guard let content = wanted.slots[slot], !definition.properties[slot].isNavigation else {
                continue
            }
            value.slots[slot] = content
        }
        structureValue = value
    }

    /// What the answer to an update says becomes the entity's state; links that go have yet to.
    fileprivate final func take(updated answer: EntityAnswer) {
        let unbinds = bindings.filter { !$0.isBind }
        if !takeState(of: answer) {
            entityTag = answer.entityTag
            settle()
        }
        bindings = unbinds
        isUpdated = true
    }

    private final func takeState(of answer: EntityAnswer) -> Bool {
        guard let values = answer.values else { return false }
        take(read: values)
        return true
    }

    /// What was read of the entity becomes its state.
    final func take(read values: StructureValue) {
        let type = entityType.model[values.type] as? EntityType
        takeOver(values, type: type ?? entityType)
    }

    /// Nothing is new or pending any more.
    fileprivate final func settle() {
        flags.subtract([.new, .deleted])
        bindings = []
        rememberOld()
    }
}
