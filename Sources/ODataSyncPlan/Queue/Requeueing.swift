/// What becomes of refused requests when an upload begins: state → edits (pure).
///
/// The same request goes again with the same entity tag and the same identity, unless the app has changed its row since:
/// that change corrects it.
package struct Requeueing: Sendable {
    /// Requests that wait again as they were.
    package private(set) var unchanged: [QueuedRequest] = []
    /// Refused requests that a later change corrects.
    package private(set) var corrected: [QueuedRequest] = []
    /// The rows of the corrected requests.
    package var correctedRows: Set<RowReference> { Set(corrected.map(\.target)) }

    /// - Parameter held: requests that stay as they are.
    package init(_ requests: [QueuedRequest], without held: Set<Int64>) {
        for request in requests where !held.contains(request.id) {
            switch request.state {
            case .failed:
                let isCorrected =
                    !request.operation.isLink
                    && requests.contains {
                        $0.state == .waiting && !$0.wasSent && $0.target == request.target
                            && $0.operation.isUpdate
                            && QueuedRequest.comesBefore(request, $0)
                    }
                if isCorrected {
                    corrected.append(request)
                } else {
                    unchanged.append(request)
                }
            case .blocked: unchanged.append(request)
            case .waiting, .frozen, .unknown: continue
            }
        }
        for place in unchanged.indices {
            unchanged[place].takenUp = unchanged[place].state
            unchanged[place].state = .waiting
        }
    }

    /// The edits that send corrections again, which keep how these were listed.
    package func rememberingRefusals(_ edits: [QueueEdit]) -> [QueueEdit] {
        edits.map { edit in
            guard case .replace(var request) = edit,
                let refused = corrected.first(where: { $0.id == request.id })
            else { return edit }
            request.takenUp = refused.state
            return .replace(request)
        }
    }

    /// The requests that an upload took up and then had no occasion to send, listed as they were: nothing has been said about
    /// them since. What one that is settled or on its way held back waits.
    package static func putBack(_ queue: [QueuedRequest]) -> [QueuedRequest] {
        let taken = queue.filter { $0.state == .waiting && $0.takenUp != nil }
        let listed = Set(
            queue.filter { $0.state.isFailure || $0.state == .waiting && $0.takenUp != nil }
                .map(\.id))
        return taken.map { request in
            var request = request
            if case .blocked(let cause)? = request.takenUp, !listed.contains(cause) {
                request.state = .waiting
            } else {
                request.state = request.takenUp ?? .waiting
            }
            request.takenUp = nil
            return request
        }
    }
}
