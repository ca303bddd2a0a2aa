import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWorld

/// A service over a provider with a local store whose calls are `async`.
open class OfflineDataServiceAsync: DataServiceAsync, @unchecked Sendable {
    // Constant.
    package final let offline: OfflineDataService
    private final let bridge = AsyncBridge()

    /// Creates a service over a provider with a local store.
    public init(provider: any DataSyncProvider) {
        offline = OfflineDataService(provider: provider)
        super.init(blocking: offline)
    }

    // MARK: Groups and phases

    /// Adds entity sets to a download group.
    open func downloadInGroup(_ group: String, _ entitySets: EntitySet...) {
        offline.division.add(entitySets, toGroup: group)
    }

    /// Puts entity sets into a download phase; a number of zero or less disables their download.
    open func downloadInPhase(_ phase: Int, _ entitySets: EntitySet...) {
        offline.division.add(entitySets, toPhase: phase)
    }

    /// Says how the reads of a download phase are sent.
    open func setDownloadMode(phase: Int, mode: DownloadMode) {
        offline.division.setMode(mode, ofPhase: phase)
    }

    // MARK: Synchronisation

    /// Opens the store, making it where there is none.
    ///
    /// A cancelled task gives the opening up, and the store is closed then, unless others have asked for it, too.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func open() async throws {
        let flag = CancellationFlag()
        try await withTaskCancellationHandler {
            try await bridge.run(on: offline.queues.actions) { [offline] in
                try offline.open(underControlOf: flag)
            }
        } onCancel: {
            flag.cancel()
        }
    }

    /// Closes the store, and stops an opening that runs when nothing waits between them; the service is not asked.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func close() async throws {
        offline.stopOpeningBeforeClosing()
        try await bridge.run(on: offline.queues.actions) { [offline] in try offline.close() }
    }

    /// Closes the store and deletes its files; the service is not asked.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func clear() async throws {
        offline.stopOpeningBeforeClosing()
        try await bridge.run(on: offline.queues.actions) { [offline] in try offline.clear() }
    }

    /// Reads what is new from the service; no groups means all.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func download(groups: StringList = StringList(), options: SyncOptions? = nil) async throws
    {
        try await bridge.sync(options, on: offline.queues.syncs) { [offline] in
            try offline.download(groups: groups, options: $0)
        }
    }

    /// Sends what waits in the queue; no groups means all.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func upload(groups: StringList = StringList(), options: SyncOptions? = nil) async throws {
        try await bridge.sync(options, on: offline.queues.syncs) { [offline] in
            try offline.upload(groups: groups, options: $0)
        }
    }

    /// Stops running downloads; what was stored stays.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func cancelDownload() async throws {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.cancelDownload()
        }
    }

    /// Stops running uploads; what has no answer stays in the queue.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func cancelUpload() async throws {
        try await bridge.run(on: offline.queues.functions) { [offline] in try offline.cancelUpload()
        }
    }

    /// True once a download succeeded.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func hasInitialData() async throws -> Bool {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.hasInitialData()
        }
    }

    /// True while a download runs, or when the last one failed or was cancelled.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func hasPendingDownload() async throws -> Bool {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.hasPendingDownload()
        }
    }

    /// True while an upload runs, or when the last one failed or was cancelled.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func hasPendingUpload() async throws -> Bool {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.hasPendingUpload()
        }
    }

    /// When the last download succeeded; nil before the first.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func lastDownloadTime() async throws -> GlobalDateTime? {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.lastDownloadTime()
        }
    }

    /// When the last upload succeeded; nil before the first.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func lastUploadTime() async throws -> GlobalDateTime? {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.lastUploadTime()
        }
    }

    /// Keeps a query by which entities are downloaded from now on.
    open func createDownloadQuery(name: String, query: DataQuery, streams: Bool = false)
        async throws
    {
        try await bridge.run(on: offline.queues.actions) { [offline] in
            try offline.createDownloadQuery(name: name, query: query, streams: streams)
        }
    }

    /// Removes a query, and the entities that only it brought.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func deleteDownloadQuery(name: String) async throws {
        try await bridge.run(on: offline.queues.actions) { [offline] in
            try offline.deleteDownloadQuery(name: name)
        }
    }

    /// The queries kept for a set; nil for those of all sets.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func downloadQueries(from entitySet: EntitySet? = nil) async throws -> DownloadQueryList {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.downloadQueries(from: entitySet)
        }
    }

    /// The query of this name; nil when there is none.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func downloadQuery(name: String) async throws -> DownloadQuery? {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.downloadQuery(name: name)
        }
    }

    /// The changes that the service has not answered yet.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func queuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> PendingRequestList {
        try await bridge.request(options, on: offline.queues.functions) { [offline] in
            try offline.queuedRequests(matching: query, headers: headers, options: $0)
        }
    }

    /// The changes that the service refused, or that depend on a refused one.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func failedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> PendingRequestList {
        try await bridge.request(options, on: offline.queues.functions) { [offline] in
            try offline.failedRequests(matching: query, headers: headers, options: $0)
        }
    }

    /// True when there are changes that the service has not answered yet.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func hasQueuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> Bool {
        try await bridge.request(options, on: offline.queues.functions) { [offline] in
            try offline.hasQueuedRequests(matching: query, headers: headers, options: $0)
        }
    }

    /// True when there are changes that the service refused.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func hasFailedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> Bool {
        try await bridge.request(options, on: offline.queues.functions) { [offline] in
            try offline.hasFailedRequests(matching: query, headers: headers, options: $0)
        }
    }

    /// Drops requests as one step; nil drops all, an empty list none.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func cancelPendingRequests(_ requests: PendingRequestList? = nil) async throws {
        try await bridge.run(on: offline.queues.actions) { [offline] in
            try offline.cancelPendingRequests(requests)
        }
    }

    /// The synchronisations that succeeded since the store was made.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func eventHistory(matching query: DataQuery? = nil) async throws -> SyncEventList {
        try await bridge.run(on: offline.queues.functions) { [offline] in
            try offline.eventHistory(matching: query)
        }
    }

    /// The user that the store was opened for the time before.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func previousUser() async throws -> String? {
        try await bridge.run(on: offline.queues.functions) { [offline] in try offline.previousUser()
        }
    }

    /// Sends a copy of the store to where it can be examined.
    ///
    /// - Throws: What the blocking form throws; a cancelled task ends the call with an error.
    open func uploadDatabaseFile(
        encryptionKey: String? = nil, note: String? = nil, options: SyncOptions? = nil
    ) async throws {
        try await bridge.sync(options, on: offline.queues.actions) { [offline] in
            try offline.uploadDatabaseFile(encryptionKey: encryptionKey, note: note, options: $0)
        }
    }
}
