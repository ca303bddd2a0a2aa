import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Synchronization

/// A local store as a data service: queries are answered and changes made in one SQLite file.
///
/// Used beneath a ``CloudSyncProvider``, or on its own with metadata that the app sets.
///
/// ```swift
/// let store = SQLDatabaseProvider(serviceName: "Field", databaseURL: "sqlite:~/field.db")
/// store.encryptionKey = passphrase
/// try store.open()
/// defer { try? store.close() }
/// ```
///
/// Calls block; any thread may call. Reads see committed states only and never wait for a download; changes take turns, and
/// each is on disk when its call returns. Entities that a read gave do not follow the store: ``observe(_:failure:_:)`` tells
/// what changes.
///
/// What needs the store throws `UsageError` while it is closed and `DataStorageError` when its file fails.
open class SQLDatabaseProvider: ObjectBase, DataServiceProvider, @unchecked Sendable {
    // What changes is guarded by `state`.
    private struct State {
        var store: LocalStore?
        var document: CSDLDocument?
        var encryptionKey: String?
        var configuration = LocalStore.Configuration()
        var rules = LocalRules()
        /// The failed request that the next update of a row corrects.
        var fixes: [RowReference: Int64] = [:]
    }

    private final let name: String
    private final let databaseURL: String
    /// Written once, before anyone else has the provider.
    package final private(set) var world: any World = LiveWorld()
    private final let state = Mutex(State())
    /// Held while the store is opened, closed or cleared: one of them at a time, and one store for all.
    private final let lifecycle = Mutex(())
    /// The classes of the app for the store's types, whatever document they were registered with.
    package final let classes = ClassRegistry()

    /// Names the store's file: `sqlite:` and a path, in which `~` stands for the app's own data folder.
    public init(serviceName: String, databaseURL: String) {
        name = serviceName
        self.databaseURL = databaseURL
        super.init()
    }

    package convenience init(serviceName: String, databaseURL: String, world: any World) {
        self.init(serviceName: serviceName, databaseURL: databaseURL)
        self.world = world
    }

    /// The name given when the provider was made.
    open var serviceName: String { name }

    /// The key that the file is sealed with; set it before ``open()``. nil opens and makes files in clear.
    ///
    /// 64 hexadecimal digits are a key of 32 bytes, any other text is a passphrase, which takes longer to open with.
    open var encryptionKey: String? {
        get { state.withLock { $0.encryptionKey } }
        set { state.withLock { $0.encryptionKey = newValue } }
    }

    /// Lets another key open the encrypted store from now on; the old one no longer does. Instant at any size.
    ///
    /// - Throws: `UsageError` for a store in clear, `DataStorageError` when the header cannot be written: then either key opens
    ///   the store, and ``encryptionKey`` is the old one still.
    open func changeEncryptionKey(to newKey: String) throws {
        try ErrorBase.translating {
            try store().changeKey(to: try StoreKey(newKey))
            encryptionKey = newKey
        }
    }

    /// What the store is opened with, apart from the key.
    package final var storeConfiguration: LocalStore.Configuration {
        get { state.withLock { $0.configuration } }
        set { state.withLock { $0.configuration = newValue } }
    }

    // MARK: Lifecycle

    /// Opens the store, creating the file when there is none. A new store takes the metadata that was set before.
    ///
    /// - Throws: `DataStorageError` for a file that is no store, for one of a newer format, and for a key that does not fit;
    ///   the file is as it was then.
    open func open() throws {
        try ErrorBase.translating {
            let store = try openStore()
            guard !store.hasMetadata, let document = state.withLock({ $0.document }) else { return }
            try store.adopt(metadata: CSDLWriter.xml(document.graph), graph: document.graph)
            Self.noteColumns(of: store, in: document)
        }
    }

    /// Closes the store; its file stays.
    ///
    /// - Throws: Nothing of its own; what runs is stopped first.
    open func close() throws {
        try ErrorBase.translating {
            try lifecycle.withLock { _ in
                let store = state.withLock { state -> LocalStore? in
                    defer { state.store = nil }
                    return state.store
                }
                try store?.close()
            }
        }
    }

