import ODataModel
import ODataQuery
import Synchronization

/// What a service can do and how it is spoken to. A change counts from the next operation on.
open class ServiceOptions: ObjectBase, @unchecked Sendable {
    // `stored` is guarded by its own lock.
    private final let stored = Mutex(Fields())

    package struct Fields: Sendable {
        package var checkVersion = true
        package var cacheMetadata = false
        package var metadataFile: String?
        package var metadataText: String?
        package var metadataURL: String?
        package var csdlOptions = 0
        package var csdlFetcher: CSDLFetcher?
        package var includeSchemas: DataSchemaList?
        package var dataFormat = DataFormat.json
        package var dataVersion = 0
        package var checkQueries = true
        package var checkResults = true
        package var fixMissingNullValues = false
        package var fixMissingEmptyLists = false
        package var createReturnsContent = true
        package var updateReturnsContent = true
        package var requiresToken: String? = "X-CSRF-Token"
        package var requiresType = false
        package var keysAsSegments: Bool?
        package var supportsPatch = true
        package var supportsBatch = true
        package var supportsBind = true
        package var supportsUnbind = true
        package var supportsAlias = true
        package var supportsDelta = true
        package var supportsNext = true
        package var pingMethod = "HEAD"
        package var pingResource = "/"
        package var pingAccept: String?
        package var clientID: String?
        package var clientInstanceID: String?
        package var batchEntityOperations = false
        package var batchExecuteMethods = false
        package var batchExecuteQueries = false
        package var batchAsJSON = false
        package var avoidInPaths: String?
        package var databaseOnly = false
        package var logErrors = true
        package var logWarnings = true
    }

    /// Creates options of default values.
    public override init() { super.init() }

