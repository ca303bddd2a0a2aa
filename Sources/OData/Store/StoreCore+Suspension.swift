import Foundation
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataWorld
import Synchronization

extension OfflineStore {
    /// Lets go of the store's file: no lock of it and no open file is held from when this returns until ``resume()``, so
    /// that the system may put the app to sleep.
    ///
    /// What runs is ended first: a synchronisation between two requests, reads and writes when they are done. Until the
    /// store is resumed calls throw `storeSuspended`, loops over live queries wait, and so does who waits for a write; another
    /// process may become the owner. Nothing happens to a store that is suspended or closed already.
    public func suspend() async {
        let core = core
        core.isSuspended.store(true, ordering: .sequentiallyConsistent)
        core.cancelRound()
        await core.inTurn { core.disconnect() }
    }

    /// Takes the file back after ``suspend()``; loops over live queries look again. Nothing happens to a store that is not
    /// suspended.
    ///
    /// - Throws: ``ODataError``: `storeInUse` where another process has become the owner meanwhile, `storage` for a file that
    ///   cannot be opened any more, and the store stays suspended then; `storeClosed`.
    public func resume() async throws {
        let core = core
        try await core.inTurn { Result { try core.reconnect() } }.get()
    }
}

extension StoreCore {
    /// Runs work when no synchronisation and no write runs, whether or not the task is cancelled.
    fileprivate func inTurn<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value
    {
        await withCheckedContinuation { continuation in
            syncs.add { [writes] in writes.add { continuation.resume(returning: work()) } }
        }
    }

    fileprivate func disconnect() {
        guard !isClosed else { return }
        // A resumption that ran when this was asked for has taken it back.
        isSuspended.store(true, ordering: .sequentiallyConsistent)
        guard !isDisconnected.exchange(true, ordering: .sequentiallyConsistent) else { return }
        endWatching()
        liveSync.withLock { $0 }?.rest()
        letGo()
    }

    private func letGo() {
        store.departures.listen(nil)
        try? store.close()
        connected.withLock { $0.lock = nil }
    }

    fileprivate func reconnect() throws {
        guard !isClosed else { throw ODataError.storeClosed }
        guard isDisconnected.load(ordering: .sequentiallyConsistent) else { return }
        try ODataError.translating {
            let new = try Self.connect(settings, path, looksAfterUnfinished: false)
            connected.withLock { $0 = new }
            do {
                // Who closed it meanwhile has seen the old file only.
                guard !isClosed else { throw ODataError.storeClosed }
                applyRules()
                if role == .owner { StoreOpening(try scope()).configure() }
            } catch {
                letGo()
                if isClosed { try? Self.close(new, isTemporary) }
                throw error
            }
        }
        listen()
        epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
        isDisconnected.store(false, ordering: .sequentiallyConsistent)
        isSuspended.store(false, ordering: .sequentiallyConsistent)
        // It is resumed, whatever becomes of these.
        do { try refresh() } catch { followers.wake() }
        if isWatchWanted.load(ordering: .sequentiallyConsistent) { watchOwner() }
        liveSync.withLock { $0 }?.wake()
    }
}
