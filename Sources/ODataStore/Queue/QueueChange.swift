import ODataSyncPlan

/// Carries edits of the queue out and brings every row and link they concern up to date.
struct QueueChange {
    let transaction: StoreTransaction
    /// Who wants rows in view whose keys others have.
    var cause = KeyCollision.Cause.app

    /// - Parameters:
    ///   - rows: rows to refresh beside those of the edited requests.
    ///   - known: a row that the caller has read already, together with the requests that write it.
    /// - Returns: the requests appended and replaced, as stored.
    @discardableResult
    func apply(
        _ edits: [QueueEdit], refreshing rows: Set<RowReference> = [],
        known: RowRefresh.Known? = nil
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
            rows, links: links, request: after.last?.id, stored: after,
            known: changed.isEmpty ? known : nil)
        return after
    }

    /// A request that goes lives on in those of the same row that come or change with it: they were joined.
    private func noteDepartures(
        _ edits: [QueueEdit], _ before: [QueuedRequest], _ after: [QueuedRequest]
    ) {
        guard let departures = transaction.departures else { return }
        let targets = Dictionary(
            before.map { ($0.id, $0.target) }, uniquingKeysWith: { first, _ in first })
        var heirs: [RowReference: Set<Int64>] = [:]
        for request in after {
            for row in request.touchedRows { heirs[row, default: []].insert(request.id) }
        }
        for case .remove(let id) in edits {
            guard let target = targets[id] else { continue }
            departures.note(id, heirs[target].map { .joined(into: $0) } ?? .takenBack)
        }
    }
}
