import ODataModel
import ODataStore
import ODataSyncPlan

/// Changes as the store takes them.
extension LocalWrites {
    func creation(
        of entity: LocalEntity, in graph: @autoclosure () -> MetadataGraph
    ) throws -> LocalWrite {
        if let (parent, navigation) = entity.parent {
            return .createRelated(
                parent: try row(of: parent), navigation: navigation,
                value: try values(of: entity, in: graph()), binds: try binds(of: entity))
        }
        let table = try set(of: entity.name)
        return .create(
            table: table, value: try values(of: entity, in: graph()), binds: try binds(of: entity))
    }

    private func values(
        of entity: LocalEntity, in graph: @autoclosure () -> MetadataGraph
    ) throws -> StructureValue {
        let value = try entity.adopted?(entity.value) ?? entity.value
        guard rules != LocalRules() else { return value }
        return try rules.applied(to: value, in: graph())
    }

    private func set(of name: EntityName) throws -> String {
        switch name.place {
        case .row(let row): row.table
        case .named(let set, _, _), .new(let set): set
        case .outside: try row(of: name).table
        }
    }

    /// The update of what changed since the entity was loaded; with replacement, of everything that is set.
    func change(
        of entity: LocalEntity, _ row: RowReference, mode: QueuedRequest.UpdateMode
    ) throws -> LocalWrite {
        var changes = entity.value
        var changed = entity.changedSlots[...]
        for slot in changes.slots.indices {
            if changed.first == slot { changed.removeFirst() } else { changes.slots[slot] = nil }
        }
        changes = try entity.adopted?(changes) ?? changes
        return .update(row, changes: changes, binds: try binds(of: entity), mode: mode)
    }

    private func binds(of entity: LocalEntity) throws -> [RequestBody.Bind] {
        var binds: [RequestBody.Bind] = []
        for binding in entity.bindings where binding.isBind && rules.binds {
            guard let target = binding.target else { continue }
            let row = try row(of: target)
            if let place = binds.firstIndex(where: { $0.navigation == binding.navigation }) {
                binds[place].targets.append(row)
            } else {
                binds.append(RequestBody.Bind(navigation: binding.navigation, targets: [row]))
            }
        }
        return binds
    }

    /// Links to remove with an update: what was unbound.
    func unbinds(of entity: LocalEntity) throws -> [LocalWrite] {
        guard rules.unbinds else { return [] }
        return try entity.bindings.filter { !$0.isBind }.map { binding in
            .deleteLink(
                try row(of: entity.name), navigation: binding.navigation,
                target: try binding.target.map(row(of:)))
        }
    }

    func write(_ link: LocalLinkChange) throws -> LocalWrite {
        switch link {
        case .create(let source, let navigation, let target):
            .createLink(
                try row(of: source), navigation: navigation, target: try row(of: target))
        case .update(let source, let navigation, let target):
            .updateLink(
                try row(of: source), navigation: navigation, target: try row(of: target))
        case .delete(let source, let navigation, let target):
            .deleteLink(
                try row(of: source), navigation: navigation, target: try target.map(row(of:)))
        }
    }
}
