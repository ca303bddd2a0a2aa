import ODataModel
import ODataSQL

/// What brings a row to `fold(base, requests)` after the queue or its base image changed: state → edits (docs/design.md,
/// decision 6).
package enum RowPlan {
    package enum Edit: Sendable, Hashable {
        /// The row as it stands is what the service last said: it becomes the base image.
        case keepImage(StoredRow)
        case dropImage
        /// Out of view; a row that is not there yet is written first.
        case hide(StoredRow, isNew: Bool)
        /// The row goes, and every link of it.
        case remove
        /// What is in view. Carried out after the edits of all rows, so that keys which others give up are free.
        case show(StoredRow)
    }

    /// - Parameters:
    ///   - requests: those that shape the row, see ``QueuedRequest/shapes(_:)``.
    ///   - current: the row as it stands; nil where there is none.
    ///   - type: the declared type of its table.
    ///   - isContained: rows of its table hang on others.
    package static func edits(
        of row: RowReference, _ requests: [QueuedRequest], current: StoredRow?,
        image: StoredImage?, type: StructureID, isContained: Bool, graph: MetadataGraph
    ) -> [Edit] {
        guard !requests.isEmpty else { return restored(current, image) }
        var edits: [Edit] = []
        var image = image
        let isCreatedHere = requests.contains { $0.createdRows.contains(row) }
        if image == nil, !isCreatedHere, let current, !current.isUnsentCreation,
            !current.state.contains(.deleted)
        {
            edits.append(.keepImage(current))
            image = StoredImage(row: current, kind: .present)
        }
        let base: BaseImage
        switch image?.kind {
        case .present?: base = .present(image?.row.values ?? StructureValue(type: type, in: graph))
        case .tombstone?:
            base = .tombstone(image?.row.values ?? StructureValue(type: type, in: graph))
        case nil: base = .absent
        }
        let folded = QueueFold(graph: graph).state(of: row, base: base, requests: requests)
        var stored =
            current ?? image?.row
            ?? StoredRow(id: row.id, values: StructureValue(type: type, in: graph))
        stored.id = row.id
        stored.state = state(image?.row.state, requests, row, folded)
        guard let values = folded.values else {
            stored.state.insert(.deleted)
            return edits + [.hide(stored, isNew: current == nil)]
        }
        let etag = image?.row.values.control.etag ?? stored.values.control.etag
        stored.values = values
        stored.values.control.etag = etag
        if current == nil || stored.isUnsentCreation {
            complete(&stored, row, requests, isContained)
        }
        return edits + [.show(stored)]
    }

    /// No request writes the row any more: it becomes its base image, or goes.
    private static func restored(_ current: StoredRow?, _ image: StoredImage?) -> [Edit] {
        switch image?.kind {
        // Its last source has gone meanwhile, and has left it to its changes alone.
        case .present? where image?.row.sources == RowHolds.nobody: [.dropImage, .remove]
        case .present?: [.dropImage] + (image.map { [.show($0.row)] } ?? [])
        case .tombstone?: [.dropImage, .remove]
        case nil: current?.isUnsentCreation == true ? [.remove] : []
        }
    }

    /// What a row created here has beside its values: the containing row, and links that can be resolved locally.
    private static func complete(
        _ stored: inout StoredRow, _ row: RowReference, _ requests: [QueuedRequest],
        _ isContained: Bool
    ) {
        guard let creation = requests.first(where: { $0.createdRows.contains(row) }) else { return }
        // A row that is made again after the service has lost it keeps its links.
        if row.id < 0 { stored.control = LocalLink.control(for: row) }
        guard isContained else { return }
        if creation.target == row {
            stored.parent = creation.navigation?.row?.id
        } else if let parent = creation.body.flatMap({ parent(of: row, in: $0) }) {
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

    private static func state(
        _ base: EntityState?, _ requests: [QueuedRequest], _ row: RowReference, _ folded: RowState
    ) -> EntityState {
        var state = base?.intersection(.ofService) ?? []
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
}

/// What brings a link to what base and queue say of it: state → edits.
package enum LinkPlan {
    package enum Edit: Sendable, Hashable {
        /// The link as it stands is what the service last said.
        case keepBase
        case dropBase
        case add
        case remove
    }

    /// - Parameters:
    ///   - requests: those that write one of its ends, in queue order.
    ///   - base: what the service last said; nil where the link is not changed here, or only its present state is known.
    ///   - isPresent: whether the link stands now.
    package static func edits(
        of link: LinkReference, _ requests: [QueuedRequest], base: Bool?, isPresent: Bool,
        graph: MetadataGraph
    ) -> [Edit] {
        guard requests.contains(where: { $0.changes(link) }) else {
            guard let base else { return [] }
            return [.dropBase, base ? .add : .remove]
        }
        let before = base ?? isPresent
        let links = QueueFold(graph: graph).links(base: before ? [link] : [], requests: requests)
        return (base == nil ? [.keepBase] : []) + [links.contains(link) ? .add : .remove]
    }
}

extension QueuedRequest {
    /// True when the values or the visibility of the row depend on this request, or its flags do.
    package func shapes(_ row: RowReference) -> Bool {
        touchedRows.contains(row)
            || effects.contains { effect in
                switch effect {
                case .values(row, _, _), .hide(row): true
                default: false
                }
            }
    }

    /// True when an effect adds, removes or clears this very link.
    package func changes(_ link: LinkReference) -> Bool {
        effects.contains { effect in
            switch effect {
            case .addLink(link), .removeLink(link): true
            case .clearLinks(link.source, link.navigation): true
            default: false
            }
        }
    }

    /// The links that effects name.
    package var changedLinks: Set<LinkReference> {
        Set(
            effects.compactMap { effect in
                switch effect {
                case .addLink(let link), .removeLink(let link): link
                default: nil
                }
            })
    }
}
