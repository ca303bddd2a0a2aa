import GRDB
import ODataSyncPlan

/// Deletions that were carried out though nobody has answered them: the service has given the keys of their rows to others.
///
/// Sent again, such a deletion would take the new row, where no entity tag tells the two apart.
struct OvertakenDeletions {
    let transaction: StoreTransaction

    /// What a deletion that an accepted creation has overtaken was about.
    enum Fate {
        /// Perhaps what the creation made: a download may have brought that before the deletion was recorded.
        case isPerhapsMade
        /// A row that has gone.
        case isGone
        /// A row that has gone, in whose place a download may have brought what the creation made.
        case isReplaced
    }

    func fate(of deletion: QueuedRequest, under creation: QueuedRequest) throws -> Fate {
        let row = deletion.target
        let table = try transaction.table(row.table)
        let marks = RowMarks(database: transaction.database)
        let mark = try marks.highest(in: table)[creation.id]
        let isOlder = mark.map { $0.identity == creation.identity.id && row.id <= $0.row }
        let isRewritten = try !isToldGone(row) && marks.isRewritten(row.id, in: table)
        // What was deleted before the creation was recorded is nothing that this made.
        if deletion.id < creation.id, isOlder ?? true { return isRewritten ? .isReplaced : .isGone }
        return isOlder == true && !isRewritten ? .isGone : .isPerhapsMade
    }

    /// A download has told that the service has the row no more, and nothing of another in its place.
    private func isToldGone(_ row: RowReference) throws -> Bool {
        try transaction.images(row.table).image(id: row.id)?.kind == .tombstone
    }

    /// The deletions of a row that has gone: those that were sent and have no answer. One that nobody was sent is settled only
    /// where the service itself has told that there was nothing left to delete.
    func deletions(of row: RowReference) throws -> [QueuedRequest] {
        let deletions = try transaction.requests.requests(writing: [row])
            .filter { $0.operation == .delete && $0.target == row }
        guard !deletions.isEmpty else { return [] }
        let isToldGone = try isToldGone(row)
        return try deletions.filter { try isToldGone || isUnanswered($0) }
    }

    private func isUnanswered(_ request: QueuedRequest) throws -> Bool {
        guard !request.flags.contains(.open) else { return true }
        switch request.state {
        case .unknown: return true
        case .frozen(let attempt):
            return try AttemptRows(database: transaction.database).sendCount(of: attempt) > 0
        case .waiting, .failed, .blocked: return false
        }
    }

    /// Takes a request out of its attempt, which is not sent again as it was: what else is in it is looked for part by part.
    func leave(_ request: QueuedRequest) throws {
        guard case .frozen(let id) = request.state else { return }
        let attempts = AttemptRows(database: transaction.database)
        guard let attempt = try attempts.attempt(id) else { return }
        let others = Set(attempt.members.map(\.request)).subtracting([request.id])
        if let rest = AttemptEdits.rest(of: attempt, staying: others) {
            try attempts.fill(rest)
        } else {
            try attempts.remove(id)
        }
    }
}
