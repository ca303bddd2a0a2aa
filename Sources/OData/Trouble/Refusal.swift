import ODataModel
import ODataStore
import ODataSync
import ODataSyncPlan
import Synchronization

/// What is known of a change that the service did not accept.
struct RefusalFacts: Sendable, Hashable {
    let request: Int64
    let row: RowReference
    let kind: Refusal.Kind
    let operation: Refusal.Operation
    let error: ODataError
    /// The qualified names of the entity's type and of those that it is derived from; empty where nobody knows the entity.
    let types: Set<String>

    init(_ request: QueuedRequest, types: Set<String> = []) {
        self.request = request.id
        self.types = types
        row = request.target
        switch request.operation {
        case .create: operation = .creation
        case .update: operation = .update
        case .delete: operation = .deletion
        case .createLink, .updateLink, .deleteLink: operation = .link
        case .putStream, .deleteStream: operation = .stream
        }
        switch request.state {
        case .blocked:
            kind = .heldBack
            error = ODataError(
                .heldBack, "Not sent, because a change that it depends on was refused.",
                at: row.table)
        case .unknown(let reason):
            kind = .undecided
            error = ODataError(
                .undecided, reason ?? "Nobody can tell whether the service carried it out.",
                at: row.table)
        default:
            kind = .refused
            let failure = request.state.failure
            error = ODataError(
                .refused, failure?.message ?? "The service refused the change.", at: row.table,
                status: failure?.status ?? 0)
        }
    }
}

/// A change that the service did not accept, and what can be done about it. It keeps no other change from being sent but
/// those that depend on it.
public struct Refusal: Sendable, Identifiable {
    /// Why it is listed.
    public enum Kind: Sendable, Hashable {
        /// The service refused it.
        case refused
        /// It was not sent, because a change that it depends on was refused.
        case heldBack
        /// It was sent, and nobody can tell whether the service carried it out. It is not sent again by itself.
        case undecided
    }

    /// What kind of change it is.
    public enum Operation: Sendable, Hashable {
        /// A new entity.
        case creation
        /// New values of an entity.
        case update
        /// The end of an entity.
        case deletion
        /// A link between two entities.
        case link
        /// Content of a stream.
        case stream
    }

    let facts: RefusalFacts
    let core: StoreCore

    /// The number of the change, which no other has.
    public var id: Int64 { facts.request }
    /// Why it is listed.
    public var kind: Kind { facts.kind }
    /// What kind of change it is.
    public var operation: Operation { facts.operation }
    /// The set of the entity.
    public var entitySet: String { facts.row.table }
    /// What the service said: its sentence and its status.
    public var error: ODataError { facts.error }

    /// Which entity it is; nil where it is of another type, also of another one among those that are derived from the set's.
    public func ref<E: Entity>(as type: E.Type = E.self) -> Ref<E>? {
        guard facts.row.table == E.entitySet, E.typeName.map(facts.types.contains) ?? true else {
            return nil
        }
        return Ref(row: facts.row.id)
    }

    /// Lets the next synchronisation send it again.
    ///
    /// - Throws: ``ODataError`` with `conflict` for a change that is no longer refused, `storeClosed` or `readOnly`.
    public func retry() async throws {
        try await act { core, request in
            try PendingQueue(try core.scope()).retry(request)
        }
        core.liveSync.withLock { $0 }?.wake()
    }

    /// Takes back all changes of the entity that wait: it is as the service has it, or gone where the service never had it.
    ///
    /// - Throws: ``ODataError`` with `conflict` while a change of it is on its way, `storeClosed` or `readOnly`.
    public func undo() async throws {
        let row = facts.row
        try await act { core, _ in try core.store.undo([row]) }
    }

    /// Corrects the change, and lets the next synchronisation send it in its old place.
    ///
    /// - Parameters:
    ///   - type: The type of the entity that was refused.
    ///   - change: Is given the entity as it is here, and changes what is to be different.
    /// - Throws: ``ODataError``: `usage` for another type than the entity's, `conflict` for what is no longer refused or is
    ///   no creation or update, `notFound` for an entity that is no longer in view; what `change` throws.
    public func fix<E: Entity>(
        _ type: E.Type = E.self, _ change: @escaping @Sendable (inout E) throws -> Void
    ) async throws {
        guard let ref = ref(as: E.self) else {
            throw ODataError(
                .usage, "Expected the type of the entity that was refused.", at: entitySet)
        }
        try await act { core, request in
            guard var entity = try core.entity(ref) else {
                throw ODataError(
                    .notFound, "Expected an entity in the store, found none.", at: E.entitySet)
            }
            let before = Values(of: entity)
            try change(&entity)
            let changes = Values(of: entity).changes(since: before)
            // Of what type the row is, which may be derived, or contained in another.
            guard let type = try core.store.entity(ref.reference)?.values?.type else {
                throw ODataError(
                    .notFound, "Expected an entity in the store, found none.", at: E.entitySet)
            }
            let graph = try core.store.graph()
            var structure = StructureValue(type: type, in: graph)
            try changes.apply(to: &structure, in: graph)
            guard changes.unbinds.isEmpty else {
                throw ODataError(
                    .notImplemented, "Expected a correction that clears no link.", at: E.entitySet)
            }
            _ = try core.store.perform(
                .fix(request: request, changes: structure, binds: changes.binds))
        }
        core.liveSync.withLock { $0 }?.wake()
    }

    private func act(
        _ body: @escaping @Sendable (StoreCore, Int64) throws -> Void
    ) async throws {
        let (core, request) = (core, facts.request)
        try await core.run(on: core.writes, owner: true) { _ in
            try body(core, request)
            try core.refresh()
        }
    }
}

/// The changes that the service did not accept, again each time the list is another one; the present list first.
public struct Refusals: AsyncSequence, Sendable {
    /// What a loop gets: the changes in the order they were made.
    public typealias Element = [Refusal]
    /// A loop ends when its task is cancelled or the store is closed, and throws nothing.
    public typealias Failure = Never

    let core: StoreCore

    /// Begins to follow.
    public func makeAsyncIterator() -> AsyncIterator {
        core.watchOwner()
        return AsyncIterator(core: core, base: core.refusals.follow().makeAsyncIterator())
    }

    /// Gets one list after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let core: StoreCore
        var base: AsyncStream<[RefusalFacts]>.AsyncIterator

        /// The next list; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [Refusal]? {
            guard let facts = await base.next(isolation: actor) else { return nil }
            return facts.map { Refusal(facts: $0, core: core) }
        }

        /// As ``next(isolation:)``.
        public mutating func next() async -> [Refusal]? { await next(isolation: nil) }
    }
}

extension OfflineStore {
    /// The changes that the service did not accept, as a list that follows the store.
    public var refusals: Refusals { Refusals(core: core) }

    /// Takes back the changes of an entity that wait, refused or not: it is as the service has it, or gone where the
    /// service never had it.
    ///
    /// - Throws: ``ODataError`` with `conflict` while a change of it is on its way, `storeClosed` or `readOnly`.
    public func undo<E: Entity>(_ ref: Ref<E>) async throws {
        let core = core
        try await core.run(on: core.writes, owner: true) { _ in
            try core.store.undo([ref.reference])
            try core.refresh()
        }
    }
}
