import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan

/// A service over a provider with a local store: calls that block, and the same calls with a completion handler.
///
/// ```swift
/// let service = OfflineDataService(provider: CloudSyncProvider(onlineProvider: online, offlineStore: store))
/// try service.open()  // the network is needed the first time only
/// try service.download()
/// // Now, with or without a network: executeQuery, createEntity, updateEntity, deleteEntity.
/// try service.upload()
/// ```
///
/// Reads and changes answer from the store; a change is on disk with its queue entry when the call returns. What the
/// service says to it comes with ``upload(groups:options:)``, and refused changes wait in
/// ``failedRequests(matching:headers:options:)``.
///
/// Any thread may call it. Downloads and uploads with a handler run beside the other calls, which do not wait for them.
/// ``open()`` comes first, and ``close()`` stops what runs and lets the file go. Data calls throw `UsageError` before the
/// one and after the other, and `DataStorageError` when the file fails; `DataNetworkError` comes where the service is asked.
///
/// See ``CloudSyncProvider`` for the settings and ``OfflineDataServiceAsync`` for calls that are `async`.
open class OfflineDataService: DataService, @unchecked Sendable {
    // As its base class says; the provider is constant.
    package final let syncProvider: any DataSyncProvider

    /// Creates a service over a provider with a local store.
    public init(provider: any DataSyncProvider) {
        syncProvider = provider
        super.init(provider: provider)
    }

    // MARK: Groups and phases

    /// Adds entity sets to a download group.
    open func downloadInGroup(_ group: String, _ entitySets: EntitySet...) {
        division.add(entitySets, toGroup: group)
    }

    /// Puts entity sets into a download phase; a number of zero or less disables their download.
    open func downloadInPhase(_ phase: Int, _ entitySets: EntitySet...) {
        division.add(entitySets, toPhase: phase)
    }

    /// Says how the reads of a download phase are sent.
    open func setDownloadMode(phase: Int, mode: DownloadMode) {
        division.setMode(mode, ofPhase: phase)
    }

    package final var division: DownloadSettings {
        DownloadSettings(provider: syncProvider as? any DownloadDivision)
    }

    // MARK: Synchronisation

    /// Opens the store, making it where there is none.
    ///
    /// - Throws: `DataStorageError` for a store that cannot be opened, `DataNetworkError` or
    ///   `DataServiceError` for metadata that cannot be had.
    open func open() throws {
        try syncProvider.open()
    }

    /// Closes the store; the service is not asked.
    ///
    /// - Throws: Nothing of its own; what runs is stopped first.
    open func close() throws {
        try syncProvider.close()
    }

    /// Closes the store and deletes its files; the service is not asked.
    ///
    /// - Throws: `DataStorageError` when the files cannot be deleted.
    open func clear() throws {
        try syncProvider.clear()
    }

    /// Reads what is new from the service; no groups means all.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError`; what was stored before stays, and the
    ///   next download goes on there. `UsageError` while the store is closed.
    open func download(groups: StringList = StringList(), options: SyncOptions? = nil) throws {
        try syncProvider.download(groups: groups, options: options ?? SyncOptions())
    }

    /// Sends what waits in the queue; no groups means all.
    ///
    /// - Throws: `DataNetworkError` when the network fails; `DataServiceError` at the end when
    ///   something was refused and `throwUploadFailures` is on.
    open func upload(groups: StringList = StringList(), options: SyncOptions? = nil) throws {
        try syncProvider.upload(groups: groups, options: options ?? SyncOptions())
    }

    /// Stops running downloads; what was stored stays.
    ///
    /// - Throws: Nothing of its own; the download that it stops throws.
    open func cancelDownload() throws {
        try syncProvider.cancelDownload()
    }

    /// Stops running uploads; what has no answer stays in the queue.
    ///
    /// - Throws: Nothing of its own; the upload that it stops throws.
    open func cancelUpload() throws {
        try syncProvider.cancelUpload()
    }

