import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import SAPCommon
import SAPFoundation
import Synchronization

/// What stands behind an ``OfflineODataProvider``: its store and service, and whether it is open.
///
/// Blocking calls; everything mutable is guarded by `state`.
final class OfflineSession: @unchecked Sendable {
    // `parameters` guards itself, the lifecycle, the reporter and the counter do so, too; the providers are shared between threads as
    // their classes promise.
    private struct State {
        /// Defining queries that wait for the store to be opened, in the order they were added.
        var waiting: [OfflineODataDefiningQuery] = []
        /// Tokens of downloads and uploads that run or wait.
        var downloads: [CancelToken] = []
        var uploads: [CancelToken] = []
        var allowsRemoval = false
        var userInTheWay: String?
        var sessionOfUser: (@Sendable (String?) throws -> SAPURLSession?)?
        var backgroundTime = PlatformTime.ofSystem
        /// The parameters as they were taken over last, for the store and for transfers; nil before the first time.
        var storeValues: OfflineODataParameters.Values?
        var transferValues: OfflineODataParameters.Values?
    }

    let parameters: OfflineODataParameters
    let sync: CloudSyncProvider
    /// Where the store is between closed and open; also of ``sync``.
    let lifecycle: StoreLifecycle
    let counter: TransferCounter
    let reporter: ProviderReporter
    let location: StoreLocation
    let logger = Logger.shared(named: "OData.Offline")
    private let state = Mutex(State())

