import ODataModel
import ODataSyncPlan

/// What updates that replace have to say (Protocol 4.01, section 11.4.3).
extension LocalStore {
    /// The rows of updates as each leaves its row: what the service has, with the requests up to that one, by request.
    ///
    /// Later requests are left out, since the app may undo them while this one is on its way.
    package func rows(after updates: [QueuedRequest]) throws -> [Int64: StructureValue] {
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
                let base: BaseImage = image.map { .present($0.row.values) } ?? .absent
                rows[update.id] =
                    QueueFold(graph: transaction.graph)
                    .state(of: update.target, base: base, requests: earlier).values
            }
            return rows
        }
    }
}
