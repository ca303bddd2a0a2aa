import GRDB
import ODataModel
import ODataSyncPlan

/// What updates that replace have to say (Protocol 4.01, section 11.4.3).
extension LocalStore {
    /// The rows of updates as each leaves its row: what the service has, with the requests up to that one, by request.
    ///
    /// Later requests are left out, since the app may undo them while this one is on its way.
    ///
    /// - Parameter shown: rows as the service has just shown them, where the store has only parts of them.
    package func rows(
        after updates: [QueuedRequest], shown: [RowReference: StructureValue] = [:]
    ) throws -> [Int64: StructureValue] {
        guard !updates.isEmpty else { return [:] }
        return try reading { transaction in
            let requests = try transaction.requests.requests(
                writing: Set(updates.map(\.target)))
            var rows: [Int64: StructureValue] = [:]
            for update in updates {
                let earlier = requests.filter {
                    $0.id == update.id || QueuedRequest.comesBefore($0, update)
                }
                let image = try transaction.images(update.target.table)
                    .image(id: update.target.id)
                let known = shown[update.target] ?? image?.row.values
                let base: BaseImage = known.map { .present($0) } ?? .absent
                rows[update.id] =
                    QueueFold(graph: transaction.graph)
                    .state(of: update.target, base: base, requests: earlier).values
            }
            return rows
        }
    }

    /// Whether rows of a set may lack values that the service has: a query of theirs selects, or no read of the whole set
    /// ever came to its end.
    package func hasPartialRows(_ table: String) throws -> Bool {
        try reading { try $0.hasPartialRows(table) }
    }
}

extension StoreTransaction {
    /// See ``LocalStore/hasPartialRows(_:)``.
    func hasPartialRows(_ table: String) throws -> Bool {
        let queries = try LocalStore.downloadQueries(of: table, in: database)
        guard queries.isEmpty else { return queries.contains(where: \.selects) }
        return try Int64.fetchOne(
            database,
            sql: "SELECT 1 FROM _odata_delta WHERE query = ? AND tier <> 'incomplete'",
            arguments: ["set:" + table]) == nil
    }
}
