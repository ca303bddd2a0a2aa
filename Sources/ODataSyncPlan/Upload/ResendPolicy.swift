import ODataQuery

/// What to do with an attempt that was sent before and has no recorded answer (docs/design.md, decision 15).
package enum ResendPolicy {
    /// What a look at the service says about one request.
    package enum Finding: Sendable, Hashable {
        /// It took effect; the answer is what the service shows now.
        case carriedOut(ResponseMessage)
        /// It certainly had no effect.
        case notCarriedOut
        /// Nothing is known, and a repetition does no harm: it ends in the same state, or its entity tag refuses it.
        case repeatable
        /// Nothing is known, and a repetition could have its effect twice.
        case undecided
    }

    /// What becomes of one request.
    package enum Verdict: Sendable, Hashable {
        /// Recorded as accepted with this answer.
        case accepted(ResponseMessage)
        /// It had no effect: it can be sent again as if for the first time.
        case again
        /// Sent again, though an earlier sending may still have had the effect.
        case repeated
        /// Listed with the failed requests and never sent again by itself.
        case unknown
    }

    /// Whether an attempt is sent again, byte for byte, without a look at the service.
    package static func resendsBlindly(
        _ requests: [QueuedRequest], wasSent: Bool, isRepeatable: Bool
    ) -> Bool {
        !wasSent || isRepeatable || requests.allSatisfy(isHarmless)
    }

    /// Deletes, links and changes without condition end in the same state however often they arrive. A create does
    /// not, and the entity tag of a change is an old one after its own effect.
    package static func isHarmless(_ request: QueuedRequest) -> Bool {
        switch request.operation {
        case .create: false
        case .update, .putStream, .deleteStream:
            request.ifMatch == nil || request.ifMatch == "*"
        case .delete, .createLink, .updateLink, .deleteLink: true
        }
    }

    /// One verdict for each member, by request.
    ///
    /// Members of a change set took effect together or not at all, so that what is known of one decides for all; an
    /// accepted create of which nothing is known but that stays `unknown`.
    package static func verdicts(
        _ members: [Attempt.Member], _ requests: [QueuedRequest], _ findings: [Int64: Finding]
    ) -> [Int64: Verdict] {
        let creates = Set(requests.filter { $0.operation == .create }.map(\.id))
        var verdicts: [Int64: Verdict] = [:]
        for (changeSet, group) in Dictionary(grouping: members, by: \.changeSet) {
            let found = group.map { findings[$0.request] ?? .undecided }
            for (member, finding) in zip(group, found) {
                verdicts[member.request] =
                    changeSet == nil
                    ? verdict(finding)
                    : verdict(finding, together: found, creates.contains(member.request))
            }
        }
        return verdicts
    }

    private static func verdict(_ finding: Finding) -> Verdict {
        switch finding {
        case .carriedOut(let answer): .accepted(answer)
        case .notCarriedOut: .again
        case .repeatable: .repeated
        case .undecided: .unknown
        }
    }

    private static func verdict(
        _ finding: Finding, together: [Finding], _ isCreate: Bool
    ) -> Verdict {
        if together.contains(.notCarriedOut) { return .again }
        let isDone = together.contains { if case .carriedOut = $0 { true } else { false } }
        if isDone {
            if case .carriedOut(let answer) = finding { return .accepted(answer) }
            return isCreate ? .unknown : .accepted(ResponseMessage(status: 204))
        }
        return together.contains(.undecided) ? .unknown : .repeated
    }
}
