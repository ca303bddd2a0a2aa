import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataWorld
import Synchronization

/// Changes that are made together or not at all, here and at the service. It exists inside ``OfflineStore/write(_:)`` only.
///
/// Reads see what the transaction has changed so far. What a change or a read throws inside is an ``ODataError``, as outside.
public struct Transaction: ~Copyable {
    let session: TypedSession
    let options: WriteOptions
    let model: RowModel
    /// Contents that go with what is changed.
    let contents = UsedContents()
    /// What rows of a query that expands are read by. Which links are known is told by what downloads have brought, and none
    /// ends meanwhile.
    private let linkModel: (QueryShape) throws -> RowModel

    init(
        _ session: ChangeSession, _ options: WriteOptions, _ model: RowModel,
        _ linkModel: @escaping (QueryShape) throws -> RowModel
    ) {
        self.session = TypedSession(session)
        self.options = options
        self.model = model
        self.linkModel = linkModel
    }

    /// Creates an entity. Others may link to it at once; its ref stays when the service gives it a key.
    ///
    /// - Throws: ``ODataError``: `unknownName` or `wrongType` for a property that does not fit the metadata, `invalidValue`
    ///   for a value that it does not allow or that is missing, `conflict` for a key that is taken.
    @discardableResult
    public mutating func insert<D: EntityDraft>(_ draft: D) throws -> Ref<D.Target> {
        let (structure, values) = try structure(of: draft)
        let row = try session.perform(
            .create(table: D.Target.entitySet, value: structure, binds: values.binds), options)
        return Ref(row: row.id)
    }

    /// Creates an entity among those that a link of another one leads to: the only way for entities that are contained in
    /// others.
    ///
    /// ```swift
    /// let item = try tx.insert(Item.Draft(name: "Nut"), in: \.items, of: order.ref)
    /// ```
    ///
    /// - Throws: As ``insert(_:)``; `notFound` for an owner that is no longer in view.
    @discardableResult
    public mutating func insert<Owner: Entity, D: EntityDraft>(
        _ draft: D, in links: KeyPath<Owner.Fields, ToMany<D.Target>>, of owner: Ref<Owner>
    ) throws -> Ref<D.Target> {
        let (structure, values) = try structure(of: draft)
        let path = Owner.Fields(.entity)[keyPath: links].path.path
        let row = try session.perform(
            .createRelated(
                parent: owner.reference, navigation: path.names, value: structure,
                binds: values.binds), options)
        return Ref(row: row.id)
    }

    /// The values of a new entity, and what the draft says beside them.
    func structure<D: EntityDraft>(
        of draft: D
    ) throws -> (structure: StructureValue, values: Values) {
        var values = Values()
        draft.write(to: &values)
        var structure = StructureValue(
            type: try model.type(ofNew: D.Target.self), in: model.graph)
        try values.apply(to: &structure, in: model.graph)
        try values.applyChildren(to: &structure, in: model.graph)
        return (structure, values)
    }

    /// Changes an entity as it is now in the store, whatever the app's copy says; only what is different then is sent.
    ///
    /// - Throws: ``ODataError``: `notFound` for an entity that is no longer in view, otherwise as ``insert(_:)``; what
    ///   `change` throws.
    public mutating func update<E: Entity>(
        _ entity: E, _ change: (inout E) throws -> Void
    ) throws {
        try update(entity.ref, change)
    }

    /// Changes the entity that a ref names; see ``update(_:_:)``.
    ///
    /// - Throws: As that.
    public mutating func update<E: Entity>(
        _ ref: Ref<E>, _ change: (inout E) throws -> Void
    ) throws {
        let row = ref.reference
        guard let state = try session.state(of: row), let values = state.values,
            model.isType(values.type, of: E.self)
        else { throw Self.notFound(E.entitySet) }
        var entity = try E(Row(values, id: row.id, state.flags, model))
        let before = Values(of: entity)
        try change(&entity)
        let changes = Values(of: entity).changes(since: before)
        guard !changes.isEmpty else { return }
        var structure = StructureValue(type: values.type, in: model.graph)
        try changes.apply(to: &structure, in: model.graph)
        let (session, options) = (session, options)
        try session.together {
            try session.perform(
                .update(row, changes: structure, binds: changes.binds, mode: .merge), options)
            for navigation in changes.unbinds {
                try session.perform(.deleteLink(row, navigation: navigation, target: nil), options)
            }
        }
    }

    /// Deletes an entity.
    ///
    /// - Throws: ``ODataError`` with `notFound` for an entity that is no longer in view.
    public mutating func delete<E: Entity>(_ entity: E) throws { try delete(entity.ref) }

    /// Deletes the entity that a ref names.
    ///
    /// - Throws: As ``delete(_:)``.
    public mutating func delete<E: Entity>(_ ref: Ref<E>) throws {
        try session.perform(.delete(ref.reference), options)
    }

    /// What a query finds in what the transaction has left so far.
    ///
    /// - Throws: As `OfflineStore.fetch(_:)`.
    public func fetch<E, Result>(_ query: Query<E, Result>) throws -> [Result] {
        let page = try session.run(query.shape, in: model.graph)
        let model = query.shape.expand.isEmpty ? model : try linkModel(query.shape)
        return try page.rows(model).map(query.decode)
    }

    private static func notFound(_ set: String) -> ODataError {
        ODataError(.notFound, "Expected an entity in the store, found none.", at: set)
    }
}

extension OfflineStore {
    /// Changes the store, and queues what it takes to change the service: all of it or nothing, as one change set.
    ///
    /// ```swift
    /// let (_, done) = try await store.write { tx in try tx.update(order) { $0.status = .done } }
    /// ```
    ///
    /// The changes are on disk and in view when this returns; they are sent by ``sync(within:)``. A task that is cancelled
    /// before has written nothing; one that is cancelled later gets its result all the same.
    ///
    /// - Parameter body: Runs once, on a thread of the store that holds up other writes: it calculates, and waits for
    ///   nothing.
    /// - Returns: What `body` returns, and what becomes of the changes at the service.
    /// - Throws: What `body` throws, and then nothing is changed; `readOnly` for a reader, `storeClosed`, `storeSuspended`;
    ///   `CancellationError`. A change whose error the body catches has left nothing; the others are made.
    @discardableResult
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (inout Transaction) throws -> Value
    ) async throws -> (value: Value, confirmation: Confirmation) {
        let core = core
        return try await core.run(on: core.writes, owner: true) { _ in try core.write(body) }
    }
}

extension StoreCore {
    fileprivate func write<Value>(
        _ body: (inout Transaction) throws -> Value
    ) throws -> (value: Value, confirmation: Confirmation) {
        let model = try model()
        var record = ConfirmationRecord()
        var contents: UsedContents?
        do {
            // Watched before the commit: from then on an upload may send them.
            let value = try store.changing(
                changeSet: store.world.makeToken(),
                recorded: { requests in
                    record = confirmations.watch(requests)
                    status.update { $0.pending += requests.count }
                },
                { session, options in
                    var transaction = Transaction(session, options, model) { shape in
                        try ODataError.translating { try self.model(shape) }
                    }
                    let value = try body(&transaction)
                    contents = transaction.contents
                    return value
                })
            contents?.settle()
            if !record.open.isEmpty { liveSync.withLock { $0 }?.wake() }
            return (value, Confirmation(record))
        } catch {
            confirmations.forget(record)
            throw error
        }
    }
}