    init(
        serviceRoot: URL, parameters: OfflineODataParameters, session: SAPURLSession,
        reporter: ProviderReporter
    ) {
        self.parameters = parameters
        self.reporter = reporter
        let values = parameters.values
        location = StoreLocation(folder: values.storePath, name: values.storeName)
        counter = TransferCounter(session.transport)
        let name = values.storeName ?? StoreLocation.defaultName
        let online = OnlineODataProvider(
            serviceName: name, serviceRoot: Self.root(serviceRoot, suffix: values.urlSuffix),
            transport: counter)
        let bare = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: name, databaseURL: location.databaseURL))
        lifecycle = StoreLifecycle(reopens: false, world: bare.offlineStore.world)
        sync = CloudSyncProvider(sharing: bare, lifecycle: lifecycle)
        sync.combineLocalUpdates = false
        sync.combineLocalDeletes = false
        sync.throwUploadFailures = false
        sync.autoInitialDownload = false
        // Stores of one name are many, and nobody asks this provider how long a download will take.
        sync.autoSaveEstimates = false
        sync.engine.change { $0.sendsOlderRepeatability = true }
        // Only defining queries say what is downloaded.
        sync.noDefaultEntityDownload()
        sync.noDefaultStreamDownload()
        sync.innerOverwriteListener = { reporter.overwritten($0) }
        applyStoreSettings()
    }

    private static func root(_ url: URL, suffix: String?) -> String {
        var root = url.absoluteString
        if !root.hasSuffix("/") { root += "/" }
        let suffix = (suffix ?? "").split(separator: "/").joined(separator: "/")
        return suffix.isEmpty ? root : root + suffix + "/"
    }

    // MARK: Phase

    var phase: ProviderLifecycle.Phase { lifecycle.phase }

    /// - Throws: `preconditionFailed` unless the store is open.
    func checkOpen() throws {
        guard phase == .open else {
            throw OfflineODataError.named(
                .storeNotOpen, "Expected an open store: call open first and wait for it.")
        }
    }

    /// Closes the store; an opening that runs is stopped.
    func close(clears: Bool = false) throws {
        cancelDownloads()
        cancelUploads()
        let isReleased = try lifecycle.close(clears: clears) {
            try sync.release(waits: $0, clears: clears)
        }
        if isReleased { reporter.change { $0 = .closed } }
    }

    var serviceOptions: OfflineODataServiceOptions {
        get { OfflineODataServiceOptions(sync.onlineProvider.serviceOptions.fields) }
        set { newValue.apply(to: &sync.onlineProvider.serviceOptions.fields) }
    }

    var sessionOfUser: (@Sendable (String?) throws -> SAPURLSession?)? {
        get { state.withLock { $0.sessionOfUser } }
        set {
            state.withLock { $0.sessionOfUser = newValue }
            let present = sync.onlineProvider
            guard let newValue else { return sync.onlineProviderOfUser = nil }
            sync.onlineProviderOfUser = { user in
                guard let session = try newValue(user) else { return nil }
                let online = OnlineODataProvider(
                    serviceName: present.serviceName, serviceRoot: present.serviceRoot,
                    transport: session.transport)
                online.serviceOptions.fields = present.serviceOptions.fields
                for field in present.httpHeaders.fields.withoutCredentials.fields {
                    online.httpHeaders.setHeader(withName: field.name, value: field.value)
                }
                return online
            }
        }
    }

    /// Who lets transfers go on in the background; nil where nobody needs to ask.
    var backgroundTime: (any BackgroundTime)? {
        get { state.withLock { $0.backgroundTime } }
        set { state.withLock { $0.backgroundTime = newValue } }
    }

    /// Runs an operation that the system is asked to let go on in the background, unless the app does not want that.
    func keepingTime<Result>(for name: String, _ body: () throws -> Result) rethrows -> Result {
        let time = parameters.enableBackgroundDataTransfer ? backgroundTime : nil
        let store = parameters.storeName ?? StoreLocation.defaultName
        let end = time?.ask(for: "\(store): \(name)")
        defer { end?() }
        return try body()
    }

    var allowsRemoval: Bool {
        get { state.withLock { $0.allowsRemoval } }
        set { state.withLock { $0.allowsRemoval = newValue } }
    }

    /// Notes what the parameters say now for the store, or for transfers.
    ///
    /// - Returns: what they said the last time.
    func note(
        _ values: OfflineODataParameters.Values, forStore: Bool
    ) -> OfflineODataParameters.Values? {
        state.withLock { state in
            let path = forStore ? \State.storeValues : \State.transferValues
            defer { state[keyPath: path] = values }
            return state[keyPath: path]
        }
    }

    var userInTheWay: String? {
        get { state.withLock { $0.userInTheWay } }
        set { state.withLock { $0.userInTheWay = newValue } }
    }

    // MARK: Metadata

    /// The metadata of service and store together; nil before there is any.
    func document() throws -> CSDLDocument? {
        guard sync.hasMetadata else { return nil }
        let document = sync.metadata
        try BuiltInModel.extend(document)
        return document
    }

    /// Makes metadata available. Where the store is closed it is looked at with its own key, or made with it.
    func loadMetadata(_ headers: HTTPHeaders, _ options: RequestOptions) throws {
        if phase != .open { applyStoreSettings() }
        try sync.loadMetadata(headers: headers, options: options)
    }

    func store() throws -> LocalStore { try sync.offlineStore.store() }

    // MARK: Cancellation

    func add(_ token: CancelToken, isDownload: Bool) {
        state.withLock { state in
            if isDownload { state.downloads.append(token) } else { state.uploads.append(token) }
        }
    }

    func remove(_ token: CancelToken) {
        state.withLock { state in
            state.downloads.removeAll { $0 === token }
            state.uploads.removeAll { $0 === token }
        }
    }

    func cancelDownloads() {
        lifecycle.cancel(.download)
        sync.engine.cancel(.download)
        for token in state.withLock({ $0.downloads }) { token.cancel() }
    }

    func cancelUploads() {
        lifecycle.cancel(.upload)
        sync.engine.cancel(.upload)
        for token in state.withLock({ $0.uploads }) { token.cancel() }
    }

    // MARK: Waiting queries

    var waitingQueries: [OfflineODataDefiningQuery] {
        get { state.withLock { $0.waiting } }
        set { state.withLock { $0.waiting = newValue } }
    }

    func dropWaiting(_ query: OfflineODataDefiningQuery) {
        state.withLock { state in state.waiting.removeAll { $0 == query } }
    }
}
