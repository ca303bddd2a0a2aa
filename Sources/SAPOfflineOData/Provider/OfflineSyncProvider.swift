import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan

/// An ``OfflineODataProvider`` as a `CloudSyncProvider`: the same engine, opened, filled and read as the offline provider
/// does it.
///
/// It keeps the offline provider, whose delegate would not be called otherwise. What is not overridden here works on the
/// engine that both share.
final class OfflineSyncProvider: CloudSyncProvider, @unchecked Sendable {
    // Constant.
    private let owner: OfflineODataProvider
    private var session: OfflineSession { owner.session }

    init(_ owner: OfflineODataProvider) {
        self.owner = owner
        let sync = owner.session.sync
        super.init(onlineProvider: sync.onlineProvider, offlineStore: sync.offlineStore)
        share(sync, under: owner.session.lifecycle)
    }

    // MARK: Lifecycle

    override var encryptionKey: String? {
        get { session.parameters.storeEncryptionKey }
        set {
            session.parameters.storeEncryptionKey = newValue
            // Checks and repairs work on a closed store.
            if session.phase == .closed { session.sync.encryptionKey = newValue }
        }
    }

    override func changeEncryptionKey(to newKey: String) throws {
        try super.changeEncryptionKey(to: newKey)
        session.parameters.storeEncryptionKey = newKey
    }

    override func open() throws { try translated { try session.open() } }

    override func close() throws { try translated { try session.close() } }

    override func clear() throws { try translated { try session.close(clears: true) } }

    /// Errors of an offline store stay what they are, all others are those of the interface that is overridden.
    private func translated<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as OfflineODataError {
            throw error
        } catch {
            throw ErrorBase.from(any: error)
        }
    }

    private func opened<Result>(_ body: () throws -> Result) throws -> Result {
        try session.checkOpen()
        return try body()
    }

    // MARK: Metadata

    override var metadata: CSDLDocument {
        get { (try? session.document()) ?? super.metadata }
        set { super.metadata = newValue }
    }

    override func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws {
        try translated { try session.loadMetadata(headers, options) }
    }

    override func fetchMetadata(
        headers: HTTPHeaders, options: RequestOptions
    ) throws -> CSDLDocument {
        try owner.fetchMetadata(headers: headers, options: options)
    }

    // MARK: Synchronisation

    override func download(groups: StringList, options: SyncOptions) throws {
        try translated { try owner.download(groups.toArray(), options, isOfQueries: false) }
    }

    override func upload(groups: StringList, options: SyncOptions) throws {
        try translated {
            try session.lifecycle.sync {
                let names = groups.toArray()
                try session.upload(
                    names.isEmpty ? nil : names, options.cancelToken,
                    telling: options.progressListener)
            }
        }
    }

    override func cancelDownload() throws { session.cancelDownloads() }

    override func cancelUpload() throws { session.cancelUploads() }

    override func uploadDatabaseFile(
        encryptionKey: String?, note: String?, options: SyncOptions
    ) throws {
        try opened {
            session.applyTransferSettings()
            try super.uploadDatabaseFile(
                encryptionKey: encryptionKey, note: note, options: options)
        }
    }

    // MARK: Queue

    // The requests of a list act through who gave it, and this object may go before them.

    override func queuedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList {
        try session.sync.queuedRequests(matching: query, headers: headers, options: options)
    }

    override func failedRequests(
        matching query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?
    ) throws -> PendingRequestList {
        try session.sync.failedRequests(matching: query, headers: headers, options: options)
    }

    // MARK: Data

    // By way of the provider that apps made: theirs may be of a class of their own, which sees each call.

    override func executeQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws -> QueryResult {
        try owner.executeQuery(query, headers: headers, options: options)
    }

    override func loadEntity(
        _ entity: EntityValue, query: DataQuery?, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try owner.loadEntity(entity, query: query, headers: headers, options: options)
    }

    override func createEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try owner.createEntity(entity, headers: headers, options: options)
    }

    override func updateEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try owner.updateEntity(entity, headers: headers, options: options)
    }

    override func deleteEntity(
        _ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try owner.deleteEntity(entity, headers: headers, options: options)
    }

    override func deleteByQuery(
        _ query: DataQuery, headers: HTTPHeaders, options: RequestOptions
    ) throws {
        try owner.deleteByQuery(query, headers: headers, options: options)
    }
}
