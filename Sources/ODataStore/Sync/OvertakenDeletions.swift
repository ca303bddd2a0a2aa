import GRDB
import ODataSyncPlan

/// Deletions of rows whose keys the service has given to others: gathers what ``OvertakenDeletion`` decides by.
struct OvertakenDeletions {
    let transaction: StoreTransaction

    /// The deletions of a row with what becomes of each, now that an accepted creation has its key.
    func fates(
        of row: RowReference, under creation: QueuedRequest
    ) throws -> [(deletion: QueuedRequest, fate: OvertakenDeletion.Fate)] {
        let deletions = try transaction.requests.requests(writing: [row])
            .filter { $0.operation == .delete && $0.target == row }
        guard !deletions.isEmpty else { return [] }
        let table = try transaction.table(row.table)
        let marks = RowMarks(database: transaction.database)
        let isOlder = try marks.mark(of: creation.id).map {
            $0.identity == creation.identity.id && row.id <= $0.row
        }
        let isToldGone = try transaction.images(row.table).image(id: row.id)?.kind == .tombstone
        let isRewritten = try marks.isRewritten(row.id, in: table)
        return try deletions.map { deletion in
            var facts = OvertakenDeletion(of: deletion, by: creation)
            facts.isOlder = isOlder
            facts.isToldGone = isToldGone
            facts.isRewritten = isRewritten
            if case .frozen(let attempt) = deletion.state {
                facts.isOnItsWay =
                    try AttemptRows(database: transaction.database).sendCount(of: attempt) > 0
            }
            return (deletion, facts.fate)
        }
    }

    /// Takes a request out of its attempt, which is not sent again as it was: what else is in it is looked for part by part.
    func leave(_ request: QueuedRequest) throws {
        guard case .frozen(let id) = request.state else { return }
        let attempts = AttemptRows(database: transaction.database)
        guard let attempt = try attempts.outline(id) else { return }
        let others = Set(attempt.members.map(\.request)).subtracting([request.id])
        if let rest = AttemptEdits.rest(of: attempt, staying: others) {
            if rest != attempt { try attempts.fill(rest) }
        } else {
            try attempts.remove(id)
        }
    }
}