    /// True once a download succeeded.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasInitialData() throws -> Bool {
        try syncProvider.hasInitialData()
    }

    /// True while a download runs, or when the last one failed or was cancelled.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasPendingDownload() throws -> Bool {
        try syncProvider.hasPendingDownload()
    }

    /// True while an upload runs, or when the last one failed or was cancelled.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func hasPendingUpload() throws -> Bool {
        try syncProvider.hasPendingUpload()
    }

    /// When the last download succeeded; nil before the first.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func lastDownloadTime() throws -> GlobalDateTime? {
        try syncProvider.lastDownloadTime()
    }

    /// When the last upload succeeded; nil before the first.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func lastUploadTime() throws -> GlobalDateTime? {
        try syncProvider.lastUploadTime()
    }

    /// Keeps a query by which entities are downloaded from now on.
    ///
    /// - Throws: `DataServiceError` when the name is taken, `UsageError` for a query of no entity
    ///   set, `DataQueryError` for one that does not fit the model. `UsageError` while the store is
    ///   closed, `DataStorageError` when its file fails.
    open func createDownloadQuery(name: String, query: DataQuery, streams: Bool = false) throws {
        try syncProvider.createDownloadQuery(name: name, query: query, streams: streams)
    }

    /// Removes a query, and the entities that only it brought.
    ///
    /// - Throws: `DataServiceError` when rows that only it brought have unsent changes.
    ///   `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func deleteDownloadQuery(name: String) throws {
        try syncProvider.deleteDownloadQuery(name: name)
    }

    /// The queries kept for a set; nil for those of all sets.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func downloadQueries(from entitySet: EntitySet? = nil) throws -> DownloadQueryList {
        try syncProvider.downloadQueries(from: entitySet)
    }

    /// The query of this name; nil when there is none.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func downloadQuery(name: String) throws -> DownloadQuery? {
        try syncProvider.downloadQuery(name: name)
    }

    /// The changes that the service has not answered yet.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func queuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> PendingRequestList {
        try syncProvider.queuedRequests(matching: query, headers: headers, options: options)
    }

    /// The changes that the service refused, or that depend on a refused one.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func failedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> PendingRequestList {
        try syncProvider.failedRequests(matching: query, headers: headers, options: options)
    }

    /// True when there are changes that the service has not answered yet.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func hasQueuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> Bool {
        try syncProvider.hasQueuedRequests(matching: query, headers: headers, options: options)
    }

    /// True when there are changes that the service refused.
    ///
    /// - Throws: `DataQueryError` for a query that the list cannot answer. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func hasFailedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> Bool {
        try syncProvider.hasFailedRequests(matching: query, headers: headers, options: options)
    }

    /// Drops requests as one step; nil drops all, an empty list none.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    ///   Nothing is cancelled then.
    open func cancelPendingRequests(_ requests: PendingRequestList? = nil) throws {
        try syncProvider.cancelPendingRequests(requests)
    }

    /// The synchronisations that succeeded since the store was made.
    ///
    /// - Throws: `DataQueryError` for a query of something else than events. `UsageError` while the
    ///   store is closed, `DataStorageError` when its file fails.
    open func eventHistory(matching query: DataQuery? = nil) throws -> SyncEventList {
        try syncProvider.eventHistory(matching: query)
    }

    /// The user that the store was opened for the time before.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func previousUser() throws -> String? {
        try syncProvider.previousUser()
    }

    /// Sends a copy of the store to where it can be examined.
    ///
    /// - Throws: `DataServiceError` when the service refuses it, `DataNetworkError` when no answer
    ///   comes, `DataStorageError` when the copy cannot be made.
    open func uploadDatabaseFile(
        encryptionKey: String? = nil, note: String? = nil, options: SyncOptions? = nil
    ) throws {
        try syncProvider.uploadDatabaseFile(
            encryptionKey: encryptionKey, note: note, options: options ?? SyncOptions())
    }

    // MARK: Completion handlers

    /// Opens the store, making it where there is none. The handler is called on `completionQueue`.
    @preconcurrency
    open func open(completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        queues.run(queues.actions, { [self] in try open() }, completionHandler)
    }

    /// Closes the store after the calls before it, and stops an opening that runs when nothing waits between them; the
    /// service is not asked. The handler is called on `completionQueue`.
    @preconcurrency
    open func close(completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        stopOpeningBeforeClosing()
        queues.run(queues.actions, { [self] in try close() }, completionHandler)
    }

    /// Closes the store and deletes its files; the service is not asked. The handler is called on `completionQueue`.
    @preconcurrency
    open func clear(completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        stopOpeningBeforeClosing()
        queues.run(queues.actions, { [self] in try clear() }, completionHandler)
    }

    /// Reads what is new from the service; no groups means all. The handler is called on `completionQueue`.
    @preconcurrency
    open func download(
        groups: StringList = StringList(), options: SyncOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.syncs, { [self] in try download(groups: groups, options: options) },
            completionHandler)
    }

    /// Sends what waits in the queue; no groups means all. The handler is called on `completionQueue`.
    @preconcurrency
    open func upload(
        groups: StringList = StringList(), options: SyncOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.syncs, { [self] in try upload(groups: groups, options: options) },
            completionHandler)
    }

    /// Stops running downloads; what was stored stays. The handler is called on `completionQueue`.
    @preconcurrency
    open func cancelDownload(
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try cancelDownload() }, completionHandler)
    }

    /// Stops running uploads; what has no answer stays in the queue. The handler is called on `completionQueue`.
    @preconcurrency
    open func cancelUpload(completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void)
    {
        queues.run(queues.functions, { [self] in try cancelUpload() }, completionHandler)
    }

    /// True once a download succeeded. The handler is called on `completionQueue`.
    @preconcurrency
    open func hasInitialData(
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try hasInitialData() }, completionHandler)
    }

    /// True while a download runs, or when the last one failed or was cancelled. The handler is called on `completionQueue`.
    @preconcurrency
    open func hasPendingDownload(
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try hasPendingDownload() }, completionHandler)
    }

    /// True while an upload runs, or when the last one failed or was cancelled. The handler is called on `completionQueue`.
    @preconcurrency
    open func hasPendingUpload(
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try hasPendingUpload() }, completionHandler)
    }

    /// When the last download succeeded; nil before the first. The handler is called on `completionQueue`.
    @preconcurrency
    open func lastDownloadTime(
        completionHandler: @escaping @Sendable (Result<GlobalDateTime?, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try lastDownloadTime() }, completionHandler)
    }

    /// When the last upload succeeded; nil before the first. The handler is called on `completionQueue`.
    @preconcurrency
    open func lastUploadTime(
        completionHandler: @escaping @Sendable (Result<GlobalDateTime?, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try lastUploadTime() }, completionHandler)
    }

    /// Keeps a query by which entities are downloaded from now on. The handler is called on `completionQueue`.
    @preconcurrency
    open func createDownloadQuery(
        name: String, query: DataQuery, streams: Bool = false,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in try createDownloadQuery(name: name, query: query, streams: streams) },
            completionHandler)
    }

    /// Removes a query, and the entities that only it brought. The handler is called on `completionQueue`.
    @preconcurrency
    open func deleteDownloadQuery(
        name: String, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions, { [self] in try deleteDownloadQuery(name: name) }, completionHandler)
    }

    /// The queries kept for a set; nil for those of all sets. The handler is called on `completionQueue`.
    @preconcurrency
    open func downloadQueries(
        from entitySet: EntitySet? = nil,
        completionHandler: @escaping @Sendable (Result<DownloadQueryList, any Error>) -> Void
    ) {
        queues.run(
            queues.functions, { [self] in try downloadQueries(from: entitySet) }, completionHandler)
    }

    /// The query of this name; nil when there is none. The handler is called on `completionQueue`.
    @preconcurrency
    open func downloadQuery(
        name: String,
        completionHandler: @escaping @Sendable (Result<DownloadQuery?, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try downloadQuery(name: name) }, completionHandler)
    }

    /// The changes that the service has not answered yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func queuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<PendingRequestList, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try queuedRequests(matching: query, headers: headers, options: options) },
            completionHandler)
    }

    /// The changes that the service refused, or that depend on a refused one. The handler is called on `completionQueue`.
    @preconcurrency
    open func failedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<PendingRequestList, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try failedRequests(matching: query, headers: headers, options: options) },
            completionHandler)
    }

    /// True when there are changes that the service has not answered yet. The handler is called on `completionQueue`.
    @preconcurrency
    open func hasQueuedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try hasQueuedRequests(matching: query, headers: headers, options: options)
            }, completionHandler)
    }

    /// True when there are changes that the service refused. The handler is called on `completionQueue`.
    @preconcurrency
    open func hasFailedRequests(
        matching query: DataQuery? = nil, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Bool, any Error>) -> Void
    ) {
        queues.run(
            queues.functions,
            { [self] in try hasFailedRequests(matching: query, headers: headers, options: options)
            }, completionHandler)
    }

    /// Drops requests as one step; nil drops all, an empty list none. The handler is called on `completionQueue`.
    @preconcurrency
    open func cancelPendingRequests(
        _ requests: PendingRequestList? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions, { [self] in try cancelPendingRequests(requests) }, completionHandler)
    }

    /// The synchronisations that succeeded since the store was made. The handler is called on `completionQueue`.
    @preconcurrency
    open func eventHistory(
        matching query: DataQuery? = nil,
        completionHandler: @escaping @Sendable (Result<SyncEventList, any Error>) -> Void
    ) {
        queues.run(
            queues.functions, { [self] in try eventHistory(matching: query) }, completionHandler)
    }

    /// The user that the store was opened for the time before. The handler is called on `completionQueue`.
    @preconcurrency
    open func previousUser(
        completionHandler: @escaping @Sendable (Result<String?, any Error>) -> Void
    ) {
        queues.run(queues.functions, { [self] in try previousUser() }, completionHandler)
    }

    /// Sends a copy of the store to where it can be examined. The handler is called on `completionQueue`.
    @preconcurrency
    open func uploadDatabaseFile(
        encryptionKey: String? = nil, note: String? = nil, options: SyncOptions? = nil,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queues.run(
            queues.actions,
            { [self] in
                try uploadDatabaseFile(encryptionKey: encryptionKey, note: note, options: options)
            }, completionHandler)
    }
}

/// Groups and phases of a provider; without effect over a provider that has none.
package struct DownloadSettings {
    package let provider: (any DownloadDivision)?

    package func add(_ entitySets: [EntitySet], toGroup name: String) {
        guard let group = provider?.downloadGroup(name) else { return }
        for set in entitySets { group.entities.append(set.localName) }
    }

    package func add(_ entitySets: [EntitySet], toPhase number: Int) {
        guard let phase = provider?.downloadPhase(number) else { return }
        for set in entitySets { phase.entities.append(set.localName) }
    }

    package func setMode(_ mode: DownloadMode, ofPhase number: Int) {
        provider?.downloadPhase(number).mode = mode
    }
}
