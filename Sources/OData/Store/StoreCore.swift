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

    let store: LocalStore
    let role: Role
    /// Threads for reads, for writes, and for uploads and downloads.
    let reads: BlockingQueue
    let writes: BlockingQueue
    let syncs: BlockingQueue
    /// For what is asked of the service on the spot: operations, and contents that are not here.
    let calls: BlockingQueue
    let engine: SyncEngine
    let confirmations = ConfirmationBoard()
    let status = Broadcast(SyncStatus())
    let refusals = Broadcast<[RefusalFacts]>([])
    let followers = LiveFollowers()
    private let connection: ServiceConnection
    private let service: URL
    private let isTemporary: Bool
    private let downloads: [Download]
    private let isOpen = Atomic(true)

    /// Opens a store; blocks.
    init(_ settings: Settings) throws {
        let (path, isTemporary) = try settings.location.file()
        if settings.role == .reader, !FileManager.default.fileExists(atPath: path) {
            throw ODataError(
                .notFound, "Expected a store that its owner has opened before, found none.")
        }
        var configuration = LocalStore.Configuration()
        configuration.key = try settings.key.engineKey()
        let world = settings.world
        store = try LocalStore(path: path, world: world, configuration: configuration)
        (role, service, self.isTemporary) = (settings.role, settings.service, isTemporary)
        downloads = settings.downloads
        reads = BlockingQueue("OData.read", width: 4, world: world)
        writes = BlockingQueue("OData.write", width: 1, world: world)
        syncs = BlockingQueue("OData.sync", width: 1, world: world)
        calls = BlockingQueue("OData.call", width: 4, world: world)
        engine = SyncEngine(world)
        var session = ServiceConnection.Configuration()
        session.credentials = settings.credentials.header.map { .custom($0) }
        connection = ServiceConnection(
            root: settings.service.absoluteString, transport: settings.transport, world: world,
            configuration: session)
        let rules = settings.conflicts
        let policies = rules.map { ($0.set, $0.policy(store)) }
        engine.change {
            $0.autoSaveEstimates = false
            for (set, policy) in policies { $0.rules.conflicts[set] = policy }
        }
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
        let (store, isTemporary) = (store, isTemporary)
        _ = store.world.startWorker("OData.close") { try? Self.close(store, isTemporary) }
    }

    private func open(_ settings: Settings) throws {
        if role == .owner {
            StoreOpening(try scope()).configure()
            _ = try MetadataRefresh(try scope()).ensure()
            try StoreOpening(try scope()).finish()
            try DownloadArrangement(scope: try scope(), downloads: downloads).run()
            store.departures.listen { [weak self] departures in
                self?.confirmations.note(departures)
            }
        } else if !store.hasMetadata {
            throw ODataError(
                .notFound, "Expected a store that its owner has opened before, found none.")
        }
        let last = try store.time(.lastDownload).map {
            Date(timeIntervalSince1970: Double($0) / 1_000)
        }
        status.update { $0.lastSync = last }
        try refresh()
    }

    /// Closes the store; who waits for it is told. Blocks for running reads.
    func close() throws {
        if stop() { try Self.close(store, isTemporary) }
    }

    private static func close(_ store: LocalStore, _ isTemporary: Bool) throws {
        if isTemporary { try store.clear() } else { try store.close() }
    }

    /// Ends what runs and what is followed; false where that was done before.
    private func stop() -> Bool {
        guard isOpen.exchange(false, ordering: .relaxed) else { return false }
        engine.cancel(.download)
        engine.cancel(.upload)
        engine.isOpen = false
        store.departures.listen(nil)
        confirmations.close()
        followers.wake()
        status.finish()
        refusals.finish()
        return true
    }

    var isClosed: Bool { !isOpen.load(ordering: .relaxed) }

    /// - Throws: `storeClosed` for a closed store.
    func checkOpen() throws {
        guard !isClosed else { throw ODataError.storeClosed }
    }

    /// - Throws: `readOnly` for a reader, `storeClosed` for a closed store.
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
                name: service.host ?? "service", root: connection.root, connection: connection,
                requests: requests, headers: HeaderFields(), folder: PrivateFolder(path: folder)),
            choice: choice,
            events: SyncEvents(progress: progress, metadataChanged: { _ in }, log: { _ in }))
    }

    /// Tells everybody who follows something how it is now; blocks for reads.
    func refresh() throws {
        let requests = try store.holdingQueue { queue in
            confirmations.look(at: queue)
            return queue
        }
        let failed = requests.filter(\.state.isFailure)
        status.update { status in
            status.pending = requests.count - failed.count
            status.refused = failed.count
        }
        refusals.update { $0 = failed.map(RefusalFacts.init) }
        followers.wake()
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
