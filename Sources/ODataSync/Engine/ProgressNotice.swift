import ODataSyncPlan
import ODataWorld
import Synchronization

/// How far an operation is, at one moment.
package struct OperationNotice: Sendable, Hashable {
    /// What progress is told of.
    package enum Operation: Sendable, Hashable { case download, upload, sendStore }

    /// Equal in all notices of one operation.
    package var operationID: String
    package var operation: Operation
    package var entitySet: String?
    package var requestNumber = 0
    package var requestCount = 0
    package var entityCount: Int64 = 0
    /// Bytes that have left, of a copy of the store.
    package var bytesSent: Int64 = 0
    /// Bytes that there are to send in all, of a copy of the store.
    package var byteCount: Int64 = 0
    package var elapsed = Duration.zero
    /// How long it will take in all, as far as earlier ones tell.
    package var estimatedTotal: Duration?
    package var fractionCompleted = 0.0
}

/// Tells a listener how far an operation is; the fraction never decreases and ends at 1.
final class ProgressNotice: Sendable {
    private let listener: (@Sendable (OperationNotice) -> Void)?
    private let last: Mutex<OperationNotice>
    private let world: any World
    private let started: Duration

    init(_ operation: OperationNotice.Operation, _ scope: SyncScope) {
        listener = scope.events.progress
        world = scope.world
        started = world.uptime()
        last = Mutex(OperationNotice(operationID: world.makeToken(), operation: operation))
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

    /// Bytes of a body that have left. Sent again after a failure, it counts from the beginning; what was told stays.
    func report(sent: Int64, of length: Int64) {
        notify(Double(sent) / Double(max(length, 1))) { notice in
            (notice.bytesSent, notice.byteCount) = (max(notice.bytesSent, sent), length)
        }
    }

    /// The operation ended well; the counts stay those of the notice before.
    func finish() { tell(1) { $0.entitySet = nil } }

    /// Nothing is complete before ``finish()`` says so.
    private func notify(_ fraction: Double, _ fill: (inout OperationNotice) -> Void) {
        tell(min(fraction, 0.999), fill)
    }

    private func tell(_ fraction: Double, _ fill: (inout OperationNotice) -> Void) {
        guard let listener else { return }
        let notice = last.withLock { last in
            fill(&last)
            last.elapsed = world.uptime() - started
            last.fractionCompleted = max(last.fractionCompleted, fraction)
            return last
        }
        listener(notice)
    }
}
