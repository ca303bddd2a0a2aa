import ODataQuery
import ODataText
import ODataWire

/// Changes that name a key in a style that the service may not know: a 404 to `DELETE Tools(7)` says that the tool is gone, or
/// that nobody there reads parentheses.
extension UploadMachine {
    /// While nobody knows the style of keys, a row is looked at before such a refusal counts: it shows which style is read.
    ///
    /// - Returns: nil when the answers may be recorded as they are.
    mutating func meetingKeys(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action]? {
        let doubted = doubted(work, answers)
        guard !doubted.isEmpty else { return nil }
        if outdated.contains(work.attempt.id) { return written(anew: doubted, work, answers) }
        guard knowledge.keys == nil else { return nil }
        // What would count as done is asked for each time, anything else until a row was not shown in either style.
        let requests = work.requests.filter { doubted.contains($0.id) }
        let deletions = requests.filter { $0.operation == .delete }
        let others = hasAskedForKeys ? [] : requests.filter { $0.operation != .delete }.prefix(1)
        let rows = (others + deletions).flatMap(\.namedRows)
        guard !rows.isEmpty else { return nil }
        heldForKeys[work.attempt.id] = answers
        return [.meetKeys(work.attempt, rows)]
    }

    /// - Parameters:
    ///   - shown: rows that the service has.
    ///   - failure: why the service could not be asked.
    ///   - isOfOnePlace: something else can be asked, so that the rest goes on.
    mutating func metKeys(
        _ work: Work, shown: Set<RowReference>, failure error: ODataError?, _ isOfOnePlace: Bool
    ) -> [Action] {
        guard let answers = heldForKeys.removeValue(forKey: work.attempt.id) else { return [] }
        hasAskedForKeys = true
        let doubted = doubted(work, answers)
        if isOfOnePlace {
            if !work.requests.allSatisfy({ $0.wasTurnedAway || !doubted.contains($0.id) }) {
                complaint = complaint ?? error
            }
            deferred.formUnion(work.attempt.members.map(\.request))
        } else {
            failure = failure ?? error
        }
        guard error != nil || outdated.contains(work.attempt.id) else {
            // A row that is shown is not deleted: somebody else has answered that it is gone.
            let refuted = work.requests.filter {
                $0.operation == .delete && shown.contains($0.target) && doubted.contains($0.id)
            }
            guard !refuted.isEmpty else { return meetingMethods(work, answers) }
            return written(anew: Set(refuted.map(\.id)), work, answers)
        }
        return written(
            anew: doubted, work, answers,
            turnedAwayBy: outdated.contains(work.attempt.id) || !isOfOnePlace ? nil : error)
    }

    /// Takes over that keys are segments: what is on its way, or stayed behind, was written before.
    mutating func learn(_ keys: KeyStyle) {
        guard knowledge.keys == nil else { return }
        knowledge.keys = keys
        guard keys != .parentheses else { return }
        outdated.formUnion(works.keys)
        outdated.formUnion(unsettled.map(\.attempt.id))
    }

    /// The requests whose answers may speak of the URL and not of what it means.
    private func doubted(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> Set<Int64> {
        let requests = Dictionary(
            work.requests.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let refused = answers.filter { answer in
            guard requests[answer.request]?.namedRows.isEmpty == false else { return false }
            switch answer.outcome {
            case .answered(let message), .setRefused(let message):
                return KeyStyle.isDoubted(by: message.status)
            default: return false
            }
        }
        return Set(refused.map(\.request))
    }

    /// What the service did not understand was not carried out and waits again; what an earlier sending may have done stays
    /// open. The members of a refused change set are looked at first, as ever.
    ///
    /// - Parameter error: what stands before the rows of these requests, and nothing else; who meets it again is listed.
    mutating func written(
        anew requests: Set<Int64>, _ work: Work, _ answers: [AttemptAnswers.Answer],
        turnedAwayBy error: ODataError? = nil
    ) -> [Action] {
        let open = work.openRequests
        if !open.isDisjoint(with: requests) { divided.insert(work.attempt.id) }
        return answered(
            work,
            answers.map { answer in
                guard requests.contains(answer.request) else { return answer }
                guard case .answered = answer.outcome else { return answer }
                let again =
                    error.map { .turnedAway(status: $0.status, reason: $0.message) }
                    ?? AttemptAnswers.Outcome.notCarriedOut
                return .init(
                    request: answer.request,
                    outcome: open.contains(answer.request) ? .unanswered : again)
            })
    }

    /// A refusal of what was written in another style of keys is none, where nothing was carried out.
    func believed(
        _ outcome: AttemptAnswers.Outcome, _ work: Work, _ request: Int64
    ) -> AttemptAnswers.Outcome {
        switch outcome {
        case .refused(let message), .refusedWithoutEffect(let message):
            guard KeyStyle.isDoubted(by: message.status), outdated.contains(work.attempt.id),
                !work.openRequests.contains(request)
            else { return outcome }
            return .notCarriedOut
        default: return outcome
        }
    }
}

extension UploadMachine.Work {
    /// Those of which an earlier sending has no answer.
    var openRequests: Set<Int64> {
        Set(
            requests.filter { attempt.sendCount > 0 || $0.flags.contains(.open) }.map(\.id))
    }
}