    /// Closes the store and deletes its files.
    ///
    /// - Throws: `DataStorageError` when the files cannot be deleted.
    open func clear() throws {
        try ErrorBase.translating {
            try lifecycle.withLock { _ in
                let store = state.withLock { state -> LocalStore? in
                    defer {
                        state.store = nil
                        state.document = nil
                    }
                    return state.store
                }
                if let store {
                    try store.clear()
                } else {
                    try LocalStore.deleteFiles(at: StorePath.path(of: databaseURL))
                }
            }
        }
    }

    /// The open store; opens it when it is not.
    package final func openStore() throws -> LocalStore {
        try lifecycle.withLock { _ in
            if let store = state.withLock({ $0.store }) { return store }
            var configuration = storeConfiguration
            configuration.key = try encryptionKey.map { try StoreKey($0) }
            let store = try LocalStore(
                path: try StorePath.path(of: databaseURL), world: world,
                configuration: configuration)
            let document = try fitting(state.withLock { $0.document }, store)
            state.withLock { state in
                state.store = store
                state.document = document
            }
            if let document { Self.noteColumns(of: store, in: document) }
            return store
        }
    }

    /// What tells the transfers of the store from others, without opening it; nil where its file does not tell.
    package final func nameForTransfers() -> String? {
        guard let store = state.withLock({ $0.store }) else {
            return try? LocalStore.nameForTransfers(
                ofFileAt: StorePath.path(of: databaseURL),
                key: encryptionKey.map { try StoreKey($0) })
        }
        return try? store.nameForTransfers()
    }

    /// The document to read a store by: the app's, unless the store holds metadata whose rows it would misread, as when the
    /// service has changed since the app was built.
    private final func fitting(
        _ document: CSDLDocument?, _ store: LocalStore
    ) throws -> CSDLDocument? {
        guard store.hasMetadata else { return document }
        let graph = try store.graph()
        if let document, document.graph.hasLayout(of: graph) { return document }
        let stored = CSDLDocument(graph: graph)
        classes.join(stored.classes)
        return stored
    }

    /// The open store.
    ///
    /// - Throws: `usage` before ``open()``.
    package final func store() throws -> LocalStore {
        guard let store = state.withLock({ $0.store }) else {
            throw ODataError(.usage, "Expected an open store: call open() first.")
        }
        return store
    }

    /// Brings every change into the file itself, so that a copy of that one file is complete.
    package final func checkpointDatabase() throws {
        try ErrorBase.translating { try store().checkpoint() }
    }

    /// The file's path.
    package final func path() throws -> String { try StorePath.path(of: databaseURL) }

    // MARK: Metadata

    /// Whether ``metadata`` is there.
    open var hasMetadata: Bool { state.withLock { $0.document != nil } }

    /// The metadata in use; a document without content while there is none (see ``hasMetadata``).
    ///
    /// An open store goes on with its own metadata when it is given another that its rows do not fit; the classes registered
    /// with that make its entities all the same.
    open var metadata: CSDLDocument {
        get {
            state.withLock { $0.document } ?? CSDLDocument(graph: MetadataGraph(version: .v4))
        }
        set {
            classes.join(newValue.classes)
            let (store, present) = state.withLock { ($0.store, $0.document) }
            guard let store else { return state.withLock { $0.document = newValue } }
            let wanted = (try? fitting(newValue, store)) ?? newValue
            // What fits and is in use stays the same object.
            let keeps = wanted !== newValue && present?.graph.hasLayout(of: wanted.graph) == true
            let document = keeps ? present ?? wanted : wanted
            state.withLock { $0.document = document }
            Self.noteColumns(of: store, in: document)
        }
    }

    /// What the database does by itself.
    final var rules: LocalRules { state.withLock { $0.rules } }

    final func changeRules(_ change: (inout LocalRules) -> Void) {
        state.withLock { change(&$0.rules) }
    }

    /// Tells the properties of a document where the store keeps them.
    private static func noteColumns(of store: LocalStore, in document: CSDLDocument) {
        guard store.hasMetadata, let mapping = try? store.mapping() else { return }
        for table in mapping.tables {
            for column in table.columns where column.slots.count == 1 {
                let type = mapping.graph[column.owner]
                guard let id = document.graph.structure(named: type.qualifiedName) else { continue }
                document.model[id].property(named: column.path)?
                    .noteColumn(column.name, type: column.encoding.declaredType)
            }
        }
    }

