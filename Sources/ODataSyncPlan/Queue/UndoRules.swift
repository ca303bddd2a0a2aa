import ODataModel

/// What undoing the changes of some rows does to the queue (offline reference, 12.7).
///
/// Requests of the rows go, except those sealed in an attempt. What other entities asked for survives: a deep
/// insert loses only the undone part, and references to a row that vanishes are cut.
package struct UndoRules: Sendable {
    private let rows: Set<RowReference>
    /// Rows that exist no more once the edits are made.
    package private(set) var vanished: Set<RowReference> = []
    package private(set) var edits: [QueueEdit] = []
    /// Requests of the rows that stay because their answer is still to come.
    package private(set) var kept: [Int64] = []

    package init(undoing rows: Set<RowReference>, in requests: [QueuedRequest]) {
        self.rows = rows
        let queue = requests.sorted(by: QueuedRequest.comesBefore)
        findVanished(queue)
        for request in queue { undo(request) }
    }

    private mutating func findVanished(_ queue: [QueuedRequest]) {
        // A contained row cannot stay without its parent, so this runs until nothing new is found; parents
        // are created before their children, so one pass in queue order is enough.
        for request in queue where !request.state.isFrozen {
            if request.isCancelled {
                if !rows.isDisjoint(with: request.touchedRows) {
                    vanished.formUnion(request.createdRows)
                }
                continue
            }
            if request.operation == .create {
                let parent = request.navigation
                let losesParent =
                    parent?.isContained == true && parent?.row.map(vanished.contains) == true
                if rows.contains(request.target) || losesParent {
                    vanished.insert(request.target)
                }
            }
            for row in request.body?.inlineRows ?? [] where rows.contains(row) {
                vanished.insert(row)
            }
        }
    }

    private mutating func undo(_ request: QueuedRequest) {
        guard !request.state.isFrozen else {
            if !rows.isDisjoint(with: request.touchedRows) { kept.append(request.id) }
            return
        }
        guard !request.isCancelled else {
            // It is taken back as a whole already, and nothing of it is sent again.
            let isGone = !rows.isDisjoint(with: request.touchedRows)
            if isGone { edits.append(.remove(request.id)) }
            return
        }
        if request.operation.isLink {
            undoLink(request)
            return
        }
        let isGone = rows.contains(request.target) || vanished.contains(request.target)
        var promoted: [RequestBody.InlineEntity] = []
        var changed = request
        if var body = changed.body {
            promoted = cutInline(&body)
            cutBinds(&body, in: &changed)
            cutKeys(&body.values, of: changed)
            if isGone {
                promoted = body.inline + promoted
                body.inline = []
            }
            changed.body = body
        }
        changed.effects.removeAll { isCut($0) }
        changed.principals.removeAll { vanished.contains($0) }
        if let parent = changed.navigation?.row, vanished.contains(parent) {
            changed.navigation = nil
        }
        let isEmptied = changed.operation.isUpdate && changed.body?.isEmpty == true
        if isGone || (isEmptied && changed != request) {
            edits.append(.remove(request.id))
        } else if changed != request {
            edits.append(.replace(reidentified(changed)))
        }
        for child in promoted { edits.append(.append(creation(of: child, from: request))) }
    }

    private mutating func undoLink(_ request: QueuedRequest) {
        var ends: Set<RowReference> = [request.target]
        if let other = request.navigation?.row { ends.insert(other) }
        ends.formUnion(request.effects.flatMap(\.writtenRows))
        if !rows.isDisjoint(with: ends) || !vanished.isDisjoint(with: ends) {
            edits.append(.remove(request.id))
        }
    }

    /// Takes undone children out of the body; returns the grandchildren that stay, to be created on their own.
    private func cutInline(_ body: inout RequestBody) -> [RequestBody.InlineEntity] {
        var promoted: [RequestBody.InlineEntity] = []
        var kept: [RequestBody.InlineEntity] = []
        for var child in body.inline {
            promoted += cutInline(&child.body)
            if vanished.contains(child.row) {
                promoted += child.body.inline
            } else {
                kept.append(child)
            }
        }
        body.inline = kept
        return promoted
    }

    /// Cuts binds to vanished rows, and binds that wrote a foreign key into an undone row.
    private func cutBinds(_ body: inout RequestBody, in request: inout QueuedRequest) {
        let written = Set(
            request.effects.flatMap { effect -> [RowReference] in
                if case .values(let row, _, _) = effect, row != request.target { [row] } else { [] }
            })
        let cut = vanished.union(written.intersection(rows))
        for place in body.binds.indices {
            body.binds[place].targets.removeAll { cut.contains($0) }
        }
        body.binds.removeAll { $0.targets.isEmpty }
        for place in body.inline.indices { cutBinds(&body.inline[place].body, in: &request) }
    }

    /// Takes out foreign keys that were to follow a row that vanishes: its key was one of our own, and is never sent.
    private func cutKeys(_ values: inout StructureValue, of request: QueuedRequest) {
        for case .values(request.target, let keys, let principal?) in request.effects
        where vanished.contains(principal) {
            for slot in keys.slots.indices where keys.slots[slot] == values.slots[slot] {
                values.slots[slot] = nil
            }
        }
    }

    private func isCut(_ effect: RequestEffect) -> Bool {
        switch effect {
        case .values(let row, _, let principal):
            rows.contains(row) || vanished.contains(row)
                || principal.map(vanished.contains) == true
        case .hide(let row):
            rows.contains(row)
        case .addLink(let link), .removeLink(let link):
            rows.contains(link.source) || vanished.contains(link.source)
                || vanished.contains(link.target)
        case .clearLinks(let source, _):
            rows.contains(source) || vanished.contains(source)
        }
    }

    /// The part of a deep insert that stays becomes a create of its own in the same place, unrelated.
    private func creation(
        of child: RequestBody.InlineEntity, from request: QueuedRequest
    ) -> QueuedRequest {
        var creation = request
        creation.id = 0
        creation.operation = .create
        creation.target = child.row
        creation.navigation = nil
        creation.body = child.body
        creation.ifMatch = nil
        creation.identity = RepeatabilityIdentity(id: "")
        let rows = Set([child.row] + child.body.inlineRows)
        creation.effects = request.effects.filter { effect in
            effect.writtenRows.allSatisfy(rows.contains) && !isCut(effect)
        }
        creation.principals = []
        if creation.state.isFailure { creation.state = .waiting }
        return creation
    }

    /// A request that changed after an answer is another request to the service.
    private func reidentified(_ request: QueuedRequest) -> QueuedRequest {
        var request = request
        if request.wasSent { request.identity = RepeatabilityIdentity(id: "") }
        if request.state.isFailure { request.state = .waiting }
        return request
    }
}
