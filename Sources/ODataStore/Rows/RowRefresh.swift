import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings rows and links to what `fold(base, requests)` says, after the queue or a base image changed.
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
        for row in rows.sorted() {
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

    /// Handles the row when it is to be hidden or gone; otherwise returns what is to be written.
    private func refresh(
        _ row: RowReference, _ requests: [QueuedRequest], _ request: Int64?
    ) throws -> Change? {
        let images = try transaction.images(row.table)
        let own = requests.filter { $0.shapes(row) }
        let current = try images.rows.row(id: row.id)
        var image = try images.image(id: row.id)
        let isCreatedHere = own.contains { $0.createdRows.contains(row) }
        if image == nil, !isCreatedHere, let current, !Self.isUnsentCreation(current.state),
            !current.state.contains(.deleted), !own.isEmpty
        {
            try images.keep(current, request: request)
            image = (current, .present)
        }
        guard !own.isEmpty else {
            return try restore(row, images, current, image)
        }
        let base: BaseImage
        switch image?.kind {
        case .present?: base = .present(image?.row.values ?? Self.empty(row, transaction))
        case .tombstone?: base = .tombstone(image?.row.values ?? Self.empty(row, transaction))
        case nil: base = .absent
        }
        let state = QueueFold(graph: transaction.graph).state(of: row, base: base, requests: own)
        var stored =
            current ?? image?.row
            ?? StoredRow(id: row.id, values: Self.empty(row, transaction))
        stored.id = row.id
        stored.state = Self.state(image?.row.state, own, row, state)
        guard let values = state.values else {
            stored.state.insert(.deleted)
            if current == nil { try images.rows.write(stored) }
            try images.rows.setState(stored.state, id: row.id)
            return nil
        }
        let etag = image?.row.values.control.etag ?? stored.values.control.etag
        stored.values = values
        stored.values.control.etag = etag
        if current == nil || Self.isUnsentCreation(stored.state) {
            try complete(&stored, row, own)
        }
        return Change(row: stored, present: current)
    }

    /// No request writes the row any more: it becomes its base image, or goes.
    private func restore(
        _ row: RowReference, _ images: BaseImages, _ current: StoredRow?,
        _ image: (row: StoredRow, kind: BaseImages.Kind)?
    ) throws -> Change? {
        switch image?.kind {
        case .present?:
            try images.drop(id: row.id)
            return image.map { Change(row: $0.row, present: current) }
        case .tombstone?:
            try images.drop(id: row.id)
            try images.rows.delete(id: row.id)
            try transaction.links.removeAll(of: row)
        case nil:
            guard let current, Self.isUnsentCreation(current.state) else { break }
            try images.rows.delete(id: row.id)
            try transaction.links.removeAll(of: row)
        }
        return nil
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

    /// What a row created here has beside its values: the containing row, and links that can be resolved locally.
    private func complete(
        _ stored: inout StoredRow, _ row: RowReference, _ requests: [QueuedRequest]
    ) throws {
        guard let creation = requests.first(where: { $0.createdRows.contains(row) }) else { return }
        stored.control = LocalLink.control(for: row)
        let table = try transaction.table(row.table)
        guard table.parent != nil else { return }
        if creation.target == row {
            stored.parent = creation.navigation?.row?.id
        } else if let parent = creation.body.flatMap({ Self.parent(of: row, in: $0) }) {
            stored.parent = parent.id
        } else {
            stored.parent = creation.target.id
        }
    }

    private static func parent(of row: RowReference, in body: RequestBody) -> RowReference? {
        for child in body.inline {
            if child.body.inline.contains(where: { $0.row == row }) { return child.row }
            if let found = parent(of: row, in: child.body) { return found }
        }
        return nil
    }

    // MARK: States

    /// A row that only exists here: created, and its creation not accepted.
    static func isUnsentCreation(_ state: EntityState) -> Bool {
        state.isSuperset(of: [.created, .pending])
    }

    private static func empty(
        _ row: RowReference, _ transaction: StoreTransaction
    ) -> StructureValue {
        guard let type = transaction.mapping.table(path: row.table)?.structure else {
            return StructureValue(type: StructureID(0), slots: [])
        }
        return StructureValue(type: type, in: transaction.graph)
    }

    private static func state(
        _ base: EntityState?, _ requests: [QueuedRequest], _ row: RowReference, _ folded: RowState
    ) -> EntityState {
        var state = base?.intersection([.created, .updated, .linked, .upserted]) ?? []
        if base == nil { state.insert(.created) }
        for request in requests {
            guard request.target == row, !request.operation.isLink else {
                state.insert(.linked)
                continue
            }
            if request.operation != .create { state.insert(.updated) }
        }
        // Rows with requests are what downloads must not overwrite, whoever the requests belong to.
        state.insert(.pending)
        if folded.flags.contains(.inErrorState) { state.insert(.error) }
        if folded.flags.contains(.isDeleteError) { state.insert(.deleteError) }
        return state
    }

    // MARK: Links

    private func refreshLinks(_ links: Set<LinkReference>) throws {
        guard !links.isEmpty else { return }
        let rows = Set(links.flatMap { [$0.source, $0.target] })
        let requests = try transaction.requests.requests(writing: rows)
        let fold = QueueFold(graph: transaction.graph)
        var added: [LinkReference] = []
        for link in links {
            let isChanged = requests.contains { $0.changes(link) }
            if isChanged { try transaction.links.keepBase(link, request: requests.last?.id) }
            let base = try transaction.links.base(link)
            let isPresent: Bool
            if isChanged {
                isPresent = fold.links(base: base == true ? [link] : [], requests: requests)
                    .contains(link)
            } else {
                guard let base else { continue }
                isPresent = base
                try transaction.links.dropBase(link)
            }
            if isPresent { added.append(link) } else { try transaction.links.remove(link) }
        }
        for link in added { try transaction.links.add(link) }
    }
}

extension QueuedRequest {
    /// True when the values or the visibility of the row depend on this request, or its flags do.
    func shapes(_ row: RowReference) -> Bool {
        touchedRows.contains(row)
            || effects.contains { effect in
                switch effect {
                case .values(row, _, _), .hide(row): true
                default: false
                }
            }
    }

    /// True when an effect adds, removes or clears this very link.
    func changes(_ link: LinkReference) -> Bool {
        effects.contains { effect in
            switch effect {
            case .addLink(link), .removeLink(link): true
            case .clearLinks(link.source, link.navigation): true
            default: false
            }
        }
    }

    /// The links that effects name.
    var changedLinks: Set<LinkReference> {
        Set(
            effects.compactMap { effect in
                switch effect {
                case .addLink(let link), .removeLink(let link): link
                default: nil
                }
            })
    }
}
