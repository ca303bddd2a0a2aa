import ODataClasses
import ODataModel
import ODataQuery

/// What stands behind a service: something that answers queries and makes changes, near or far.
///
/// Calls block the calling thread. Apps may write providers of their own; members that came later have default
/// implementations, so that those keep compiling. Services use a provider from several threads at once.
@preconcurrency
public protocol DataServiceProvider: AnyObject, Sendable {
    /// The name of the service, for files and messages.
    var serviceName: String { get }
    /// True once metadata is known.
    var hasMetadata: Bool { get }
    /// The metadata; a document without content while ``hasMetadata`` is false.
    var metadata: CSDLDocument { get set }
    /// Whether requests are written to the log.
    var traceRequests: Bool { get set }
    /// Whether traced requests are written with their data.
    var traceWithData: Bool { get set }
    /// Whether traced data is laid out for reading.
    var prettyTracing: Bool { get set }

    /// Makes metadata known unless it is already, with headers and options of default values.
    func loadMetadata() throws
    /// Makes metadata known unless it is already.
    func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws
    /// Reads metadata afresh; what the provider uses stays as it is (Protocol 4.01, section 11.1.2).
    func fetchMetadata(headers: HTTPHeaders, options: RequestOptions) throws -> CSDLDocument
    /// Forgets metadata.
    func unloadMetadata() throws

    /// Answers a query (Protocol 4.01, section 11.2).
    func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> QueryResult
    /// Calls an action or function; nil where it returns nothing (Protocol 4.01, section 11.5).
    func executeMethod(
        _ method: DataMethod, parameters: ParameterList, headers: HTTPHeaders,
        options: RequestOptions
    ) throws -> DataValue?
    /// Fills an entity with its present state.
    func loadEntity(
        _ entity: EntityValue, query: DataQuery?, headers: HTTPHeaders, options: RequestOptions
    ) throws

    /// Creates an entity (Protocol 4.01, section 11.4.2).
    func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws
    /// Updates an entity (Protocol 4.01, section 11.4.3).
    func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws
    /// Deletes an entity (Protocol 4.01, section 11.4.5).
    func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws
    /// Deletes the entities that a query selects.
    func deleteByQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws

    /// Links two entities (Protocol 4.01, section 11.4.6.1).
    func createLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions) throws
    /// Links two entities in place of the present link of a single-valued property (Protocol 4.01, section 11.4.6.3).
    func updateLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions) throws
    /// Removes the link between two entities (Protocol 4.01, section 11.4.6.2).
    func deleteLink(
        from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders,
        options: RequestOptions) throws

    /// Creates a media entity from its content; closes the content (Protocol 4.01, section 11.4.7.1).
    func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws
    /// Replaces the content of a media entity; closes the content (Protocol 4.01, section 11.4.7.2).
    func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions
    ) throws
    /// The content of a media entity.
    func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream
    /// Replaces the content of a stream property; closes the content (Protocol 4.01, section 11.4.8.1).
    func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders,
        options: RequestOptions) throws
    /// The content of a stream property.
    func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws -> ByteStream
    /// Removes the content of a stream property (Protocol 4.01, section 11.4.8.2).
    func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions
    ) throws

    /// Executes a batch; what became of each part stands on the batch (Protocol 4.01, section 11.7).
    func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions) throws
    /// The entities of a query one by one (Protocol 4.01, section 11.2.6.7).
    func entityStream(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> EntityStream
    /// The changes that a delta query brings, one by one (Protocol 4.01, section 11.3).
    func deltaStream(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> DeltaStream
    /// Checks that the service answers.
    func pingServer(headers: HTTPHeaders, options: RequestOptions) throws
    /// Takes back changes that were not sent yet.
    func undoPendingChanges(for entities: EntityValueList) throws
}

extension DataServiceProvider {
    /// False; a provider with a log overrides this.
    public var traceRequests: Bool {
        get { false }
        set {}
    }

    /// False; a provider with a log overrides this.
    public var traceWithData: Bool {
        get { false }
        set {}
    }

    /// False; a provider with a log overrides this.
    public var prettyTracing: Bool {
        get { false }
        set {}
    }

    /// Makes metadata known with headers and options of default values.
    ///
    /// - Throws: As the form with headers and options.
    public func loadMetadata() throws { try loadMetadata(headers: .empty, options: .none) }

    /// Reads the entity by its key and takes over what came.
    ///
    /// - Throws: `DataServiceError` with status 404 when there is no such entity. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public func loadEntity(
        _ entity: EntityValue, query: DataQuery?, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        let wanted = query?.copy() ?? DataQuery()
        wanted.fromDefault(entity.entitySet)
        if !entity.entitySet.isSingleton { wanted.withKey(entity.entityKey) }
        let found = try executeQuery(wanted, headers: headers, options: options).requiredEntity()
        entity.takeOver(found)
    }

    /// The entities of the whole result, which is read first.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails. The stream itself throws the same for later pages.
    public func entityStream(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> EntityStream {
        try executeQuery(query, headers: headers, options: options).entityStream()
    }

    /// The changes of the whole result, which is read first.
    ///
    /// - Throws: `DataServiceError` when the delta link expired or the service refuses,
    ///   `DataNetworkError` when no answer comes, `DataFormatError` for an answer that cannot be
    ///   read.
    public func deltaStream(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> DeltaStream {
        try executeQuery(query, headers: headers, options: options).deltaStream()
    }

    /// Succeeds: a provider without a server has nothing to ask.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses.
    public func pingServer(headers: HTTPHeaders, options: RequestOptions) throws {}

    /// Throws: a provider without a queue has nothing to take back.
    ///
    /// - Throws: `DataServiceError` with status 501 where the provider keeps no queue; `UsageError`
    ///   while the store is closed, `DataStorageError` when its file fails.
    public func undoPendingChanges(for entities: EntityValueList) throws {
        throw DataServiceError.notImplemented(method: "undoPendingChanges")
    }

    /// Throws; a provider whose service has methods overrides this.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataQueryError` for parameters that do not fit.
    public func executeMethod(
        _ method: DataMethod, parameters: ParameterList, headers: HTTPHeaders,
        options: RequestOptions
    ) throws -> DataValue? {
        throw DataServiceError.notImplemented(method: method.name)
    }

    /// Reads the entities that the query selects, and deletes them one after the other.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model; otherwise as for a
    ///   single deletion, where a store has deleted nothing then.
    public func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        let found = try executeQuery(query, headers: headers, options: options).entityList()
        for entity in found.toArray() {
            try deleteEntity(entity, headers: headers, options: options)
        }
    }
}

extension EntityValue {
    /// Takes over what was read of the entity; properties that were not read stay as they are.
    package final func takeOver(_ other: EntityValue) {
        takeOver(other.structureValue, type: other.entityType)
        if other.entitySet !== EntitySet.undefined { entitySet = other.entitySet }
    }

    /// Takes over what was read of the entity; properties that were not read stay as they are.
    package final func takeOver(_ read: StructureValue, type: EntityType) {
        var merged = read
        if type === entityType {
            let present = structureValue
            for slot in type.properties.indices where merged.slots[safe: slot] == nil {
                merged.setSlot(slot, present.slots[safe: slot])
            }
        }
        load(.value(merged), type: type)
    }
}

extension [ODataValue?] {
    /// The value at a position; nil where the array ends before it.
    fileprivate subscript(safe position: Int) -> ODataValue? {
        indices.contains(position) ? self[position] : nil
    }
}
