import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld
import SAPCommon
import Synchronization

/// Objects that the app sets; each is read as a whole when an operation starts.
struct SyncListeners: @unchecked Sendable {  // the classes are immutable or guard themselves
    var interval = DayTimeDuration.of(days: 1)
    var metadata: MetadataListener?
    var progress: ProgressListener?
    var overwrite: (@Sendable (EntityOverwrite) -> Void)?
    var onlineProviderOfUser: (@Sendable (String?) throws -> OnlineODataProvider?)?
    /// What the library itself listens with, beside the app.
    var innerOverwrite: (@Sendable (EntityOverwrite) -> Void)?
}

/// The listeners of a provider, shared by the objects that stand for it.
final class SyncListenerBox: Sendable {
    private let listeners = Mutex(SyncListeners())

    func withLock<Result: Sendable>(_ body: (inout SyncListeners) -> Result) -> Result {
        listeners.withLock { body(&$0) }
    }
}

/// Stops an operation of the engine when the app cancels a token.
package struct TokenFlag {
    package let flag = CancellationFlag()
    private let token: CancelToken?
    private let listener: Int?

    package init(_ token: CancelToken?) {
        self.token = token
        listener = token?.onCancel { [flag] in flag.cancel() }
    }

    /// Lets the token go, because the operation has ended.
    package func release() {
        if let listener { token?.removeListener(listener) }
    }
}

extension CloudSyncProvider {
    final var logger: Logger { Logger.shared(named: "OData.Sync") }

    /// Runs a call that asks the open store for a fact.
    final func stored<Result>(_ body: (LocalStore) throws -> Result) throws -> Result {
        try ErrorBase.translating { try body(try local.store()) }
    }

    /// What an operation that begins now works on.
    package final func scope(_ options: SyncOptions? = nil) throws -> SyncScope {
        try scope(local.store(), options)
    }

    final func scope(_ store: LocalStore, _ options: SyncOptions? = nil) throws -> SyncScope {
        let requests = try settings(store)
        let listener = options?.progressListener ?? listeners.withLock { $0.progress }
        var progress: (@Sendable (OperationNotice) -> Void)?
        if let listener {
            progress = { [lifecycle] notice in
                lifecycle.inside { listener.notify(SyncProgress(notice)) }
            }
        }
        let connection = online.connection
        var service = SyncService(
            name: online.serviceName, root: online.serviceRoot, connection: connection,
            requests: requests, headers: online.httpHeaders.fields, folder: online.folder)
        service.background = { [self] in try background(of: store.nameForTransfers()) }
        service.isSentByApp = online.networkOptions.httpHandler != nil
        return SyncScope(
            engine: engine, store: store, service: service,
            choice: selection.choice(of: store.hasMetadata ? try local.document() : nil),
            events: events(progress))
    }

    /// The system's transfers where some of the store's could be there, whatever the switches say now, and where the app wants
    /// new ones.
    ///
    /// - Parameter store: what tells the transfers of the store from others.
    private final func background(of store: String) throws -> (any BackgroundTransfer)? {
        let configuration = engine.configuration
        if let given = configuration.backgroundTransfer { return given }
        guard PlatformTransfers.areThere else { return nil }
        let name = TransferNames.prefix(of: store)
        let folder = online.folder.expanding("~/Transfers/" + name)
        let isWanted =
            (configuration.downloadInBackground || configuration.uploadInBackground)
            && online.networkOptions.httpHandler == nil
        guard isWanted || FileManager.default.fileExists(atPath: folder) else { return nil }
        return try PlatformTransfers.transfers(identifier: "odata." + name, folder: folder)
    }

    /// Ends whatever the system has of the store, while its file can still say what that is.
    private final func forgetTransfers() {
        guard engine.configuration.backgroundTransfer != nil || PlatformTransfers.areThere,
            let store = local.nameForTransfers(), let transfer = try? background(of: store)
        else { return }
        for name in TransferNames.all(of: store, among: transfer.names()) { transfer.forget(name) }
    }

    private final func events(
        _ progress: (@Sendable (OperationNotice) -> Void)?
    ) -> SyncEvents {
        let (logger, lifecycle) = (logger, lifecycle)
        var events = SyncEvents(
            progress: progress, metadataChanged: { [self] in metadataChanged($0) },
            log: { line in
                lifecycle.inside {
                    switch line.level {
                    case .info: logger.info(line.text, error: line.error)
                    case .warning: logger.warn(line.text, error: line.error)
                    case .error: logger.error(line.text, error: line.error)
                    }
                }
            })
        events.overwritten = overwritten()
        return events
    }

    /// How requests look, by the options of the app and the profile in the store, which they then share.
    private final func settings(_ store: LocalStore) throws -> RequestSettings {
        let profile = try store.takeOption(
            keys: online.serviceOptions.fields.keysAsSegments.map {
                $0 ? .segments : .parentheses
            })
        online.learned.join(profile) { [weak store] lesson in _ = try? store?.learn { lesson(&$0) }
        }
        return online.requestSettings
    }

