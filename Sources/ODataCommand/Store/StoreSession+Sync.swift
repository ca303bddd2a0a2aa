import OData
import ODataModel
import ODataQuery
import ODataSyncPlan
import Synchronization

extension StoreSession {
    /// Sends what waits; returns how many requests the service accepted.
    func upload(_ groups: StringList, _ console: Console) throws -> Int {
        let before = try requestCounts()
        guard before.queued + before.failed > 0 else { return 0 }
        try stoppable { token in
            try provider.upload(
                groups: groups, options: syncOptions("upload", console, token: token))
        }
        let after = try requestCounts()
        return max(0, before.queued + before.failed - after.queued - after.failed)
    }

    /// Reads what is new; returns how many entities came.
    func download(_ groups: StringList, _ console: Console) throws -> Int64 {
        let counter = EntityCounter()
        try stoppable { token in
            let options = syncOptions("download", console, token: token)
            let drawing = options.progressListener
            options.progressListener = ProgressListener { progress in
                counter.set(progress.entityCount)
                drawing?.notify(progress)
            }
            try provider.download(groups: groups, options: options)
        }
        return counter.value
    }

    /// Runs `body` with a token that is cancelled when the process is asked to end.
    private func stoppable(_ body: (CancelToken) throws -> Void) throws {
        let token = CancelToken()
        let signals = StopSignals { token.cancel() }
        defer { signals.cancel() }
        try CommandError.operation { try body(token) }
    }

    /// The report of what is in the store now.
    func report() throws -> SyncReport {
        var report = SyncReport()
        report.service = provider.onlineProvider.serviceRoot
        report.version = document.versionText
        (report.queued, report.failed) = try requestCounts()
        report.skipped = skipped
        let sets = graph.entitySets.map(\.name)
        let counts = try StoreMemory.rowCounts(path: path, tables: sets)
        report.rows = sets.compactMap { set in counts[set].map { (set, $0) } }
        return report
    }
}

/// The last number of entities that progress told.
final class EntityCounter: Sendable {
    private let count = Mutex<Int64>(0)

    var value: Int64 { count.withLock { $0 } }

    func set(_ value: Int64) { count.withLock { $0 = max($0, value) } }
}
