import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld

/// Asks the policies of the entity sets about what an upload has met, and carries out what they say.
///
/// The app's functions are called while neither a connection of the store nor a lock is held.
struct ConflictRun {
    /// What one round came to.
    struct Result {
        /// Refused requests that are not refused any more.
        var settled = 0
        var overwrites: [Overwrite] = []
        /// There is something to send again.
        var isSentAgain = false
        /// What stays listed in sets that have a policy, because none decides about it: one sentence each.
        var undecided: [String] = []
    }

    /// How often a change is sent over what the service has by then, before it stays listed.
    static let maximumRounds = 3

    let scope: SyncScope
    let rules: WriteRules
    let look: RowLook

    func settle() throws -> Result {
        var result = Result()
        guard !rules.conflicts.isEmpty else { return result }
        let graph = look.writer.graph
        for request in try scope.store.failedRequests() {
            guard let policy = rules.conflicts[request.target.table] else { continue }
            if case .report = policy { continue }
            if let reason = WriteConflict.reasonUndecided(request) {
                result.undecided.append(reason)
            }
            guard WriteConflict.isPossible(request) else { continue }
            // An earlier decision of this round may have settled it.
            guard try scope.store.requests([request.id]).first == request,
                let conflict = try conflict(of: request), conflict.isReal(in: graph),
                let outcome = outcome(of: conflict, policy),
                let settlement = try settlement(of: conflict, by: outcome, policy)
            else { continue }
            result.settled += 1
            result.isSentAgain = result.isSentAgain || settlement.isSentAgain
            guard let overwrite = settlement.overwrite else { continue }
            result.overwrites.append(overwrite)
            scope.events.info(overwrite.sentence(in: graph))
            scope.events.overwritten?(overwrite)
        }
        return result
    }

    /// Nil where the service does not show the row.
    private func conflict(of request: QueuedRequest) throws -> WriteConflict? {
        do {
            return try scope.store.conflict(
                of: request, server: try look.entity(request.target))
        } catch let error as ODataError where ReadFailure(error) != .ofEverything {
            scope.events.warn("A conflict stays listed: the service did not show its row.", error)
            return nil
        }
    }

    /// Nil where nothing was decided, or the store cannot take the decision.
    private func settlement(
        of conflict: WriteConflict, by outcome: WriteConflictOutcome, _ policy: WriteConflictPolicy
    ) throws -> LocalStore.ConflictSettlement? {
        do {
            return try scope.store.settle(conflict, by: outcome, policy: policy.name)
        } catch let error as ODataError where error.code == .conflict {
            scope.events.warn("A conflict stays listed: the store cannot take its outcome.", error)
            return nil
        }
    }

    private func outcome(
        of conflict: WriteConflict, _ policy: WriteConflictPolicy
    ) -> WriteConflictOutcome? {
        do {
            return try policy.outcome(of: conflict)
        } catch {
            scope.events.error("A conflict stays listed: its resolver threw an error.", error)
            return nil
        }
    }
}