    // MARK: Opening

    package final func openStore(_ flags: OpeningFlags) throws {
        let store = try local.openStore()
        lifecycle.inside {
            let settings = SettingWithoutEffect.found(
                in: engine.configuration,
                sendsItself: online.networkOptions.httpHandler != nil)
            for setting in settings {
                setting.log(to: logger)
            }
            SettingWithoutEffect.tunnelling(online.networkOptions)?.log(to: logger)
        }
        StoreOpening(try scope(store)).configure()
        try ensureMetadata(of: store, flags.whole)
        try flags.check()
        registerClientOnce()
        try flags.check()
        try StoreOpening(try scope(store), flags: flags).finish()
    }

    /// Registers the client where the service keeps a list of them; what goes wrong does not keep the store closed, and
    /// the next opening tries again.
    private final func registerClientOnce() {
        guard engine.configuration.autoRegisterClient, local.hasMetadata,
            local.metadata.entitySet(named: "ClientRegistrationSet") != nil
        else { return }
        do {
            try online.registerClient(nil)
        } catch {
            logger.error("The client could not be registered.", error: error)
        }
    }

    /// Repairs the file while nothing runs; an open store is open again afterwards.
    final func repairFile() throws -> StoreRepairReport {
        try engine.alone {
            let report = try local.repairStore()
            if engine.isOpen {
                try ErrorBase.translating { try ensureMetadata(of: try local.openStore()) }
            }
            return report
        }
    }

    final func letGo(clears: Bool = false) throws {
        try ErrorBase.translating {
            _ = try lifecycle.close(clears: clears) { try release(waits: $0, clears: clears) }
        }
    }

    /// Stops what runs and lets the store go.
    ///
    /// - Parameters:
    ///   - waits: for what runs to end, so that it ends as cancelled; not from one of its callbacks.
    ///   - clears: deletes the files, too.
    package final func release(waits: Bool, clears: Bool = false) throws {
        engine.stopAll(waitingFor: waits ? Self.patience : .zero)
        engine.isOpen = false
        if clears { forgetTransfers() }
        try clears ? local.clear() : local.close()
    }

    /// How long closing waits for what it has stopped; a transport that does not return keeps it no longer.
    private static var patience: Duration { .seconds(10) }

    final func awaitTransfers(then completionHandler: @escaping () -> Void) {
        let (engine, lifecycle, world) = (engine, lifecycle, local.world)
        guard !lifecycle.isAtRest || engine.isRunning(.download) || engine.isRunning(.upload)
        else { return completionHandler() }
        let deadline = world.uptime() + .seconds(max(0, engine.configuration.backgroundWaitSeconds))
        // Called once, and by nobody else.
        nonisolated(unsafe) let handler = completionHandler
        _ = world.startWorker("OData completion") {
            lifecycle.awaitRest(until: deadline, world)
            engine.awaitEnd(within: deadline - world.uptime())
            handler()
        }
    }

    // MARK: Metadata

    /// Makes metadata available to store, online provider and app: from the store, or else from the service.
    final func ensureMetadata(of store: LocalStore, _ flag: CancellationFlag? = nil) throws {
        let isNew = !store.hasMetadata
        if local.hasMetadata, local.metadata.hasGeneratedProxies {
            let app = local.metadata.declared
            engine.change { $0.appMetadata = app }
        }
        if let adopted = try MetadataRefresh(try scope(store)).ensure(cancellation: flag) {
            let document = CSDLDocument(graph: adopted.graph, originalText: adopted.text)
            let shared = isNew ? ownDocument(like: document) ?? document : document
            // What the store knows of its service may be less than before.
            if isNew { _ = try settings(store) }
            local.metadata = shared
            online.metadata = shared
            return
        }
        guard store.hasMetadata else { return }
        let document =
            local.hasMetadata ? local.metadata : CSDLDocument(graph: try store.graph())
        local.metadata = document
        if !online.hasMetadata { online.metadata = document }
    }

    /// The document that the app has set, where it says the same: objects of generated classes belong to it.
    private final func ownDocument(like document: CSDLDocument) -> CSDLDocument? {
        guard local.hasMetadata else { return nil }
        let own = local.metadata
        return CSDLWriter.xml(own.declared) == CSDLWriter.xml(document.graph) ? own : nil
    }

    private final func metadataChanged(_ adopted: AdoptedMetadata) {
        let old = local.metadata
        let document = CSDLDocument(graph: adopted.graph, originalText: adopted.text)
        old.markRemoved(absentFrom: document)
        local.metadata = document
        online.metadata = document
        guard let listener = listeners.withLock({ $0.metadata }) else { return }
        lifecycle.inside {
            listener.metadataChanged(
                MetadataChange(
                    oldMetadata: old, newMetadata: document,
                    changedEntitySets: adopted.incomplete))
        }
    }

