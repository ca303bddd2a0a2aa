import ODataQuery
import ODataText

/// Answers that say by their nature that nothing was done.
extension UploadMachine {
    mutating func refused(
        _ work: Work, _ refusal: SendingOutcome.Refusal
    ) -> [Action] {
        let attempt = work.attempt
        if let seconds = refusal.retryAfter, seconds <= Self.longestPauseSeconds, failure == nil,
            pausedFor.insert(attempt.id).inserted
        {
            return [.takeBack(attempt, thaw: false), .pause(seconds: max(0, seconds))] + send(work)
        }
        guard failure == nil, refusal.mayBeOfOnePlace else { return ended(work, by: refusal) }
        turnedAway[attempt.id] = refusal
        return [.askService(attempt)]
    }

    /// Whoever is turned away everywhere sends nothing more. Where the service is there, it was this one place: a batch goes
    /// in its parts, and a part waits for the next upload, which lists it when it meets the same, unless an earlier sending of
    /// it is open.
    mutating func asked(_ work: Work, isThere: Bool) -> [Action] {
        let attempt = work.attempt
        guard let refusal = turnedAway.removeValue(forKey: attempt.id) else { return [] }
        guard isThere else { return ended(work, by: refusal) }
        let parts = work.parts
        if attempt.sendCount == 0, parts.count > 1 {
            ready = parts.map { [$0] }[...] + ready
            return forget(work, [.giveUpBatches, .takeBack(attempt, thaw: true)])
        }
        deferred.formUnion(attempt.members.map(\.request))
        let open = work.openRequests
        if !work.requests.allSatisfy({ $0.wasTurnedAway && !open.contains($0.id) }) {
            complaint = complaint ?? refusal.error
        }
        let answers = attempt.members.map {
            AttemptAnswers.Answer(
                request: $0.request,
                outcome: .turnedAway(status: refusal.status, reason: refusal.error.message))
        }
        return forget(work, [.record(attempt, answers)])
    }

    private mutating func ended(
        _ work: Work, by refusal: SendingOutcome.Refusal
    ) -> [Action] {
        failure = failure ?? refusal.error
        return forget(work, [.takeBack(work.attempt, thaw: work.attempt.sendCount == 0)])
    }
}

extension SendingOutcome.Refusal {
    fileprivate var mayBeOfOnePlace: Bool { ServiceRefusal.mayBeOfOnePlace(status) }
}

extension QueuedRequest {
    /// An earlier upload met such a refusal, or listed the request for one.
    var wasTurnedAway: Bool {
        flags.contains(.turnedAway)
            || takenUp?.failure.map {
                ServiceRefusal.mayBeOfOnePlace($0.status) || $0.code == RequestFailure.notTheService
            } == true
    }
}

extension RequestFailure {
    /// The code of what met a page in front of one row, whatever its status.
    fileprivate static let notTheService = "NotTheService"

    static func turnedAway(status: Int, _ reason: String) -> RequestFailure {
        let isOwn = ServiceRefusal.mayBeOfOnePlace(status)
        return RequestFailure(
            status: status, code: isOwn ? nil : notTheService, message: reason)
    }
}
