import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import Synchronization

extension CloudSyncProvider {
    /// Sets who wins conflicts of an entity set; counts from the next upload on. Without it nothing is decided.
    /// The store remembers it with each upload for those that the app does not start (`odata upload`); a function it only names.
    public final func setConflictPolicy(_ policy: ConflictPolicy, for entitySet: EntitySet) {
        engine.change { $0.rules.named.insert(entitySet.localName) }
        setConflictPolicy(policy, for: entitySet.localName)
    }

    package final func setConflictPolicy(_ policy: ConflictPolicy, for set: String) {
        // The rule outlasts this object, which may be one of several over the store.
        let rule = policy.rule { [local] in try? local.document() }
        engine.change { $0.rules.conflicts[set] = rule }
    }

    /// Names a property by whose value a creation is found again at the service when its answer was lost, as by an
    /// alternate key; nil takes that back. Counts from the next upload on.
    public final func setProbeProperty(_ property: Property?, for entitySet: EntitySet) {
        engine.change { $0.rules.named.insert(entitySet.localName) }
        setProbeProperty(property?.name, for: entitySet.localName)
    }

    package final func setProbeProperty(_ property: String?, for set: String) {
        engine.change { $0.rules.probes[set] = property }
    }

    /// Sets whether rows of a set without entity tags are read and compared with what was downloaded before a change of
    /// them is sent, so that conflicts can be seen. Costs a read for each change; off by default.
    public final func setComparesBeforeWriting(_ compares: Bool, for entitySet: EntitySet) {
        engine.change { $0.rules.named.insert(entitySet.localName) }
        setComparesBeforeWriting(compares, for: entitySet.localName)
    }

    package final func setComparesBeforeWriting(_ compares: Bool, for set: String) {
        engine.change {
            if compares { $0.rules.compared.insert(set) } else { $0.rules.compared.remove(set) }
        }
    }

    /// Is told of each overwriting that a conflict policy decides, on the thread of the upload.
    public final var overwriteListener: (@Sendable (EntityOverwrite) -> Void)? {
        get { listeners.withLock { $0.overwrite } }
        set { listeners.withLock { $0.overwrite = newValue } }
    }

    /// Is told beside ``overwriteListener``, which is the app's.
    package final var innerOverwriteListener: (@Sendable (EntityOverwrite) -> Void)? {
        get { listeners.withLock { $0.innerOverwrite } }
        set { listeners.withLock { $0.innerOverwrite = newValue } }
    }

    /// What the engine tells of an overwriting, for the app's listener.
    final func overwritten() -> (@Sendable (Overwrite) -> Void)? {
        let told = listeners.withLock { [$0.overwrite, $0.innerOverwrite] }.compactMap { $0 }
        guard !told.isEmpty else { return nil }
        return { [local, lifecycle] overwrite in
            guard let document = try? local.document() else { return }
            let overwrite = EntityOverwrite(overwrite, in: document)
            lifecycle.inside { for listener in told { listener(overwrite) } }
        }
    }
}

extension EntityOverwrite {
    package init(_ overwrite: Overwrite, in document: CSDLDocument) {
        self.init(
            entitySetName: overwrite.row.table, entityURL: overwrite.name(in: document.graph),
            policy: overwrite.policy, side: overwrite.side == .service ? .service : .local,
            before: document.entity(overwrite.before, in: overwrite.row.table),
            after: document.entity(overwrite.after, in: overwrite.row.table),
            properties: overwrite.properties(in: document.graph),
            description: overwrite.sentence(in: document.graph))
    }
}

extension CSDLDocument {
    /// The object of a row's values.
    fileprivate func entity(_ values: StructureValue?, in set: String) -> EntityValue? {
        guard let values, let type = self[values.type] as? EntityType else { return nil }
        return EntityValue.make(.value(values), type: type, in: entitySet(named: set))
    }
}

extension ConflictPolicy {
    /// The policy as the engine asks it.
    ///
    /// - Parameter document: what objects are made by when it is asked.
    fileprivate func rule(_ document: @escaping @Sendable () -> CSDLDocument?)
        -> WriteConflictPolicy
    {
        switch self {
        case .report: .report
        case .clientWins: .clientWins
        case .serverWins: .serverWins
        case .resolve(let resolve):
            .resolver { conflict in
                guard let document = document() else { return .leave }
                let set = conflict.request.target.table
                let outcome = try resolve(
                    EntityConflict(
                        entitySetName: set, isDeletion: conflict.request.operation == .delete,
                        base: document.entity(conflict.base, in: set),
                        local: document.entity(conflict.local, in: set),
                        server: document.entity(conflict.server, in: set)))
                return switch outcome {
                case .keepLocal: .keepLocal
                case .takeServer: .takeServer
                case .merged(let entity): .merged(entity.structureValue)
                case .leave: .leave
                }
            }
        }
    }
}
