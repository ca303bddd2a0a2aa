import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWorld
import SAPCommon
import Synchronization

/// What the classes of services have in common: the calls that block, over any provider.
///
/// Services are shared between threads as far as their providers are.
open class BlockingDataService: ObjectBase, @unchecked Sendable {
    // Constant apart from what `ServiceQueues`, the options and `isOnlineOnly` guard themselves.
    package final let anyProvider: any DataServiceProvider
    final let queues = ServiceQueues()
    private final let ownLock = MetadataLock()
    private final let ownServiceOptions = ServiceOptions()
    private final let ownNetworkOptions = NetworkOptions()
    private final let ownHeaders = HTTPHeaders()

    private final let isOnlineOnly = Mutex(false)

    init(anyProvider: any DataServiceProvider) {
        self.anyProvider = anyProvider
        super.init()
    }

    // MARK: Settings

    /// The name of the service.
    open var name: String { anyProvider.serviceName }

    /// Whether requests are logged.
    open var traceRequests: Bool {
        get { anyProvider.traceRequests }
        set { anyProvider.traceRequests = newValue }
    }

    /// Whether logged requests show their data.
    open var traceWithData: Bool {
        get { anyProvider.traceWithData }
        set { anyProvider.traceWithData = newValue }
    }

    /// Whether logged data is laid out for reading.
    open var prettyTracing: Bool {
        get { anyProvider.prettyTracing }
        set { anyProvider.prettyTracing = newValue }
    }

    /// Where calls go: the provider, or the online one behind it.
    package final var callee: any DataServiceProvider {
        guard isOnlineOnly.withLock({ $0 }), let online else { return anyProvider }
        return online
    }

    /// Sends every call from now on to the online provider behind the provider, where there is one.
    package final func goOnline() { isOnlineOnly.withLock { $0 = true } }

    package final var online: OnlineODataProvider? {
        (anyProvider as? OnlineODataProvider) ?? (anyProvider as? any OnlineBacked)?.onlineProvider
    }

    /// What the remote service can do; without effect over a provider that has none.
    public final var serviceOptions: ServiceOptions { online?.serviceOptions ?? ownServiceOptions }

    /// How requests are sent; without effect over a provider that sends none.
    public final var networkOptions: NetworkOptions { online?.networkOptions ?? ownNetworkOptions }

    /// The headers that go with every request; without effect over a provider that sends none.
    public final var httpHeaders: HTTPHeaders { online?.httpHeaders ?? ownHeaders }

    // MARK: Queues

    /// For operations that the app adds itself, one at a time.
    public final var actionQueue: OperationQueue { queues.appActions }

    /// For operations that the app adds itself, ten at a time.
    public final var functionQueue: OperationQueue { queues.appFunctions }

    /// Where completion handlers run; the main queue at first, which needs a run loop.
    public final var completionQueue: OperationQueue {
        get { queues.completion }
        set { queues.completion = newValue }
    }

    /// Runs `action` on a thread of the service, after the actions before it.
    @preconcurrency
    public final func asyncAction(_ action: @escaping @Sendable () -> Void) {
        queues.actions.add(action)
    }

    /// Runs `function` on a thread of the service, beside up to nine others.
    @preconcurrency
    public final func asyncFunction(_ function: @escaping @Sendable () -> Void) {
        queues.functions.add(function)
    }