    final func changedSets() throws -> EntitySetList {
        let sets = try stored { try $0.changedSets() }
        let document = try ErrorBase.translating { try local.document() }
        return EntitySetList.fromArray(sets.sorted().compactMap { document.entitySet(named: $0) })
    }

    // MARK: Synchronisation

    /// Nobody is kept as the empty name.
    final func userBefore() throws -> String? {
        let name = try stored { try $0.text(.previousUser) }
        return name == "" ? nil : name
    }

    /// As `download(groups:options:)`, and says what became of each source; what the service refuses is left out.
    ///
    /// - Parameters:
    ///   - loadsLinks: expands what whole sets need so that no link stays unknown.
    ///   - readsAll: reads all rows, whatever delta links there are.
    ///   - only: the keys of the sources to read; nil for all of the groups.
    @discardableResult
    package final func downloadReporting(
        groups: [String], _ options: SyncOptions, loadsLinks: Bool = false, readsAll: Bool = false,
        only: Set<String>? = nil
    ) throws -> DownloadProgress {
        try downloading(options) { download in
            download.loadsLinks = loadsLinks
            download.readsAll = readsAll
            download.only = only
            return try download.reading(groups: groups)
        }
    }

    /// The links that tell of changes of what ``downloadReporting(groups:_:loadsLinks:readsAll:only:)`` would read.
    package final func changeLinks(groups: [String], loadsLinks: Bool) throws -> ChangeLinks? {
        try ErrorBase.translating {
            var download = Download(try scope())
            download.loadsLinks = loadsLinks
            return try download.changeLinks(groups: groups)
        }
    }

    final func downloading<Result>(
        _ options: SyncOptions, _ body: (inout Download) throws -> Result
    ) throws -> Result {
        try ErrorBase.translating {
            let token = TokenFlag(options.cancelToken)
            defer { token.release() }
            return try lifecycle.sync(needsOpen: false, stoppedBy: token.flag) {
                var download = Download(try scope(options), cancellation: token.flag)
                return try body(&download)
            }
        }
    }

    /// As `upload(groups:options:)`, but refusals are counted, not thrown.
    ///
    /// - Parameter told: learns how far it is, also where it does not come to its end.
    @discardableResult
    package final func uploadReporting(
        groups: [String], _ options: SyncOptions,
        told: @escaping (UploadProgress) -> Void = { _ in }
    ) throws -> UploadProgress {
        try uploading(options) { upload in
            var upload = upload
            upload.told = told
            return try upload.sending(groups: groups)
        }
    }

    final func uploading<Result>(
        _ options: SyncOptions, _ body: (QueueUpload) throws -> Result
    ) throws -> Result {
        try ErrorBase.translating {
            let token = TokenFlag(options.cancelToken)
            defer { token.release() }
            return try lifecycle.sync(needsOpen: false, stoppedBy: token.flag) {
                try body(QueueUpload(try scope(options), cancellation: token.flag))
            }
        }
    }

    final func sendCopy(_ key: String?, _ note: String?, _ options: SyncOptions) throws {
        try ErrorBase.translating {
            let token = TokenFlag(options.cancelToken)
            defer { token.release() }
            try lifecycle.sync(needsOpen: false, stoppedBy: token.flag) {
                try DatabaseUpload(try scope(options), cancellation: token.flag)
                    .send(key: key, note: note)
            }
        }
    }

    /// Compares the store with the service.
    package final func verifying(
        _ options: SyncOptions, _ verification: Download.Verification, loadsLinks: Bool = false
    ) throws -> [SourceVerification] {
        try downloading(options) { download in
            download.loadsLinks = loadsLinks
            return try download.verify(verification)
        }
    }

    final var estimateFile: TimeEstimateFile { TimeEstimateFile(engine, folder: online.folder) }

    // MARK: Indexes

    final func noteIndex(_ set: String, _ paths: [String]) {
        guard !engine.addIndex(on: set, paths: paths) else { return }
        logger.error("An index on \(set) was asked for after the store was opened; none is made.")
    }

    /// Kept until the store is opened, or made at once in an open one.
    final func noteSearchIndex(_ set: String, _ paths: [String]) throws {
        guard engine.addSearchIndex(on: set, paths: paths) else { return }
        try stored { try $0.createSearchIndex(on: set, paths: paths) }
    }
}

extension SyncProgress {
    init(_ notice: OperationNotice) {
        let operation: Operation =
            switch notice.operation {
            case .download: .download
            case .upload: .upload
            case .sendStore: .sendStore
            }
        self.init(
            operationID: notice.operationID, operation: operation, entitySet: notice.entitySet,
            requestNumber: notice.requestNumber, requestCount: notice.requestCount,
            entityCount: notice.entityCount, fractionCompleted: notice.fractionCompleted)
        (bytesSent, byteCount) = (notice.bytesSent, notice.byteCount)
        elapsed = notice.elapsed
        estimatedTotal = notice.estimatedTotal
    }
}
