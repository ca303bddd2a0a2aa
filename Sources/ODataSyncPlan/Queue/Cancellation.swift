import ODataText

/// What the app's cancelling and undoing do to the queue: state → edits (pure). Here alone it is decided.
///
/// What nobody was sent goes at once. What was sent and has no answer yet cannot be taken back: it is marked, is not sent again
/// by anything, and goes once it is known that it had no effect. Where it had one it stays as any change that was accepted.
package struct Cancellation: Sendable {
    package private(set) var edits: [QueueEdit] = []
    /// The requests that leave the queue.
    package private(set) var gone: Set<Int64> = []
    /// Requests without an answer that are marked, in queue order.
    package private(set) var open: [Int64] = []
    /// Requests without an answer that concern other rows as well, so that they stay as they are.
    package private(set) var kept: [Int64] = []

    /// Drops requests and all that depend on them (offline reference, 12.8).
    ///
    /// - Parameter ids: nil means every request.
    package init(of ids: Set<Int64>?, in requests: [QueuedRequest]) {
        let meant = ids ?? Set(requests.map(\.id))
        let closure = RequestDependencies(requests).closure(
            of: meant.intersection(requests.map(\.id)))
        for request in requests.sorted(by: QueuedRequest.comesBefore)
        where closure.contains(request.id) {
            if request.state.isFrozen {
                mark(request)
            } else {
                gone.insert(request.id)
                edits.append(.remove(request.id))
            }
        }
    }

    /// Takes the changes of some rows back (offline reference, 12.7).
    package init(undoing rows: Set<RowReference>, in requests: [QueuedRequest]) {
        let rules = UndoRules(undoing: rows, in: requests)
        edits = rules.edits
        gone = Set(
            rules.edits.compactMap { if case .remove(let id) = $0 { id } else { nil } })
        for request in requests.sorted(by: QueuedRequest.comesBefore)
        where rules.kept.contains(request.id) {
            // One request makes several rows: the others were not to be undone.
            if rows.isSuperset(of: request.touchedRows) {
                mark(request)
            } else {
                kept.append(request.id)
            }
        }
    }

    private mutating func mark(_ request: QueuedRequest) {
        open.append(request.id)
        guard !request.flags.contains(.cancelled) else { return }
        var request = request
        request.flags.insert(.cancelled)
        edits.append(.replace(request))
    }

    /// Names what has no answer yet; nil where all is done.
    package var error: ODataError? {
        guard !open.isEmpty || !kept.isEmpty else { return nil }
        let ids = open + kept
        let numbers = ids.prefix(10).map(String.init).joined(separator: ", ")
        let more = ids.count > 10 ? " and \(ids.count - 10) more" : ""
        let fate =
            kept.isEmpty
            ? "it is not sent again, and is dropped once an upload finds that it had no effect"
            : "the next upload looks what became of it"
        return ODataError(
            .conflict,
            "Expected changes that were not sent: request \(numbers)\(more) has no answer yet; \(fate).",
            underlying: OpenRequests(ids: ids))
    }

    /// What happens once it is known that a marked request had no effect.
    ///
    /// Changes that the app has made since stay. Where they cannot be without the entity that the request was to make, it is
    /// listed with them: nothing of that is sent, and the app decides.
    package static func dropped(
        _ request: QueuedRequest, in queue: [QueuedRequest]
    ) -> [QueueEdit] {
        var free = request
        free.state = .waiting
        let all = queue.map { $0.id == request.id ? free : $0 }
        let gone = RequestDependencies.discarding([request.id], in: all)
        let made = Set(request.createdRows)
        let isKept = all.contains { later in
            let isMoot = later.operation == .delete && made.contains(later.target)
            return gone.contains(later.id) && later.id != request.id && !isMoot
        }
        guard isKept else { return gone.sorted().map { .remove($0) } }
        free.state = .failed(.cancelled)
        free.takenUp = nil
        free.flags.remove(.open)
        return [.replace(free)]
    }
}

/// The cause beneath the error about changes that were sent and have no answer yet.
package struct OpenRequests: Error, Sendable, Hashable {
    /// Their ids, in queue order.
    package var ids: [Int64]

    package init(ids: [Int64]) { self.ids = ids }
}

extension RequestFailure {
    /// Of a creation that was cancelled and had no effect, while later changes are about what it was to make.
    static let cancelled = RequestFailure(
        status: 0, code: "Cancelled",
        message: "It was cancelled and had no effect, and later changes depend on it.")
}

extension QueuedRequest {
    /// The app has cancelled it while it had no answer: nothing sends it again.
    package var isCancelled: Bool { flags.contains(.cancelled) }
}

extension AnswerRule {
    /// What an answer means for a request that the app has cancelled meanwhile.
    ///
    /// Of what can be told later by the rows of a download, the creation of an entity, that is waited for.
    func afterCancelling(_ request: QueuedRequest) -> AnswerRule {
        switch self {
        case .accept, .stay, .drop: return self
        case .wait, .waitTurnedAway(isOpen: false), .become(.failed): return .drop
        case .become(let state), .forgotten(let state):
            return request.operation == .create && state.isUnknown ? self : .drop
        case .waitOpen, .waitTurnedAway(isOpen: true):
            guard request.operation == .create else { return .drop }
            return .become(
                .unknown(
                    reason: "It was cancelled, and nobody can tell what became of a sending of it"
                        + " that had no answer."))
        }
    }
}
