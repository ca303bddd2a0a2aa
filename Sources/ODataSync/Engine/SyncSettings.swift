import ODataSyncPlan

/// The switches of a sync operation, copied when it starts, so that a change counts from the next one on.
package struct SyncSettings: Sendable {
    package var batchesDownloads = true
    package var batchesUploads = true
    package var downloadThreads = 10
    /// Pages that may wait to be stored, over all sources together.
    package var downloadQueueCapacity = 100
    /// Uploads on their way at the same time.
    package var uploadThreads = 10
    package var batchesStreamDownloads = true
    package var batchesStreamUploads = true
    package var streamThreads = 10
    package var persistsStreams = true
    package var uploadIterationBytes = 5_000_000
    package var sendsRepeatability = true
    /// What is done to the queue before it is planned.
    package var queuePasses = QueuePasses()
    package var persistsEntities = true
    /// Sets whose delta links are not asked for and not used.
    package var setsWithoutDeltaLinks: Set<String> = []
    /// Bytes of pages that may wait to be stored, over all fetches together.
    package var downloadWindow = 16 << 20
    /// Bytes after which a page counts as one without an end.
    package var maximumPageBytes = 16 << 30
    /// How requests are sent, reads as well as changes.
    package var requests = RequestSettings()
    /// What reads of data say of the answers they want.
    package var readHeaders = ReadHeaders(isV2: false)
    /// Reads all rows of every source, whatever delta link there is.
    package var readsAll = false
    /// What the app has set for the changes of single entity sets.
    package var rules = WriteRules()

    package init() {}

    /// The switches as the app has configured them.
    init(_ configuration: SyncConfiguration) {
        batchesDownloads = configuration.batchEntityDownloads
        batchesUploads = configuration.batchEntityUploads
        downloadThreads = max(1, configuration.entityDownloadThreads)
        downloadQueueCapacity = max(1, configuration.downloadQueueCapacity)
        uploadThreads = max(1, configuration.uploadWorkerThreads)
        batchesStreamDownloads = configuration.batchStreamDownloads
        batchesStreamUploads = configuration.batchStreamUploads
        streamThreads = max(1, configuration.streamDownloadThreads)
        persistsStreams = configuration.persistDownloadedStreams
        uploadIterationBytes = configuration.uploadIterationSize
        sendsRepeatability = configuration.sendRepeatableRequests
        queuePasses = configuration.queuePasses
        persistsEntities = configuration.persistDownloadedEntities
        maximumPageBytes = max(1, configuration.maximumPageBytes)
        rules = configuration.rules
    }
}
