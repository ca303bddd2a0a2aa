import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings rows and links to what ``RowPlan`` and ``LinkPlan`` say, after the queue or a base image changed.
///
/// Call it inside the transaction of the change, with every row and link whose requests changed.
struct RowRefresh {
    let transaction: StoreTransaction

    /// - Parameter stored: Requests that were stored just now, which are not read again.
    /// - Throws: `conflict` when a row cannot come back because another has its key by now.
    func refresh(
        _ rows: Set<RowReference>, links: Set<LinkReference> = [], request: Int64? = nil,
        stored: [QueuedRequest] = []
    ) throws {
        let requests = try transaction.requests.requests(writing: rows, known: stored)
        // Hidden and vanishing rows first, so that the keys they give up are free for the others.
        var visible: [(Change, RowReference)] = []
        // Rows of sets that the metadata has no more are out of view.
        for row in rows.sorted() where transaction.mapping.table(path: row.table) != nil {
            if let change = try refresh(row, requests, request) { visible.append((change, row)) }
        }
        for (change, row) in visible { try write(change, row) }
        try refreshLinks(links)
    }

    // MARK: Rows

    /// A row to write, and as it stands; nil where there is none yet.
    private struct Change {
        var row: StoredRow
        var present: StoredRow?
    }

    /// Carries out what hides the row or takes it away; returns what is to be written.
    private func refresh(
        _ row: RowReference, _ requests: [QueuedRequest], _ request: Int64?
    ) throws -> Change? {
        let images = try transaction.images(row.table)
        let current = try images.rows.row(id: row.id)
        let image = try images.image(id: row.id)
        let table = images.rows.table
        var change: Change?
        let edits = RowPlan.edits(
            of: row, requests.filter { $0.shapes(row) }, current: current,
            image: image.map { StoredImage(row: $0.row, kind: $0.kind) }, type: table.structure,
            isContained: table.parent != nil, graph: transaction.graph)
        for edit in edits {
            switch edit {
            case .keepImage(let base): try images.keep(base, request: request)
            case .dropImage: try images.drop(id: row.id)
            case .hide(let stored, let isNew):
                if isNew { try images.rows.write(stored) }
                try images.rows.setState(stored.state, id: row.id)
            case .remove:
                try images.rows.delete(id: row.id)
                try transaction.links.removeAll(of: row)
            case .show(let stored): change = Change(row: stored, present: current)
            }
        }
        return change
    }

    private func write(_ change: Change, _ row: RowReference) throws {
        let access = try transaction.access(row.table)
        let stored = change.row
        func write() throws {
            if let present = change.present {
                try access.update(stored, from: present)
            } else {
                try access.write(stored)
            }
        }
        do {
            try write()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            guard try takeKey(of: stored, in: access) else {
                throw ODataError(
                    .conflict, "Expected the row's key to be free, found another row that has it.",
                    at: .path(row.table), underlying: error)
            }
            try write()
        }
    }

    /// Frees the key when only a hidden row holds it.
    private func takeKey(of stored: StoredRow, in access: RowAccess) throws -> Bool {
        guard let key = access.key(of: stored.values),
            let other = try access.row(key: key, parent: stored.parent), other.id != stored.id,
            other.state.contains(.deleted)
        else { return false }
        try access.releaseKey(id: other.id)
        return true
    }

    // MARK: Links

    private func refreshLinks(_ links: Set<LinkReference>) throws {
        guard !links.isEmpty else { return }
        let rows = Set(links.flatMap { [$0.source, $0.target] })
        let requests = try transaction.requests.requests(writing: rows)
        var added: [LinkReference] = []
        for link in links where transaction.links.table(of: link) != nil {
            let base = try transaction.links.base(link)
            let edits = LinkPlan.edits(
                of: link, requests, base: base,
                isPresent: base == nil ? try transaction.links.isPresent(link) : false,
                graph: transaction.graph)
            for edit in edits {
                switch edit {
                case .keepBase: try transaction.links.keepBase(link, request: requests.last?.id)
                case .dropBase: try transaction.links.dropBase(link)
                case .add: added.append(link)
                case .remove: try transaction.links.remove(link)
                }
            }
        }
        for link in added { try transaction.links.add(link) }
    }
}
