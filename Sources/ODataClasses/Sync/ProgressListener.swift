import ODataModel
import ODataSyncPlan

/// How far an operation is, at one moment.
public struct SyncProgress: Sendable, Hashable {
    /// What kind of work is going on.
    public enum Operation: String, Sendable, Hashable {
        /// The store is being opened.
        case open
        /// Data comes from the service.
        case download
        /// Changes go to the service.
        case upload
        /// A copy of the store goes to where it is examined.
        case sendStore
    }

    /// Which operation this belongs to; equal in all notices of one operation.
    public var operationID: String
    /// What kind of operation it is.
    public var operation: Operation
    /// The entity set that is being read, where one is.
    public var entitySet: String?
    /// Requests answered so far, and expected in all.
    public var requestNumber: Int
    /// Requests expected in all; may grow while the operation goes on.
    public var requestCount: Int
    /// Entities received or sent so far.
    public var entityCount: Int64
    /// Bytes that have left, while a copy of the store is sent.
    public var bytesSent: Int64 = 0
    /// The length of what is sent, while a copy of the store is.
    public var byteCount: Int64 = 0
    /// How long the operation has been going on.
    public var elapsed: Duration = .zero
    /// How long it will take in all, as far as earlier ones tell; nil without history.
    public var estimatedTotal: Duration?
    /// Between 0 and 1, never decreasing within one operation; 1 in its last notice.
    public var fractionCompleted: Double

    package init(
        operationID: String, operation: Operation, entitySet: String? = nil,
        requestNumber: Int = 0, requestCount: Int = 0, entityCount: Int64 = 0,
        fractionCompleted: Double = 0
    ) {
        self.operationID = operationID
        self.operation = operation
        self.entitySet = entitySet
        self.requestNumber = requestNumber
        self.requestCount = requestCount
        self.entityCount = entityCount
        self.fractionCompleted = fractionCompleted
    }
}

/// Is told how far downloads and uploads are. Calls come one after another on the thread that works.
open class ProgressListener: ObjectBase, @unchecked Sendable {
    // Constant after initialisation.
    private final let handler: (@Sendable (SyncProgress) -> Void)?

    /// Creates a listener that passes notices on to `handler`, where there is one.
    @preconcurrency
    public init(_ handler: (@Sendable (SyncProgress) -> Void)? = nil) {
        self.handler = handler
        super.init()
    }

    /// Takes a notice; overridden or given as handler.
    open func notify(_ progress: SyncProgress) { handler?(progress) }
}

/// What changed in a service's metadata.
public struct MetadataChange: Sendable {
    /// The document that was in use.
    public let oldMetadata: CSDLDocument
    /// The document that the service has now.
    public let newMetadata: CSDLDocument
    /// The names of the entity sets whose rows lack data of added properties.
    public let changedEntitySets: [String]

    package init(
        oldMetadata: CSDLDocument, newMetadata: CSDLDocument, changedEntitySets: [String]
    ) {
        self.oldMetadata = oldMetadata
        self.newMetadata = newMetadata
        self.changedEntitySets = changedEntitySets
    }
}

/// Is told when a download finds that the service's metadata has changed; once for each change.
open class MetadataListener: ObjectBase, @unchecked Sendable {
    // Constant after initialisation.
    private final let handler: (@Sendable (MetadataChange) -> Void)?

    /// Creates a listener that passes changes on to `handler`, where there is one.
    @preconcurrency
    public init(_ handler: (@Sendable (MetadataChange) -> Void)? = nil) {
        self.handler = handler
        super.init()
    }

    /// Takes a change; overridden or given as handler.
    open func metadataChanged(_ change: MetadataChange) { handler?(change) }
}
