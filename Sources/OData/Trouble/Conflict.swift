import ODataModel
import ODataStore
import ODataSyncPlan

/// A change made here and one made at the service that do not know of each other.
public struct Conflict<E: Entity>: Sendable, Hashable {
    /// The entity as the service had it when it was changed here; nil where that is not known.
    public let base: E?
    /// The entity as it is here; nil where it is deleted here.
    public let local: E?
    /// The entity as the service has it now; nil where it is deleted there.
    public let server: E?
}

/// How a conflict ends.
public enum Resolution<E: Entity>: Sendable, Hashable {
    /// The change is sent again, over what the service has.
    case keepLocal
    /// The change is taken back, and the entity is as the service has it.
    case keepServer
    /// The entity becomes this, here and at the service.
    case merge(E)
    /// The change stays in ``OfflineStore/refusals``, for somebody to decide.
    case ask
}

/// Who wins the conflicts of an entity set; given to the store when it is opened, so that none is missed.
public struct ConflictRule: Sendable {
    let set: String
    let policy: @Sendable (LocalStore) -> WriteConflictPolicy

    /// What is changed here goes over what the service has.
    public static func keepLocal<E: Entity>(_ type: E.Type) -> ConflictRule {
        ConflictRule(set: E.entitySet) { _ in .clientWins }
    }

    /// What the service has takes the place of what is changed here.
    public static func keepServer<E: Entity>(_ type: E.Type) -> ConflictRule {
        ConflictRule(set: E.entitySet) { _ in .serverWins }
    }

    /// A function says it each time.
    ///
    /// - Parameters:
    ///   - type: The entities that the rule is for.
    ///   - resolve: Runs on a thread of the store in the middle of an upload, and holds up nothing else; it must not wait
    ///     for a synchronisation. Where it throws, and where an entity cannot be read, the change stays listed.
    public static func resolve<E: Entity>(
        _ type: E.Type, _ resolve: @escaping @Sendable (Conflict<E>) throws -> Resolution<E>
    ) -> ConflictRule {
        ConflictRule(set: E.entitySet) { store in
            .resolver { [weak store] conflict in
                guard let store else { return .leave }
                return try outcome(of: conflict, in: store.graph(), resolve)
            }
        }
    }

    private static func outcome<E: Entity>(
        of conflict: WriteConflict, in graph: MetadataGraph,
        _ resolve: (Conflict<E>) throws -> Resolution<E>
    ) throws -> WriteConflictOutcome {
        let model = RowModel(graph)
        func entity(_ values: StructureValue?) throws -> E? {
            guard let values else { return nil }
            return try E(Row(values, id: conflict.request.target.id, [], model))
        }
        // Of the base only a part may be known.
        let known = Conflict(
            base: try? entity(conflict.base), local: try entity(conflict.local),
            server: try entity(conflict.server))
        switch try resolve(known) {
        case .keepLocal: return .keepLocal
        case .keepServer: return .takeServer
        case .ask: return .leave
        case .merge(let entity):
            guard var values = conflict.server ?? conflict.local else { return .leave }
            let said = Values(of: entity)
            let before = (known.server ?? known.local).map { Values(of: $0) } ?? Values()
            let links = said.changes(since: before)
            guard links.binds.isEmpty, links.unbinds.isEmpty else {
                throw ODataError(
                    .notImplemented, "Expected a merge that changes no link.", at: E.entitySet)
            }
            try said.apply(to: &values, in: graph)
            return .merged(values)
        }
    }
}
