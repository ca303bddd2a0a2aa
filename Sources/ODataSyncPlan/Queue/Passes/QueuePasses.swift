/// What an upload does to the queue before it plans its waves (offline reference, 12.4 to 12.6). Pure; the store carries
/// the edits out in one transaction.
///
/// Only requests that wait and were never sent take part: what is frozen has to be resent to the byte.
package struct QueuePasses: Sendable, Hashable {
    /// Joins requests for one entity, within the borders of transactions (`enableRequestQueueOptimization`).
    package var mergesRequests = false
    /// Puts the requests of one transaction ID into change sets (`enableTransactionBuilder`).
    package var buildsTransactions = false
    /// Leaves out entities that were created and deleted here (`enableUndoLocalCreation`).
    package var undoesCreations = false

    package init() {}

    package var isEmpty: Bool { self == QueuePasses() }

    /// The edits for the requests of `selected`, in the order they have to be made.
    ///
    /// Requests are joined before transactions are built and again after, because a transaction that was built puts
    /// requests side by side that a change set made by the app kept apart.
    package func edits(_ queue: [QueuedRequest], selected: Set<Int64>) -> [QueueEdit] {
        var run = Run(queue: queue)
        let merge = QueueMerge(respectsTransactionIDs: buildsTransactions)
        if mergesRequests { run.make { merge.edits($0) { selected.contains($0.id) } } }
        if buildsTransactions {
            run.make { TransactionBuilding(queue: $0, selected: selected).edits }
            if mergesRequests { run.make { merge.edits($0) { selected.contains($0.id) } } }
        }
        if undoesCreations { run.make { CreationUndo(queue: $0, selected: selected).edits } }
        return run.edits
    }

    /// The queue as it is after the edits found so far.
    private struct Run {
        var queue: [QueuedRequest]
        var edits: [QueueEdit] = []
        // Of no request that exists; only the last pass appends.
        var nextID = Int64.max / 2

        mutating func make(_ pass: ([QueuedRequest]) -> [QueueEdit]) {
            let found = pass(queue)
            queue = QueueEdit.apply(found, to: queue, nextID: &nextID)
            edits += found
        }
    }
}
