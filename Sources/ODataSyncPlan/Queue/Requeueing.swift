/// What becomes of refused requests when an upload begins: state → edits (pure).
///
/// The same request goes again with the same entity tag and the same identity, unless the app has changed its row since:
/// that change corrects it. One that has no tag, and was listed because its row is another one by now, stays listed until the
/// app has said what becomes of it: a download may have brought that row since, and nothing else would keep it from being sent.
package struct Requeueing: Sendable {
    /// Requests that wait again as they were.
    package private(set) var unchanged: [QueuedRequest] = []
    /// Refused requests that a later change corrects.
    package private(set) var corrected: [QueuedRequest] = []
    /// Requests that were listed for a row that is another one by now, of which the app has said nothing since.
    package private(set) var undecided: [QueuedRequest] = []
    /// What waited behind those, or goes only together with them, held back by them.
    package private(set) var heldBack: [QueuedRequest] = []
    /// The rows of the corrected requests.
    package var correctedRows: Set<RowReference> { Set(corrected.map(\.target)) }

    /// - Parameter held: requests that stay as they are.
    package init(_ requests: [QueuedRequest], without held: Set<Int64>) {
        let corrections = Self.corrections(in: requests)
        func isCorrected(_ request: QueuedRequest) -> Bool {
            guard !request.operation.isLink, let last = corrections[request.target] else {
                return false
            }
            return QueuedRequest.comesBefore(request, last)
        }
        undecided = requests.filter {
            !held.contains($0.id) && $0.isListedForAnotherRow && !isCorrected($0)
        }
        let causes = Self.causes(undecided, in: requests)
        for request in requests where !held.contains(request.id) {
            if let cause = causes[request.id] {
                guard request.state == .waiting else { continue }
                var request = request
                request.state = .blocked(by: cause)
                heldBack.append(request)
                continue
            }
            switch request.state {
            case .failed where isCorrected(request): corrected.append(request)
            case .failed, .blocked: unchanged.append(request)
            case .waiting, .frozen, .unknown: continue
            }
        }
        for place in unchanged.indices {
            unchanged[place].takenUp = unchanged[place].state
            unchanged[place].state = .waiting
        }
    }

    /// The last change of each row that corrects what was refused before it.
    private static func corrections(
        in requests: [QueuedRequest]
    ) -> [RowReference: QueuedRequest] {
        // What waited behind it before it was refused says nothing about that.
        let waiting = requests.filter {
            $0.state == .waiting && $0.takenUp == nil && !$0.wasSent && $0.operation.isUpdate
        }
        return Dictionary(
            waiting.map { ($0.target, $0) },
            uniquingKeysWith: { QueuedRequest.comesBefore($0, $1) ? $1 : $0 })
    }

    /// What is held back by requests that stay listed, these included, each with the one that does it: what depends on them,
    /// and what the service is to take only together with them.
    private static func causes(
        _ listed: [QueuedRequest], in requests: [QueuedRequest]
    ) -> [Int64: Int64] {
        guard !listed.isEmpty else { return [:] }
        var causes = Dictionary(uniqueKeysWithValues: listed.map { ($0.id, $0.id) })
        let sets = Dictionary(
            listed.compactMap { request in request.changeSet.map { ($0, request.id) } },
            uniquingKeysWith: min)
        for request in requests where causes[request.id] == nil {
            causes[request.id] = request.changeSet.flatMap { sets[$0] }
        }
        let dependencies = RequestDependencies(requests, apart: Set(causes.keys))
        for id in dependencies.order where causes[id] == nil {
            causes[id] = dependencies.dependencies(of: id).compactMap { causes[$0] }.min()
        }
        return causes
    }

    /// The edits that send corrections again, which keep how these were listed.
    package func rememberingRefusals(_ edits: [QueueEdit]) -> [QueueEdit] {
        let refused = Dictionary(uniqueKeysWithValues: corrected.map { ($0.id, $0.state) })
        return edits.map { edit in
            guard case .replace(var request) = edit, let state = refused[request.id] else {
                return edit
            }
            request.takenUp = state
            return .replace(request)
        }
    }

    /// The requests that an upload took up and then had no occasion to send, listed as they were: nothing has been said about
    /// them since. What one that is settled held back waits, and so does what one holds back that is on its way: listed with it
    /// where that is refused again.
    package static func putBack(_ queue: [QueuedRequest]) -> [QueuedRequest] {
        let taken = queue.filter { $0.state == .waiting && $0.takenUp != nil }
        let listed = Set(
            queue.filter { $0.state.isFailure || $0.state == .waiting && $0.takenUp != nil }
                .map(\.id))
        let queued = Set(queue.map(\.id))
        return taken.compactMap { request in
            var request = request
            if case .blocked(let cause)? = request.takenUp, !listed.contains(cause) {
                if queued.contains(cause) { return nil }
            } else {
                request.state = request.takenUp ?? .waiting
            }
            request.takenUp = nil
            return request
        }
    }
}

extension QueuedRequest {
    /// An upload leaves it as it is listed, and what depends on it with it: nobody knows what became of it, or it was cancelled.
    package var staysListed: Bool { state.isUnknown || isCancelled && state.isFailure }

    /// It was not sent because its row was another one than it was made for, and has no tag by which the service could say so.
    package var isListedForAnotherRow: Bool {
        lacksTag && state.failure?.code == RequestFailure.rowChanged.code
    }
}
