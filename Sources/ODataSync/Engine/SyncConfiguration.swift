import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataTransport

/// The switches of the sync engine with their defaults, as one value.
///
/// Each operation copies it when it starts, so that a change counts from the next operation on and never half-way.
package struct SyncConfiguration: Sendable {
    package var autoInitialDownload: Bool = false
    package var autoRefreshEntities: Bool = true
    /// The least time between two looks for changed metadata.
    package var autoRefreshSeconds: Int64 = 86_400
    package var autoRefreshMetadata: Bool = true
    package var autoRegisterClient: Bool = true
    package var autoSaveEstimates: Bool = true
    /// The transfers that downloads and uploads in the background go through; nil for those of the platform.
    package var backgroundTransfer: (any BackgroundTransfer)?
    package var backgroundWaitSeconds: Int = 20
    package var batchEntityDownloads: Bool = true
    package var batchEntityUploads: Bool = true
    package var batchStreamDownloads: Bool = true
    package var batchStreamUploads: Bool = true
    package var combineLocalDeletes: Bool = true
    package var combineLocalUpdates: Bool = true
    package var downloadInBackground: Bool = false
    package var downloadQueueCapacity: Int = 100
    package var emulateBindOperations: Bool = false
    package var emulateLinkOperations: Bool = false
    package var enableStatementBatching: Bool = false
    package var entityDownloadThreads: Int = 10
    package var forceDownloadOnUserSwitch: Bool = false
    package var forceUploadOnUserSwitch: Bool = false
    package var persistDownloadedEntities: Bool = true
    package var persistDownloadedStreams: Bool = true
    package var preferCompactResponses: Bool = true
    /// Bytes after which a page of a download counts as one without an end, and its source as refused.
    package var maximumPageBytes: Int = 16 << 30
    /// What an upload does to the queue before it is sent.
    package var queuePasses = QueuePasses()
    package var sendRepeatableRequests: Bool = true
    /// Identities are sent under the older names `RequestID` and `RepeatabilityCreation`, too.
    package var sendsOlderRepeatability: Bool = false
    package var streamDownloadThreads: Int = 10
    package var throwUploadFailures: Bool = true
    package var traceUploadFailures: Bool = false
    /// The least time between two comparisons of a source that deltas keep current with its service; never for zero.
    package var verificationSeconds: Int64 = 86_400
    package var uploadInBackground: Bool = false
    package var uploadIterationSize: Int = 5_000_000
    package var uploadWorkerThreads: Int = 10
    package var clientMetadataFile: String?
    /// What the document of generated classes says: what only this device knows is taken from there where no file is named.
    package var appMetadata: MetadataGraph?
    /// Client-only data goes when its metadata changes in a way that it cannot be kept; else opening fails.
    package var purgesClientDataOnMetadataChange = false
    /// Client-only data goes when another user opens the store.
    package var purgesClientDataOnUserSwitch = false
    package var currentUser: String?
    /// What asks the service as a user of before, by name: its connection, and the headers of every request. Nil where there is nothing.
    package var contextOfUser:
        (@Sendable (String?) throws -> (connection: ServiceConnection, headers: HeaderFields)?)?
    /// Names of headers whose values say nothing of what the service answers (``DeltaIdentity``).
    package var volatileHeaders: Set<String> = []
    /// Opening for another user fails, unless that user's changes are uploaded first.
    package var refusesUserSwitch = false
    /// Where copies of the store go, relative to the service root or absolute.
    package var databaseUploadPath: String = "$database"
    package var timeEstimatesFile: String?
    package var onlineSetup = false
    /// What the app has set for the changes of single entity sets.
    package var rules = WriteRules()
    /// The rules are for this run alone, and over those that the store remembers of its app; else they are the app's, and the
    /// store remembers them.
    package var usesRememberedRules = false

    package init() {}
}
