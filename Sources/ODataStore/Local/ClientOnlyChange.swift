import ODataSyncPlan

/// Makes a change of client-only rows final: what the service never hears of is not queued, not local and never in error
/// (offline reference, 9 and 16.6).
struct ClientOnlyChange {
    let transaction: StoreTransaction

    /// Takes the requests that a write of `row` has just made out of the queue, and keeps what they did.
    func settle(_ row: RowReference) throws {
        for request in try transaction.requests.requests(writing: [row]) {
            try transaction.requests.remove(request.id)
            for effect in request.effects { try keep(effect, of: request) }
            let rows = request.writtenRows.union(request.touchedRows)
            if request.operation == .delete {
                for gone in rows { try transaction.forget(gone) }
            } else {
                for row in rows { try keep(row) }
            }
        }
    }

    private func keep(_ row: RowReference) throws {
        let images = try transaction.images(row.table)
        try images.drop(id: row.id)
        guard var stored = try images.rows.row(id: row.id) else { return }
        stored.state = []
        try images.rows.write(stored)
    }

    private func keep(_ effect: RequestEffect, of request: QueuedRequest) throws {
        switch effect {
        case .addLink(let link):
            try transaction.links.keepBase(link, request: request.id)
            try transaction.links.setBase(link, isPresent: true)
            try refresh(link)
        case .removeLink(let link):
            try transaction.links.keepBase(link, request: request.id)
            try transaction.links.setBase(link, isPresent: false)
            try refresh(link)
        case .values, .clearLinks, .hide: break
        }
    }

    private func refresh(_ link: LinkReference) throws {
        try RowRefresh(transaction: transaction).refresh([], links: [link])
    }
}
