// table: one accessor for each switch of the documented interface.

import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import ODataTransport
import Synchronization

extension CloudSyncProvider {
    /// Whether the first ``open()`` also downloads, as long as ``hasInitialData()`` is false.
    /// Defaults to false.
    public final var autoInitialDownload: Bool {
        get { engine.configuration.autoInitialDownload }
        set { engine.change { $0.autoInitialDownload = newValue } }
    }

    /// Whether sets whose metadata changed are read in full by the next download, even when its
    /// groups leave them out. Defaults to true.
    public final var autoRefreshEntities: Bool {
        get { engine.configuration.autoRefreshEntities }
        set { engine.change { $0.autoRefreshEntities = newValue } }
    }

    /// Where ``uploadDatabaseFile(encryptionKey:note:options:)`` sends a copy of the store: relative to the service
    /// root, or an absolute URL. Defaults to `$database`.
    public final var databaseUploadPath: String {
        get { engine.configuration.databaseUploadPath }
        set { engine.change { $0.databaseUploadPath = newValue } }
    }

    /// Whether a download looks for changed metadata, at most once per ``autoRefreshInterval``.
    /// Defaults to true.
    public final var autoRefreshMetadata: Bool {
        get { engine.configuration.autoRefreshMetadata }
        set { engine.change { $0.autoRefreshMetadata = newValue } }
    }

    /// Whether the first ``open()`` registers the client where the service has a client
    /// registration set. Defaults to true.
    public final var autoRegisterClient: Bool {
        get { engine.configuration.autoRegisterClient }
        set { engine.change { $0.autoRegisterClient = newValue } }
    }

    /// Whether time estimates are loaded before the first download and saved after each.
    /// Defaults to true.
    public final var autoSaveEstimates: Bool {
        get { engine.configuration.autoSaveEstimates }
        set { engine.change { $0.autoSaveEstimates = newValue } }
    }

    /// The longest that ``waitForCompletion(sessionIdentifier:completionHandler:)`` waits, in
    /// seconds. Defaults to 20.
    public final var backgroundWaitSeconds: Int {
        get { engine.configuration.backgroundWaitSeconds }
        set { engine.change { $0.backgroundWaitSeconds = newValue } }
    }

    /// Whether reads of entities share a batch where the service takes one. Defaults to true.
    public final var batchEntityDownloads: Bool {
        get { engine.configuration.batchEntityDownloads }
        set { engine.change { $0.batchEntityDownloads = newValue } }
    }

    /// Whether changes of entities share a batch where the service takes one. Defaults to true.
    public final var batchEntityUploads: Bool {
        get { engine.configuration.batchEntityUploads }
        set { engine.change { $0.batchEntityUploads = newValue } }
    }

    /// Whether reads of streams share a batch where the service takes one. Defaults to true.
    public final var batchStreamDownloads: Bool {
        get { engine.configuration.batchStreamDownloads }
        set { engine.change { $0.batchStreamDownloads = newValue } }
    }

    /// Whether changes of streams share a batch where the service takes one. Defaults to true.
    public final var batchStreamUploads: Bool {
        get { engine.configuration.batchStreamUploads }
        set { engine.change { $0.batchStreamUploads = newValue } }
    }

    /// Whether a local delete takes back the unsent create or updates of the same entity.
    /// Defaults to true.
    public final var combineLocalDeletes: Bool {
        get { engine.configuration.combineLocalDeletes }
        set { engine.change { $0.combineLocalDeletes = newValue } }
    }

    /// Whether a local update is written into the unsent create or update of the same entity.
    /// Defaults to true.
    public final var combineLocalUpdates: Bool {
        get { engine.configuration.combineLocalUpdates }
        set { engine.change { $0.combineLocalUpdates = newValue } }
    }

    /// Whether the reads of downloads go through the system's transfers in the background, which go on while the app sleeps or
    /// is gone: the next download of another process takes up what they have brought. An answer waits in a file in the
    /// app's own folder until it is stored, in clear also beside an encrypted store. Ignored where the system has no such
    /// transfers, as on Linux, or the app's own handler sends the requests; ``open()`` logs that. Defaults to false.
    public final var downloadInBackground: Bool {
        get { engine.configuration.downloadInBackground }
        set { engine.change { $0.downloadInBackground = newValue } }
    }

    /// How many fetched parts may wait to be stored. Defaults to 100.
    public final var downloadQueueCapacity: Int {
        get { engine.configuration.downloadQueueCapacity }
        set { engine.change { $0.downloadQueueCapacity = newValue } }
    }

