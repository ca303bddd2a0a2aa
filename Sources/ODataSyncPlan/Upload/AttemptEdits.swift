import ODataQuery
import ODataText

/// What freezing, taking back and recording do to the requests of an attempt: state → edits. An acceptance is an
/// ``Acceptance`` of its own.
package enum AttemptEdits {
    /// The requests as members of an attempt, in queue order; those of a change set take effect together, so that they share
    /// the identity of the first.
    ///
    /// - Parameter now: milliseconds since 1970, by the service's clock.
    /// - Throws: `conflict` when one of them does not wait, is not there, or was cancelled: nothing looks at that again before it
    ///   leaves.
    package static func frozen(
        _ ids: [Int64], of requests: [QueuedRequest], in attempt: Int64, at now: Int64
    ) throws -> [QueuedRequest] {
        let wanted = Set(ids)
        var frozen: [QueuedRequest] = []
        var shared: [String: RepeatabilityIdentity] = [:]
        for var request in requests.sorted(by: QueuedRequest.comesBefore)
        where wanted.contains(request.id) {
            guard request.state == .waiting, !request.isCancelled else {
                throw ODataError(
                    .conflict, "Expected a waiting request to send, found another state.",
                    at: .path(request.target.table))
            }
            request.state = .frozen(attempt: attempt)
            request.identity.firstSent = request.identity.firstSent ?? now
            if let name = request.changeSet {
                request.identity = shared[name] ?? request.identity
                shared[name] = request.identity
            }
            frozen.append(request)
        }
        guard frozen.count == wanted.count else {
            throw ODataError(.conflict, "Expected requests of the queue to send.")
        }
        return frozen
    }

    /// The members as they wait again after an attempt that nobody looked at: as if never sent, but for what an earlier
    /// attempt left open. Those that were cancelled do not wait again.
    package static func thawed(
        _ attempt: Attempt, _ requests: [QueuedRequest]
    ) -> [QueuedRequest] {
        requests.compactMap { request in
            guard request.state == .frozen(attempt: attempt.id), !request.isCancelled else {
                return nil
            }
            var request = request
            request.state = .waiting
            if !request.flags.contains(.open) { request.identity.firstSent = nil }
            return request
        }
    }

    /// What is known of the members that the app has cancelled once the attempt is taken back: nothing of them was looked at.
    package static func answers(
        toCancelled requests: [QueuedRequest], in attempt: Attempt
    ) -> [AttemptAnswers.Answer] {
        requests.filter { $0.isCancelled && $0.state == .frozen(attempt: attempt.id) }.map {
            .init(
                request: $0.id, outcome: $0.flags.contains(.open) ? .repeatable : .notCarriedOut)
        }
    }

    /// The members of which a look has shown that nothing sent earlier had an effect.
    package static func settled(_ requests: [QueuedRequest]) -> [QueuedRequest] {
        requests.compactMap { request in
            guard request.flags.contains(.open) else { return nil }
            var request = request
            request.flags.remove(.open)
            return request
        }
    }

    /// What is left of an attempt when only some members stay without an answer; nil when none does. What has an answer
    /// must not be sent again with the rest.
    package static func rest(of attempt: Attempt, staying: Set<Int64>) -> Attempt? {
        guard !staying.isEmpty else { return nil }
        guard attempt.members.contains(where: { !staying.contains($0.request) }) else {
            return attempt
        }
        var rest = attempt
        rest.members.removeAll { !staying.contains($0.request) }
        rest.message = RequestMessage(method: attempt.message.method, url: "")
        return rest
    }

    /// Requests that wait and are not to be sent, refused for this reason, and what depends on them, blocked. Of one that an
    /// earlier upload has sent without getting an answer nobody knows what became.
    package static func refused(
        _ ids: Set<Int64>, with failure: RequestFailure, in queue: [QueuedRequest]
    ) -> [QueuedRequest] {
        let refused = queue.compactMap { request -> QueuedRequest? in
            guard ids.contains(request.id), request.state == .waiting else { return nil }
            if request.flags.contains(.open) {
                let reason = "An earlier sending had no answer, and it is not sent again: "
                return AnswerRule.become(.unknown(reason: reason + (failure.message ?? "refused")))
                    .applied(to: request)
            }
            var request = request
            request.state = .failed(failure)
            return request
        }
        return refused + blocked(by: Set(refused.map(\.id)), in: queue)
    }

    /// What waits and depends on requests that failed or of whose fate nobody knows, blocked by them.
    package static func blocked(
        by failed: Set<Int64>, in queue: [QueuedRequest]
    ) -> [QueuedRequest] {
        guard !failed.isEmpty else { return [] }
        let causes = RequestDependencies.quarantine(after: failed, in: queue)
        return queue.compactMap { request in
            guard let cause = causes[request.id] else { return nil }
            var request = request
            request.state = .blocked(by: cause)
            return request
        }
    }
}

extension AnswerRule {
    /// The request as a rule leaves it that is no acceptance; nil where the request stays as it is.
    package func applied(to request: QueuedRequest) -> QueuedRequest? {
        var request = request
        switch self {
        case .accept, .stay, .drop: return nil
        case .become(let state):
            request.state = state
            request.takenUp = nil
            request.flags.subtract([.open, .turnedAway])
        case .forgotten(let state):
            request.state = state
            request.takenUp = nil
            request.flags.subtract([.open, .turnedAway])
            request.identity.firstSent = nil
        case .wait:
            request.state = .waiting
            request.flags.remove(.open)
            request.identity.firstSent = nil
        case .waitOpen:
            // A sending of it may have had the effect, so that it stays as it was sent.
            request.state = .waiting
            request.takenUp = nil
            request.flags.insert(.open)
        case .waitTurnedAway(let isOpen):
            request = (isOpen ? Self.waitOpen : .wait).applied(to: request) ?? request
            request.flags.insert(.turnedAway)
        }
        return request
    }
}
