import ODataSyncPlan

/// Carries edits of the queue out and brings every row and link they concern up to date.
struct QueueChange {
    let transaction: StoreTransaction
    /// Who wants rows in view whose keys others have.
    var cause = KeyCollision.Cause.app

    /// - Parameter rows: rows to refresh beside those of the edited requests.
    /// - Returns: the requests appended and replaced, as stored.
    @discardableResult
    func apply(
        _ edits: [QueueEdit], refreshing rows: Set<RowReference> = []
    ) throws -> [QueuedRequest] {
        let requests = transaction.requests
        let changed = edits.compactMap { edit -> Int64? in
            switch edit {
            case .append: nil
            case .replace(let request): request.id
            case .remove(let id): id
            }
        }
        let before = try requests.requests(changed)
        let after = try requests.apply(edits, makeIdentifier: transaction.makeIdentifier)
        noteDepartures(edits, before, after)
        var rows = rows
        var links: Set<LinkReference> = []
        for request in before + after {
            rows.formUnion(request.writtenRows)
            rows.formUnion(request.touchedRows)
            links.formUnion(request.changedLinks)
        }
        try RowRefresh(transaction: transaction, cause: cause).refresh(
            rows, links: links, request: after.last?.id, stored: after)
        return after
    }

    /// A request that goes lives on in those of the same row that come or change with it: they were joined.
    private func noteDepartures(
        _ edits: [QueueEdit], _ before: [QueuedRequest], _ after: [QueuedRequest]
    ) {
        guard let departures = transaction.departures else { return }
        for case .remove(let id) in edits {
            guard let gone = before.first(where: { $0.id == id }) else { continue }
            let heirs = after.filter { $0.touchedRows.contains(gone.target) }.map(\.id)
            departures.note(id, heirs.isEmpty ? .takenBack : .joined(into: Set(heirs)))
        }
    }
}
