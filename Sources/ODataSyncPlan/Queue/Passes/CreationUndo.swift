/// Takes back entities that were created and deleted here, so that the service never hears of them (offline
/// reference, 12.5): create, updates and delete go, whatever their transactions and flags.
///
/// A delete that cascades takes children with it when they were created here, too. Whenever sending could leave the
/// service in another state than not sending, everything is sent: when the delete reaches a row of the service, when a
/// request of another entity refers to the row, or when a request changes another row with it.
package struct CreationUndo: Sendable {
    package private(set) var edits: [QueueEdit] = []

    private let queue: [QueuedRequest]
    /// Rows that exist only because of requests which are not sent yet.
    private let created: Set<RowReference>

    package init(queue: [QueuedRequest], selected: Set<Int64>) {
        self.queue = queue
        func isOpen(_ request: QueuedRequest) -> Bool {
            request.state == .waiting && !request.wasSent && selected.contains(request.id)
        }
        let sealed = Set(queue.filter { !isOpen($0) }.flatMap(\.touchedRows))
        created = Set(queue.filter(isOpen).flatMap(\.createdRows)).subtracting(sealed)
        var candidates = queue.filter { isOpen($0) && $0.operation == .delete }.map(Self.reach)
            .filter { $0.isSubset(of: created) }
        // One candidate may be the only one that refers to another, so they are dropped until nothing changes.
        while true {
            let doomed = candidates.reduce(into: Set<RowReference>()) { $0.formUnion($1) }
            let tied = tiedRows(doomed)
            let remaining = candidates.filter { $0.isDisjoint(with: tied) }
            if remaining.count == candidates.count { break }
            candidates = remaining
        }
        let doomed = candidates.reduce(into: Set<RowReference>()) { $0.formUnion($1) }
        guard !doomed.isEmpty else { return }
        let rules = UndoRules(undoing: doomed, in: queue)
        if rules.kept.isEmpty { edits = rules.edits }
    }

    /// The rows that a delete takes away.
    private static func reach(of delete: QueuedRequest) -> Set<RowReference> {
        var rows: Set<RowReference> = [delete.target]
        for case .hide(let row) in delete.effects { rows.insert(row) }
        return rows
    }

    /// The rows of `doomed` that cannot go without changing what happens to others.
    private func tiedRows(_ doomed: Set<RowReference>) -> Set<RowReference> {
        var tied: Set<RowReference> = []
        for request in queue {
            if doomed.contains(request.target) {
                let changed = request.effects.flatMap(Self.changedRows)
                if !doomed.isSuperset(of: changed) { tied.insert(request.target) }
            } else {
                // Inserted with another entity, the row is cut out of that request.
                let inserted = Set(request.body?.inlineRows ?? [])
                tied.formUnion(doomed.intersection(request.referencedRows).subtracting(inserted))
            }
        }
        return tied
    }

    /// The rows whose own values or to-one links an effect changes.
    private static func changedRows(_ effect: RequestEffect) -> [RowReference] {
        switch effect {
        case .values(let row, _, _), .hide(let row): [row]
        case .clearLinks(let source, _): [source]
        case .removeLink(let link): [link.source, link.target]
        case .addLink: []
        }
    }
}
