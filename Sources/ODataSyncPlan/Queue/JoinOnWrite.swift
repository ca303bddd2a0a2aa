import ODataModel
import ODataQuery

/// What a new request does to the ones before it, when it is recorded (offline reference, 12.3).
///
/// A request joins only into one of the same user, or one that it corrects, that was never sent, has the same change set and
/// upload group, and may be modified; everything else is appended as it is.
package struct JoinOnWrite: Sendable {
    /// An update edits the create or update before it.
    package var combinesUpdates: Bool
    /// A delete takes back the create or the updates before it.
    package var combinesDeletes: Bool
    /// Keeps requests of different transaction IDs apart.
    package var respectsTransactionIDs = true
    /// Joins also into what was listed and is taken up again. Otherwise a later change of the app stands for itself behind it:
    /// where that is listed once more, it is the correction.
    package var joinsTakenUp = false

    package init(combinesUpdates: Bool = true, combinesDeletes: Bool = true) {
        self.combinesUpdates = combinesUpdates
        self.combinesDeletes = combinesDeletes
    }

    /// The edits that record `request` behind `queue`.
    package func edits(
        recording request: QueuedRequest, behind queue: [QueuedRequest]
    ) -> [QueueEdit] {
        if case .update(let mode) = request.operation, combinesUpdates,
            let joined = joinedUpdate(request, mode, queue)
        {
            return [.replace(joined)]
        }
        if request.operation == .delete, combinesDeletes,
            let edits = joinedDelete(request, queue)
        {
            return edits
        }
        return [.append(request)]
    }

    private func mayJoin(_ earlier: QueuedRequest, _ later: QueuedRequest) -> Bool {
        earlier.state == .waiting && (joinsTakenUp || earlier.takenUp == nil) && !earlier.wasSent
            && (earlier.user == later.user || earlier.takenUp != nil)
            && earlier.changeSet == later.changeSet
            && earlier.uploadGroup == later.uploadGroup
            && (!respectsTransactionIDs || earlier.transactionID == later.transactionID)
            && !earlier.flags.contains(.unmodifiable) && !later.flags.contains(.unmodifiable)
    }

    /// What no longer fits the metadata stays as it is stored: nothing could be joined into it, and it into nothing.
    private func mayMerge(_ earlier: QueuedRequest, _ later: QueuedRequest) -> Bool {
        mayJoin(earlier, later) && earlier.misfit == nil && later.misfit == nil
    }

    // MARK: Updates

    private func joinedUpdate(
        _ update: QueuedRequest, _ mode: QueuedRequest.UpdateMode, _ queue: [QueuedRequest]
    ) -> QueuedRequest? {
        let row = update.target
        let ordered = queue.sorted(by: QueuedRequest.comesBefore)
        guard let body = update.body,
            let place = ordered.lastIndex(where: {
                $0.touchedRows.contains(row) || $0.writtenRows.contains(row)
            }),
            mayMerge(ordered[place], update), !ordered[place].operation.isLink
        else { return nil }
        var earlier = ordered[place]
        guard earlier.operation != .delete else { return nil }
        // A reference to a row that is created later cannot move in front of that creation.
        let createdLater = Set(ordered[(place + 1)...].flatMap(\.createdRows))
        guard createdLater.isDisjoint(with: update.referencedRows),
            createdLater.isDisjoint(with: body.inlineRows)
        else { return nil }
        guard place + 1 == ordered.count || !reordersReferences(update, ordered[(place + 1)...])
        else { return nil }
        // Only metadata could say which values of a creation a replacing update leaves alone.
        guard mode == .merge || (earlier.target == row && earlier.operation.isUpdate) else {
            return nil
        }
        guard Self.settle(update, in: &earlier) else { return nil }
        if earlier.target == row {
            if mode == .replace, earlier.operation.isUpdate {
                earlier.operation = .update(.replace)
            }
            earlier.body = Self.join(body, mode, into: earlier.body)
        } else {
            guard earlier.body?.change(row, { $0 = Self.join(body, mode, into: $0) }) == true
            else { return nil }
        }
        earlier.effects += update.effects
        for principal in update.principals where !earlier.principals.contains(principal) {
            earlier.principals.append(principal)
        }
        earlier.headers.merge(update.headers)
        earlier.customTag = Self.joinTags(earlier.customTag, update.customTag)
        earlier.flags.formUnion(update.flags.intersection(.rebased))
        // What was sent before was refused or never arrived, but a service may know its identity: this is another request.
        earlier.identity = RepeatabilityIdentity(id: "")
        return earlier
    }

    /// Takes provisional keys back that the update sets; false when it sets a foreign key that follows another row.
    private static func settle(_ update: QueuedRequest, in earlier: inout QueuedRequest) -> Bool {
        let set = Set(
            (update.body?.values.slots ?? []).indices.filter {
                update.body?.values.slots[$0] != nil
            })
        for place in earlier.effects.indices {
            guard case .values(update.target, var values, let principal) = earlier.effects[place]
            else { continue }
            let common = set.filter { $0 < values.slots.count && values.slots[$0] != nil }
            guard !common.isEmpty else { continue }
            guard principal == nil else { return false }
            for slot in common { values.slots[slot] = nil }
            earlier.effects[place] = .values(
                row: update.target, values: values, principal: nil)
        }
        return true
    }

    /// True when a request in between deletes or relinks something that the update refers to.
    private func reordersReferences(
        _ update: QueuedRequest, _ between: ArraySlice<QueuedRequest>
    ) -> Bool {
        let rows = update.writtenRows.subtracting([update.target]).union(update.referencedRows)
        return between.contains { !rows.isDisjoint(with: $0.writtenRows) }
    }

    private static func join(
        _ change: RequestBody, _ mode: QueuedRequest.UpdateMode, into body: RequestBody?
    ) -> RequestBody {
        guard var result = body else { return change }
        switch mode {
        case .merge:
            result.values = StructureMerge.merge(change.values, over: result.values)
        case .replace:
            result.values = change.values
        }
        for bind in change.binds {
            if let place = result.binds.firstIndex(where: { $0.navigation == bind.navigation }) {
                result.binds[place] = bind
            } else {
                result.binds.append(bind)
            }
        }
        result.inline += change.inline
        return result
    }

    /// All tags, joined with `#` (offline reference, 12.4).
    package static func joinTags(_ first: String?, _ second: String?) -> String? {
        guard let first, let second, first != second else { return first ?? second }
        return first + "#" + second
    }

    // MARK: Deletes

    private func joinedDelete(
        _ delete: QueuedRequest, _ queue: [QueuedRequest]
    ) -> [QueueEdit]? {
        let row = delete.target
        let own = queue.filter { $0.touchedRows.contains(row) }
        guard !own.isEmpty, own.allSatisfy({ mayJoin($0, delete) }) else { return nil }
        let creation = own.first { $0.operation == .create && $0.target == row }
        if let creation {
            guard (creation.body?.inline ?? []).isEmpty, own.allSatisfy({ $0.target == row }),
                !delete.hidesRows
            else { return nil }
            let ids = Set(own.map(\.id))
            let isReferenced = queue.contains {
                !ids.contains($0.id)
                    && ($0.referencedRows.contains(row) || $0.writtenRows.contains(row))
            }
            return isReferenced ? nil : own.map { .remove($0.id) }
        }
        let updates = own.filter {
            $0.operation.isUpdate && $0.target == row && ($0.body?.inline ?? []).isEmpty
                && $0.effects.allSatisfy { $0.writtenRows == [row] }
        }
        guard !updates.isEmpty, updates.count == own.count else { return nil }
        var remaining = delete
        let first = updates.min(by: QueuedRequest.comesBefore)
        remaining.ifMatch = first?.ifMatch ?? delete.ifMatch
        for update in updates {
            remaining.flags.formUnion(update.flags.intersection([.rebased, .goesOver]))
        }
        return updates.map { .remove($0.id) } + [.append(remaining)]
    }
}

extension QueuedRequest {
    /// True when other rows are hidden with the deleted one.
    package var hidesRows: Bool {
        effects.contains { if case .hide = $0 { true } else { false } }
    }
}
