public import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTransport
public import SAPCommon
public import SAPFoundation
import ODataWorld
import Synchronization

/// An offline store filled by defining queries: apps query and change it with or without a network, and upload and
/// download when they have one.
///
/// Data calls block and answer from the store. ``open(completionHandler:)``, ``upload(completionHandler:)`` and
/// ``download(completionHandler:)`` return at once; they run one after another on a thread of the library, which also
/// calls their handlers and the delegate. Data calls throw ``OfflineODataError/preconditionFailed(code:message:)``
/// while the store is closed, and otherwise what `CloudSyncProvider` throws for the same call.
///
/// Say what it holds with ``add(definingQuery:)``, open it, then use it through a `DataService`. Any thread may call. It
/// lives until its operations have ended. See ``OfflineODataParameters`` for the settings, ``OfflineODataProviderDelegate``
/// for progress and refusals, and ``OfflineODataError`` for what handlers get.
open class OfflineODataProvider: DataServiceProvider, OnlineBacked, LocalStoreBacked,
    @unchecked Sendable
{
    // Everything that changes is in `session`, which guards it.
    final let session: OfflineSession
    final let work = WorkQueue("OfflineOData", width: 1)
    final let faces = Mutex(Faces())

    /// Prepares a store for the service; neither the network nor a file is touched.
    ///
    /// - Throws: Nothing at present; a key or a folder that cannot be used fails ``open(completionHandler:)``.
    public init(
        serviceRoot: URL, parameters: OfflineODataParameters, sapURLSession: SAPURLSession
    ) throws {
        session = OfflineSession(
            serviceRoot: serviceRoot, parameters: parameters, session: sapURLSession,
            reporter: ProviderReporter(nil, nil))
        session.reporter.provider = self
    }

    /// Prepares a store whose delegate is told of bytes and states. The delegate is kept.
    ///
    /// - Throws: Nothing at present; a key or a folder that cannot be used fails ``open(completionHandler:)``.
    public init(
        serviceRoot: URL, parameters: OfflineODataParameters, sapURLSession: SAPURLSession,
        delegate: (any OfflineODataDelegate)?
    ) throws {
        session = OfflineSession(
            serviceRoot: serviceRoot, parameters: parameters, session: sapURLSession,
            reporter: ProviderReporter(delegate, nil))
        session.reporter.provider = self
    }

    /// Prepares a store whose delegate is told of steps. The delegate is kept.
    ///
    /// - Throws: Nothing at present; a key or a folder that cannot be used fails ``open(completionHandler:)``.
    @_disfavoredOverload
    public init(
        serviceRoot: URL, parameters: OfflineODataParameters, sapURLSession: SAPURLSession,
        delegate: (any OfflineODataProviderDelegate)?
    ) throws {
        session = OfflineSession(
            serviceRoot: serviceRoot, parameters: parameters, session: sapURLSession,
            reporter: ProviderReporter(nil, delegate))
        session.reporter.provider = self
    }

    // MARK: Settings

    /// The version of this library.
    public static var libraryVersion: String { "0.1.0" }

    /// This provider as one for `OfflineDataService`: the same store, settings, defining queries and delegate, and what the
    /// one opens or closes, the other does.
    ///
    /// It is a `CloudSyncProvider` and keeps this object. Its calls block; its downloads and uploads tell the delegate on
    /// the calling thread. Opening it while the store is open does nothing.
    open var syncProvider: any DataSyncProvider { face() }

    /// The parameters given when the provider was made; custom headers and cookies may still be changed.
    open var providerParameters: OfflineODataParameters { session.parameters }

    /// What has to be known of the service beyond metadata.
    open var serviceOptions: OfflineODataServiceOptions {
        get { session.serviceOptions }
        set { session.serviceOptions = newValue }
    }

    /// Whether ``remove(definingQuery:)`` may remove queries from an open store. Defaults to false.
    open var allowDefiningQueryRemoval: Bool {
        get { session.allowsRemoval }
        set { session.allowsRemoval = newValue }
    }

    /// Gives the session of a user who has opened the store before, or nil where there is none any more. Ours.
    ///
    /// Asked when opening first sends what another user has changed (``OfflineODataParameters/forceUploadOnUserSwitch``), with the
    /// name that ``OfflineODataParameters/currentUser`` had, nil for nobody. These changes then go with that session, and with the
    /// custom headers that prove no identity. Where it gives nil, as without it, they go with the session of this provider.
    ///
    /// - Throws: What it throws fails the opening; nothing was sent then.
    open var sessionOfUser: (@Sendable (_ user: String?) throws -> SAPURLSession?)? {
        get { session.sessionOfUser }
        set { session.sessionOfUser = newValue }
    }

    package var onlineProvider: OnlineODataProvider { session.sync.onlineProvider }
    package var offlineStore: SQLDatabaseProvider { session.sync.offlineStore }
    /// The system's time in the background, or what stands for it.
    package var backgroundTime: (any BackgroundTime)? {
        get { session.backgroundTime }
        set { session.backgroundTime = newValue }
    }

    /// The logger for what the store does, `OData.Offline`; every provider has the same.
    open var logger: Logger { session.logger }

    // MARK: Defining queries

    /// Adds a query to those that say what the store holds. After opening, a download is needed to fetch its
    /// entities.
    ///
    /// - Throws: `OfflineODataError.invalidInput` for a name or URL that cannot be used.
    open func add(definingQuery: OfflineODataDefiningQuery) throws {
        try offlineErrors { try session.add(definingQuery) }
    }

    /// Removes a query, and the entities that only it brought.
    ///
    /// - Throws: ``OfflineODataError/preconditionFailed(code:message:)`` for an open store unless
    ///   ``allowDefiningQueryRemoval`` is on, and when such entities have unsent changes.
    open func remove(definingQuery: OfflineODataDefiningQuery) throws {
        try offlineErrors { try session.remove(definingQuery) }
    }

    /// The queries that say what the store holds.
    open var definingQueries: [OfflineODataDefiningQuery] {
        get throws { try offlineErrors { try session.queries() } }
    }

    // MARK: Lifecycle

    /// Opens the store; the first time it also downloads what the defining queries ask for, which needs the network.
    ///
    /// The handler gets nil on success. A store whose first download was interrupted goes on with it when it is
    /// opened again.
    @preconcurrency
    open func open(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        let session = session
        do {
            let claim = try session.lifecycle.claim()
            run(completionHandler) { try session.open(claim) }
        } catch {
            let error = OfflineODataError.from(error)
            work.add { completionHandler(error) }
        }
    }

    /// Closes the store; its file stays. Running uploads, downloads and openings end as cancelled first, unless the call
    /// comes from one of their callbacks: then they end after it.
    ///
    /// - Throws: `OfflineODataError` when the store cannot be closed.
    open func close() throws { try offlineErrors { try session.close() } }

    /// Closes the store and deletes its files.
    ///
    /// - Throws: `OfflineODataError` when the files cannot be deleted.
    open func clear() throws { try offlineErrors { try session.close(clears: true) } }

    /// Deletes the files of a store that is not open; a nil name stands for the default name.
    ///
    /// - Throws: `OfflineODataError` when the files cannot be deleted.
    open class func clear(at path: URL, withName name: String?) throws {
        try offlineErrors {
            try SQLDatabaseProvider(
                serviceName: name ?? StoreLocation.defaultName,
                databaseURL: StoreLocation(folder: path, name: name).databaseURL
            ).clear()
        }
    }

    // MARK: Synchronisation

    /// Sends the queued changes. The handler gets nil also when the service refused some of them, which the delegate
    /// and the ErrorArchive tell; an error when the service could not be reached.
    @preconcurrency
    open func upload(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        upload(groups: nil, completionHandler)
    }

    /// Sends the queued changes of some categories, and what they depend on; nothing where none is named.
    @preconcurrency
    open func upload(
        categories: [UploadCategory],
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) {
        upload(groups: categories.map(\.groupName), completionHandler)
    }

    /// Brings the changes of the service into the store. The returned token stops it.
    @discardableResult
    @preconcurrency
    open func download(
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        download(names: [], completionHandler)
    }

    /// Brings the changes of some defining queries into the store; nothing where none is named. The returned token stops it.
    @discardableResult
    @preconcurrency
    open func download(
        withSubset subset: [OfflineODataDefiningQuery],
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) -> CancelToken {
        guard !subset.isEmpty else {
            run(completionHandler) { [session] in try session.checkOpen() }
            return CancelToken()
        }
        return download(names: subset.map(\.name), completionHandler)
    }

    /// Stops running downloads and those that wait; what is stored stays.
    ///
    /// - Throws: Nothing of its own; the handler of what it stops is given `requestCancelled`.
    open func cancelDownload() throws { session.cancelDownloads() }

    /// Stops running uploads and those that wait; changes without an answer stay queued and keep their identity.
    ///
    /// - Throws: Nothing of its own; the handler of what it stops is given `requestCancelled`.
    open func cancelUpload() throws { session.cancelUploads() }

    // MARK: Queue and state

    /// Whether no change waits for an upload, refused ones included.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func requestQueueIsEmpty() throws -> Bool {
        try opened { try session.store().isQueueEmpty() }
    }

    /// The same as ``requestQueueIsEmpty()``.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    @available(*, deprecated, renamed: "requestQueueIsEmpty()")
    open func isRequestQueueIsEmpty() throws -> Bool { try requestQueueIsEmpty() }

    /// Whether a download is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func hasPendingDownload() throws -> Bool {
        try opened { try session.sync.hasPendingDownload() }
    }

    /// Whether an upload is running, or the last one failed or was cancelled.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func hasPendingUpload() throws -> Bool {
        try opened { try session.sync.hasPendingUpload() }
    }

    /// The user of the opening before this one; nil when none was named, or users do not count
    /// (`OfflineODataParameters.currentUser`). After an opening that failed because of another user, that user.
    ///
    /// - Throws: `OfflineODataError` when the store that is there cannot be read.
    open func getPreviousUser() throws -> String? { try session.previousUser() }

    /// Takes the unsent changes of an entity back at once: a downloaded one shows its downloaded state again, a new
    /// one is gone.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func undoPendingChanges(for entity: EntityValue) throws {
        try undoPendingChanges(for: EntityValueList.fromArray([entity]))
    }

    /// Deletes all entities of client-only sets; everything else stays.
    ///
    /// - Throws: ``OfflineODataError/preconditionFailed(code:message:)`` while the store is closed.
    open func purgeClientOnlyData() throws {
        try opened { try session.store().purgeClientOnlyData() }
    }

    /// Sends a copy of the store in clear to the service, for people who examine it; the handler gets nil on success.
    @preconcurrency
    open func sendStore(completionHandler: @escaping @Sendable (OfflineODataError?) -> Void) {
        let session = session
        run(completionHandler) { try session.lifecycle.sync { try session.sendStore(key: nil) } }
    }

    /// Sends a copy of the store under a key of its own to the service; the store keeps its key.
    ///
    /// The key must not begin or end with a space and holds no semicolon: the handler gets
    /// `OfflineODataError.invalidInput` otherwise.
    @preconcurrency
    open func sendEncryptedStore(
        newEncryptionKey: String,
        completionHandler: @escaping @Sendable (OfflineODataError?) -> Void
    ) {
        let session = session
        run(completionHandler) {
            try session.lifecycle.sync { try session.sendStore(key: newEncryptionKey) }
        }
    }

    // MARK: Metadata

    /// The name of the store.
    open var serviceName: String { session.sync.serviceName }

    /// Whether ``metadata`` is there.
    open var hasMetadata: Bool { session.sync.hasMetadata }

    /// The metadata of the service with the store's own sets; a document without content while there is none.
    open var metadata: CSDLDocument {
        get {
            let document = try? session.document()
            return (document ?? nil) ?? CSDLDocument(graph: MetadataGraph(version: .v4))
        }
        set { session.sync.metadata = newValue }
    }

    /// Makes ``metadata`` available, from the store or else from the service.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses, `CSDLError`
    ///   for a document that cannot be read.
    open func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws {
        try session.loadMetadata(headers, options)
    }

    /// The service's present metadata with the store's own sets; ``metadata`` stays as it is.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses, `CSDLError`
    ///   for a document that cannot be read.
    open func fetchMetadata(headers: HTTPHeaders, options: RequestOptions) throws -> CSDLDocument {
        let document = try session.sync.fetchMetadata(headers: headers, options: options)
        try ErrorBase.translating { try BuiltInModel.extend(document) }
        return document
    }

    /// Forgets ``metadata``, so that the next use loads it again.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func unloadMetadata() throws { try session.sync.unloadMetadata() }

    // MARK: Tracing

    /// Whether requests to the service are logged.
    open var traceRequests: Bool {
        get { session.sync.onlineProvider.traceRequests }
        set { session.sync.onlineProvider.traceRequests = newValue }
    }

    /// Whether logged requests show their data.
    open var traceWithData: Bool {
        get { session.sync.onlineProvider.traceWithData }
        set { session.sync.onlineProvider.traceWithData = newValue }
    }

    /// Whether logged data is laid out for reading.
    open var prettyTracing: Bool {
        get { session.sync.onlineProvider.prettyTracing }
        set { session.sync.onlineProvider.prettyTracing = newValue }
    }

    // MARK: Data

    /// Answers a query from the store, or about the ErrorArchive, the RequestQueue or the EventLog.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> QueryResult {
        try session.execute(query, headers, options)
    }

    /// Invokes an action or function at the service, because only the service knows what it does.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList, headers: HTTPHeaders,
        options: RequestOptions
    ) throws -> DataValue? {
        try opened {
            try session.sync.executeMethod(
                method, parameters: parameters, headers: headers, options: options)
        }
    }

    /// Fills an entity with its present local state.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery?, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try session.load(entity, query, headers, options)
    }

    /// Creates an entity locally and queues its creation.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try session.checkWritable(entity)
        try session.sync.createEntity(entity, headers: headers, options: options)
    }

    /// Changes an entity locally and queues the change.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try session.checkWritable(entity)
        try session.sync.updateEntity(entity, headers: headers, options: options)
    }

    /// Hides an entity locally and queues its deletion. An entry of the ErrorArchive takes its request back, and all
    /// other archived ones unless ``OfflineODataParameters/enableIndividualErrorArchiveDeletion`` is on.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try session.delete(entity, headers, options)
    }

    /// Deletes every entity that the query finds, as ``deleteEntity(_:headers:options:)`` does.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try session.delete(query, headers, options)
    }

    /// Relates two entities through a collection-valued navigation property.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func createLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try session.checkWritable(from)
        try session.sync.createLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Relates two entities through a to-one navigation property, replacing the former relation.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func updateLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try session.checkWritable(from)
        try session.sync.updateLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Ends the relation of two entities.
    ///
    /// - Throws: `preconditionFailed` while the store is closed, `notSupported` for entities that may only be read;
    ///   otherwise what `CloudSyncProvider` throws.
    open func deleteLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try session.checkWritable(from)
        try session.sync.deleteLink(
            from: from, property: property, to: to, headers: headers, options: options)
    }

    /// Runs queries and change sets locally; a change set is all or nothing here and in the upload.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try opened { try session.sync.processBatch(batch, headers: headers, options: options) }
    }

    /// Asks the service whether it is there; the store may be closed.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses.
    open func pingServer(headers: HTTPHeaders, options: RequestOptions) throws {
        try session.sync.pingServer(headers: headers, options: options)
    }

    /// Takes the unsent changes of these entities back at once.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func undoPendingChanges(for entities: EntityValueList) throws {
        try opened { try session.sync.undoPendingChanges(for: entities) }
    }

    // MARK: Media and streams

    /// Creates a media entity locally from its content, which is closed, and queues its creation.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try opened {
            try session.sync.createMedia(
                entity: entity, content: content, headers: headers, options: options)
        }
    }

    /// Replaces the content of a media entity locally, and queues that; closes the content.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try opened {
            try session.sync.uploadMedia(
                entity: entity, content: content, headers: headers, options: options)
        }
    }

    /// The content of a media entity that was downloaded or put here.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        try opened {
            try session.sync.downloadMedia(entity: entity, headers: headers, options: options)
        }
    }

    /// Replaces the content of a stream property locally, and queues that; closes the content.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions
    ) throws {
        try opened {
            try session.sync.uploadStream(
                entity: entity, link: link, content: content, headers: headers, options: options)
        }
    }

    /// The content of a stream property that was downloaded or put here.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream {
        try opened {
            try session.sync.downloadStream(
                entity: entity, link: link, headers: headers, options: options)
        }
    }

    /// Removes the content of a stream property locally, and queues that.
    ///
    /// - Throws: `preconditionFailed` while the store is closed; otherwise what `CloudSyncProvider` throws.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try opened {
            try session.sync.deleteStream(
                entity: entity, link: link, headers: headers, options: options)
        }
    }
}