    /// Loads the metadata that the store holds.
    ///
    /// - Throws: `DataServiceError` when it holds none.
    open func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws {
        guard !hasMetadata else { return }
        try ErrorBase.translating {
            let store = try openStore()
            metadata = CSDLDocument(graph: try store.graph())
        }
    }

    /// The metadata that the store holds.
    ///
    /// - Throws: `DataServiceError` when the store holds none, `DataStorageError` for a store that
    ///   cannot be opened.
    open func fetchMetadata(headers: HTTPHeaders, options: RequestOptions) throws -> CSDLDocument {
        try ErrorBase.translating { CSDLDocument(graph: try openStore().graph()) }
    }

    /// Forgets ``metadata``; the store keeps its own.
    ///
    /// - Throws: Nothing of its own.
    open func unloadMetadata() throws { state.withLock { $0.document = nil } }

    /// Makes the full-text index of a set, which `$search` needs; it is kept in step from then on.
    ///
    /// - Parameters:
    ///   - entitySet: The set whose entities are searched.
    ///   - properties: Text properties to search; none stands for all there are.
    /// - Throws: `DataQueryError` for a property that is no text of the set.
    open func createSearchIndex(_ entitySet: EntitySet, _ properties: PropertyPath...) throws {
        let paths = properties.map { $0.toPath().toString() }
        try ErrorBase.translating {
            try store().createSearchIndex(on: entitySet.localName, paths: paths)
        }
    }

    /// Makes an index over properties of a set, for queries that compare or order by them; call it once the store is open.
    ///
    /// - Throws: `DataQueryError` for a path that is no property of the set.
    open func createIndex(
        _ entitySet: EntitySet, _ item: PropertyPath, _ items: PropertyPath...
    ) throws {
        let paths = ([item] + items).map { $0.toPath().toString() }
        try ErrorBase.translating {
            try store().createIndex(on: entitySet.localName, paths: paths)
        }
    }

    /// Lets observed queries look at once at what other processes have changed in the file. By themselves they hear of changes
    /// of this process immediately, and of those of others when the system says that the file was written; where it says
    /// nothing they look four times a second.
    ///
    /// - Returns: Whether another process has changed anything since the last call.
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    @discardableResult
    open func refreshObservedQueries() throws -> Bool {
        try ErrorBase.translating { try store().noticeOtherProcesses() }
    }

    // MARK: Health

    /// Reads every page and every index of the store's file, whether it is open or not; takes time with its size.
    ///
    /// - Throws: `DataStorageError` for a file that is not there, and a key that does not fit. Damage is reported, not
    ///   thrown.
    open func checkStore() throws -> StoreCheckReport {
        try ErrorBase.translating {
            if let store = state.withLock({ $0.store }) {
                return StoreCheckReport(try store.check())
            }
            return StoreCheckReport(
                try StoreCheck(path: try path(), key: try encryptionKey.map { try StoreKey($0) }))
        }
    }

    /// Saves what is readable of a damaged store: damaged indexes are made again; beyond that a new file takes the old
    /// one's place in one step, with the whole of the queue that can be read. Data that is lost comes with the next
    /// download. An open store is closed meanwhile, and its observers hear no more.
    ///
    /// - Throws: `DataStorageError` when another connection has the file open, or there is nothing of a store in it; it is as
    ///   it was then.
    open func repairStore() throws -> StoreRepairReport {
        try ErrorBase.translating {
            let wasOpen = state.withLock { $0.store } != nil
            try close()
            let report = try StoreRepair(
                path: try path(), key: try encryptionKey.map { try StoreKey($0) }, world: world
            ).run()
            if wasOpen { _ = try openStore() }
            return StoreRepairReport(report)
        }
    }

    final func document() throws -> CSDLDocument {
        if let document = state.withLock({ $0.document }) { return document }
        metadata = CSDLDocument(graph: try store().graph())
        return metadata
    }

    private final func results() throws -> LocalResults {
        let (store, document) = state.withLock { ($0.store, $0.document) }
        if let store, let document { return LocalResults(store: store, document: document) }
        return LocalResults(store: try self.store(), document: try self.document())
    }

    final func call() throws -> LocalCall {
        LocalCall(store: try store(), document: try document(), rules: rules)
    }

