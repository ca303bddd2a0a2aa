import Foundation
import ODataClasses
import ODataModel
import ODataQuery

/// A service over any provider whose calls are `async`.
///
/// The work runs on threads of the service, never on those of the tasks that wait. Cancelling a task cancels its call.
open class DataServiceAsync: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let blocking: BlockingDataService
    private final let bridge = AsyncBridge()

    /// Creates a service over a provider.
    public init(provider: any DataServiceProvider) {
        blocking = BlockingDataService(anyProvider: provider)
        super.init()
    }

    package init(blocking: BlockingDataService) {
        self.blocking = blocking
        super.init()
    }

    // MARK: Settings

    /// The provider behind the service.
    open var provider: any DataServiceProvider { blocking.anyProvider }

    /// The name of the service.
    open var name: String { blocking.name }

    /// True once metadata is known.
    open var hasMetadata: Bool { blocking.hasMetadata }

    /// The metadata of the provider.
    open var metadata: CSDLDocument {
        get { blocking.metadata }
        set { blocking.metadata = newValue }
    }

    /// The lock under which generated classes exchange their metadata.
    open var metadataLock: MetadataLock { blocking.metadataLock }

    /// The entity set with this name. A name that the metadata does not have is a programming error and traps.
    open func entitySet(withName name: String) -> EntitySet { metadata.entitySet(withName: name) }

    /// The action, function or import with this name; see ``entitySet(withName:)``.
    open func dataMethod(withName name: String) -> DataMethod {
        metadata.dataMethod(withName: name)
    }

    /// Whether requests are logged.
    open var traceRequests: Bool {
        get { blocking.traceRequests }
        set { blocking.traceRequests = newValue }
    }

    /// Whether logged requests show their data.
    open var traceWithData: Bool {
        get { blocking.traceWithData }
        set { blocking.traceWithData = newValue }
    }

    /// Whether logged data is laid out for reading.
    open var prettyTracing: Bool {
        get { blocking.prettyTracing }
        set { blocking.prettyTracing = newValue }
    }

    /// What the remote service can do; without effect over a provider that has none.
    public final var serviceOptions: ServiceOptions { blocking.serviceOptions }

    /// How requests are sent; without effect over a provider that sends none.
    public final var networkOptions: NetworkOptions { blocking.networkOptions }

    /// The headers that go with every request; without effect over a provider that sends none.
    public final var httpHeaders: HTTPHeaders { blocking.httpHeaders }

    /// The queue for actions of the app's own, which run one after the other.
    public final var actionQueue: OperationQueue { blocking.actionQueue }

    /// The queue for functions of the app's own, of which ten run at once.
    public final var functionQueue: OperationQueue { blocking.functionQueue }

    /// Where completion handlers of the app's own may run; the main queue at first.
    public final var completionQueue: OperationQueue {
        get { blocking.completionQueue }
        set { blocking.completionQueue = newValue }
    }

    /// Runs `action` on a thread of the service, after the actions before it, and does not wait for it.
    @preconcurrency
    public final func asyncAction(_ action: @escaping @Sendable () -> Void) {
        blocking.asyncAction(action)
    }

    /// Runs `function` on a thread of the service, beside up to nine others, and does not wait for it.
    @preconcurrency
    public final func asyncFunction(_ function: @escaping @Sendable () -> Void) {
        blocking.asyncFunction(function)
    }

    /// Runs `action` on a thread of the service, after the actions before it.
    public final func asyncAction<Value: Sendable>(
        _ action: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await bridge.run(on: blocking.queues.actions, action)
    }

    /// Runs `function` on a thread of the service, beside up to nine others.
    public final func asyncFunction<Value: Sendable>(
        _ function: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await bridge.run(on: blocking.queues.functions, function)
    }

    /// Throws when the token was cancelled.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    public final func checkIfCancelled(_ token: CancelToken?) throws {
        try CancelCheck.throwIfCancelled(token)
    }

    // MARK: Calls

    /// Makes metadata known unless it is already.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func loadMetadata(headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws
    {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.loadMetadata(headers: headers, options: $0)
        }
    }

    /// Reads metadata afresh; what the provider uses stays as it is (Protocol 4.01, section 11.1.2).
    open func fetchMetadata(headers: HTTPHeaders? = nil, options: RequestOptions? = nil)
        async throws -> CSDLDocument
    {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.fetchMetadata(headers: headers, options: $0)
        }
    }

    /// Reads metadata afresh and puts it in the place of what the provider uses.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func refreshMetadata() async throws {
        try await bridge.run(on: blocking.queues.actions) { [blocking] in
            try blocking.refreshMetadata()
        }
    }

    /// Forgets metadata.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func unloadMetadata() async throws {
        try await bridge.run(on: blocking.queues.actions) { [blocking] in
            try blocking.unloadMetadata()
        }
    }

    /// The entities of a query one by one, the first page read; reading further pages blocks the thread that does.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func entityStream(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws -> EntityStream {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.entityStream(query, headers: headers, options: $0)
        }
    }

    /// The changes that a delta query brings, one by one; see ``entityStream(_:headers:options:)``.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deltaStream(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws -> DeltaStream {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.deltaStream(query, headers: headers, options: $0)
        }
    }

    /// Answers a query (Protocol 4.01, section 11.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws -> QueryResult {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.executeQuery(query, headers: headers, options: $0)
        }
    }

    /// Fills an entity with its present state; the query may ask for related entities too.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.loadEntity(entity, query: query, headers: headers, options: $0)
        }
    }

    /// Reads one property of an entity into it: a value, or the entities that it leads to.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func loadProperty(
        _ property: Property, into entity: EntityValue, query: DataQuery? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.loadProperty(
                property, into: entity, query: query, headers: headers, options: $0)
        }
    }

    /// Calls an action or function; nil where it returns nothing (Protocol 4.01, section 11.5).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    @discardableResult
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws -> DataValue? {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.executeMethod(
                method, parameters: parameters, headers: headers, options: $0)
        }
    }

    /// Checks that the service answers.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func pingServer(headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.pingServer(headers: headers, options: $0)
        }
    }

    /// Creates an entity (Protocol 4.01, section 11.4.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.createEntity(entity, headers: headers, options: $0)
        }
    }

    /// Creates an entity under another one, which it is linked to (Protocol 4.01, section 11.4.2.1).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func createRelatedEntity(
        _ entity: EntityValue, in parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.createRelatedEntity(
                entity, in: parent, property: property, headers: headers, options: $0)
        }
    }

    /// Updates an entity with what changed (Protocol 4.01, section 11.4.3).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.updateEntity(entity, headers: headers, options: $0)
        }
    }

    /// Creates an entity that is new, updates any other.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func saveEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.saveEntity(entity, headers: headers, options: $0)
        }
    }

    /// Deletes an entity (Protocol 4.01, section 11.4.5).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.deleteEntity(entity, headers: headers, options: $0)
        }
    }

    /// Deletes the entities that a query selects.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.deleteByQuery(query, headers: headers, options: $0)
        }
    }

    /// Links two entities (Protocol 4.01, section 11.4.6.1).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func createLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.createLink(
                from: source, property: property, to: target, headers: headers, options: $0)
        }
    }

    /// Links two entities in place of the present link of a single-valued property (Protocol 4.01, section 11.4.6.3).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func updateLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.updateLink(
                from: source, property: property, to: target, headers: headers, options: $0)
        }
    }

    /// Removes the link between two entities (Protocol 4.01, section 11.4.6.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deleteLink(
        from source: EntityValue, property: Property, to target: EntityValue? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.deleteLink(
                from: source, property: property, to: target, headers: headers, options: $0)
        }
    }

    /// Creates a media entity from its content; closes the content (Protocol 4.01, section 11.4.7.1).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.createMedia(
                entity: entity, content: content, headers: headers, options: $0)
        }
    }

    /// Creates a media entity under another entity; closes the content.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func createRelatedMedia(
        entity: EntityValue, content: StreamBase, parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.createRelatedMedia(
                entity: entity, content: content, parent: parent, property: property,
                headers: headers, options: $0)
        }
    }

    /// Replaces the content of a media entity; closes the content (Protocol 4.01, section 11.4.7.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.uploadMedia(
                entity: entity, content: content, headers: headers, options: $0)
        }
    }

    /// The content of a media entity.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws -> ByteStream {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.downloadMedia(entity: entity, headers: headers, options: $0)
        }
    }

    /// Replaces the content of a stream property; closes the content (Protocol 4.01, section 11.4.8.1).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.uploadStream(
                entity: entity, link: link, content: content, headers: headers, options: $0)
        }
    }

    /// The content of a stream property.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> ByteStream {
        try await bridge.request(options, on: blocking.queues.functions) { [blocking] in
            try blocking.downloadStream(entity: entity, link: link, headers: headers, options: $0)
        }
    }

    /// Removes the content of a stream property (Protocol 4.01, section 11.4.8.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.deleteStream(entity: entity, link: link, headers: headers, options: $0)
        }
    }

    /// Makes all changes of a set or none (Protocol 4.01, section 11.7.7.2).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func applyChanges(
        _ changes: ChangeSet, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.applyChanges(changes, headers: headers, options: $0)
        }
    }

    /// Executes a batch; what became of each part stands on the batch (Protocol 4.01, section 11.7).
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders? = nil, options: RequestOptions? = nil
    ) async throws {
        try await bridge.request(options, on: blocking.queues.actions) { [blocking] in
            try blocking.processBatch(batch, headers: headers, options: $0)
        }
    }

    /// Takes back changes that were not sent yet.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func undoPendingChanges(for entities: EntityValueList) async throws {
        try await bridge.run(on: blocking.queues.actions) { [blocking] in
            try blocking.undoPendingChanges(for: entities)
        }
    }

    /// Takes back changes of an entity that were not sent yet.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func undoPendingChanges(for entity: EntityValue) async throws {
        try await bridge.run(on: blocking.queues.actions) { [blocking] in
            try blocking.undoPendingChanges(for: entity)
        }
    }
}