    /// What carries transfers in the background in place of the platform's.
    package final var backgroundTransfer: (any BackgroundTransfer)? {
        get { engine.configuration.backgroundTransfer }
        set { engine.change { $0.backgroundTransfer = newValue } }
    }

    /// Whether a bind is sent as foreign-key values, which needs a referential constraint.
    /// Defaults to false.
    public final var emulateBindOperations: Bool {
        get { engine.configuration.emulateBindOperations }
        set { engine.change { $0.emulateBindOperations = newValue } }
    }

    /// Whether a link operation is sent as a change of foreign keys, which needs a referential
    /// constraint. Defaults to false.
    public final var emulateLinkOperations: Bool {
        get { engine.configuration.emulateLinkOperations }
        set { engine.change { $0.emulateLinkOperations = newValue } }
    }

    /// Whether the store may put several rows into one statement; the result is the same.
    /// Defaults to false.
    public final var enableStatementBatching: Bool {
        get { engine.configuration.enableStatementBatching }
        set { engine.change { $0.enableStatementBatching = newValue } }
    }

    /// How many reads of entities may be under way at once; less than 1 counts as 1. Defaults
    /// to 10.
    public final var entityDownloadThreads: Int {
        get { engine.configuration.entityDownloadThreads }
        set { engine.change { $0.entityDownloadThreads = newValue } }
    }

    /// Whether ``open()`` downloads when ``currentUser`` is not the user of the last opening.
    /// Defaults to false.
    public final var forceDownloadOnUserSwitch: Bool {
        get { engine.configuration.forceDownloadOnUserSwitch }
        set { engine.change { $0.forceDownloadOnUserSwitch = newValue } }
    }

    /// Whether ``open()`` uploads first when ``currentUser`` is not the user of the last
    /// opening. Defaults to false.
    public final var forceUploadOnUserSwitch: Bool {
        get { engine.configuration.forceUploadOnUserSwitch }
        set { engine.change { $0.forceUploadOnUserSwitch = newValue } }
    }

    /// Ours: whether ``open()`` fails, and leaves everything as it is, when ``currentUser`` is not the user of the last
    /// opening and ``forceUploadOnUserSwitch`` is off. Defaults to false: another user is an event `userSwitch` and a line in
    /// the log.
    public final var refuseOpenOnUserSwitch: Bool {
        get { engine.configuration.refusesUserSwitch }
        set { engine.change { $0.refusesUserSwitch = newValue } }
    }

    /// Whether downloaded entities are stored; false is for measurements. Defaults to true.
    public final var persistDownloadedEntities: Bool {
        get { engine.configuration.persistDownloadedEntities }
        set { engine.change { $0.persistDownloadedEntities = newValue } }
    }

    /// Whether downloaded streams are stored; false is for measurements. Defaults to true.
    public final var persistDownloadedStreams: Bool {
        get { engine.configuration.persistDownloadedStreams }
        set { engine.change { $0.persistDownloadedStreams = newValue } }
    }

    /// Whether reads ask for the most compact JSON that the service offers. Defaults to true.
    public final var preferCompactResponses: Bool {
        get { engine.configuration.preferCompactResponses }
        set { engine.change { $0.preferCompactResponses = newValue } }
    }

    /// Whether changes carry an identity by which the service recognises a repetition
    /// (Repeatable Requests 1.0). Defaults to true.
    public final var sendRepeatableRequests: Bool {
        get { engine.configuration.sendRepeatableRequests }
        set { engine.change { $0.sendRepeatableRequests = newValue } }
    }

    /// How many reads of streams may be under way at once; less than 1 counts as 1. Defaults to
    /// 10.
    public final var streamDownloadThreads: Int {
        get { engine.configuration.streamDownloadThreads }
        set { engine.change { $0.streamDownloadThreads = newValue } }
    }

    /// Whether ``upload(groups:options:)`` throws after it has finished when the service
    /// refused a request. Defaults to true.
    public final var throwUploadFailures: Bool {
        get { engine.configuration.throwUploadFailures }
        set { engine.change { $0.throwUploadFailures = newValue } }
    }

    /// Whether refused requests are logged with their data. Defaults to false.
    public final var traceUploadFailures: Bool {
        get { engine.configuration.traceUploadFailures }
        set { engine.change { $0.traceUploadFailures = newValue } }
    }

