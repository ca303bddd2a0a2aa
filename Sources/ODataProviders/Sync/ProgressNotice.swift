import ODataClasses
import ODataSync
import ODataSyncPlan
import ODataWorld
import Synchronization

/// Tells a listener how far an operation is; the fraction never decreases and ends at 1.
final class ProgressNotice: Sendable {
    private let listener: ProgressListener?
    private let last: Mutex<SyncProgress>
    private let world: any World
    private let started: Duration

    init(_ operation: SyncProgress.Operation, listener: ProgressListener?, world: any World) {
        self.listener = listener
        self.world = world
        started = world.uptime()
        let (high, low) = world.makeIdentifier()
        last = Mutex(
            SyncProgress(
                operationID: String(high, radix: 16) + String(low, radix: 16),
                operation: operation))
    }

    /// What earlier operations say about how long this one takes.
    func expect(_ total: Duration?) { last.withLock { $0.estimatedTotal = total } }

    func report(_ progress: DownloadProgress) {
        // Within a source the number of rows is not known, so its share is approached, never reached.
        let inSource = 1 - 1 / (1 + Double(progress.rows) / 10_000)
        let done = Double(progress.finishedSources) + (progress.current == nil ? 0 : inSource * 0.9)
        notify(done / Double(max(progress.sourceCount, 1))) { notice in
            notice.entitySet = progress.current
            notice.requestNumber = progress.finishedSources
            notice.requestCount = progress.sourceCount
            notice.entityCount = Int64(progress.rows)
        }
    }

    func report(_ progress: UploadProgress) {
        notify(Double(progress.sent) / Double(max(progress.total, 1))) { notice in
            notice.requestNumber = progress.sent
            notice.requestCount = progress.total
            notice.entityCount = Int64(progress.accepted)
        }
    }

    /// The operation ended well; the counts stay those of the notice before.
    func finish() { tell(1) { $0.entitySet = nil } }

    /// Nothing is complete before ``finish()`` says so.
    private func notify(_ fraction: Double, _ fill: (inout SyncProgress) -> Void) {
        tell(min(fraction, 0.999), fill)
    }

    private func tell(_ fraction: Double, _ fill: (inout SyncProgress) -> Void) {
        guard let listener else { return }
        let notice = last.withLock { last in
            fill(&last)
            last.elapsed = world.uptime() - started
            last.fractionCompleted = max(last.fractionCompleted, fraction)
            return last
        }
        listener.notify(notice)
    }
}
