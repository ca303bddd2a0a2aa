import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings rows and queue to tables that new metadata has changed, in the transaction that adopts it: what no longer fits
/// becomes an error entry and holds up no other (decision 8 of docs/design.md).
struct QueueAdoption {
    let transaction: StoreTransaction

    /// - Parameters:
    ///   - tables: those that came back, or lost values or rows.
    ///   - keyless: rows whose requests nothing can be addressed to any more.
    func run(_ tables: Set<TableID>, keyless: Set<RowReference>) throws {
        for table in tables { try refresh(transaction.mapping[table]) }
        let queue = try transaction.requests.all()
        // What is created here gets its key with its creation.
        let keyless = keyless.subtracting(queue.flatMap(\.createdRows))
        let waiting = queue.filter { $0.state == .waiting }
        let answers = waiting.compactMap { request -> AttemptAnswers.Answer? in
            let reason: String
            if let misfit = request.misfit {
                reason = misfit
            } else if keyless.contains(request.target) {
                reason =
                    "Expected the entity by the key that it was changed by, found another key"
                    + " in the metadata. (\(request.target.table))"
            } else {
                return nil
            }
            return AttemptAnswers.Answer(
                request: request.id,
                outcome: .unwritten(code: ODataError.Code.unknownName.description, reason: reason))
        }
        guard !answers.isEmpty else { return }
        var recording = AnswerRecording(transaction: transaction)
        try recording.record(answers)
    }

    /// Rows that are changed here follow from base and queue again: requests may have gone while their table was out of
    /// view, and columns may be empty.
    private func refresh(_ table: TableMapping) throws {
        guard let id = table.system.id, let state = table.system.state else { return }
        let pending = EntityState.pending.rawValue
        let rows = try Int64.fetchAll(
            transaction.database,
            sql: "SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(table.name))"
                + " WHERE \(SQLName.quoted(state)) & \(pending) <> 0"
                + " UNION SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(table.baseName))")
        try RowRefresh(transaction: transaction, cause: .service).refresh(
            Set(rows.map { transaction.reference(table, $0) }))
    }
}
