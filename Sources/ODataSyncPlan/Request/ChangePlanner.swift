import ODataModel

/// Says which requests a change takes, for a call by itself and for a member of a change set alike (pure).
///
/// Related entities go inside an update where the service says that it takes them there (`DeepUpdateSupport`), else each has
/// a request of its own; so have links where it takes none inside.
package struct ChangePlanner: Sendable {
    package let settings: RequestSettings

    package init(_ settings: RequestSettings) {
        self.settings = settings
    }

    /// The requests that a change takes, in the order in which they are sent.
    package func steps(of change: EntityChange) -> [ChangeStep] {
        switch change {
        case .create(let entity): create(entity, .given)
        case .createMedia(let entity, let content):
            [ChangeStep(.createMedia(entity, content), .given)] + complete(entity)
        case .update(let entity): update(entity, .given)
        case .delete(let place, let tag): [ChangeStep(.delete(place, entityTag: tag), .given)]
        case .putLink(let place, let property, let target):
            [ChangeStep(.putLink(place, property, to: target), .given)]
        case .deleteLink(let place, let property, let target):
            [ChangeStep(.deleteLink(place, property, to: target), .given)]
        case .action(let call): [ChangeStep(.action(call), .none)]
        }
    }

    private func create(_ entity: RequestEntity, _ identity: ChangeStep.Identity) -> [ChangeStep] {
        [ChangeStep(.create(entity), identity)] + links(of: entity)
    }

    private func update(_ entity: RequestEntity, _ identity: ChangeStep.Identity) -> [ChangeStep] {
        let unbinds = unbinds(of: entity)
        return [ChangeStep(.update(inside(entity), unbinds: unbinds.inside), identity)]
            + relatives(of: entity) + apart(unbinds.apart, of: entity) + links(of: entity)
            + finish(entity)
    }

    private func complete(_ entity: RequestEntity) -> [ChangeStep] {
        let unbinds = unbinds(of: entity)
        return [ChangeStep(.complete(inside(entity), unbinds: unbinds.inside), .none)]
            + relatives(of: entity) + apart(unbinds.apart, of: entity) + links(of: entity)
            + finish(entity)
    }

    private func finish(_ entity: RequestEntity) -> [ChangeStep] {
        entity.place.id.map { [ChangeStep(.finish($0), .none)] } ?? []
    }

    /// The entity with the relatives that go inside its update.
    private func inside(_ entity: RequestEntity) -> RequestEntity {
        guard !entity.place.graph.takesDeepUpdates else { return entity }
        var entity = entity
        entity.relatives = []
        return entity
    }

    private func relatives(of entity: RequestEntity) -> [ChangeStep] {
        guard !entity.place.graph.takesDeepUpdates else { return [] }
        return entity.relatives.flatMap(\.entities).flatMap { child in
            child.isNew ? create(child, .own) : update(child, .own)
        }
    }

    /// The links that an entity lets go: those that its update says, and those that have requests of their own.
    ///
    /// Inside is place for them where the service takes deep updates (Protocol 4.01, section 11.4.3.1) and unbinds.
    private func unbinds(
        of entity: RequestEntity
    ) -> (inside: [RequestEntity.Binding], apart: [RequestEntity.Binding]) {
        let all = entity.bindings.filter { !$0.isBind }
        guard settings.supportsUnbind, entity.place.graph.takesDeepUpdates else { return ([], all) }
        let bound = Set(entity.bindings.lazy.filter(\.isBind).map(\.property.name))
        func fits(_ binding: RequestEntity.Binding) -> Bool {
            !binding.property.type.isCollection
                || binding.target != nil && !bound.contains(binding.property.name)
        }
        return (all.filter(fits), all.filter { !fits($0) })
    }

    private func apart(
        _ unbinds: [RequestEntity.Binding], of entity: RequestEntity
    ) -> [ChangeStep] {
        unbinds.map { ChangeStep(.deleteLink(entity.place, $0.property, to: $0.target), .none) }
    }

    /// Links one by one, for services that take none inside an entity.
    private func links(of entity: RequestEntity) -> [ChangeStep] {
        guard !settings.supportsBind else { return [] }
        return entity.bindings.compactMap { binding in
            guard binding.isBind, let target = binding.target else { return nil }
            return ChangeStep(.putLink(entity.place, binding.property, to: target), .none)
        }
    }
}
