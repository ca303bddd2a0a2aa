import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Keeps a local store and a service in step: apps query and change the store with or without a network, and download
/// and upload when they have one.
///
/// Everything that needs no service answers from the store. Calls block, from any thread; ``OfflineDataServiceAsync`` has
/// them `async`. One download and one upload run at a time. What needs the store throws `UsageError` while it is closed,
/// and `DataStorageError` when its file fails. See ``OfflineDataService`` for an example, `PendingRequest` for refusals.
open class CloudSyncProvider: ObjectBase, DataSyncProvider, ClientRegistrationProvider,
    @unchecked Sendable
{
    // What changes is in the parts, which guard it; they themselves are replaced by `share` only.
    final var parts: SyncParts

    /// Joins a service and a store. Without a store, one is made from the service's name in the app's data folder.
    public init(onlineProvider: OnlineODataProvider, offlineStore: SQLDatabaseProvider? = nil) {
        parts = SyncParts(onlineProvider, offlineStore)
        super.init()
    }

    /// The provider that talks to the service.
    open var onlineProvider: OnlineODataProvider { online }
    /// The provider of the store.
    open var offlineStore: SQLDatabaseProvider { local }
    /// The name of the service.
    open var serviceName: String { online.serviceName }
    /// The key that the store is sealed with; set it before ``open()``.
    open var encryptionKey: String? {
        get { local.encryptionKey }
        set { local.encryptionKey = newValue }
    }
    /// Whether ``metadata`` is there.
    open var hasMetadata: Bool { local.hasMetadata }
    /// The service's metadata; a document without content until it is there (see ``hasMetadata``).
    open var metadata: CSDLDocument {
        get { local.metadata }
        set { local.metadata = newValue }
    }

    /// Whether traced JSON is indented. Defaults to false.
    open var prettyTracing: Bool {
        get { online.prettyTracing }
        set { online.prettyTracing = newValue }
    }
    /// Whether a line is logged for each request. Defaults to false.
    open var traceRequests: Bool {
        get { online.traceRequests }
        set { online.traceRequests = newValue }
    }
    /// Whether traces hold bodies, together with ``traceRequests``. Defaults to false.
    open var traceWithData: Bool {
        get { online.traceWithData }
        set { online.traceWithData = newValue }
    }

    // MARK: Lifecycle

    /// Loads metadata, makes or opens the store with its tables and indexes, and then does what user switch and first
    /// download ask for. Needs no network once the store has metadata.
    ///
    /// - Throws: `DataStorageError` for a store that cannot be opened, `DataNetworkError` or `DataServiceError` for
    ///   want of metadata.
    open func open() throws {
        try ErrorBase.translating {
            _ = try lifecycle.open(work: openStore, release: { try release(waits: $0) })
        }
    }

    /// Lets the store go; its file stays. Data calls fail until the next ``open()``.
    ///
    /// - Throws: Nothing of its own; what runs is stopped first.
    open func close() throws { try letGo() }

    /// Closes the store and deletes its files. The next ``open()`` begins anew.
    ///
    /// - Throws: `DataStorageError` when the files cannot be deleted; `UsageError` from a callback of the opening.
    open func clear() throws { try letGo(clears: true) }

    // MARK: Metadata

    /// Makes ``metadata`` available, from the store or else from the service; does nothing when it is there.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses, `CSDLError` for
    ///   a document that cannot be read.
    open func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws {
        guard !local.hasMetadata else { return }
        try ErrorBase.translating { try ensureMetadata(of: try local.openStore()) }
    }

    /// The service's present metadata; ``metadata`` stays as it is.
    ///
    /// - Throws: As ``loadMetadata(headers:options:)``.
    open func fetchMetadata(headers: HTTPHeaders, options: RequestOptions) throws -> CSDLDocument {
        try online.fetchMetadata(headers: headers, options: options)
    }

    /// Forgets ``metadata``, so that the next use loads it again.
    ///
    /// - Throws: Nothing of its own.
    open func unloadMetadata() throws {
        try local.unloadMetadata()
        try online.unloadMetadata()
    }

    /// Whether rows lack data of properties that a download found to be new.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasMetadataChanges() throws -> Bool { try stored { try !$0.changedSets().isEmpty } }

    /// The entity sets that ``hasMetadataChanges()`` speaks of.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func changedEntitySets() throws -> EntitySetList { try changedSets() }

    // MARK: Indexes

    /// Asks for an index on one or more properties, made when the store is opened; after that it only logs an error.
    open func createIndex(_ entitySet: EntitySet, _ item: PropertyPath, _ items: PropertyPath...) {
        noteIndex(entitySet.localName, ([item] + items).map { $0.toPath().toString() })
    }

    /// As ``createIndex(_:_:_:)``, by names and paths such as `Address/City`, which metadata need not know yet.
    open func createDynamicIndex(_ entitySet: String, _ item: String, _ items: String...) {
        noteIndex(entitySet, [item] + items)
    }

    /// Asks for the full-text index of a set, which `$search` needs: made when the store is opened, or at once in an
    /// open one, and kept in step with downloads and local changes from then on.
    ///
    /// - Parameters:
    ///   - entitySet: The set whose entities are searched.
    ///   - properties: Text properties to search; none stands for all there are.
    /// - Throws: `DataQueryError` for a property that is no text of the set.
    open func createSearchIndex(_ entitySet: EntitySet, _ properties: PropertyPath...) throws {
        try noteSearchIndex(entitySet.localName, properties.map { $0.toPath().toString() })
    }

    /// As ``SQLDatabaseProvider/refreshObservedQueries()``: shows what other processes have changed.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    @discardableResult
    open func refreshObservedQueries() throws -> Bool { try local.refreshObservedQueries() }

    /// Reads every page and every index of the store; see ``SQLDatabaseProvider/checkStore()``.
    ///
    /// - Throws: `DataStorageError` for a file that is not there or a key that does not fit; damage is reported.
    open func checkStore() throws -> StoreCheckReport { try local.checkStore() }

    /// Saves what is readable of a damaged store, the queue first of all; see ``SQLDatabaseProvider/repairStore()``.
    /// Running downloads and uploads are cancelled. The next download reads what was lost in full.
    ///
    /// - Throws: `DataStorageError` when the file cannot be read at all or the new one not be written; it stays then.
    open func repairStore() throws -> StoreRepairReport { try repairFile() }

    // MARK: Selection

    /// The group of this name, made when it is first asked for. Groups are not kept over a restart.
    open func downloadGroup(_ group: String) -> DownloadGroup { selection.group(group) }

    /// Adds entity sets to a group.
    open func downloadInGroup(_ group: String, _ entitySets: EntitySet...) {
        selection.add(entitySets, toGroup: group)
    }

    /// The phase of this number, made when it is first asked for. Phases are not kept over a restart.
    open func downloadPhase(_ phase: Int) -> DownloadPhase { selection.phase(phase) }

    /// Adds entity sets to a phase; a number of zero or less disables their download.
    open func downloadInPhase(_ phase: Int, _ entitySets: EntitySet...) {
        selection.add(entitySets, toPhase: phase)
    }

    /// Says how the reads of a phase are sent.
    open func setDownloadMode(phase: Int, mode: DownloadMode) { selection.phase(phase).mode = mode }

    /// Downloads these sets only through download queries; without arguments all sets.
    open func noDefaultEntityDownload(_ entitySets: EntitySet...) {
        selection.disableDefaultDownload(entitySets)
    }

    /// Downloads no streams of these sets by default; without arguments of all sets.
    open func noDefaultStreamDownload(_ entitySets: EntitySet...) {
        selection.disableStreams(entitySets)
    }

    /// Finds changes of these sets by reading them whole and comparing; without arguments of all sets.
    open func downloadWithoutDeltaLinks(_ entitySets: EntitySet...) {
        selection.disableDeltaLinks(entitySets)
    }

    /// Says that download queries of these sets may bring the same entity; without arguments of all sets.
    ///
    /// Which sources hold an entity is tracked in any case, at the price of a bit, so that none takes
    /// entities of another with it when it goes: this only sets `EntitySet.downloadQueriesCanOverlap`, and a line of the log
    /// says so.
    open func downloadQueriesCanOverlap(_ entitySets: EntitySet...) {
        let all = hasMetadata ? metadata.entitySets.values().toArray() : []
        selection.allowOverlap(entitySets.isEmpty ? all : entitySets)
        SettingWithoutEffect.overlap.log(to: logger)
    }

    // MARK: Download queries

    /// Keeps a query that says which entities of its set to download. It is kept over restarts.
    ///
    /// - Throws: `DataServiceError` when the name is taken.
    open func createDownloadQuery(name: String, query: DataQuery, streams: Bool) throws {
        try keep(query, as: name, streams: streams)
    }

    /// The download query of this name; nil when there is none.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func downloadQuery(name: String) throws -> DownloadQuery? {
        try stored { try $0.downloadQuery(name).map(object) }
    }

    /// The download queries of a set, or all.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func downloadQueries(from: EntitySet? = nil) throws -> DownloadQueryList {
        try downloadQueries(of: from?.localName)
    }

    /// Deletes a download query with the rows that only it brought. Rows with unsent changes are a reason to refuse.
    ///
    /// - Throws: `DataServiceError` when rows that only it brought have unsent changes.
    open func deleteDownloadQuery(name: String) throws {
        try ErrorBase.translating { try DownloadQueries(try scope()).delete(name) }
    }

    // MARK: Synchronisation

    /// Brings the changes of the service into the store, of the groups or of all; unsent changes stay on top.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError`; what is stored stays, and the next download goes on there.
    open func download(groups: StringList, options: SyncOptions) throws {
        try downloading(options) { try $0.run(groups: groups.toArray()) }
    }

    /// Sends queued changes to the service, of the groups or all. A refusal keeps back only what depends on it.
    ///
    /// - Throws: `DataNetworkError` when the network fails; `DataServiceError` after the end when the service refused
    ///   something and ``throwUploadFailures`` is on.
    open func upload(groups: StringList, options: SyncOptions) throws {
        try uploading(options) { try $0.run(groups: groups.toArray()) }
    }

    /// Stops running downloads; what is stored stays.
    ///
    /// - Throws: Nothing of its own; the download, or the opening around it, that it stops throws.
    open func cancelDownload() throws {
        lifecycle.cancel(.download)
        engine.cancel(.download)
    }

    /// Stops running uploads; requests without an answer stay queued and keep their identity.
    ///
    /// - Throws: Nothing of its own; the upload, or the opening around it, that it stops throws.
    open func cancelUpload() throws {
        lifecycle.cancel(.upload)
        engine.cancel(.upload)
    }

    /// Whether a download has succeeded since the store was made.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasInitialData() throws -> Bool { try stored { try $0.flag(.hasInitialData) } }

    /// Whether a download is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasPendingDownload() throws -> Bool {
        try engine.isRunning(.download) || stored { try $0.flag(.pendingDownload) }
    }

    /// Whether an upload is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasPendingUpload() throws -> Bool {
        try engine.isRunning(.upload) || stored { try $0.flag(.pendingUpload) }
    }

    /// When the last download succeeded; nil before the first.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func lastDownloadTime() throws -> GlobalDateTime? {
        try stored { try $0.time(.lastDownload).map(GlobalDateTime.milliseconds) }
    }

    /// When the last upload ended without a failure of the network; nil before the first.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func lastUploadTime() throws -> GlobalDateTime? {
        try stored { try $0.time(.lastUpload).map(GlobalDateTime.milliseconds) }
    }

    /// The ``currentUser`` of the opening before this one.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func previousUser() throws -> String? { try userBefore() }

    /// What was synchronised since the store was made, filtered and sorted by the query.
    ///
    /// - Throws: `DataQueryError` for a query of something else than events.
    open func eventHistory(matching query: DataQuery?) throws -> SyncEventList {
        try events(matching: query)
    }

    // MARK: Queue

    /// The changes that wait for an answer of the service. The query gives set, filter and order; headers and options
    /// (change set, tag, group) narrow the list further.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer.
    open func queuedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList {
        try requests(isFailed: false, query, headers, options)
    }

    /// The changes that the service refused, or that depend on one; narrowed in the same way.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer.
    open func failedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList {
        try requests(isFailed: true, query, headers, options)
    }

    /// Whether ``queuedRequests(matching:headers:options:)`` lists anything.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer.
    open func hasQueuedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> Bool {
        try requests(isFailed: false, query, headers, options).length > 0
    }

    /// Whether ``failedRequests(matching:headers:options:)`` lists anything.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer.
    open func hasFailedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> Bool {
        try requests(isFailed: true, query, headers, options).length > 0
    }

    /// Drops requests and what depends on them; rows return to what remains. Nil means all, an empty list none.
    ///
    /// - Throws: `UsageError` for a closed store, `DataStorageError` when its file fails, `DataServiceError` with status 409
    ///   that names what has no answer yet: it goes once it is known that it had no effect (`PendingRequest.isCancelled`).
    open func cancelPendingRequests(_ requests: PendingRequestList?) throws {
        _ = try stored { try $0.cancel(requests.map { Set($0.map(\.requestID)) }) }
    }

    /// Takes the unsent changes of these entities back at once: downloaded ones are as downloaded again, new ones are
    /// gone.
    ///
    /// - Throws: `UsageError` for a closed store, `DataStorageError` when its file fails, `DataServiceError` with status
    ///   409 that names what has no answer yet: it goes once it is known that it had no effect.
    open func undoPendingChanges(for entities: EntityValueList) throws {
        try local.undoPendingChanges(for: entities)
    }

    // MARK: Local data

    /// Answers a query from the store.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model, `UndefinedError` for links never downloaded.
    open func executeQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws
        -> QueryResult
    {
        try local.executeQuery(query, headers: headers, options: options)
    }

    /// Fills the entity with its present local state; the query says which navigation properties to load too.
    ///
    /// - Throws: `DataServiceError` with status 404 when the store has no such entity.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try local.loadEntity(entity, query: query, headers: headers, options: options)
    }

    /// Creates an entity locally and queues its creation.
    ///
    /// - Throws: `DataServiceError` when the set is not clear or the entity does not fit the model; nothing is stored
    ///   then.
    open func createEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions)
        throws
    {
        try local.createEntity(entity, headers: headers, options: options)
    }

    /// Changes an entity locally and queues the change.
    open func updateEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions)
        throws
    {
        try local.updateEntity(entity, headers: headers, options: options)
    }

    /// Hides an entity locally and queues its deletion.
    open func deleteEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions)
        throws
    {
        try local.deleteEntity(entity, headers: headers, options: options)
    }

    /// Deletes every entity that the query finds, all or none.
    open func deleteByQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions)
        throws
    {
        try local.deleteByQuery(query, headers: headers, options: options)
    }

    /// Relates two entities through a collection-valued navigation property.
    ///
    /// - Throws: `DataServiceError` when an entity does not fit the model or is not stored; nothing is changed then.
    open func createLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try local.createLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Relates two entities through a to-one navigation property, replacing the former relation.
    ///
    /// - Throws: As ``createLink(from:property:to:headers:options:)``.
    open func updateLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try local.updateLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Ends the relation of two entities.
    ///
    /// - Throws: As ``createLink(from:property:to:headers:options:)``.
    open func deleteLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try local.deleteLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Runs queries and change sets locally; a change set is all or nothing here and in the upload.
    open func processBatch(_ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions)
        throws
    {
        try local.processBatch(batch, headers: headers, options: options)
    }

    /// Invokes an action or function at the service, because only the service knows what it does.
    ///
    /// - Throws: `DataNetworkError` when the service cannot be reached.
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList, headers: HTTPHeaders,
        options: RequestOptions
    ) throws -> DataValue? {
        try online.executeMethod(method, parameters: parameters, headers: headers, options: options)
    }

    /// Asks the service whether it is there.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses.
    open func pingServer(headers: HTTPHeaders, options: RequestOptions) throws {
        try online.pingServer(headers: headers, options: options)
    }

    // MARK: Media and streams

    /// Creates a media entity locally from its content, which is closed, and queues two requests: content, then the
    /// rest.
    ///
    /// - Throws: `DataStreamError` when the content fails, `DataServiceError` for an entity that has no such content.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try local.createMedia(entity: entity, content: content, headers: headers, options: options)
    }

    /// The content of a media entity that was downloaded or put here.
    ///
    /// - Throws: `UndefinedError` for content that was never downloaded.
    open func downloadMedia(entity: EntityValue, headers: HTTPHeaders, options: RequestOptions)
        throws -> ByteStream
    {
        try local.downloadMedia(entity: entity, headers: headers, options: options)
    }

    /// Replaces the content of a media entity locally, and queues that; closes the content.
    ///
    /// - Throws: `DataServiceError` for an entity that does not exist.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try local.uploadMedia(entity: entity, content: content, headers: headers, options: options)
    }

    /// The content of a stream property that was downloaded or put here.
    ///
    /// - Throws: `UndefinedError` for content that was never downloaded.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        try local.downloadStream(entity: entity, link: link, headers: headers, options: options)
    }

    /// Replaces the content of a stream property locally, and queues that; closes the content.
    ///
    /// - Throws: `DataStreamError` when the content fails, `DataServiceError` for an entity that has no such content.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try local.uploadStream(
            entity: entity, link: link, content: content, headers: headers, options: options)
    }

    /// Removes the content of a stream property locally, and queues that.
    ///
    /// - Throws: `DataServiceError` when an entity does not fit the model or is not stored; nothing is changed then.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try local.deleteStream(entity: entity, link: link, headers: headers, options: options)
    }

    // MARK: Others

    /// Sends a copy of the store with a note to ``databaseUploadPath``, for people who examine it. The store stays.
    ///
    /// - Parameters:
    ///   - encryptionKey: What the copy is sealed with, whatever the store's own key is; nil sends it in clear.
    ///   - note: What those people should know.
    ///   - options: Who is told of progress, and what stops it.
    /// - Throws: `DataServiceError` when the service refuses it, `DataNetworkError`, `DataStorageError`.
    open func uploadDatabaseFile(encryptionKey: String?, note: String?, options: SyncOptions) throws
    {
        try sendCopy(encryptionKey, note, options)
    }

    /// Lets another key open the encrypted store from now on; the old one no longer does. Instant at any size.
    ///
    /// - Throws: `UsageError` for a store in clear, `DataStorageError` when the header cannot be written.
    open func changeEncryptionKey(to newKey: String) throws {
        try local.changeEncryptionKey(to: newKey)
    }

    /// Reads how long earlier downloads took, for progress notices; without a file what is known stays.
    ///
    /// - Throws: when the file must exist and does not, or holds something else.
    open func loadTimeEstimates(file: String, mustExist: Bool = false) throws {
        try ErrorBase.translating { try estimateFile.load(file, mustExist: mustExist) }
    }

    /// Writes how long downloads took so far.
    ///
    /// - Throws: What Foundation says when the file cannot be written.
    open func saveTimeEstimates(file: String) throws {
        try ErrorBase.translating { try estimateFile.save(file) }
    }

    /// Registers the client at the service.
    ///
    /// - Throws: `DataQueryError` for a model without registrations, `DataFormatError` for an answer without identifiers,
    ///   `DataNetworkError` or `DataServiceError` when the service did not take it.
    open func registerClient(_ client: EntityValue?) throws { try online.registerClient(client) }

    /// Forgets the client's registration.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError` when the service keeps it; it is forgotten here.
    open func unregisterClient(deleteFromServer: Bool) throws {
        try online.unregisterClient(deleteFromServer: deleteFromServer)
    }

    /// Whether the client is registered; looks only at what is kept locally.
    ///
    /// - Throws: What Foundation says when the file of the registration cannot be read.
    open func isClientRegistered() throws -> Bool { try online.isClientRegistered() }

    /// Calls the handler when no download, upload or opening runs any more, at the latest after ``backgroundWaitSeconds``:
    /// at once on the calling thread when nothing runs, else on a thread of the library. The call returns at once.
    open func waitForCompletion(sessionIdentifier: String, completionHandler: @escaping () -> Void)
    {
        awaitTransfers(then: completionHandler)
    }
}
