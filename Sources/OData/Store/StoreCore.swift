import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

/// What stands behind an ``OfflineStore``: the engine, the threads that it blocks, and who follows what.
///
/// Closed with the last reference to it.
final class StoreCore: Sendable {
    /// What a store is opened with.
    struct Settings: Sendable {
        var service: URL
        var location: StoreLocation
        var key: StoreKey
        var role: Role
        var downloads: [Download]
        var conflicts: [ConflictRule]
        var credentials: Credentials
        var transport: any HTTPTransport = StandardTransport.shared
        var world: any World = LiveWorld()
    }

    /// The open file, and what says that nobody else is its owner; another one after a suspension.
    struct Connected: Sendable {
        var store: LocalStore
        var lock: OwnerLock?
    }

    let settings: Settings
    let path: String
    let connected: Mutex<Connected>
    /// The file is let go of; see ``OfflineStore/suspend()``.
    let isSuspended = Atomic(false)
    /// The file is closed for a suspension; changed in turn with synchronisations and writes only.
    let isDisconnected = Atomic(false)
    /// Counts the files that there have been.
    let epoch = Atomic(0)
    let role: Role
    /// Threads for reads, for writes, and for uploads and downloads.
    let reads: WorkQueue
    let writes: WorkQueue
    let syncs: WorkQueue
    /// For what is asked of the service on the spot: operations, and contents that are not here.
    let calls: WorkQueue
    let engine: SyncEngine
    let confirmations = ConfirmationBoard()
    let status = Broadcast(SyncStatus())
    let refusals = Broadcast<[RefusalFacts]>([])
    /// Downloads that fitted the service when they were made and do not now, by set.
    let misfits = Mutex<[String: ODataError]>([:])
    let followers = LiveFollowers()
    /// The synchronisation that goes on by itself.
    let liveSync = Mutex<LiveSync?>(nil)
    /// Of a reader whose status or refusals are followed: what sees that the owner has committed.
    let watch = Mutex<ODataStore.LiveQuery?>(nil)
    /// Somebody has begun to follow: after a suspension the watch begins anew.
    let isWatchWanted = Atomic(false)
    /// Ends the synchronisation that runs, also between two operations of the engine.
    let round = Mutex<CancellationFlag?>(nil)
    private let connection: ServiceConnection
    let isTemporary: Bool
    private let isOpen = Atomic(true)

    var store: LocalStore { connected.withLock { $0.store } }
    private var downloads: [Download] { settings.downloads }

    /// Opens a store; blocks.
    init(_ settings: Settings) throws {
        try Self.check(settings.conflicts)
        let (path, isTemporary) = try settings.location.file()
        if settings.role == .reader, !FileManager.default.fileExists(atPath: path) {
            throw ODataError(
                .notFound, "Expected a store that its owner has opened before, found none.")
        }
        let world = settings.world
        self.settings = settings
        (role, self.path, self.isTemporary) = (settings.role, path, isTemporary)
        connected = Mutex(
            try Self.connect(settings, path, looksAfterUnfinished: settings.role == .owner))
        reads = WorkQueue("OData.read", width: 4, world: world)
        writes = WorkQueue("OData.write", width: 1, world: world)
        syncs = WorkQueue("OData.sync", width: 1, world: world)
        calls = WorkQueue("OData.call", width: 4, world: world)
        engine = SyncEngine(world)
        var session = ServiceConnection.Configuration()
        session.credentials = settings.credentials.header.map { .custom($0) }
        connection = ServiceConnection(
            root: settings.service.absoluteString, transport: settings.transport, world: world,
            configuration: session)
        engine.change { $0.autoSaveEstimates = false }
        applyRules()
        do {
            try open(settings)
        } catch {
            try? close()
            throw error
        }
    }

    deinit {
        guard stop() else { return }
        // Closing a file takes a while: not on a thread of somebody's tasks.
        let (last, isTemporary) = (connected.withLock { $0 }, isTemporary)
        _ = last.store.world.startWorker("OData.close") { try? Self.close(last, isTemporary) }
    }

    /// - Parameter looksAfterUnfinished: Not where an owner may be at work, and not at a resumption: contents that the app
    ///   has staged are its own still.
    static func connect(
        _ settings: Settings, _ path: String, looksAfterUnfinished: Bool
    ) throws -> Connected {
        // First: opening a file looks after what its owner may be working at.
        let lock = settings.role == .owner ? try OwnerLock(store: path) : nil
        var configuration = LocalStore.Configuration()
        configuration.key = try settings.key.engineKey()
        configuration.looksAfterUnfinished = looksAfterUnfinished
        let store = try LocalStore(
            path: path, world: settings.world, configuration: configuration)
        return Connected(store: store, lock: lock)
    }

