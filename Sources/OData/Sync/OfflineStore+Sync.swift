import Foundation
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWorld
import Synchronization

extension OfflineStore {
    /// Sends the changes that wait, and reads what has changed at the service. One at a time; others wait their turn.
    ///
    /// Refused changes are no error of the synchronisation: they are counted, and listed in ``refusals``. Nothing is lost
    /// when it fails or is cancelled, and the next one goes on where this one stopped.
    ///
    /// - Parameter limit: How long it may take; nil for as long as it takes. Behind that it ends between two requests, with
    ///   a report that says so.
    /// - Throws: ``ODataError``: `network`, `timeout` or `service` where the service did not answer, `readOnly` for a
    ///   reader, `storeClosed`, `storeSuspended` also where the store is suspended meanwhile; `CancellationError` when the
    ///   task is cancelled.
    @discardableResult
    public func sync(within limit: Duration? = nil) async throws -> SyncReport {
        let core = core
        return try await core.run(on: core.syncs, owner: true) { task in
            try core.synchronise(limit, task)
        }
    }

    /// How the store stands to its service: the present state first, then the newest one whenever it changes.
    ///
    /// For a reader it says how much waits, what was refused and when the owner last synchronised; what goes on in the
    /// owner's process is not known here.
    public var status: AsyncStream<SyncStatus> {
        core.watchOwner()
        return core.status.follow()
    }
}

extension StoreCore {
    /// Uploads and downloads, and tells how that went; on a thread of ``syncs``.
    ///
    /// - Parameter only: the sources to download, and nothing else; nil for everything.
    func synchronise(
        _ limit: Duration?, _ task: CancellationFlag, only: Set<String>? = nil
    ) throws -> SyncReport {
        let flag = CancellationFlag()
        round.withLock { $0 = flag }
        // Who suspended or closed it just before has not seen the flag.
        if (try? checkOpen()) == nil { flag.cancel() }
        let listener = task.onCancel { flag.cancel() }
        let timer = CancellationFlag()
        defer {
            round.withLock { $0 = nil }
            task.removeListener(listener)
            timer.cancel()
        }
        if let limit {
            let world = store.world
            _ = world.startWorker("OData.limit") {
                if world.sleep(limit, token: timer) { flag.cancel() }
            }
        }
        var report = SyncReport()
        var failure: (any Error)?
        do {
            try exchange(flag, only, &report)
        } catch let error as EngineError where error.code == .cancelled && !task.isCancelled {
            // Nobody but the clock, or the closing or suspension of the store, has cancelled it.
            do { try checkOpen() } catch { failure = error }
            report.isComplete = false
        } catch {
            failure = error
        }
        let date = Date(timeIntervalSince1970: Double(store.world.now().seconds))
        status.update { status in
            status.phase = .idle
            status.progress = 0
            switch failure {
            case nil:
                status.lastError = nil
                if report.isComplete { status.lastSync = date }
            case let error as EngineError where error.code == .cancelled: break
            case let error as ODataError where error.code == .storeSuspended: break
            case let error?: status.lastError = .from(error)
            }
        }
        try? refresh()
        if let failure { throw failure }
        return report
    }

    private func exchange(
        _ flag: CancellationFlag, _ only: Set<String>?, _ report: inout SyncReport
    ) throws {
        if only == nil {
            begin(.uploading)
            let upload = try QueueUpload(scope(progress: progress), cancellation: flag)
                .sending(groups: [])
            report.sent = upload.sent
            report.accepted = upload.accepted
            report.refused = upload.refused
            try? refresh()
        }
        // The engine looks at it while it works, and not in between.
        guard !flag.isCancelled else {
            throw EngineError(.cancelled, "The synchronisation was ended before its download.")
        }
        begin(.downloading)
        var download = Download(try scope(progress: progress), cancellation: flag)
        download.only = only
        let found = try download.reading(groups: [])
        report.received = found.rows
        for (set, error) in misfits.withLock({ $0 }) { report.skipped[set] = error.message }
        for refusal in found.refused {
            report.skipped[refusal.source.entitySet] = refusal.reason
        }
    }

    private typealias Download = ODataSync.Download

    private func begin(_ phase: SyncStatus.Phase) {
        status.update { status in
            status.phase = phase
            status.progress = 0
        }
    }

    private var progress: @Sendable (OperationNotice) -> Void {
        { [status] notice in
            status.update { $0.progress = max($0.progress, notice.fractionCompleted) }
        }
    }
}