    /// Whether requests of uploads go through the system's transfers in the background, as far as they may arrive twice: because
    /// the service recognises them, or because they end in the same state. The next upload of another process takes up their
    /// answers before it looks at the service, whatever this says by then. As ``downloadInBackground`` in all else.
    /// Defaults to false.
    public final var uploadInBackground: Bool {
        get { engine.configuration.uploadInBackground }
        set { engine.change { $0.uploadInBackground = newValue } }
    }

    /// The bytes after which an upload begins another request. Defaults to 5_000_000.
    public final var uploadIterationSize: Int {
        get { engine.configuration.uploadIterationSize }
        set { engine.change { $0.uploadIterationSize = newValue } }
    }

    /// How many uploads may be under way at once; less than 1 counts as 1. Defaults to 10.
    public final var uploadWorkerThreads: Int {
        get { engine.configuration.uploadWorkerThreads }
        set { engine.change { $0.uploadWorkerThreads = newValue } }
    }
}

extension CloudSyncProvider {
    /// How often a download looks for changed metadata; one day at first.
    public final var autoRefreshInterval: DayTimeDuration {
        get { listeners.withLock { $0.interval } }
        set {
            listeners.withLock { $0.interval = newValue }
            engine.change { $0.autoRefreshSeconds = newValue.toDecimal().longValue() }
        }
    }

    /// How often sets that delta links keep current are compared with the service, after their deltas: by their numbers
    /// where it tells them, else by their keys. What differs is read in full. One day at first; zero for never.
    public final var verificationInterval: DayTimeDuration {
        get { DayTimeDuration.of(seconds: Int(engine.configuration.verificationSeconds)) }
        set { engine.change { $0.verificationSeconds = newValue.toDecimal().longValue() } }
    }

    /// Names of headers whose values change from request to request and say nothing of what the service answers. A delta link
    /// belongs to the user, the language and all other headers of the app: where one of them has another value, the next download
    /// reads in full. Names of requests, traces and clients (`X-Request-ID`, `traceparent`, `User-Agent` and such) and credentials
    /// never count. Defaults to none.
    public final var volatileHeaders: [String] {
        get { engine.configuration.volatileHeaders.sorted() }
        set { engine.change { $0.volatileHeaders = Set(newValue.map { $0.lowercased() }) } }
    }

    /// A file with metadata of the client's own sets and types, for programs without proxy classes.
    public final var clientMetadataFile: String? {
        get { engine.configuration.clientMetadataFile }
        set { engine.change { $0.clientMetadataFile = newValue } }
    }

    /// The name of who uses the store, nil for nobody in particular; set it before ``open()``. It has no effect on how the
    /// service is asked.
    public final var currentUser: String? {
        get { engine.configuration.currentUser }
        set { engine.change { $0.currentUser = newValue } }
    }

    /// Gives what asks the service as a user of before: an online provider of the same service with that user's session, or nil
    /// where there is none. Ours.
    ///
    /// Asked when ``open()`` first sends what another user has changed (``forceUploadOnUserSwitch``), with the ``currentUser`` of
    /// then, nil for nobody. Where it gives nil, as without it, the changes go with the session of whoever opens the store. What it
    /// throws ends the opening; nothing was sent then. Set it before ``open()``.
    public final var onlineProviderOfUser:
        (@Sendable (_ user: String?) throws -> OnlineODataProvider?)?
    {
        get { listeners.withLock { $0.onlineProviderOfUser } }
        set {
            listeners.withLock { $0.onlineProviderOfUser = newValue }
            guard let newValue else { return engine.change { $0.contextOfUser = nil } }
            engine.change { configuration in
                configuration.contextOfUser = { user in
                    guard let online = try newValue(user) else { return nil }
                    return (online.connection, online.httpHeaders.fields)
                }
            }
        }
    }

    /// Where time estimates are kept.
    public final var timeEstimatesFile: String? {
        get { engine.configuration.timeEstimatesFile }
        set { engine.change { $0.timeEstimatesFile = newValue } }
    }

    /// Who is told that metadata has changed.
    public final var metadataListener: MetadataListener? {
        get { listeners.withLock { $0.metadata } }
        set { listeners.withLock { $0.metadata = newValue } }
    }

    /// Who is told how far downloads and uploads are, unless the call names another.
    public final var progressListener: ProgressListener? {
        get { listeners.withLock { $0.progress } }
        set { listeners.withLock { $0.progress = newValue } }
    }

    /// For generated services, which note here whether they set up their online companion.
    public final var onlineSetup: Bool {
        get { engine.configuration.onlineSetup }
        set { engine.change { $0.onlineSetup = newValue } }
    }
}