    /// - Throws: `usage` for two rules of one set: there is no telling which of them was meant.
    private static func check(_ rules: [ConflictRule]) throws {
        var sets: Set<String> = []
        for rule in rules where !sets.insert(rule.set).inserted {
            throw ODataError(
                .usage,
                "Expected one rule for the conflicts of a set with all its types, found another.",
                at: rule.set)
        }
    }

    /// Rules look at the store that there is.
    func applyRules() {
        let store = store
        let policies = settings.conflicts.map { ($0.set, $0.policy(store)) }
        engine.change { for (set, policy) in policies { $0.rules.conflicts[set] = policy } }
    }

    private func open(_ settings: Settings) throws {
        if role == .owner {
            StoreOpening(try scope()).configure()
            _ = try MetadataRefresh(try scope()).ensure()
            try StoreOpening(try scope()).finish()
            let misfits = try DownloadArrangement(scope: try scope(), downloads: downloads).run()
            self.misfits.withLock { $0 = misfits }
            status.update { $0.lastError = misfits.min { $0.key < $1.key }?.value }
            listen()
        } else if !store.hasMetadata {
            throw ODataError(
                .notFound, "Expected a store that its owner has opened before, found none.")
        }
        try refreshTime()
        try refresh()
    }

    /// Lets confirmations know how requests leave the queue.
    func listen() {
        guard role == .owner else { return }
        store.departures.listen { [weak self] departures in
            self?.confirmations.note(departures)
        }
    }

    private func refreshTime() throws {
        let last = try store.time(.lastDownload).map {
            Date(timeIntervalSince1970: Double($0) / 1_000)
        }
        status.update { $0.lastSync = last }
    }

    /// Closes the store; who waits for it is told. Blocks for running reads.
    func close() throws {
        guard stop() else { return }
        let last = connected.withLock { $0 }
        // The lock goes when the file is closed, and with it.
        defer { connected.withLock { $0.lock = nil } }
        try Self.close(last, isTemporary)
    }

    static func close(_ last: Connected, _ isTemporary: Bool) throws {
        guard isTemporary else { return try last.store.close() }
        try last.store.clear()
        try? FileManager.default.removeItem(atPath: last.store.path + OwnerLock.suffix)
    }

    /// Ends what runs and what is followed; false where that was done before.
    private func stop() -> Bool {
        guard isOpen.exchange(false, ordering: .relaxed) else { return false }
        cancelRound()
        engine.isOpen = false
        liveSync.withLock { $0 }?.end()
        endWatching()
        store.departures.listen(nil)
        confirmations.close()
        followers.wake()
        status.finish()
        refusals.finish()
        return true
    }

    /// Ends a synchronisation that runs between two requests, and keeps it from going on.
    func cancelRound() {
        round.withLock { $0 }?.cancel()
        engine.cancel(.download)
        engine.cancel(.upload)
    }

    var isClosed: Bool { !isOpen.load(ordering: .relaxed) }

    /// - Throws: `storeClosed` for a closed store, `storeSuspended` for one that is suspended.
    func checkOpen() throws {
        guard !isClosed else { throw ODataError.storeClosed }
        guard !isSuspended.load(ordering: .sequentiallyConsistent) else {
            throw ODataError.storeSuspended
        }
    }

    /// - Throws: `readOnly` for a reader, otherwise as ``checkOpen()``.
    func checkOwner() throws {
        try checkOpen()
        guard role == .owner else {
            throw ODataError(.readOnly, "Expected the owner of the store, found a reader.")
        }
    }

    // MARK: The engine

    /// What an operation of the engine that begins now works on.
    func scope(
        progress: (@Sendable (OperationNotice) -> Void)? = nil
    ) throws -> SyncScope {
        var requests = RequestSettings()
        requests.take(try store.serviceProfile())
        var choice = DownloadChoice()
        // What is downloaded is what the app has said.
        choice.withoutDefaultDownload = .all
        choice.withoutStreams = .all
        let folder = (store.path as NSString).deletingLastPathComponent
        return SyncScope(
            engine: engine, store: store,
            service: SyncService(
                name: settings.service.host ?? "service", root: connection.root,
                connection: connection,
                requests: requests, headers: HeaderFields(), folder: PrivateFolder(path: folder)),
            choice: choice,
            events: SyncEvents(progress: progress, metadataChanged: { _ in }, log: { _ in }))
    }

