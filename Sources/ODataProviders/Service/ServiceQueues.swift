import Foundation
import ODataClasses
import ODataWorld
import Synchronization

/// The queues of one service: changes one at a time, reads ten at a time, completion handlers where the app wants them.
final class ServiceQueues: Sendable {
    /// How many reads run at once.
    static let readWidth = 10

    let actions = WorkQueue("OData action", width: 1)
    let functions = WorkQueue("OData function", width: readWidth)
    /// Downloads and uploads, which the calls beside them do not wait for.
    let syncs = WorkQueue("OData sync", width: 2)
    private let completions = Mutex(OperationQueue.main)
    /// For operations that the app adds itself.
    let appActions: OperationQueue
    let appFunctions: OperationQueue

    init() {
        appActions = OperationQueue()
        appActions.maxConcurrentOperationCount = 1
        appFunctions = OperationQueue()
        appFunctions.maxConcurrentOperationCount = Self.readWidth
    }

    var completion: OperationQueue {
        get { completions.withLock { $0 } }
        set { completions.withLock { $0 = newValue } }
    }

    /// Runs `work` on `queue`, and `completion` with what came of it on the completion queue.
    func run<Value: Sendable>(
        _ queue: WorkQueue, _ work: @escaping @Sendable () throws -> Value,
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.add { [self] in
            let result = Result { try work() }
            self.completion.addOperation { completion(result) }
        }
    }
}
