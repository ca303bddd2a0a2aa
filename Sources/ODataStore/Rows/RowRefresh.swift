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
    /// Who wants a row in view whose key another has.
    var cause = KeyCollision.Cause.app

    /// What the caller has read of a row in this transaction, and nothing has changed since.
    struct Known {
        let row: RowReference
        let current: StoredRow?
        let image: (row: StoredRow, kind: StoredImage.Kind)?
        /// The requests that write the row, in queue order, without those being stored.
        let requests: [QueuedRequest]
    }

    /// - Parameters:
    ///   - stored: Requests that were stored just now, which are not read again.
    ///   - known: A row that is not read again; `stored` has all that was changed of its requests since.
    /// - Throws: `conflict` when a row that the app wants back cannot come because another has its key by now.
    func refresh(
        _ rows: Set<RowReference>, links: Set<LinkReference> = [], request: Int64? = nil,
        stored: [QueuedRequest] = [], known: Known? = nil
    ) throws {
        let requests: RequestsByRow
        if let known, rows.count == 1, rows.contains(known.row) {
            requests = RequestsByRow(
                (known.requests + stored).sorted(by: QueuedRequest.comesBefore))
        } else {
            requests = RequestsByRow(
                try transaction.requests.requests(writing: rows, known: stored))
        }
        // Hidden and vanishing rows first, so that the keys they give up are free for the others.
        var visible: [(Change, RowReference)] = []
        var places: Set<Place> = []
        // Rows of sets that the metadata has no more are out of view.
        for row in rows.sorted() where transaction.mapping.table(path: row.table) != nil {
            let known = known?.row == row ? known : nil
            if let change = try refresh(row, requests.writing(row), request, &places, known) {
                visible.append((change, row))
            }
        }
        // Of two rows with one key the one that the service has is shown.
        let known = visible.partition { $0.0.isUnsent }
        for (change, row) in visible[..<known] + visible[known...] { try write(change, row) }
        try bringBack(places, except: rows)
        try refreshLinks(links)
    }

    // MARK: Rows

    /// A row to write, and as it stands; nil where there is none yet.
    private struct Change {
        var row: StoredRow
        var present: StoredRow?
        /// The service does not have it.
        var isUnsent = false
    }

    /// Where keys tell rows apart: a table, or the part of it that hangs on one row.
    private struct Place: Hashable {
        var table: String
        var parent: Int64?
    }

    /// Carries out what hides the row or takes it away; returns what is to be written.
    private func refresh(
        _ row: RowReference, _ requests: [QueuedRequest], _ request: Int64?,
        _ left: inout Set<Place>, _ known: Known?
    ) throws -> Change? {
        let images = try transaction.images(row.table)
        let (current, image) =
            if let known { (known.current, known.image) } else {
                (try images.rows.row(id: row.id), try images.image(id: row.id))
            }
        let table = images.rows.table
        var change: Change?
        let edits = RowPlan.edits(
            of: row, requests.filter { $0.shapes(row) }, current: current,
            image: image.map { StoredImage(row: $0.row, kind: $0.kind) }, type: table.structure,
            isContained: table.parent != nil, graph: transaction.graph)
        for edit in edits {
            switch edit {
            case .keepImage: try images.rows.keepImage(id: row.id, request: request)
            case .dropImage: try images.drop(id: row.id)
            case .hide(let stored, let isNew):
                if isNew { try images.rows.write(stored) }
                try images.rows.setState(stored.state, id: row.id)
            case .remove:
                if let image, try isKept(row, table, image) {
                    change = Change(row: image.row, present: current)
                    continue
                }
                left.insert(Place(table: row.table, parent: current?.parent))
                try images.rows.delete(id: row.id)
                try transaction.links.removeAll(of: row)
            case .show(let stored):
                change = Change(
                    row: stored, present: current,
                    isUnsent: image == nil && stored.isUnsentCreation)
            }
        }
        return change
    }

    /// A row that nobody holds any more waits for what it contains, too; it goes with the next download then.
    private func isKept(
        _ row: RowReference, _ table: TableMapping,
        _ image: (row: StoredRow, kind: StoredImage.Kind)?
    ) throws -> Bool {
        let removals = RowRemovals(
            table: table, mapping: transaction.mapping, database: transaction.database)
        guard image?.row.sources == RowHolds.nobody, image?.kind == .present,
            let changes = removals.hasChangedChildren("t"), let id = table.system.id
        else { return false }
        return try Int64.fetchOne(
            transaction.database.cachedStatement(
                sql:
                    "SELECT 1 FROM \(SQLName.quoted(table.name)) t WHERE t.\(SQLName.quoted(id)) = ?"
                    + " AND \(changes)"), arguments: [row.id]) != nil
    }

    private func write(_ change: Change, _ row: RowReference) throws {
        let access = try transaction.access(row.table)
        var stored = change.row
        // A row whose key is another one by new metadata stands for its requests only.
        if !access.table.keyColumns.isEmpty, access.key(of: stored.values) == nil {
            stored.state.insert(.deleted)
        }
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
            let holder = try access.key(of: stored.values)
                .flatMap { try access.row(key: $0, parent: stored.parent) }
            switch KeyCollision(of: stored, with: holder, because: cause) {
            case .takeKey:
                if let holder { try access.releaseKey(id: holder.id) }
                try write()
            case .stayOut(var hidden):
                if change.present == nil {
                    access.clearKey(of: &hidden.values)
                    try access.write(hidden)
                } else {
                    try access.releaseKey(id: hidden.id)
                    try access.setState(hidden.state, id: hidden.id)
                }
            case .refuse:
                throw ODataError(
                    .conflict, "Expected the row's key to be free, found another row that has it.",
                    at: .path(row.table), underlying: error)
            }
        }
    }

    /// Rows that stay out of view because others had their keys come back when those have gone.
    private func bringBack(_ places: Set<Place>, except rows: Set<RowReference>) throws {
        for place in places {
            let table = try transaction.table(place.table)
            let hidden = try transaction.access(table).hiddenWithoutKey(parent: place.parent)
                .map { RowReference(table: place.table, id: $0) }.filter { !rows.contains($0) }
            guard !hidden.isEmpty else { continue }
            try RowRefresh(transaction: transaction, cause: .service).refresh(Set(hidden))
        }
    }

    // MARK: Links

    private func refreshLinks(_ links: Set<LinkReference>) throws {
        guard !links.isEmpty else { return }
        let rows = Set(links.flatMap { [$0.source, $0.target] })
        let requests = RequestsByRow(try transaction.requests.requests(writing: rows))
        var added: [LinkReference] = []
        for link in links where transaction.links.table(of: link) != nil {
            let base = try transaction.links.base(link)
            let edits = LinkPlan.edits(
                of: link, requests.changing(link), base: base,
                isPresent: base == nil ? try transaction.links.isPresent(link) : false,
                graph: transaction.graph)
            for edit in edits {
                switch edit {
                case .keepBase: try transaction.links.keepBase(link, request: requests.last)
                case .dropBase: try transaction.links.dropBase(link)
                case .add: added.append(link)
                case .remove: try transaction.links.remove(link)
                }
            }
        }
        for link in added { try transaction.links.add(link) }
    }
}
