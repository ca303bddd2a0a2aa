import Foundation
import ODataClasses
import ODataModel
import ODataQuery

/// A service over any provider: calls that block, and the same calls with a completion handler.
///
/// Code that only reads and writes entities takes one of these and does not see whether a service, a store or both are
/// behind it.
///
/// ```swift
/// let orders = service.entitySet(withName: "WorkOrders")
/// let status = orders.entityType.property(withName: "Status")
/// let order = try service.executeQuery(DataQuery().from(orders).top(1)).requiredEntity()
/// status.setStringValue(in: order, to: "Done")
/// try service.updateEntity(order)
/// ```
///
/// A service is shared between threads as far as its provider is; ours are. Calls that block may come from any thread.
/// Calls with a handler return at once and run on threads of the service: reads up to ten at a time, changes one after the
/// other in the order of the calls. They work on the very entities and queries that they are given, which the app leaves
/// alone until the handler was called. A service keeps its provider, and a pending call keeps the service.
///
/// What each call throws stands at the call: over a service `DataNetworkError` and `DataServiceError`, over a store
/// `DataStorageError` and, while it is closed, `UsageError`. See ``OnlineDataService``, ``OfflineDataService``, and
/// ``DataServiceAsync`` for calls that are `async`.
open class DataService: BlockingDataService, @unchecked Sendable {
    // As its base class says.

    /// Creates a service over a provider.
    public init(provider: any DataServiceProvider) {
        super.init(anyProvider: provider)
    }

    /// The provider behind the service.
    open var provider: any DataServiceProvider { anyProvider }

    // MARK: Completion handlers

    /// Makes metadata known unless it is already. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadMetadata(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.functions, { [self] in try loadMetadata(headers: headers, options: options) },
            completionHandler)
    }

    /// Reads metadata afresh; what the provider uses stays as it is. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMetadata(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<CSDLDocument, any Error>) -> Void
    ) {
        queues.run(
            queues.functions, { [self] in try fetchMetadata(headers: headers, options: options) },
            completionHandler)
    }

    /// Reads metadata afresh and puts it in the place of what the provider uses. The handler is called on `completionQueue`.
    @preconcurrency
    open func refreshMetadata(
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(queues.actions, { [self] in try refreshMetadata() }, completionHandler)
    }

    /// Forgets metadata; the next call that needs it loads it. The handler is called on `completionQueue`.
    @preconcurrency
    open func unloadMetadata(
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(queues.actions, { [self] in try unloadMetadata() }, completionHandler)
    }

    /// Answers a query. The handler is called on `completionQueue`.
    @preconcurrency
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<QueryResult, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try executeQuery(query, headers: headers, options: options) },
            completionHandler)
    }

    /// Fills an entity with its present state; the query may ask for related entities too. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try loadEntity(entity, query: query, headers: headers, options: options) },
            completionHandler)
    }

    /// Reads one property of an entity into it: a value, or the entities that it leads to. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadProperty(
        _ property: Property, into entity: EntityValue, query: DataQuery? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in
                try loadProperty(
                    property, into: entity, query: query, headers: headers, options: options)
            }, completionHandler)
    }

    /// Calls an action or function; nil where it returns nothing. The handler is called on `completionQueue`.
    @preconcurrency
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<DataValue?, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in
                try executeMethod(
                    method, parameters: parameters, headers: headers, options: options)
            }, completionHandler)
    }

    /// Checks that the service answers. The handler is called on `completionQueue`.
    @preconcurrency
    open func pingServer(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.functions, { [self] in try pingServer(headers: headers, options: options) },
            completionHandler)
    }

    /// Creates an entity. The handler is called on `completionQueue`.
    @preconcurrency
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try createEntity(entity, headers: headers, options: options) },
            completionHandler)
    }

    /// Creates an entity under another one, which it is linked to. The handler is called on `completionQueue`.
    @preconcurrency
    open func createRelatedEntity(
        _ entity: EntityValue, in parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try createRelatedEntity(
                    entity, in: parent, property: property, headers: headers, options: options)
            }, completionHandler)
    }

    /// Updates an entity with what changed. The handler is called on `completionQueue`.
    @preconcurrency
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try updateEntity(entity, headers: headers, options: options) },
            completionHandler)
    }

    /// Creates an entity that is new, updates any other. The handler is called on `completionQueue`.
    @preconcurrency
    open func saveEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try saveEntity(entity, headers: headers, options: options) },
            completionHandler)
    }

    /// Deletes an entity. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try deleteEntity(entity, headers: headers, options: options) },
            completionHandler)
    }

    /// Deletes the entities that a query selects. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try deleteByQuery(query, headers: headers, options: options) },
            completionHandler)
    }

    /// Links two entities. The handler is called on `completionQueue`.
    @preconcurrency
    open func createLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try createLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }, completionHandler)
    }

    /// Links two entities in place of the present link of a single-valued property. The handler is called on `completionQueue`.
    @preconcurrency
    open func updateLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try updateLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }, completionHandler)
    }

    /// Removes the link between two entities. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteLink(
        from source: EntityValue, property: Property, to target: EntityValue? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try deleteLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }, completionHandler)
    }

    /// Creates a media entity from its content; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try createMedia(
                    entity: entity, content: content, headers: headers, options: options)
            }, completionHandler)
    }

    /// Creates a media entity under another entity; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func createRelatedMedia(
        entity: EntityValue, content: StreamBase, parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try createRelatedMedia(
                    entity: entity, content: content, parent: parent, property: property,
                    headers: headers, options: options)
            }, completionHandler)
    }

    /// Replaces the content of a media entity; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try uploadMedia(
                    entity: entity, content: content, headers: headers, options: options)
            }, completionHandler)
    }

    /// The content of a media entity. The handler is called on `completionQueue`.
    @preconcurrency
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<ByteStream, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try downloadMedia(entity: entity, headers: headers, options: options) },
            completionHandler)
    }

    /// Replaces the content of a stream property; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try uploadStream(
                    entity: entity, link: link, content: content, headers: headers, options: options
                )
            }, completionHandler)
    }

    /// The content of a stream property. The handler is called on `completionQueue`.
    @preconcurrency
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<ByteStream, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in
                try downloadStream(entity: entity, link: link, headers: headers, options: options)
            }, completionHandler)
    }

    /// Removes the content of a stream property. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try deleteStream(entity: entity, link: link, headers: headers, options: options)
            }, completionHandler)
    }

    /// Makes all changes of a set or none. The handler is called on `completionQueue`.
    @preconcurrency
    open func applyChanges(
        _ changes: ChangeSet, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try applyChanges(changes, headers: headers, options: options) },
            completionHandler)
    }

    /// Executes a batch; what became of each part stands on the batch. The handler is called on `completionQueue`.
    @preconcurrency
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try processBatch(batch, headers: headers, options: options) },
            completionHandler)
    }

    /// Takes back changes that were not sent yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func undoPendingChanges(
        for entities: EntityValueList,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions, { [self] in try undoPendingChanges(for: entities) }, completionHandler)
    }

    /// Takes back changes of an entity that were not sent yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func undoPendingChanges(
        for entity: EntityValue,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions, { [self] in try undoPendingChanges(for: entity) }, completionHandler)
    }
}

/// The name under which programs know the base of services.
public typealias BaseDataService = DataService
