import ODataModel
import ODataSQL

/// Whether a row of the service is still the one that was downloaded (pure).
package struct BaseComparison: Sendable {
    package let graph: MetadataGraph
    /// Only properties that the download brought count: null may stand for one that it left out.
    package var ignoresNulls: Bool

    package init(graph: MetadataGraph, ignoresNulls: Bool = false) {
        self.graph = graph
        self.ignoresNulls = ignoresNulls
    }

    /// True when a change goes over nothing that it was not made for.
    ///
    /// Where the row shows what the service made of its last accepted change, all of it has to be as it was. Where nobody has seen
    /// that (``EntityState/unseen``), what the service did by rules of its own cannot be told from what others did: then only
    /// what the change overwrites counts, allowing for how services keep values (``ContentComparison``) and for texts in one form.
    ///
    /// - Parameters:
    ///   - isWhole: the change is sent as one that says all of the row.
    ///   - keepsForm: a text in another form is somebody's change.
    package func isUnchanged(
        _ base: StoredRow, in server: StructureValue, under request: QueuedRequest,
        isWhole: Bool = false, keepsForm: Bool = false
    ) -> Bool {
        guard base.state.contains(.unseen) else { return isUnchanged(base.values, in: server) }
        // Of a creation is known what was sent, not what the service has filled in.
        let ignoresNulls = ignoresNulls || base.state.contains(.created)
        var overwritten = base.values
        for (slot, property) in graph[base.values.type].properties.enumerated()
        where slot < overwritten.slots.count {
            let isShown = graph.shows(property.name, in: server)
            if !isShown || (ignoresNulls && overwritten.slots[slot]?.isNull == true) {
                overwritten.slots[slot] = nil
            }
        }
        if request.operation == .update(.merge), !isWhole {
            overwritten.keepOnly(request.changes)
        }
        let score = ContentComparison(graph: graph).score(of: overwritten, in: server)
        return keepsForm ? score.different == 0 : score.isKept
    }

    /// True when the row has what changes overwrite as it was when they were made. What else is different may be what the
    /// service itself made of the change before them.
    ///
    /// - Parameter own: accepted changes of the row, known to have been sent over all of it as it was. Changes that go over all
    ///   of the row need it only as those have left it: a service may keep the time of each change in it.
    package func isUnchanged(
        _ base: StoredRow, in server: StructureValue, whereOverwrittenBy changes: [QueuedRequest],
        behind own: [QueuedRequest] = []
    ) -> Bool {
        let compared = changes.flatMap { change in
            own.isEmpty || change.operation == .update(.merge) ? [change] : own
        }
        var (comparison, base) = (self, base)
        if base.state.contains(.keyOnly) { comparison.ignoresNulls = true }
        // What was seen of a creation is known, nulls too; and a text that was seen is not one in another form.
        let isSeen = !base.state.contains(.unseen)
        if isSeen { base.state.remove(.created) }
        base.state.insert(.unseen)
        return compared.allSatisfy {
            comparison.isUnchanged(base, in: server, under: $0, keepsForm: isSeen)
        }
    }

    /// True when the row has every structural value of the base, streams aside.
    package func isUnchanged(_ base: StructureValue, in server: StructureValue) -> Bool {
        let names = graph[base.type].properties
        for (slot, value) in base.slots.enumerated() where slot < names.count {
            guard let value, !names[slot].isNavigation, names[slot].type.primitive != .stream,
                !(ignoresNulls && value.isNull)
            else { continue }
            guard let other = graph[server.type].slot(named: names[slot].name),
                // What the service leaves out of an answer it does not say to be different.
                let found = other < server.slots.count ? server.slots[other] : nil
            else { continue }
            if !same(value, found) { return false }
        }
        return base.dynamicValues.allSatisfy { same($1, server.dynamicValues[$0] ?? .null) }
    }

    private func same(_ left: ODataValue, _ right: ODataValue) -> Bool {
        switch (left, right) {
        case (.scalar(let left), .scalar(let right)):
            ComparableScalar(left) == ComparableScalar(right)
        case (.structure(let left), .structure(let right)):
            isUnchanged(left, in: right)
        case (.list(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
        default: false
        }
    }
}

extension MetadataGraph {
    /// What a service leaves out of an answer it does not say to be different.
    fileprivate func shows(_ property: String, in server: StructureValue) -> Bool {
        guard let slot = self[server.type].slot(named: property) else { return false }
        return slot < server.slots.count && server.slots[slot] != nil
    }
}

extension QueuedRequest {
    /// The values that it says of its row, foreign keys included.
    fileprivate var changes: [StructureValue] {
        var changes = body.map { [$0.values] } ?? []
        for case .values(target, let values, _) in effects { changes.append(values) }
        return changes
    }
}

extension StructureValue {
    /// Drops the properties that none of the changes says anew.
    fileprivate mutating func keepOnly(_ changes: [StructureValue]) {
        for slot in slots.indices
        where !changes.contains(where: { slot < $0.slots.count && $0.slots[slot] != nil }) {
            slots[slot] = nil
        }
        dynamicValues = dynamicValues.filter { member in
            changes.contains { $0.dynamicValues[member.key] != nil }
        }
    }
}
