import ODataSyncPlan

extension LocalStore {
    /// Drops failed requests and brings their rows to what remains; later requests stay, unless their entity exists
    /// only because of a dropped one (offline reference, 14.3).
    ///
    /// - Returns: the ids that left the queue.
    @discardableResult
    package func discard(_ ids: Set<Int64>) throws -> Set<Int64> {
        try writing { transaction in
            let gone = RequestDependencies.discarding(ids, in: try transaction.requests.all())
            try QueueChange(transaction: transaction).apply(gone.sorted().map { .remove($0) })
            return gone
        }
    }
}
