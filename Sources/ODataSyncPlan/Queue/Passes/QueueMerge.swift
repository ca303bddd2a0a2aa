/// Joins the requests of one entity into as few as say the same (offline reference, 12.4 and 14.2): a create and its
/// updates become one create, updates one update, updates and a delete the delete, a create and a delete nothing.
///
/// Replays the queue through ``JoinOnWrite``, so that joining late and joining at once cannot differ. Takes time linear
/// in the requests, times the requests that share a row.
package struct QueueMerge: Sendable {
    private let join: JoinOnWrite

    /// - Parameter respectsTransactionIDs: keeps requests of different transaction IDs apart.
    package init(respectsTransactionIDs: Bool) {
        var join = JoinOnWrite()
        join.respectsTransactionIDs = respectsTransactionIDs
        join.joinsTakenUp = true
        self.join = join
    }

    /// The edits that join each request of `queue` for which `mayMove` holds into the ones before it.
    package func edits(
        _ queue: [QueuedRequest], where mayMove: (QueuedRequest) -> Bool
    ) -> [QueueEdit] {
        var index = RowIndex()
        var edits: [QueueEdit] = []
        for request in queue.sorted(by: QueuedRequest.comesBefore) {
            guard request.state == .waiting, !request.wasSent, mayMove(request),
                index.isWritten(request.target)
            else {
                index.add(request)
                continue
            }
            var isKept = false
            for edit in join.edits(recording: request, behind: index.related(to: request)) {
                switch edit {
                case .append(let remaining):
                    isKept = true
                    index.add(remaining)
                    if remaining != request { edits.append(.replace(remaining)) }
                case .replace(let joined):
                    index.add(joined)
                    edits.append(edit)
                case .remove(let id):
                    index.remove(id)
                    edits.append(edit)
                }
            }
            if !isKept { edits.append(.remove(request.id)) }
        }
        return edits
    }

    /// The requests seen so far by the rows that they write and refer to.
    private struct RowIndex {
        private var requests: [Int64: QueuedRequest] = [:]
        private var writers: [RowReference: Set<Int64>] = [:]
        private var referrers: [RowReference: Set<Int64>] = [:]

        mutating func add(_ request: QueuedRequest) {
            requests[request.id] = request
            for row in request.touchedRows { writers[row, default: []].insert(request.id) }
            for row in request.writtenRows { writers[row, default: []].insert(request.id) }
            for row in request.referencedRows { referrers[row, default: []].insert(request.id) }
        }

        mutating func remove(_ id: Int64) {
            requests[id] = nil
        }

        func isWritten(_ row: RowReference) -> Bool {
            writers[row]?.contains { requests[$0] != nil } == true
        }

        /// What decides whether `request` may join: all that write a row it names, and all that refer to its own.
        func related(to request: QueuedRequest) -> [QueuedRequest] {
            var ids: Set<Int64> = []
            let own = request.writtenRows.union(request.touchedRows)
            for row in own.union(request.referencedRows) { ids.formUnion(writers[row] ?? []) }
            for row in own { ids.formUnion(referrers[row] ?? []) }
            return ids.compactMap { requests[$0] }.sorted(by: QueuedRequest.comesBefore)
        }
    }
}