    /// The options as one value: what an operation reads when it starts.
    package final var fields: Fields {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    /// True to check the version header of answers (Protocol 4.01, section 8.1.5).
    open var checkVersion: Bool {
        get { fields.checkVersion }
        set { stored.withLock { $0.checkVersion = newValue } }
    }

    /// True to keep the metadata document in a file.
    open var cacheMetadata: Bool {
        get { fields.cacheMetadata }
        set { stored.withLock { $0.cacheMetadata = newValue } }
    }

    /// The file that metadata is read from, or kept in.
    open var metadataFile: String? {
        get { fields.metadataFile }
        set { stored.withLock { $0.metadataFile = newValue } }
    }

    /// The metadata document itself.
    open var metadataText: String? {
        get { fields.metadataText }
        set { stored.withLock { $0.metadataText = newValue } }
    }

    /// Where metadata is, when it is not at `$metadata`.
    open var metadataURL: String? {
        get { fields.metadataURL }
        set { stored.withLock { $0.metadataURL = newValue } }
    }

    /// Options of the metadata parser, combined.
    open var csdlOptions: Int {
        get { fields.csdlOptions }
        set { stored.withLock { $0.csdlOptions = newValue } }
    }

    /// Decides about documents that metadata refers to; without one none is fetched.
    open var csdlFetcher: CSDLFetcher? {
        get { fields.csdlFetcher }
        set { stored.withLock { $0.csdlFetcher = newValue } }
    }

    /// Schemas that metadata documents may name without a reference to them.
    open var includeSchemas: DataSchemaList {
        get { fields.includeSchemas ?? DataSchemaList() }
        set { stored.withLock { $0.includeSchemas = newValue } }
    }

    /// The format of payloads, one of ``DataFormat``: ``DataFormat/atom`` asks V2 services for Atom, which then also
    /// give the tombstones of deltas.
    open var dataFormat: Int {
        get { fields.dataFormat }
        set { stored.withLock { $0.dataFormat = newValue } }
    }

    /// The protocol version, one of ``DataVersion``; 0 takes it from metadata.
    open var dataVersion: Int {
        get { fields.dataVersion }
        set { stored.withLock { $0.dataVersion = newValue } }
    }

    /// True to check queries against metadata before they are sent.
    open var checkQueries: Bool {
        get { fields.checkQueries }
        set { stored.withLock { $0.checkQueries = newValue } }
    }

    /// True to check results against metadata.
    open var checkResults: Bool {
        get { fields.checkResults }
        set { stored.withLock { $0.checkResults = newValue } }
    }

    /// True to read a missing nullable property as null.
    open var fixMissingNullValues: Bool {
        get { fields.fixMissingNullValues }
        set { stored.withLock { $0.fixMissingNullValues = newValue } }
    }

    /// True to read a missing collection as empty.
    open var fixMissingEmptyLists: Bool {
        get { fields.fixMissingEmptyLists }
        set { stored.withLock { $0.fixMissingEmptyLists = newValue } }
    }

    /// True when a create answers with the entity.
    open var createReturnsContent: Bool {
        get { fields.createReturnsContent }
        set { stored.withLock { $0.createReturnsContent = newValue } }
    }

    /// True when an update answers with the entity.
    open var updateReturnsContent: Bool {
        get { fields.updateReturnsContent }
        set { stored.withLock { $0.updateReturnsContent = newValue } }
    }

    /// The header of the security token that changes need; nil when they need none.
    open var requiresToken: String? {
        get { fields.requiresToken }
        set { stored.withLock { $0.requiresToken = newValue } }
    }

    /// True to send the type of every entity (JSON Format 4.01, section 4.6.3).
    open var requiresType: Bool {
        get { fields.requiresType }
        set { stored.withLock { $0.requiresType = newValue } }
    }

    /// True where keys stand in paths as segments of their own (`Orders/1`), false where they stand in parentheses
    /// (`Orders(1)`); nil, as at first, lets the first read by key find out (URL Conventions 4.01, section 4.3.6).
    open var keysAsSegments: Bool? {
        get { fields.keysAsSegments }
        set { stored.withLock { $0.keysAsSegments = newValue } }
    }

    /// True when the service knows `PATCH`; otherwise updates replace (Protocol 4.01, section 11.4.3).
    open var supportsPatch: Bool {
        get { fields.supportsPatch }
        set { stored.withLock { $0.supportsPatch = newValue } }
    }

    /// True when the service knows `$batch` (Protocol 4.01, section 11.7).
    open var supportsBatch: Bool {
        get { fields.supportsBatch }
        set { stored.withLock { $0.supportsBatch = newValue } }
    }

    /// True when links can be made inside a create or update (JSON Format 4.01, section 8.5).
    open var supportsBind: Bool {
        get { fields.supportsBind }
        set { stored.withLock { $0.supportsBind = newValue } }
    }

    /// True when links can be removed inside an update, which is done where the service takes deep updates
    /// (Protocol 4.01, section 11.4.3.1); otherwise, and when false, each has a request of its own.
    open var supportsUnbind: Bool {
        get { fields.supportsUnbind }
        set { stored.withLock { $0.supportsUnbind = newValue } }
    }

    /// True when the service knows parameter aliases (URL Conventions 4.01, section 5.3).
    open var supportsAlias: Bool {
        get { fields.supportsAlias }
        set { stored.withLock { $0.supportsAlias = newValue } }
    }

    /// True when the service answers with delta links (Protocol 4.01, section 11.3).
    open var supportsDelta: Bool {
        get { fields.supportsDelta }
        set { stored.withLock { $0.supportsDelta = newValue } }
    }

    /// True when the service answers with next links (Protocol 4.01, section 11.2.6.7).
    open var supportsNext: Bool {
        get { fields.supportsNext }
        set { stored.withLock { $0.supportsNext = newValue } }
    }

    /// The method of a ping.
    open var pingMethod: String {
        get { fields.pingMethod }
        set { stored.withLock { $0.pingMethod = newValue } }
    }

    /// What a ping asks for.
    open var pingResource: String {
        get { fields.pingResource }
        set { stored.withLock { $0.pingResource = newValue } }
    }

    /// The `Accept` header of a ping.
    open var pingAccept: String? {
        get { fields.pingAccept }
        set { stored.withLock { $0.pingAccept = newValue } }
    }

    /// The identity of the app.
    open var clientID: String? {
        get { fields.clientID }
        set { stored.withLock { $0.clientID = newValue } }
    }

    /// The identity of the installation (`Client-Instance-ID`).
    open var clientInstanceID: String? {
        get { fields.clientInstanceID }
        set { stored.withLock { $0.clientInstanceID = newValue } }
    }

    /// True to send single changes inside batches.
    open var batchEntityOperations: Bool {
        get { fields.batchEntityOperations }
        set { stored.withLock { $0.batchEntityOperations = newValue } }
    }

    /// True to send single operations inside batches.
    open var batchExecuteMethods: Bool {
        get { fields.batchExecuteMethods }
        set { stored.withLock { $0.batchExecuteMethods = newValue } }
    }

    /// True to send single queries inside batches.
    open var batchExecuteQueries: Bool {
        get { fields.batchExecuteQueries }
        set { stored.withLock { $0.batchExecuteQueries = newValue } }
    }

    /// True to send batches as JSON (JSON Format 4.01, section 19) where the service is of V4; multipart messages, which
    /// every service reads, otherwise.
    open var batchAsJSON: Bool {
        get { fields.batchAsJSON }
        set { stored.withLock { $0.batchAsJSON = newValue } }
    }

    /// Characters to keep out of URL paths.
    open var avoidInPaths: String? {
        get { fields.avoidInPaths }
        set { stored.withLock { $0.avoidInPaths = newValue } }
    }

    /// True when there is no service behind a store: nothing is sent, whatever asks for it, and metadata comes from
    /// ``metadataText`` or ``metadataFile``. What would be sent fails with a `UsageError`.
    open var databaseOnly: Bool {
        get { fields.databaseOnly }
        set { stored.withLock { $0.databaseOnly = newValue } }
    }

    /// True to log errors.
    open var logErrors: Bool {
        get { fields.logErrors }
        set { stored.withLock { $0.logErrors = newValue } }
    }

    /// True to log warnings.
    open var logWarnings: Bool {
        get { fields.logWarnings }
        set { stored.withLock { $0.logWarnings = newValue } }
    }
}
