import Foundation
import ODataStore
import ODataWorld

/// A part of an OData service in a file of this device: read, followed and changed with or without a network, and kept in
/// step with the service.
///
/// ```swift
/// let store = try await OfflineStore(
///     service: url, at: .file(file), download: .set(WorkOrder.self), .set(Site.self))
/// try await store.sync()
/// for try await orders in store.live(WorkOrder.all.where { $0.status == .open }) { … }
/// ```
///
/// Everything may be called from anywhere. Nothing blocks the calling thread: the store works on threads of its own, and
/// reads never wait for writes or downloads. It is closed by ``close()``, or when nobody holds it or follows it any more.
public final class OfflineStore: Sendable {
    let core: StoreCore

    /// Opens a store, making it where there is none. The first opening asks the service for its metadata; later ones need no
    /// network. Data comes with ``sync(within:)``.
    ///
    /// - Parameters:
    ///   - service: The URL of the service root.
    ///   - location: Where the store is.
    ///   - key: What its file is sealed with.
    ///   - credentials: What proves to the service who is asking.
    ///   - download: What the store holds. What an earlier opening said and this one does not is removed, unless changes of
    ///     it wait.
    ///   - conflicts: Who wins where a change meets one that somebody else has made; without a rule, such changes are listed
    ///     in ``refusals``.
    ///   - role: Whether this process owns the store or only reads it.
    /// - Throws: ``ODataError``: `network`, `timeout` or `service` at the first opening; `storage` for a file that is no
    ///   store, for a key that does not fit, and for a reader on a file that its owner has still to bring to the present
    ///   format; `storeInUse` for a store that has an owner already; `unknownName` or `invalidQuery` for a download that
    ///   does not fit the service; `usage` for two rules for the conflicts of one set; `notFound` for a reader before the
    ///   owner. A download of an earlier opening that no longer fits, because the
    ///   service has dropped something since, is no error of the opening: ``status`` and the reports of synchronisations
    ///   say it.
    public init(
        service: URL, at location: StoreLocation, key: StoreKey = .none,
        credentials: Credentials = .none, download: Download..., conflicts: [ConflictRule] = [],
        role: Role = .owner
    ) async throws {
        let settings = StoreCore.Settings(
            service: service, location: location, key: key, role: role, downloads: download,
            conflicts: conflicts, credentials: credentials)
        core = try await WorkQueue("OData.open", width: 1, world: settings.world).run { _ in
            try StoreCore(settings)
        }
    }

    /// As the other one, with the downloads in an array, and over a world of the caller's: its threads and clocks.
    package init(
        service: URL, at location: StoreLocation, download: [Download],
        world: any World = LiveWorld()
    ) async throws {
        let settings = StoreCore.Settings(
            service: service, location: location, key: .none, role: .owner, downloads: download,
            conflicts: [], credentials: .none, world: world)
        core = try await WorkQueue("OData.open", width: 1, world: world).run { _ in
            try StoreCore(settings)
        }
    }

    /// Closes the store. Who waits for it is told: calls throw `storeClosed`, streams end. A store in memory is gone then.
    ///
    /// Only this gives the file and its ownership back when it returns. A store that nobody holds any more is closed as well,
    /// but a while later: one that is opened anew at once may be told `storeInUse`.
    ///
    /// - Throws: ``ODataError`` with `storage` when the file cannot be closed.
    public func close() async throws {
        let core = core
        try await WorkQueue("OData.close", width: 1, world: core.store.world).run { _ in
            try core.close()
        }
    }

    // MARK: Reading

    /// What a query finds now.
    ///
    /// - Throws: ``ODataError``: `unknownName` or `invalidQuery` for a query that does not fit the service, `notLoaded` for
    ///   links that were never downloaded, `storeClosed`, `storeSuspended`; `CancellationError` when the task is cancelled
    ///   before.
    public func fetch<E, Result>(_ query: Query<E, Result>) async throws -> [Result] {
        let core = core
        return try await core.run(on: core.reads) { _ in try core.fetch(query) }
    }

    /// The entity as it is now; nil where it is no longer in view.
    ///
    /// - Throws: As ``fetch(_:)->[Result]``.
    public func fetch<E: Entity>(_ ref: Ref<E>) async throws -> E? {
        let core = core
        return try await core.run(on: core.reads) { _ in try core.entity(ref) }
    }
}