    /// Tells everybody who follows something how it is now; blocks for reads.
    func refresh() throws {
        // A reader may be unable to write the file, and nobody waits for writes of its own.
        let requests =
            role == .reader
            ? try store.allRequests()
            : try store.holdingQueue { queue in
                confirmations.look(at: queue)
                return queue
            }
        let failed = requests.filter(\.state.isFailure)
        status.update { status in
            status.pending = requests.count - failed.count
            status.refused = failed.count
        }
        let facts = try refusalFacts(failed)
        refusals.update { $0 = facts }
        if role == .reader { try refreshTime() }
        followers.wake()
    }

    /// What is told of requests that failed, with the types of their entities.
    private func refusalFacts(_ failed: [QueuedRequest]) throws -> [RefusalFacts] {
        guard !failed.isEmpty else { return [] }
        let graph = try store.graph()
        let types = try store.types(of: Set(failed.map(\.target)))
        return failed.map { request in
            let own = types[request.target]
            let all = own.map { sequence(first: $0) { graph[$0].baseID } }
            return RefusalFacts(
                request, types: Set(all?.map { graph[$0].qualifiedName } ?? []))
        }
    }

    /// Runs a call of the app's on a queue. What fails because the store was closed or suspended under it says so.
    ///
    /// - Parameter owner: Whether only the owner may do it.
    func run<Value: Sendable>(
        on queue: WorkQueue, owner: Bool = false,
        _ work: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        try await queue.run { [self] task in
            if owner { try checkOwner() } else { try checkOpen() }
            do {
                return try work(task)
            } catch let error where Self.mayComeOfClosing(error) && !task.isCancelled {
                try checkOpen()
                throw error
            }
        }
    }

    /// Of the engine's errors, and of ours that a transaction has made of them.
    private static func mayComeOfClosing(_ error: any Error) -> Bool {
        switch error {
        case let error as EngineError: [.usage, .storage, .cancelled].contains(error.code)
        case let error as ODataError: [.usage, .storage].contains(error.code)
        default: false
        }
    }

    /// What asks the service on the spot, until `cancellation` is set.
    func call(_ cancellation: CancellationFlag) throws -> ServiceCall {
        let service = try scope().service
        return ServiceCall(
            connection: connection, settings: service.requests, headers: service.headers,
            cancellation: cancellation, world: store.world, observer: SilentObserver())
    }

    // MARK: Reading

    /// What rows of a query are read by.
    func model(_ shape: QueryShape? = nil) throws -> RowModel {
        let graph = try store.graph()
        guard let shape, !shape.expand.isEmpty else { return RowModel(graph) }
        let sets = try store.completeSets()
        // Only what has been read, and what all downloads of a set bring: a row does not say by which it came.
        let read = Dictionary(grouping: downloads.filter { sets.contains($0.shape.set) }) {
            $0.shape.set
        }
        let links = read.values.map { downloads in
            downloads.dropFirst().reduce(downloads[0].shape.links(in: graph)) {
                $0.intersection($1.shape.links(in: graph))
            }
        }
        return RowModel(graph, sets: sets, links: Set(links.joined()))
    }

    /// Whether what is in these tables has been downloaded once.
    func hasDownloaded(tables: Set<String>) throws -> Bool {
        var known = try store.completeSets()
        for download in downloads where known.contains(download.shape.set) {
            known.formUnion(download.shape.broughtSets)
        }
        return try store.mapping().tables.allSatisfy {
            !tables.contains($0.name) || known.contains($0.path)
        }
    }

    /// Answers a query; blocks.
    func fetch<E, Result>(_ query: Query<E, Result>) throws -> [Result] {
        try checkOpen()
        let model = try model(query.shape)
        let page = try store.execute(try query.shape.checked(in: model.graph))
        return try page.rows(model).map(query.decode)
    }

    /// The entity as it is now; nil where it is not in view. Blocks.
    func entity<E: Entity>(_ ref: Ref<E>) throws -> E? {
        try checkOpen()
        let row = ref.reference
        guard let state = try store.entity(row), let values = state.values else { return nil }
        try state.checkLoaded(at: row.table)
        let model = try model()
        guard model.isType(values.type, of: E.self) else { return nil }
        return try E(Row(values, id: row.id, state.flags, model))
    }
}
