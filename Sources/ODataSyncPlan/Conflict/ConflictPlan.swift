import ODataModel

/// What a decision about a conflict does to base image and queue: state → edits (pure).
package struct ConflictPlan: Sendable {
    /// What the service is known to have from now on.
    package enum Image: Sendable, Hashable {
        case present(StructureValue)
        case tombstone
        /// Nothing, and the row is to be created there.
        case absent
    }

    package private(set) var image: Image
    package private(set) var edits: [QueueEdit] = []
    /// Nil where both sides end as they were.
    package private(set) var overwrite: Overwrite?
    /// The request, or what has come in its place, waits to be sent.
    package private(set) var isSentAgain = false

    private let conflict: WriteConflict
    private let graph: MetadataGraph
    private let queue: [QueuedRequest]
    private var request: QueuedRequest { conflict.request }

    /// - Parameters:
    ///   - policy: the name of who decided.
    ///   - isContained: the row is created through its parent only.
    /// - Returns: nil when nothing is decided: the outcome says so, or it cannot be carried out.
    package init?(
        _ conflict: WriteConflict, _ outcome: WriteConflictOutcome, policy: String,
        queue: [QueuedRequest], graph: MetadataGraph, isContained: Bool = false
    ) {
        self.conflict = conflict
        self.graph = graph
        self.queue = queue
        image = conflict.server.map { .present($0) } ?? .tombstone
        let isGoneOnBothSides = conflict.server == nil && conflict.request.operation == .delete
        switch outcome {
        case _ where isGoneOnBothSides: takeServer(policy)
        case .leave: return nil
        case .takeServer: takeServer(policy)
        case .keepLocal, .merged:
            var merged: StructureValue?
            if case .merged(let values) = outcome {
                guard values.type == (conflict.server ?? conflict.local ?? conflict.base)?.type
                else { return nil }
                merged = values
            }
            guard let server = conflict.server else {
                guard !isContained, let row = merged ?? conflict.local else { return nil }
                create(row, policy)
                return
            }
            if let merged {
                merge(merged, over: server, policy)
            } else {
                guard let again = sentAgain(over: server) else { return nil }
                send(again)
                let after: StructureValue? =
                    request.operation == .delete
                    ? nil : Self.state(after: request, over: server, graph)
                note(.service, before: server, after: after, policy)
            }
        }
    }

    // MARK: Outcomes

    private mutating func takeServer(_ policy: String) {
        let rules = UndoRules(undoing: [request.target], in: queue)
        edits = rules.edits + released(without: Set(rules.edits.compactMap(\.id)))
        note(.local, before: conflict.local, after: conflict.server, policy)
    }

    /// The service's row is gone: the client's is made anew, with all that is known of it.
    private mutating func create(_ row: StructureValue, _ policy: String) {
        var values = row
        values.control = ControlInformation()
        for (slot, property) in graph[row.type].properties.enumerated()
        where slot < values.slots.count {
            let isOurs =
                !property.isNavigation && property.type.primitive != .stream
                && !property.isMadeByService
            if !isOurs || values.slots[slot] == .null { values.slots[slot] = nil }
        }
        var creation = renewed(request)
        creation.operation = .create
        creation.body = RequestBody(values: values)
        creation.ifMatch = nil
        creation.flags.remove(.rebased)
        creation.navigation = nil
        image = .absent
        send(creation)
        note(.service, before: nil, after: values, policy)
    }

    private mutating func merge(
        _ merged: StructureValue, over server: StructureValue, _ policy: String
    ) {
        let change = difference(from: server, to: merged)
        var body = RequestBody(values: change)
        if request.operation.isUpdate {
            body.binds = request.body?.binds ?? []
            body.inline = request.body?.inline ?? []
        }
        guard !body.isEmpty else { return takeServer(policy) }
        guard var update = sentAgain(over: server) else { return }
        update.operation = .update(.merge)
        update.body = body
        if request.operation == .delete { update.effects = [] }
        // Foreign keys that the merged row sets itself follow no other row.
        update.effects.removeAll { effect in
            guard case .values(request.target, let values, _) = effect else { return false }
            return values.slots.indices.contains {
                values.slots[$0] != nil && change.slots[$0] != nil
            }
        }
        send(update)
        note(.service, before: server, after: StructureMerge.merge(change, over: server), policy)
    }

    // MARK: Parts

    /// The request for the row as the service has it now; nil where the service does not say its tag.
    private func sentAgain(over server: StructureValue) -> QueuedRequest? {
        var again = renewed(request)
        again.flags.remove(.rebased)
        if let tag = server.control.etag {
            again.ifMatch = tag
        } else if request.ifMatch != nil {
            return nil
        }
        return again
    }

    /// A request that the service has answered is another one when it goes again.
    private func renewed(_ request: QueuedRequest) -> QueuedRequest {
        var again = request
        again.state = .waiting
        if !again.flags.contains(.open) { again.identity = RepeatabilityIdentity(id: "") }
        return again
    }

    private mutating func send(_ request: QueuedRequest) {
        isSentAgain = true
        edits = [.replace(request)] + released(without: [request.id])
    }

    /// What was held back by the refusal waits again, and so do those that were refused with it in one change set.
    private func released(without others: Set<Int64>) -> [QueueEdit] {
        queue.compactMap { other in
            guard other.id != request.id, !others.contains(other.id) else { return nil }
            if other.state == .blocked(by: request.id) {
                var other = other
                other.state = .waiting
                return .replace(other)
            }
            guard let name = request.changeSet, other.changeSet == name,
                let failure = other.state.failure, failure.status == request.state.failure?.status
            else { return nil }
            return .replace(renewed(other))
        }
    }

    private mutating func note(
        _ side: Overwrite.Side, before: StructureValue?, after: StructureValue?, _ policy: String
    ) {
        let found = Overwrite(
            request: request.id, row: request.target, policy: policy, side: side, before: before,
            after: after)
        overwrite = found.properties(in: graph).isEmpty ? nil : found
    }

    private static func state(
        after request: QueuedRequest, over server: StructureValue, _ graph: MetadataGraph
    ) -> StructureValue {
        var request = request
        request.state = .waiting
        return QueueFold(graph: graph).state(
            of: request.target, base: .present(server), requests: [request]
        ).values ?? server
    }

    /// The structural values of `new` that are others than those of `old`, key and what the service makes itself aside.
    private func difference(from old: StructureValue, to new: StructureValue) -> StructureValue {
        let definition = graph[new.type]
        let keys = Set(definition.key.map { $0.path.split(separator: "/").first.map(String.init) })
        var change = StructureValue(type: new.type, in: graph)
        for (slot, property) in definition.properties.enumerated()
        where slot < new.slots.count && !property.isNavigation && !keys.contains(property.name) {
            guard let value = new.slots[slot], value != old.slots[slot],
                property.type.primitive != .stream,
                !property.isMadeByService
            else { continue }
            change.slots[slot] = value
        }
        change.dynamicValues = new.dynamicValues.filter { old.dynamicValues[$0] != $1 }
        return change
    }
}

extension QueueEdit {
    /// The request that is replaced or removed.
    fileprivate var id: Int64? {
        switch self {
        case .append: nil
        case .replace(let request): request.id
        case .remove(let id): id
        }
    }
}
