import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import SAPCommon
import SAPFoundation
import Synchronization

/// What stands behind an ``OfflineODataProvider``: its store and service, and whether it is open.
///
/// Blocking calls; everything mutable is guarded by `state`.
final class OfflineSession: @unchecked Sendable {
    // `parameters` guards itself, the reporter and the counter do so, too; the providers are shared between threads as
    // their classes promise.
    enum Phase: Sendable { case closed, opening, open }

    private struct State {
        var phase = Phase.closed
        /// Defining queries that wait for the store to be opened, in the order they were added.
        var waiting: [OfflineODataDefiningQuery] = []
        /// Tokens of downloads and uploads that run or wait.
        var downloads: [CancelToken] = []
        var uploads: [CancelToken] = []
        var options = OfflineODataServiceOptions()
        var allowsRemoval = false
        var userInTheWay: String?
    }

    let parameters: OfflineODataParameters
    let sync: CloudSyncProvider
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
        sync = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: name, databaseURL: location.databaseURL))
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
    }

    private static func root(_ url: URL, suffix: String?) -> String {
        var root = url.absoluteString
        if !root.hasSuffix("/") { root += "/" }
        let suffix = (suffix ?? "").split(separator: "/").joined(separator: "/")
        return suffix.isEmpty ? root : root + suffix + "/"
    }

    // MARK: Phase

    var phase: Phase { state.withLock { $0.phase } }

    /// - Throws: `preconditionFailed` unless the store is open.
    func checkOpen() throws {
        guard phase == .open else {
            throw OfflineODataError.named(
                .storeNotOpen, "Expected an open store: call open first and wait for it.")
        }
    }

    /// Takes the right to open.
    ///
    /// - Throws: `preconditionFailed` when the store is open or being opened.
    func beginOpening() throws {
        let isFree = state.withLock { state in
            guard state.phase == .closed else { return false }
            state.phase = .opening
            return true
        }
        guard isFree else {
            throw OfflineODataError.named(
                .storeAlreadyOpen, "Expected a closed store, found it open.")
        }
    }

    func endOpening(isOpen: Bool) {
        state.withLock { $0.phase = isOpen ? .open : .closed }
    }

    func close() throws {
        let wasOpen = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .closed
            return true
        }
        guard wasOpen else { return }
        cancelDownloads()
        cancelUploads()
        try sync.close()
        reporter.change { $0 = .closed }
    }

    func clear() throws {
        cancelDownloads()
        cancelUploads()
        state.withLock { $0.phase = .closed }
        try sync.clear()
        reporter.change { $0 = .closed }
    }

    var serviceOptions: OfflineODataServiceOptions {
        get { state.withLock { $0.options } }
        set {
            state.withLock { $0.options = newValue }
            sync.onlineProvider.serviceOptions.requiresToken = newValue.requiresToken
        }
    }

    var allowsRemoval: Bool {
        get { state.withLock { $0.allowsRemoval } }
        set { state.withLock { $0.allowsRemoval = newValue } }
    }

    var userInTheWay: String? {
        get { state.withLock { $0.userInTheWay } }
        set { state.withLock { $0.userInTheWay = newValue } }
    }

    // MARK: Settings

    /// Takes over what may change between two synchronisations.
    func applyTransferSettings() {
        let values = parameters.values
        let headers = HTTPHeaders()
        for (name, value) in values.customHeaders.sorted(by: { $0.key < $1.key }) {
            headers.setHeader(withName: name, value: value)
        }
        sync.onlineProvider.httpHeaders = headers
        counter.configure(cookies: values.customCookies, idleSeconds: values.idleSeconds)
        applyWriteRules(values)
        counter.reset()
    }

    // MARK: Metadata

    /// The metadata of service and store together; nil before there is any.
    func document() throws -> CSDLDocument? {
        guard sync.hasMetadata else { return nil }
        let document = sync.metadata
        try BuiltInModel.extend(document)
        return document
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
        for token in state.withLock({ $0.downloads }) { token.cancel() }
    }

    func cancelUploads() {
        for token in state.withLock({ $0.uploads }) { token.cancel() }
    }

    // MARK: Waiting queries

    var waitingQueries: [OfflineODataDefiningQuery] {
        get { state.withLock { $0.waiting } }
        set { state.withLock { $0.waiting = newValue } }
    }
}
