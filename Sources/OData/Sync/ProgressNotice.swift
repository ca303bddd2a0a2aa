import ODataSync
import ODataSyncPlan
import ODataWorld
import Synchronization

/// Tells a listener how far an operation is; the fraction never decreases and ends at 1.
final class ProgressNotice: Sendable {
    private let listener: ProgressListener?
    private let operation: SyncProgress.Operation
    private let id: String
    private let last = Mutex(0.0)

    init(_ operation: SyncProgress.Operation, listener: ProgressListener?, world: any World) {
        self.operation = operation
        self.listener = listener
        let (high, low) = world.makeIdentifier()
        id = String(high, radix: 16) + String(low, radix: 16)
    }

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

    /// The operation ended well.
    func finish() { notify(1) { _ in } }

    private func notify(_ fraction: Double, _ fill: (inout SyncProgress) -> Void) {
        guard let listener else { return }
        let shown = last.withLock { last in
            last = max(last, min(fraction, 1))
            return last
        }
        var notice = SyncProgress(
            operationID: id, operation: operation, fractionCompleted: shown)
        fill(&notice)
        listener.notify(notice)
    }
}
