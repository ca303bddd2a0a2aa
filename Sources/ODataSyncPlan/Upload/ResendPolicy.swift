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
    /// Each is settled on its own, those of a change set too: a service should carry all of them out or none (Protocol
    /// 4.01, section 11.7.7.1), but some keep what came before a refusal, so that one member proves nothing of another.
    package static func verdicts(
        _ members: [Attempt.Member], _ findings: [Int64: Finding]
    ) -> [Int64: Verdict] {
        Dictionary(
            members.map { ($0.request, verdict(findings[$0.request] ?? .undecided)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func verdict(_ finding: Finding) -> Verdict {
        switch finding {
        case .carriedOut(let answer): .accepted(answer)
        case .notCarriedOut: .again
        case .repeatable: .repeated
        case .undecided: .unknown
        }
    }

    /// What becomes of the members of a change set that was refused as a whole, by request, after a look at each.
    ///
    /// Where nothing of it took effect the refusal counts for all. Where something did the service has not taken it back,
    /// and each member is settled on its own.
    package static func outcomes(
        ofRefused refusals: [Int64: ResponseMessage], _ findings: [Int64: Finding],
        keepsParts: Bool
    ) -> [Int64: AttemptAnswers.Outcome] {
        let isKept = keepsParts || refusals.keys.contains { findings[$0]?.isCarriedOut == true }
        var outcomes: [Int64: AttemptAnswers.Outcome] = [:]
        for (request, refusal) in refusals {
            outcomes[request] =
                switch findings[request] {
                case .carriedOut(let answer)?: .answered(answer)
                case .undecided?, nil:
                    isKept
                        ? .undecided(
                            "Its change set was refused with \(refusal.status), the service kept a part of it,"
                                + " and nobody can tell whether this part was carried out.")
                        : .refused(refusal)
                case .notCarriedOut?: .refusedWithoutEffect(refusal)
                case .repeatable?: .refused(refusal)
                }
        }
        return outcomes
    }
}

extension ResendPolicy.Finding {
    var isCarriedOut: Bool {
        if case .carriedOut = self { true } else { false }
    }
}
