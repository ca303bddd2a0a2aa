import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import SAPCommon
import Synchronization

/// What stands behind a ``CloudSyncProvider``: opens the store, runs downloads and uploads, answers for the queue.
///
/// Everything mutable is guarded by `state`; one download and one upload run at a time each.
package final class CloudSyncEngine: Sendable {
    /// Objects that the app sets; each is read as a whole when an operation starts.
    package struct Objects: @unchecked Sendable {  // the classes are immutable or guard themselves
        package var autoRefreshInterval = DayTimeDuration.of(days: 1)
        package var metadataListener: MetadataListener?
        package var progressListener: ProgressListener?
    }

    private struct State: Sendable {
        var configuration = CloudSyncConfiguration()
        var objects = Objects()
        var indexes: [Index] = []
        var searchIndexes: [Index] = []
        var isOpen = false
        var downloads: [CancellationFlag] = []
        var uploads: [CancellationFlag] = []
        var estimates = TimeEstimates()
        var hasEstimates = false
    }

    struct Index: Sendable {
        var set: String
        var paths: [String]
    }

    package let onlineProvider: OnlineODataProvider
    package let offlineStore: SQLDatabaseProvider
    package let selection = SyncSelection()
    let logger = Logger.shared(named: "OData.Sync")
    private let state = Mutex(State())
    /// One download or upload of each kind at a time; later calls wait.
    let downloadTurn: Turn
    let uploadTurn: Turn
    private let owner = Mutex(WeakProvider())

    init(onlineProvider: OnlineODataProvider, offlineStore: SQLDatabaseProvider) {
        self.onlineProvider = onlineProvider
        self.offlineStore = offlineStore
        downloadTurn = Turn(offlineStore.world)
        uploadTurn = Turn(offlineStore.world)
        offlineStore.classes.join(onlineProvider.classes)
    }

    private struct WeakProvider: @unchecked Sendable {  // set once, when the provider is made
        weak var provider: CloudSyncProvider?
    }

    func attach(_ provider: CloudSyncProvider) {
        owner.withLock { $0.provider = provider }
    }

    var world: any World { offlineStore.world }

    package var configuration: CloudSyncConfiguration { state.withLock { $0.configuration } }

    package func change(_ change: (inout CloudSyncConfiguration) -> Void) {
        state.withLock { change(&$0.configuration) }
    }

    package var objects: Objects {
        get { state.withLock { $0.objects } }
        set { state.withLock { $0.objects = newValue } }
    }

    package func store() throws -> LocalStore { try offlineStore.store() }

    // MARK: Lifecycle

    func open() throws {
        try ErrorBase.translating {
            let store = try offlineStore.openStore()
            let configuration = configuration
            store.join = JoinOnWrite(
                combinesUpdates: configuration.combineLocalUpdates,
                combinesDeletes: configuration.combineLocalDeletes)
            let takesBinds = onlineProvider.requestSettings.supportsBind
            store.emulation = LinkEmulation(
                binds: configuration.emulateBindOperations || !takesBinds,
                links: configuration.emulateLinkOperations,
                keepsOthers: !configuration.emulateBindOperations)
            try ensureMetadata(store)
            registerClient(configuration)
            let (indexes, searches) = state.withLock { ($0.indexes, $0.searchIndexes) }
            for index in indexes { try store.createIndex(on: index.set, paths: index.paths) }
            for index in searches {
                try store.createSearchIndex(on: index.set, paths: index.paths)
            }
            state.withLock { $0.isOpen = true }
            try switchUser(store, to: configuration.currentUser, configuration)
        }
        if configuration.autoInitialDownload, try !hasInitialData() {
            try download(groups: [], SyncOptions())
        }
    }

    /// Registers the client where the service keeps a list of them; what goes wrong does not keep the store closed, and
    /// the next opening tries again.
    private func registerClient(_ configuration: CloudSyncConfiguration) {
        guard configuration.autoRegisterClient, offlineStore.hasMetadata,
            offlineStore.metadata.entitySet(named: "ClientRegistrationSet") != nil
        else { return }
        do {
            try onlineProvider.registerClient(nil)
        } catch {
            logger.error("The client could not be registered.", error: error)
        }
    }

    private func switchUser(
        _ store: LocalStore, to user: String?, _ configuration: CloudSyncConfiguration
    ) throws {
        let last = try store.text(.user)
        let isSwitch = user != nil && last != nil && user != last
        if isSwitch, configuration.forceUploadOnUserSwitch {
            try upload(groups: [], SyncOptions())
        }
        if isSwitch, configuration.purgesClientDataOnUserSwitch {
            try store.purgeClientOnlyData()
        }
        if isSwitch, configuration.forceDownloadOnUserSwitch {
            try download(groups: [], SyncOptions())
        }
        try store.setText(last, for: .previousUser)
        if let user { try store.setText(user, for: .user) }
    }

    /// Repairs the file while nothing runs; an open store is open again afterwards.
    func repairStore() throws -> StoreRepairReport {
        try cancelDownload()
        try cancelUpload()
        let flag = CancellationFlag()
        return try downloadTurn.take(flag) {
            try uploadTurn.take(flag) {
                let report = try offlineStore.repairStore()
                if state.withLock({ $0.isOpen }) {
                    try ErrorBase.translating { try ensureMetadata(try offlineStore.openStore()) }
                }
                return report
            }
        }
    }

    func close() throws {
        try cancelDownload()
        try cancelUpload()
        state.withLock { $0.isOpen = false }
        try offlineStore.close()
    }

    func clear() throws {
        try cancelDownload()
        try cancelUpload()
        state.withLock { $0.isOpen = false }
        try offlineStore.clear()
    }

    func createIndex(_ set: String, _ paths: [String]) {
        let isTooLate = state.withLock { state -> Bool in
            guard !state.isOpen else { return true }
            state.indexes.append(Index(set: set, paths: paths))
            return false
        }
        if isTooLate {
            logger.error(
                "An index on \(set) was asked for after the store was opened; none is made.")
        }
    }

    /// Kept until the store is opened, or made at once in an open one.
    func createSearchIndex(_ set: String, _ paths: [String]) throws {
        let isOpen = state.withLock { state -> Bool in
            state.searchIndexes.removeAll { $0.set == set }
            state.searchIndexes.append(Index(set: set, paths: paths))
            return state.isOpen
        }
        guard isOpen else { return }
        try ErrorBase.translating { try store().createSearchIndex(on: set, paths: paths) }
    }

    // MARK: Cancellation

    enum Operation: Sendable { case download, upload }

    /// Runs an operation whose flag the app can set, by its token or by cancelling all of the kind.
    func cancellable<Result>(
        _ operation: Operation, _ options: SyncOptions,
        _ body: (CancellationFlag) throws -> Result
    ) throws -> Result {
        let flag = CancellationFlag()
        let token = options.cancelToken
        let listener = token?.onCancel { flag.cancel() }
        state.withLock { state in
            switch operation {
            case .download: state.downloads.append(flag)
            case .upload: state.uploads.append(flag)
            }
        }
        defer {
            listener.map { token?.removeListener($0) }
            state.withLock { state in
                state.downloads.removeAll { $0 === flag }
                state.uploads.removeAll { $0 === flag }
            }
        }
        return try body(flag)
    }

    func cancelDownload() throws {
        for flag in state.withLock({ $0.downloads }) { flag.cancel() }
    }

    func cancelUpload() throws {
        for flag in state.withLock({ $0.uploads }) { flag.cancel() }
    }

    func isRunning(_ operation: Operation) -> Bool {
        state.withLock { operation == .download ? !$0.downloads.isEmpty : !$0.uploads.isEmpty }
    }

    // MARK: Time estimates

    var estimates: TimeEstimates {
        get { state.withLock { $0.estimates } }
        set {
            state.withLock { state in
                state.estimates = newValue
                state.hasEstimates = true
            }
        }
    }

    /// True once, unless estimates are there already.
    func takesFirstEstimates() -> Bool {
        state.withLock { state in
            defer { state.hasEstimates = true }
            return !state.hasEstimates
        }
    }
}
