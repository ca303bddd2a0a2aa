import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import SAPCommon
import SAPFoundation
import Synchronization

/// A provider that sends every call to an OData service (2.0 to 4.01) over HTTP.
///
/// Used beneath an ``OnlineDataService``, or beneath a ``CloudSyncProvider`` as its way to the service.
///
/// ```swift
/// let provider = OnlineODataProvider(serviceName: "Field", serviceRoot: "https://example.org/field/")
/// provider.serviceOptions.supportsBatch = false
/// provider.traceRequests = true
/// try provider.loadMetadata()
/// ```
///
/// Calls block the calling thread until the answer is there; any thread may call, several at once. Settings are read when
/// a call begins, so a change counts from the next call on.
///
/// Queries and changes throw `DataNetworkError` when no answer comes, `DataServiceError` when the service refuses,
/// `DataFormatError` for an answer that cannot be read, and `DataQueryError` for a query that does not fit the metadata.
open class OnlineODataProvider: ObjectBase, DataServiceProvider, ClientRegistrationProvider,
    @unchecked Sendable
{
    // Everything that changes is in `state`, which its lock guards.
    private final let state: Mutex<OnlineState>
    /// The classes of the app for the service's types, whatever document they were registered with.
    package final let classes = ClassRegistry()
    private final let name: String
    /// The service root, ending in `/`.
    public final let serviceRoot: String
    package final let world: any World
    /// What `~` stands for in file names.
    package final let folder: PrivateFolder
    /// What is known of the service beyond its metadata.
    package final let learned = LearnedProfile()

    /// Creates a provider for the service at the absolute URL `serviceRoot`; `httpHandler` sends in place of the library.
    ///
    /// A name and a password in the URL become the ``login``, and are kept nowhere else.
    public init(serviceName: String, serviceRoot: String, httpHandler: HTTPHandler? = nil) {
        let (root, login) = Self.separated(serviceRoot)
        let setting = httpHandler as? ProviderSetting
        name = serviceName
        self.serviceRoot = root
        world = setting?.world ?? LiveWorld()
        folder = setting?.folder ?? PrivateFolder()
        let transport = setting?.transport ?? StandardTransport.shared
        state = Mutex(OnlineState(root: root, transport, world, login))
        super.init()
        if httpHandler != nil, setting == nil { networkOptions.httpHandler = httpHandler }
    }

    /// Creates a provider whose requests go through a session, by the session's observers and delegate.
    public convenience init(
        serviceName: String, serviceRoot: URL, sapURLSession: SAPURLSession = SAPURLSession()
    ) {
        self.init(serviceName: serviceName, serviceRoot: serviceRoot.absoluteString)
        self.sapURLSession = sapURLSession
    }

    /// Creates a provider that is named after the last part of its URL.
    public convenience init(serviceRoot: URL, sapURLSession: SAPURLSession = SAPURLSession()) {
        self.init(
            serviceName: serviceRoot.lastPathComponent, serviceRoot: serviceRoot,
            sapURLSession: sapURLSession)
    }

    /// Creates a provider over another way to send requests.
    package convenience init(
        serviceName: String, serviceRoot: String, transport: any HTTPTransport,
        world: any World = LiveWorld(), folder: PrivateFolder = PrivateFolder()
    ) {
        // Classes of apps inherit every initialiser only where there is no designated one that they cannot see.
        self.init(
            serviceName: serviceName, serviceRoot: serviceRoot,
            httpHandler: ProviderSetting(transport, world, folder))
    }

    /// The root as it may be stored and shown, ending in `/`, and the login that stood in it.
    private static func separated(_ root: String) -> (root: String, login: LoginCredentials?) {
        let (url, found) = URLCredentials.separated(from: root)
        return (
            url.hasSuffix("/") ? url : url + "/",
            found.map { .basic(username: $0.user, password: $0.password) }
        )
    }

    // MARK: Settings

    /// The name of the service, for files and messages.
    open var serviceName: String { name }

    /// Where requests and what goes wrong are logged.
    public final var logger: Logger { Logger.shared(named: "OData.Online") }

    /// What the service can do.
    public final var serviceOptions: ServiceOptions {
        get { state.withLock { $0.serviceOptions } }
        set { state.withLock { $0.serviceOptions = newValue } }
    }

    /// How requests are sent.
    public final var networkOptions: NetworkOptions {
        get { state.withLock { $0.networkOptions } }
        set { state.withLock { $0.networkOptions = newValue } }
    }

    /// The headers that go with every request.
    public final var httpHeaders: HTTPHeaders {
        get { state.withLock { $0.httpHeaders } }
        set { state.withLock { $0.httpHeaders = newValue } }
    }

    /// The cookies that go with every request beside those that the service set.
    public final var httpCookies: StringMap { state.withLock { $0.httpCookies } }

    /// What proves to the service who is asking; nil where a session or headers do.
    public final var login: LoginCredentials? {
        get { state.withLock { $0.login } }
        set { state.withLock { $0.login = newValue } }
    }

    /// The session that requests go through; nil where none was given.
    public final var sapURLSession: SAPURLSession? {
        get { state.withLock { $0.session } }
        set {
            state.withLock { state in
                state.session = newValue
                state.transport = newValue?.transport ?? StandardTransport.shared
                state.replaceConnection(serviceRoot, world)
            }
        }
    }

    /// Whether requests are logged.
    open var traceRequests: Bool {
        get { state.withLock { $0.tracesRequests } }
        set { state.withLock { $0.tracesRequests = newValue } }
    }

    /// Whether logged requests show their data.
    open var traceWithData: Bool {
        get { state.withLock { $0.tracesData } }
        set { state.withLock { $0.tracesData = newValue } }
    }

    /// Whether logged data is laid out for reading.
    open var prettyTracing: Bool {
        get { state.withLock { $0.isPretty } }
        set { state.withLock { $0.isPretty = newValue } }
    }

    /// Told what the service says beside its answers, such as a warning that comes with a success; called on the thread
    /// of the call, before it returns.
    @preconcurrency
    public final var messageListener: (@Sendable (ErrorResponse) -> Void)? {
        get { state.withLock { $0.messageListener } }
        set { state.withLock { $0.messageListener = newValue } }
    }

    /// How requests look with the present settings, for online calls and uploads alike.
    package final var requestSettings: RequestSettings {
        var settings = state.withLock { $0.requestSettings }
        settings.take(learned.profile)
        return settings
    }

    /// The way to the service with the present settings.
    package final var connection: ServiceConnection {
        let (connection, configuration) = state.withLock { state in
            state.followHandler(serviceRoot, world)
            return (state.connection, state.configuration)
        }
        connection.configuration = configuration
        return connection
    }

    // MARK: Metadata

    /// True once metadata is known.
    open var hasMetadata: Bool { state.withLock { $0.document != nil } }

    /// The metadata; a document without content while none is known.
    open var metadata: CSDLDocument {
        get { state.withLock { $0.document } ?? CSDLDocument(graph: MetadataGraph(version: .v4)) }
        set {
            classes.join(newValue.classes)
            state.withLock { $0.document = newValue }
        }
    }

    /// As ``loadMetadata(headers:options:)`` with those of default values; the form that subclasses of older apps override.
    ///
    /// - Throws: As that.
    open func loadMetadata() throws { try loadMetadata(headers: .empty, options: .none) }

    /// Makes metadata known: from the options, from a file, or from the service.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `CSDLError` for a document that cannot be read.
    open func loadMetadata(
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        guard !hasMetadata else { return }
        let service = serviceOptions.fields
        try ErrorBase.translating {
            let files = MetadataFiles(
                service: service, name: serviceName, folder: folder, logger: logger)
            if let text = try files.stored() {
                metadata = try files.document(text)
                return
            }
            metadata = try fetchMetadata(headers: headers, options: options)
            if let text = metadata.originalText { try files.store(text) }
        }
    }

    /// Reads the metadata of the service afresh; ``metadata`` stays as it is.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `CSDLError` for a document that cannot be read.
    open func fetchMetadata(
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws -> CSDLDocument {
        try ErrorBase.translating {
            let cancellation = CancellationFlag()
            let token = options.cancelToken
            let listener = token?.onCancel { cancellation.cancel() }
            defer { listener.map { token?.removeListener($0) } }
            let service = serviceOptions.fields
            var loader = ServiceMetadataLoader(connection)
            if let url = service.metadataURL { loader.url = url }
            let source: ServiceMetadataLoader.Source?
            do {
                source = try loader.fetch(headers: headers.fields, cancellation: cancellation)
            } catch let error as ODataError where error.code == .service {
                throw DataServiceError.withStatus(error.status, message: error.message)
                    .at(error.location.map { ErrorBase.Place($0) }, code: nil)
            }
            let files = MetadataFiles(
                service: service, name: serviceName, folder: folder, logger: logger)
            return try files.document(source?.text ?? "")
        }
    }

    /// Forgets metadata.
    ///
    /// - Throws: Nothing of its own.
    open func unloadMetadata() throws { state.withLock { $0.document = nil } }

    // MARK: Reading

    /// Answers a query (Protocol 4.01, section 11.2); all pages are read unless the query asks for pages of a size.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. `DataNetworkError` when
    ///   no answer comes, `DataServiceError` when the service refuses, `DataFormatError` for an
    ///   answer that cannot be read.
    open func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws -> QueryResult {
        try call(headers, options) { try $0.execute(query, isBatched: isBatched(query, options)) }
    }

    /// Calls an action or function (Protocol 4.01, section 11.5).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataQueryError` for parameters that do not fit.
    open func executeMethod(
        _ method: DataMethod, parameters: ParameterList,
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws -> DataValue? {
        let query = DataQuery().invoke(method, parameters)
        guard serviceOptions.batchExecuteMethods, method.isAction else {
            return try executeQuery(query, headers: headers, options: options).checkedResult()
        }
        return try call(headers, options) {
            try $0.invoke(method, parameters, headers: headers)
        }
    }

    /// The same as ``loadEntity(_:query:headers:options:)`` with headers and options of default values.
    ///
    /// - Throws: As that.
    open func loadEntity(_ entity: EntityValue, query: DataQuery?) throws {
        try loadEntity(entity, query: query, headers: .empty, options: .none)
    }

    /// Fills an entity with its present state.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func loadEntity(
        _ entity: EntityValue, query: DataQuery? = nil, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.load(entity, query) }
    }

    /// The entities of a query one by one; each page is asked for when it is needed.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func entityStream(
        _ query: DataQuery, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws -> EntityStream {
        try call(headers, options) { try $0.entityStream(query) }
    }

    /// The changes that a delta query brings one by one; each page is asked for when it is needed.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func deltaStream(
        _ query: DataQuery, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws -> DeltaStream {
        try call(headers, options) { try $0.deltaStream(query) }
    }

    // MARK: Changes

    /// Creates an entity (Protocol 4.01, section 11.4.2); what the service answers becomes its state.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try change(
            headers, options, { $0.createEntity(entity, headers: headers, options: options) }
        ) {
            try $0.create(entity)
        }
    }

    /// Updates an entity with what changed (Protocol 4.01, section 11.4.3), and new or changed entities that it holds.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read. A changed entity tag is
    ///   status 412.
    open func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try change(
            headers, options, { $0.updateEntity(entity, headers: headers, options: options) }
        ) {
            try $0.update(entity)
        }
    }

    /// Deletes an entity (Protocol 4.01, section 11.4.5).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read. A changed entity tag is
    ///   status 412.
    open func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try change(
            headers, options, { $0.deleteEntity(entity, headers: headers, options: options) }
        ) {
            try $0.delete(entity)
        }
    }

    /// Deletes the entities that a query selects, one request for each.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. `DataNetworkError` when
    ///   no answer comes, `DataServiceError` when the service refuses, `DataFormatError` for an
    ///   answer that cannot be read.
    open func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.delete(matching: query) }
    }

    /// Links two entities (Protocol 4.01, section 11.4.6.1).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func createLink(
        from: EntityValue, property: Property, to: EntityValue,
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.putLink(from, property, to) }
    }

    /// Links two entities in place of the present link (Protocol 4.01, section 11.4.6.3).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func updateLink(
        from: EntityValue, property: Property, to: EntityValue,
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.putLink(from, property, to) }
    }

    /// Removes the link between two entities (Protocol 4.01, section 11.4.6.2).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func deleteLink(
        from: EntityValue, property: Property, to: EntityValue,
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.deleteLink(from, property, to) }
    }

    // MARK: Streams

    /// Creates a media entity from its content, and sets its properties with a second request.
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read. `DataNetworkError` when
    ///   no answer comes, `DataServiceError` when the service refuses, `DataFormatError` for an
    ///   answer that cannot be read.
    open func createMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.createMedia(entity, content) }
    }

    /// Replaces the content of a media entity (Protocol 4.01, section 11.4.7.2).
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read. `DataNetworkError` when
    ///   no answer comes, `DataServiceError` when the service refuses, `DataFormatError` for an
    ///   answer that cannot be read.
    open func uploadMedia(
        entity: EntityValue, content: StreamBase, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.upload(content, of: entity, nil) }
    }

    /// Replaces the content of a stream property (Protocol 4.01, section 11.4.8.1).
    ///
    /// - Throws: `DataStreamError` when the content fails while it is read. `DataNetworkError` when
    ///   no answer comes, `DataServiceError` when the service refuses, `DataFormatError` for an
    ///   answer that cannot be read.
    open func uploadStream(
        entity: EntityValue, link: StreamLink, content: StreamBase,
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.upload(content, of: entity, link) }
    }

    /// The content of a media entity, pulled while it is read (Protocol 4.01, section 11.2.3).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func downloadMedia(
        entity: EntityValue, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws -> ByteStream {
        try call(headers, options) { try $0.download(entity, nil) }
    }

    /// The content of a stream property, pulled while it is read.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func downloadStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws -> ByteStream {
        try call(headers, options) { try $0.download(entity, link) }
    }

    /// Removes the content of a stream property (Protocol 4.01, section 11.4.8.2).
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func deleteStream(
        entity: EntityValue, link: StreamLink, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.deleteStream(entity, link) }
    }

    // MARK: Batches and the rest

    /// Sends a batch (Protocol 4.01, section 11.7); what became of each part stands on the batch.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func processBatch(
        _ batch: RequestBatch, headers: HTTPHeaders = HTTPHeaders.empty,
        options: RequestOptions = RequestOptions.none
    ) throws {
        try call(headers, options) { try $0.process(batch) }
    }

    /// Checks that the service answers.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses.
    open func pingServer(
        headers: HTTPHeaders = HTTPHeaders.empty, options: RequestOptions = RequestOptions.none
    ) throws {
        let service = serviceOptions.fields
        let resource = service.pingResource
        try call(headers, options, needsMetadata: false) {
            try $0.call.ping(
                service.pingMethod,
                serviceRoot + (resource.hasPrefix("/") ? String(resource.dropFirst()) : resource),
                accept: service.pingAccept ?? "*/*")
        }
    }

    /// Throws: changes are sent at once, so none is pending.
    ///
    /// - Throws: `DataServiceError` with status 501, always: an online provider keeps no queue.
    open func undoPendingChanges(for entities: EntityValueList) throws {
        throw DataServiceError.notImplemented(method: "undoPendingChanges")
    }

    /// Asks the service for a fresh security token, as changes need one.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func acquireToken() throws {
        try ErrorBase.translating { try connection.acquireToken() }
    }

    // MARK: Client registration

    /// True when a registration was made before; looks at the local file only.
    ///
    /// - Throws: What Foundation says when the file of the registration cannot be read.
    open func isClientRegistered() throws -> Bool {
        try ErrorBase.translating { try ClientRegistration(self).stored() != nil }
    }

    /// Registers with the service, or loads the registration that was made before.
    ///
    /// - Throws: `DataQueryError` when the model lacks what a registration needs, `DataFormatError`
    ///   for an answer without the identifiers, `DataNetworkError` or `DataServiceError` when the
    ///   service did not take it.
    open func registerClient(_ client: EntityValue?) throws {
        try ErrorBase.translating { try ClientRegistration(self).register(client) }
    }

    /// Forgets the registration, and deletes it from the service where asked to.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError` when the service did not delete it; it is
    ///   forgotten here all the same.
    open func unregisterClient(deleteFromServer: Bool) throws {
        try ErrorBase.translating {
            try ClientRegistration(self).unregister(deletesFromServer: deleteFromServer)
        }
    }

    // MARK: Calls

    /// The engine's call with the settings as they are now.
    final func serviceCall(
        _ headers: HTTPHeaders, _ cancellation: CancellationFlag
    ) -> ServiceCall {
        let (connection, settings) = (connection, requestSettings)
        return state.withLock { state in
            var call = ServiceCall(
                connection: connection, settings: settings, headers: headers.fields,
                cancellation: cancellation, world: world,
                observer: OnlineObserver(
                    trace: state.trace(logger),
                    messages: OnlineMessages(
                        logger: logger, logsWarnings: state.serviceOptions.fields.logWarnings,
                        listener: state.messageListener)))
            call.streamsUploads = state.networkOptions.streamUploads
            call.streamsDownloads = state.networkOptions.streamDownloads
            call.learned = learned
            return call
        }
    }
}
