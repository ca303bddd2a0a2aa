import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import ODataText

/// Brings the app's entities to what the engine says of their rows.
extension LocalCall {
    /// Fills the entity with a row's state.
    ///
    /// - Throws: `notFound` when the row is not in view.
    func refresh(_ entity: EntityValue, _ row: RowReference, _ state: RowState?) throws {
        guard let state, let values = state.values else {
            throw ODataError(
                .notFound, "Expected an entity in the store, found none.", at: .path(row.table),
                status: 404)
        }
        let rules = writes.rules
        let waiting = entity.bindings.filter { $0.isBind ? !rules.binds : !rules.unbinds }
        entity.load(.value(values), type: document[values.type] as? EntityType)
        entity.bindings = waiting
        entity.localID = row.id
        if let set = document.entitySet(named: row.table) { entity.entitySet = set }
        entity.setFlags(state.flags)
    }

    /// Brings the entity to what its change has made of the row. Related entities that it holds stay, as screens show them on.
    func refresh(_ entity: EntityValue, _ outcome: LocalOutcome) throws {
        let related = keptRelatives(of: entity)
        try refresh(entity, outcome.row, outcome.state)
        for (name, value) in related {
            guard let property = entity.entityType.propertyMap.get(name) else { continue }
            entity.setDataValue(for: property, to: value)
        }
    }

    /// Brings the flags of the entity to those of its row; its values stay.
    func noteState(_ entity: EntityValue, _ outcome: LocalOutcome) {
        if let state = outcome.state { entity.setFlags(state.flags) }
    }

    /// What navigation properties hold, by their names: not those whose links the change adds or removes, nor those with new entities
    /// that the store has made rows of without them.
    private func keptRelatives(of entity: EntityValue) -> [(name: String, value: DataValue?)] {
        let linked = Set(entity.bindings.map(\.property.name))
        return entity.entityType.properties.compactMap { property in
            guard property.isNavigation, entity.hasDataValue(for: property),
                !linked.contains(property.name)
            else { return nil }
            let value = entity.optionalValue(for: property)
            let held =
                (value as? EntityValueList)?.toArray() ?? [value as? EntityValue].compactMap { $0 }
            let isKnown = held.allSatisfy { !$0.isNew || objects[ObjectIdentifier($0)] != nil }
            return isKnown ? (property.name, value) : nil
        }
    }
}

extension EntityValue {
    /// The state flags that the store keeps of a row.
    func setFlags(_ row: RowFlags) {
        let pairs: [(EntityFlags, RowFlags)] = [
            (.local, .isLocal), (.pendingChanges, .hasPendingChanges), (.errorState, .inErrorState),
            (.deleteError, .isDeleteError),
        ]
        for (flag, source) in pairs {
            if row.contains(source) { flags.insert(flag) } else { flags.remove(flag) }
        }
    }
}
