import ODataClasses
import ODataSync

/// What a ``CloudSyncProvider`` consists of; several objects may stand for the same parts.
struct SyncParts: Sendable {
    let engine: SyncEngine
    let online: OnlineODataProvider
    let local: SQLDatabaseProvider
    let selection = SyncSelection()
    let listeners = SyncListenerBox()
    private(set) var lifecycle: StoreLifecycle

    /// Parts of their own; without a store, one is made from the service's name.
    init(_ online: OnlineODataProvider, _ store: SQLDatabaseProvider?) {
        self.online = online
        local =
            store
            ?? SQLDatabaseProvider(
                serviceName: online.serviceName, databaseURL: "sqlite:~/\(online.serviceName).db")
        engine = SyncEngine(local.world)
        lifecycle = StoreLifecycle(reopens: true, world: local.world)
        local.classes.join(online.classes)
    }

    /// The same parts, opened and closed by another lifecycle.
    func under(_ lifecycle: StoreLifecycle) -> SyncParts {
        var parts = self
        parts.lifecycle = lifecycle
        return parts
    }
}

extension CloudSyncProvider {
    /// Another object over the engine, store, settings and listeners of `other`; `lifecycle` opens and closes the store.
    package convenience init(sharing other: CloudSyncProvider, lifecycle: StoreLifecycle) {
        self.init(onlineProvider: other.online, offlineStore: other.local)
        share(other, under: lifecycle)
    }

    /// Makes this object stand for the engine, store, settings and listeners of `other`, before anybody else has it: what an
    /// initialiser calls.
    package final func share(_ other: CloudSyncProvider, under lifecycle: StoreLifecycle) {
        parts = other.parts.under(lifecycle)
    }

    package final var engine: SyncEngine { parts.engine }
    package final var lifecycle: StoreLifecycle { parts.lifecycle }
    final var online: OnlineODataProvider { parts.online }
    final var local: SQLDatabaseProvider { parts.local }
    final var selection: SyncSelection { parts.selection }
    final var listeners: SyncListenerBox { parts.listeners }
}
