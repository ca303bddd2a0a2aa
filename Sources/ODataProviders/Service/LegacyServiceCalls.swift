import Foundation
import ODataClasses
import ODataModel
import ODataQuery

/// What services have in common whose completion handlers take a value and an error.
///
/// Calls with a handler return at once and run on threads of the service, changes one after the other.
open class LegacyServiceCalls: BlockingDataService, @unchecked Sendable {
    // As its base class says.

    override init(anyProvider: any DataServiceProvider) { super.init(anyProvider: anyProvider) }

    /// The same as ``BlockingDataService/actionQueue``.
    public final var backgroundQueueForAction: OperationQueue { actionQueue }

    /// The same as ``BlockingDataService/functionQueue``.
    public final var backgroundQueueForFunction: OperationQueue { functionQueue }

    /// Runs `work` on a thread of the service, after the work before it.
    @preconcurrency
    public final func addBackgroundOperation(_ work: @escaping @Sendable () -> Void) {
        asyncAction(work)
    }

    /// Runs `work` on a thread of the service, after the work before it.
    @preconcurrency
    public final func addBackgroundOperationForAction(_ work: @escaping @Sendable () -> Void) {
        asyncAction(work)
    }

    /// Runs `work` on a thread of the service, beside up to nine others.
    @preconcurrency
    public final func addBackgroundOperationForFunction(_ work: @escaping @Sendable () -> Void) {
        asyncFunction(work)
    }

    // MARK: Completion handlers

    /// Makes metadata known unless it is already. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadMetadata(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.loadMetadata(headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Reads metadata afresh; what the provider uses stays as it is. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMetadata(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (CSDLDocument?, (any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.fetchMetadata(headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Reads metadata afresh and puts it in the place of what the provider uses. The handler is called on `completionQueue`.
    @preconcurrency
    open func refreshMetadata(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.refreshMetadata()
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Forgets metadata; the next call that needs it loads it. The handler is called on `completionQueue`.
    @preconcurrency
    open func unloadMetadata(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.unloadMetadata()
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Answers a query. The handler is called on `completionQueue`.
    @preconcurrency
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (QueryResult?, (any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.executeQuery(query, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Fills an entity with its present state; the query may ask for related entities too. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.loadEntity(entity, query: query, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Reads one property of an entity into it: a value, or the entities that it leads to. The handler is called on `completionQueue`.
    @preconcurrency
    open func loadProperty(
        _ property: Property, into entity: EntityValue, query: DataQuery? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.loadProperty(
                    property, into: entity, query: query, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Calls an action or function; nil where it returns nothing. The handler is called on `completionQueue`.
    @preconcurrency
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList = ParameterList(),
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (DataValue?, (any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.executeMethod(
                    method, parameters: parameters, headers: headers, options: options)
            }
        ) {
            LegacyResult.passOptional($0, to: completionHandler)
        }
    }

    /// Checks that the service answers. The handler is called on `completionQueue`.
    @preconcurrency
    open func pingServer(
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.pingServer(headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Creates an entity. The handler is called on `completionQueue`.
    @preconcurrency
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.createEntity(entity, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Creates an entity under another one, which it is linked to. The handler is called on `completionQueue`.
    @preconcurrency
    open func createRelatedEntity(
        _ entity: EntityValue, in parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.createRelatedEntity(
                    entity, in: parent, property: property, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Updates an entity with what changed. The handler is called on `completionQueue`.
    @preconcurrency
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.updateEntity(entity, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Creates an entity that is new, updates any other. The handler is called on `completionQueue`.
    @preconcurrency
    open func saveEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.saveEntity(entity, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Deletes an entity. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.deleteEntity(entity, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Deletes the entities that a query selects. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.deleteByQuery(query, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Links two entities. The handler is called on `completionQueue`.
    @preconcurrency
    open func createLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.createLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Links two entities in place of the present link of a single-valued property. The handler is called on `completionQueue`.
    @preconcurrency
    open func updateLink(
        from source: EntityValue, property: Property, to target: EntityValue,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.updateLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Removes the link between two entities. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteLink(
        from source: EntityValue, property: Property, to target: EntityValue? = nil,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.deleteLink(
                    from: source, property: property, to: target, headers: headers, options: options
                )
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Creates a media entity from its content; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.createMedia(
                    entity: entity, content: content, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Creates a media entity under another entity; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func createRelatedMedia(
        entity: EntityValue, content: StreamBase, parent: EntityValue, property: Property,
        headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.createRelatedMedia(
                    entity: entity, content: content, parent: parent, property: property,
                    headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Replaces the content of a media entity; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.uploadMedia(
                    entity: entity, content: content, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// The content of a media entity. The handler is called with the bytes on `completionQueue`.
    @preconcurrency
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.downloadMedia(entity: entity, headers: headers, options: options)
                    .readAndClose()
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Replaces the content of a stream property; closes the content. The handler is called on `completionQueue`.
    @preconcurrency
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.uploadStream(
                    entity: entity, link: link, content: content, headers: headers, options: options
                )
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// The content of a stream property. The handler is called with the bytes on `completionQueue`.
    @preconcurrency
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        queues.run(
            queues.functions,
            { [service = self as BlockingDataService] in
                try service.downloadStream(
                    entity: entity, link: link, headers: headers, options: options
                )
                .readAndClose()
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Removes the content of a stream property. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.deleteStream(
                    entity: entity, link: link, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Makes all changes of a set or none. The handler is called on `completionQueue`.
    @preconcurrency
    open func applyChanges(
        _ changes: ChangeSet, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.applyChanges(changes, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Executes a batch; what became of each part stands on the batch. The handler is called on `completionQueue`.
    @preconcurrency
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders? = nil, options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.processBatch(batch, headers: headers, options: options)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Takes back changes that were not sent yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func undoPendingChanges(
        for entities: EntityValueList, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.undoPendingChanges(for: entities)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }

    /// Takes back changes of an entity that were not sent yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func undoPendingChanges(
        for entity: EntityValue, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        queues.run(
            queues.actions,
            { [service = self as BlockingDataService] in
                try service.undoPendingChanges(for: entity)
            }
        ) {
            LegacyResult.pass($0, to: completionHandler)
        }
    }
}

/// Hands a result to a handler that takes a value and an error.
package enum LegacyResult {
    package static func pass(
        _ result: Result<Void, any Error>, to handler: @Sendable ((any Error)?) -> Void
    ) {
        switch result {
        case .success: handler(nil)
        case .failure(let error): handler(error)
        }
    }

    package static func pass<Value>(
        _ result: Result<Value, any Error>, to handler: @Sendable (Value?, (any Error)?) -> Void
    ) {
        switch result {
        case .success(let value): handler(value, nil)
        case .failure(let error): handler(nil, error)
        }
    }

    static func passOptional<Value>(
        _ result: Result<Value?, any Error>, to handler: @Sendable (Value?, (any Error)?) -> Void
    ) {
        switch result {
        case .success(let value): handler(value, nil)
        case .failure(let error): handler(nil, error)
        }
    }
}