    /// Runs `work` on a thread of the service, beside up to nine others, and `completion` on `completionQueue`.
    package final func inBackground<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queues.run(queues.functions, work, completion)
    }

    /// Throws when the token was cancelled.
    ///
    /// - Throws: The error of a cancelled request, once the token was cancelled.
    public final func checkIfCancelled(_ token: CancelToken?) throws {
        try CancelCheck.throwIfCancelled(token)
    }

    // MARK: Metadata

    /// True once metadata is known.
    open var hasMetadata: Bool { callee.hasMetadata }

    /// The metadata of the provider.
    open var metadata: CSDLDocument {
        get { callee.metadata }
        set { callee.metadata = newValue }
    }

    /// The lock under which generated classes exchange their metadata.
    open var metadataLock: MetadataLock { ownLock }

    /// Makes metadata known unless it is already, by ``DataServiceProvider/loadMetadata()`` of the provider.
    ///
    /// - Throws: As ``loadMetadata(headers:options:)``.
    open func loadMetadata() throws { try callee.loadMetadata() }

    /// Makes metadata known unless it is already.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `CSDLError` for a document that cannot be read.
    open func loadMetadata(headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws {
        try callee.loadMetadata(headers: headers ?? .empty, options: options ?? .none)
    }

    /// Reads metadata afresh; what the provider uses stays as it is (Protocol 4.01, section 11.1.2).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `CSDLError` for a document that cannot be read.
    open func fetchMetadata(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> CSDLDocument {
        try callee.fetchMetadata(headers: headers ?? .empty, options: options ?? .none)
    }

    /// Reads metadata afresh and puts it in the place of what the provider uses.
    ///
    /// - Throws: `CSDLError` when data and classes made for the old metadata would not fit.
    open func refreshMetadata() throws { try replaceMetadata() }

    /// What ``refreshMetadata()`` does where no generated class adds to it.
    package final func replaceMetadata() throws {
        let fresh = try fetchMetadata()
        if hasMetadata {
            try checkCompatibility(with: fresh)
            metadata.markRemoved(absentFrom: fresh)
        }
        metadata = fresh
        MergeActions.run(for: anyProvider)
    }

    /// Refuses what does not fit, unless the options of the service ask for a warning only.
    private final func checkCompatibility(with fresh: CSDLDocument) throws {
        let options = serviceOptions.csdlOptions
        do {
            try CsdlCompatibilityChecker(oldMetadata: metadata, newMetadata: fresh).check()
        } catch
            where options & CSDLOption.warnIfProviderIncompatible != 0
            && options & CSDLOption.failIfProviderIncompatible == 0
        {
            Logger.shared(named: "OData.Service").warn(
                "Metadata of \(name) changed in a way that does not fit", error: error)
        }
    }

    /// Forgets metadata.
    ///
    /// - Throws: What the provider says; none of ours does.
    open func unloadMetadata() throws { try callee.unloadMetadata() }

    /// The entity set with this name, metadata loaded where it was not. A name that the metadata does not have is a
    /// programming error and traps.
    open func entitySet(withName name: String) -> EntitySet {
        metadataOrEmpty().entitySet(withName: name)
    }

    /// The action, function or import with this name; see ``entitySet(withName:)``.
    open func dataMethod(withName name: String) -> DataMethod {
        metadataOrEmpty().dataMethod(withName: name)
    }

    private final func metadataOrEmpty() -> CSDLDocument {
        if !hasMetadata { try? loadMetadata() }
        return metadata
    }

    // MARK: Reading

    /// Answers a query (Protocol 4.01, section 11.2).
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> QueryResult {
        try callee.executeQuery(query, headers: headers ?? .empty, options: options ?? .none)
    }

    /// The entities of a query one by one; over an online provider each page is asked for when it is needed.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails. The stream itself throws the same for later pages.
    open func entityStream(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> EntityStream {
        try callee.entityStream(query, headers: headers ?? .empty, options: options ?? .none)
    }

    /// The changes that a delta query brings, one by one; see ``entityStream(_:headers:options:)``.
    ///
    /// - Throws: `DataServiceError` when the delta link expired or the service refuses,
    ///   `DataNetworkError` when no answer comes, `DataFormatError` for an answer that cannot be
    ///   read.
    open func deltaStream(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> DeltaStream {
        try callee.deltaStream(query, headers: headers ?? .empty, options: options ?? .none)
    }

    /// The same as ``loadEntity(_:query:headers:options:)`` without headers and options.
    ///
    /// - Throws: As that.
    open func loadEntity(_ entity: EntityValue, query: DataQuery?) throws {
        try loadEntity(entity, query: query, headers: nil, options: nil)
    }

    /// Fills an entity with its present state; the query may ask for related entities too.
    ///
    /// - Throws: `DataServiceError` with status 404 when there is no such entity. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws {
        try callee.loadEntity(
            entity, query: query, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Reads one property of an entity into it: a value, or the entities that it leads to.
    ///
    /// - Throws: `UndefinedError` for related entities that a store never had, `DataServiceError`
    ///   with status 404 when there is no such entity. Over a service `DataNetworkError` when no
    ///   answer comes and `DataServiceError` when the service refuses; over a store `UsageError`
    ///   while the store is closed and `DataStorageError` when its file fails.
    open func loadProperty(
        _ property: Property, into entity: EntityValue, query: DataQuery? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        let loading = PropertyLoading(property: property, entity: entity)
        try loading.take(
            executeQuery(loading.query(query), headers: headers, options: options))
    }

    /// Calls an action or function; nil where it returns nothing (Protocol 4.01, section 11.5).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataQueryError` for parameters that do not fit.
    @discardableResult
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> DataValue? {
        try callee.executeMethod(
            method, parameters: parameters, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Checks that the service answers.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses.
    open func pingServer(headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws {
        try callee.pingServer(headers: headers ?? .empty, options: options ?? .none)
    }

    // MARK: Changes

    /// Creates an entity (Protocol 4.01, section 11.4.2).
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, its set is not clear,
    ///   or is refused; then nothing is changed. `DataNetworkError` when a service gives no answer;
    ///   in a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.createEntity(entity, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Creates an entity under another one, which it is linked to (Protocol 4.01, section 11.4.2.1).
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, its set is not clear,
    ///   or is refused; then nothing is changed. `DataNetworkError` when a service gives no answer;
    ///   in a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func createRelatedEntity(
        _ entity: EntityValue, in parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        entity.parentEntity = parent
        entity.parentProperty = property
        try createEntity(entity, headers: headers, options: options)
    }

    /// Updates an entity with what changed (Protocol 4.01, section 11.4.3).
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, is not there, or is
    ///   refused; then nothing is changed. `DataNetworkError` when a service gives no answer; in a
    ///   store `UsageError` while the store is closed and `DataStorageError` when its file fails. A
    ///   changed entity tag is status 412.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.updateEntity(entity, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Creates an entity that is new, updates any other.
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, is not there, or is
    ///   refused; then nothing is changed. `DataNetworkError` when a service gives no answer; in a
    ///   store `UsageError` while the store is closed and `DataStorageError` when its file fails. A
    ///   changed entity tag is status 412.
    open func saveEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        if entity.isNew {
            try createEntity(entity, headers: headers, options: options)
        } else {
            try updateEntity(entity, headers: headers, options: options)
        }
    }

    /// Deletes an entity (Protocol 4.01, section 11.4.5).
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, is not there, or is
    ///   refused; then nothing is changed. `DataNetworkError` when a service gives no answer; in a
    ///   store `UsageError` while the store is closed and `DataStorageError` when its file fails. A
    ///   changed entity tag is status 412.
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.deleteEntity(entity, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Deletes the entities that a query selects.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model; otherwise as for a
    ///   single deletion, where a store has deleted nothing then.
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.deleteByQuery(query, headers: headers ?? .empty, options: options ?? .none)
    }

    // MARK: Links

    /// Links two entities (Protocol 4.01, section 11.4.6.1).
    ///
    /// - Throws: `DataServiceError` when the property leads elsewhere, an entity does not fit the
    ///   model, is not there, or is refused; then nothing is changed. `DataNetworkError` when a
    ///   service gives no answer; in a store `UsageError` while the store is closed and
    ///   `DataStorageError` when its file fails.
    open func createLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.createLink(
            from: source, property: property, to: target, headers: headers ?? .empty,
            options: options ?? .none)
    }

    /// Links two entities in place of the present link of a single-valued property (Protocol 4.01, section 11.4.6.3).
    ///
    /// - Throws: `DataServiceError` when the property leads elsewhere, an entity does not fit the
    ///   model, is not there, or is refused; then nothing is changed. `DataNetworkError` when a
    ///   service gives no answer; in a store `UsageError` while the store is closed and
    ///   `DataStorageError` when its file fails.
    open func updateLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.updateLink(
            from: source, property: property, to: target, headers: headers ?? .empty,
            options: options ?? .none)
    }

    /// Removes the link between two entities; the target may be left out for a single-valued property.
    ///
    /// - Throws: `UsageError` without a target where the property is a collection.
    ///   `DataServiceError` when there is no such link or is refused; then nothing is changed.
    ///   `DataNetworkError` when a service gives no answer; in a store `UsageError` while the store
    ///   is closed and `DataStorageError` when its file fails.
    open func deleteLink(
        from source: EntityValue, property: Property, to target: EntityValue? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        guard target != nil || !property.definition.type.isCollection else {
            throw UsageError.withMessage(
                "Expected a target for a link of the collection \(property.name).")
        }
        let type = property.target(in: source) ?? EntityType.undefined
        try callee.deleteLink(
            from: source, property: property, to: target ?? EntityValue.ofType(type),
            headers: headers ?? .empty, options: options ?? .none)
    }

    // MARK: Streams

    /// Creates a media entity from its content; closes the content (Protocol 4.01, section 11.4.7.1).
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws {
        try callee.createMedia(
            entity: entity, content: content, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Creates a media entity under another entity, which it is linked to; closes the content.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func createRelatedMedia(
        entity: EntityValue, content: StreamBase, parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        entity.parentEntity = parent
        entity.parentProperty = property
        try createMedia(entity: entity, content: content, headers: headers, options: options)
    }

    /// Replaces the content of a media entity; closes the content (Protocol 4.01, section 11.4.7.2).
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws {
        try callee.uploadMedia(
            entity: entity, content: content, headers: headers ?? .empty, options: options ?? .none)
    }

    /// The content of a media entity.
    ///
    /// - Throws: `UndefinedError` for content that a store never had, `DataServiceError` when there
    ///   is no such entity or the service refuses, `DataNetworkError` when no answer comes; over a
    ///   store `UsageError` while the store is closed.
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws -> ByteStream {
        try callee.downloadMedia(
            entity: entity, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Replaces the content of a stream property; closes the content (Protocol 4.01, section 11.4.8.1).
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read, `DataServiceError` when
    ///   there is no such entity or the service refuses. `DataNetworkError` when no answer comes;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws {
        try callee.uploadStream(
            entity: entity, link: link, content: content, headers: headers ?? .empty,
            options: options ?? .none)
    }

    /// The content of a stream property.
    ///
    /// - Throws: `UndefinedError` for content that a store never had, `DataServiceError` when there
    ///   is no such entity or the service refuses, `DataNetworkError` when no answer comes; over a
    ///   store `UsageError` while the store is closed.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> ByteStream {
        try callee.downloadStream(
            entity: entity, link: link, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Removes the content of a stream property (Protocol 4.01, section 11.4.8.2).
    ///
    /// - Throws: `DataServiceError` when the entity does not fit the model, is not there, or is
    ///   refused; then nothing is changed. `DataNetworkError` when a service gives no answer; in a
    ///   store `UsageError` while the store is closed and `DataStorageError` when its file fails.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws {
        try callee.deleteStream(
            entity: entity, link: link, headers: headers ?? .empty, options: options ?? .none)
    }

    // MARK: Batches

    /// Makes all changes of a set or none (Protocol 4.01, section 11.7.7.2).
    ///
    /// - Throws: What the changes failed with.
    open func applyChanges(
        _ changes: ChangeSet, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        let batch = RequestBatch()
        batch.addChanges(changes)
        try processBatch(batch, headers: headers, options: options)
        if let error = changes.error ?? batch.error { throw error }
    }

    /// Executes a batch; what became of each part stands on the batch (Protocol 4.01, section 11.7).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses the batch as a whole; what single parts failed with stands on the batch. Over a
    ///   store `UsageError` while the store is closed.
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) throws {
        try callee.processBatch(batch, headers: headers ?? .empty, options: options ?? .none)
    }

    /// Takes back changes that were not sent yet.
    ///
    /// - Throws: `DataServiceError` with status 501 where the provider keeps no queue; `UsageError`
    ///   while the store is closed, `DataStorageError` when its file fails.
    open func undoPendingChanges(for entities: EntityValueList) throws {
        try callee.undoPendingChanges(for: entities)
    }

    /// Takes back changes of an entity that were not sent yet.
    ///
    /// - Throws: `DataServiceError` with status 501 where the provider keeps no queue; `UsageError`
    ///   while the store is closed, `DataStorageError` when its file fails.
    open func undoPendingChanges(for entity: EntityValue) throws {
        try undoPendingChanges(for: EntityValueList.fromArray([entity]))
    }
}

/// A provider that is backed by an online one, whose options a service then hands out.
package protocol OnlineBacked: AnyObject {
    var onlineProvider: OnlineODataProvider { get }
}

/// Whether an operation should go on.
enum CancelCheck {
    static func throwIfCancelled(_ token: CancelToken?) throws {
        guard token?.isCancelled == true else { return }
        throw ErrorBase.from(ODataError(.cancelled, "The request was cancelled."))
    }
}