    // MARK: Queries

    /// Answers a query from the store.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the metadata, `DataStorageError`.
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> QueryResult {
        try ErrorBase.translating {
            try results().execute(query, headers, options.cancelToken)
        }
    }

    /// Fills the entity with its present state, and the navigation properties that the query expands.
    ///
    /// - Throws: `DataServiceError` with status 404 when the store has no such entity. `UsageError`
    ///   while the store is closed, `DataStorageError` when its file fails.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery?, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try results().load(entity, query: query, try call())
        }
    }

    // MARK: Changes

    /// Creates an entity and queues its creation.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().create(entity, WriteOptions(headers, options))
        }
    }

    /// Changes an entity and queues the change, and so related entities that it holds and that are new or changed, all or
    /// none. A failed request that was asked to be fixed is corrected in its place.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            var call = try call()
            try call.update(
                entity, options.updateMode, WriteOptions(headers, options)
            ) { row in state.withLock { $0.fixes.removeValue(forKey: row) } }
        }
    }

    /// Lets the next update of the row correct a failed request.
    package final func fix(_ request: Int64, by row: RowReference) {
        state.withLock { $0.fixes[row] = request }
    }

    /// Hides an entity and queues its deletion.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().delete(entity, WriteOptions(headers, options))
        }
    }

    /// Deletes every entity that the query finds, all or none.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails. Nothing is deleted then.
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            let found = try executeQuery(query, headers: HTTPHeaders(), options: options)
                .entityList()
            try call().delete(found, WriteOptions(headers, options))
        }
    }

    // MARK: Links

    /// Relates two entities through a collection-valued navigation property.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func createLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().createLink(from, property, to, WriteOptions(headers, options))
        }
    }

    /// Relates two entities through a to-one navigation property.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func updateLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().updateLink(from, property, to, WriteOptions(headers, options))
        }
    }

    /// Ends the relation of two entities.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func deleteLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().deleteLink(from, property, to, WriteOptions(headers, options))
        }
    }

    // MARK: Media and streams

    /// Creates a media entity from its content, and queues its creation; closes the content.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` for
    ///   an entity that is not there or has no such content. `UsageError` while the store is
    ///   closed, `DataStorageError` when its file fails.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        defer { try? content.close() }
        try ErrorBase.translating {
            try call().createMedia(entity, content, WriteOptions(headers, options))
        }
    }

    /// Replaces the content of a media entity that is there, and queues that; closes the content.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` for
    ///   an entity that is not there or has no such content. `UsageError` while the store is
    ///   closed, `DataStorageError` when its file fails.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        defer { try? content.close() }
        try ErrorBase.translating {
            try call().upload(entity, nil, content, WriteOptions(headers, options))
        }
    }

    /// The content of a media entity as it is in the store.
    ///
    /// - Throws: `UndefinedError` for content that the store never had. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        try ErrorBase.translating { try call().download(entity, nil) }
    }

    /// Replaces the content of a stream property, and queues that; closes the content.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` for
    ///   an entity that is not there or has no such content. `UsageError` while the store is
    ///   closed, `DataStorageError` when its file fails.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        defer { try? content.close() }
        try ErrorBase.translating {
            try call().upload(entity, link, content, WriteOptions(headers, options))
        }
    }

    /// The content of a stream property as it is in the store.
    ///
    /// - Throws: `UndefinedError` for content that the store never had. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        try ErrorBase.translating { try call().download(entity, link) }
    }

    /// Removes the content of a stream property, and queues that.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the metadata or is not in the
    ///   store; nothing is changed then. `UsageError` while the store is closed, `DataStorageError`
    ///   when its file fails.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating {
            try call().deleteStream(entity, link, WriteOptions(headers, options))
        }
    }

    // MARK: Batch

    /// Runs the parts in order; a change set is all or nothing, and its error stands on it.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    ///   What single parts failed with stands on the batch.
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try ErrorBase.translating { try call() }.run(batch) {
            try executeQuery($0, headers: $1, options: $2)
        }
    }

    /// Takes the unsent changes of these entities back.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func undoPendingChanges(for entities: EntityValueList) throws {
        try ErrorBase.translating { try call().undo(entities) }
    }
}
