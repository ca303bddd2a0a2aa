import ODataQuery
import ODataText
import ODataWire

/// What follows from the end of a sending.
extension UploadMachine {
    mutating func came(_ work: Work, _ outcome: SendingOutcome) -> [Action] {
        let attempt = work.attempt
        switch outcome {
        case .notSent(let error):
            failure = failure ?? error
            return forget(work, [.takeBack(attempt, thaw: attempt.sendCount == 0)])
        case .refusedUnprocessed(let refusal):
            return refused(work, refusal)
        case .tooLarge(let answer):
            return refusedWhole(work, answer, inHalves: true)
        case .refusedWhole(let answer):
            return refusedWhole(work, answer, inHalves: false)
        case .noBatch(let answer):
            return noBatch(work, answer)
        case .perhapsNoBatch(let answer, _):
            return perhapsNoBatch(work, answer)
        case .answered(let answers):
            hasTakenBatch = hasTakenBatch || attempt.isBatch
            return meetingKeys(work, answers) ?? meetingMethods(work, answers)
        case .doubtful(let answer, let error):
            doubts[attempt.id] = (answer, error)
            return [.look(attempt, isAnswered: true)]
        case .unanswered(let error):
            failure = failure ?? error
            return forget(work, [])
        }
    }

    mutating func forget(_ work: Work, _ actions: [Action]) -> [Action] {
        drop(work.attempt.id)
        return actions
    }

    private mutating func refusedWhole(
        _ work: Work, _ answer: ResponseMessage, inHalves: Bool
    ) -> [Action] {
        guard work.attempt.sendCount == 0 else { return lookAtParts(work) }
        let parts = work.parts
        guard parts.count > 1 else { return refuseAll(work, answer) }
        let size = inHalves ? (parts.count + 1) / 2 : 1
        let pieces = stride(from: 0, to: parts.count, by: size).map {
            Array(parts[$0..<min($0 + size, parts.count)])
        }
        ready = pieces[...] + ready
        return forget(work, [.takeBack(work.attempt, thaw: true)])
    }

    /// A refusal of a batch that says nothing about an earlier sending of it: the parts are looked at, and go on their own.
    mutating func lookAtParts(_ work: Work) -> [Action] {
        divided.insert(work.attempt.id)
        return [.look(work.attempt, isAnswered: false)]
    }

    mutating func refuseAll(_ work: Work, _ answer: ResponseMessage) -> [Action] {
        forget(
            work,
            [
                .record(
                    work.attempt,
                    work.attempt.members.map {
                        .init(request: $0.request, outcome: .refused(answer))
                    })
            ])
    }

    mutating func answered(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action] {
        for answer in answers {
            guard case .refusedUnprocessed(let message) = answer.outcome else { continue }
            deferred.insert(answer.request)
            complaint = complaint ?? ErrorPayload(message).error(status: message.status)
        }
        let missing = Set(answers.filter { $0.outcome.wantsLook }.map(\.request))
        let lesson = batchLesson(work, answers) + updateLesson(work, answers)
        guard !missing.isEmpty else {
            return forget(work, lesson + [.record(work.attempt, answers)])
        }
        var refusals: [Int64: ResponseMessage] = [:]
        for answer in answers {
            if case .setRefused(let message) = answer.outcome { refusals[answer.request] = message }
        }
        if !refusals.isEmpty { setRefusals[work.attempt.id] = refusals }
        var rest = work
        if missing.count < answers.count {
            rest.attempt.members.removeAll { !missing.contains($0.request) }
            rest.attempt.message.url = ""
            rest.requests.removeAll { !missing.contains($0.id) }
        }
        works[work.attempt.id] = rest
        let look = Action.look(rest.attempt, isAnswered: !refusals.isEmpty)
        return lesson
            + (missing.count < answers.count ? [.record(work.attempt, answers), look] : [look])
    }

    /// That `$batch` was refused is believed once a change went through by itself.
    private mutating func batchLesson(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action] {
        guard let status = refusedBatch, !work.attempt.isBatch,
            case .answered(let message)? = answers.first?.outcome, message.isSuccess
        else { return [] }
        refusedBatch = nil
        return [.remember(.takesNoBatches(status: status))]
    }

    /// A refusal may speak of the method: updates have others, and every method may go in a header.
    mutating func meetingMethods(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action] {
        meetingUpdates(work, answers) ?? tunnelled(work, answers) ?? answered(work, answers)
    }

    /// Sends a change anew with its method in a header, where the method itself does not pass.
    private mutating func tunnelled(
        _ work: Work, _ answers: [AttemptAnswers.Answer]
    ) -> [Action]? {
        guard knowledge.mayTunnel, !work.attempt.isBatch, work.attempt.sendCount == 0,
            case .answered(let answer)? = answers.first?.outcome, tunnelling != .useless
        else { return nil }
        let isRefused = UpdateMethod.mayBeRefused(with: answer.status)
        if work.attempt.message.headers["X-HTTP-Method"] != nil {
            guard isRefused else { return nil }
            tunnelling = .useless
            return [.tunnel(false)]
                + (meetingUpdates(work, answers) ?? answered(work, answers))
        }
        guard isRefused, work.attempt.message.method != "POST" else { return nil }
        tunnelling = .trying
        ready = [work.parts] + ready
        return forget(work, [.tunnel(true), .takeBack(work.attempt, thaw: true)])
    }
}

/// What follows from a look at the service.
extension UploadMachine {
    mutating func looked(
        _ work: Work, _ findings: [Int64: ResendPolicy.Finding]
    ) -> [Action] {
        let attempt = work.attempt
        if let refusals = setRefusals[attempt.id] { return looked(work, findings, refusals) }
        if batchDoubts[attempt.id] != nil { return lookedBehindBatch(work, findings) }
        let verdicts = ResendPolicy.verdicts(attempt.members, findings)
        let settled = verdicts.values.allSatisfy { $0 == .again }
        if let doubt = doubts[attempt.id] {
            let answers = attempt.members.map { member in
                AttemptAnswers.Answer(
                    request: member.request,
                    outcome: believed(
                        outcome(
                            verdicts[member.request] ?? .unknown, after: doubt.answer, work,
                            member.request), work, member.request))
            }
            if answers.contains(where: { $0.outcome == .unanswered }) {
                complaint = complaint ?? doubt.error
            }
            return forget(
                work, (settled ? [.settleEarlier(attempt)] : []) + [.record(attempt, answers)])
        }
        let isHarmless = verdicts.values.allSatisfy { $0 == .again || $0 == .repeated }
        let isFirst = lookedAt.isDisjoint(with: attempt.members.map(\.request))
        lookedAt.formUnion(attempt.members.map(\.request))
        let isDivided = divided.contains(attempt.id)
        if isHarmless, attempt.isWhole, isFirst, !isDivided {
            var again = work
            if settled { again.attempt.sendCount = 0 }
            return (settled ? [.settleEarlier(attempt)] : []) + send(again)
        }
        if !isFirst, !isDivided { deferred.formUnion(attempt.members.map(\.request)) }
        return forget(work, [.record(attempt, Self.answers(work, verdicts))])
    }

    /// The members of change sets that were refused, and those that had no answer beside them.
    private mutating func looked(
        _ work: Work, _ findings: [Int64: ResendPolicy.Finding],
        _ refusals: [Int64: ResponseMessage]
    ) -> [Action] {
        var lessons: [Action] = []
        let isKept = refusals.keys.contains { findings[$0]?.isCarriedOut == true }
        if isKept, work.attempt.sendCount == 0, !knowledge.keepsRefusedParts {
            knowledge.keepsRefusedParts = true
            lessons = [.remember(.keepsRefusedParts)]
        }
        let refused = ResendPolicy.outcomes(
            ofRefused: refusals, findings, keepsParts: knowledge.keepsRefusedParts)
        let verdicts = ResendPolicy.verdicts(work.attempt.members, findings)
        let answers = work.attempt.members.map { member in
            AttemptAnswers.Answer(
                request: member.request,
                outcome: refused[member.request].map { believed($0, work, member.request) }
                    ?? Self.outcome(verdicts[member.request] ?? .unknown))
        }
        let isSettled = verdicts.values.allSatisfy { $0 == .again }
        return forget(
            work,
            lessons + (isSettled ? [.settleEarlier(work.attempt)] : [])
                + [.record(work.attempt, answers)])
    }

    private static func answers(
        _ work: Work, _ verdicts: [Int64: ResendPolicy.Verdict]
    ) -> [AttemptAnswers.Answer] {
        work.attempt.members.map {
            .init(request: $0.request, outcome: outcome(verdicts[$0.request] ?? .unknown))
        }
    }

    private static func outcome(_ verdict: ResendPolicy.Verdict) -> AttemptAnswers.Outcome {
        switch verdict {
        case .accepted(let answer): .answered(answer)
        case .again: .notCarriedOut
        case .repeated: .repeatable
        case .unknown:
            .undecided("No answer came, and the service cannot tell whether it acted.")
        }
    }

    /// An earlier upload has sent it and got no answer that counts, or listed it.
    private func wasSentBefore(_ work: Work, _ request: Int64) -> Bool {
        if resumed.contains(work.attempt.id) { return true }
        return work.requests.contains { $0.id == request && $0.takenUp?.failure != nil }
    }

    private static func doubt(of answer: ResponseMessage) -> String {
        let words = ErrorPayload(answer).message
        return
            "The answer \(answer.status)\(words.isEmpty ? "" : " (\(words))") was not recognisably"
            + " the service's"
    }

    /// Nothing tells what became of a request to which somebody has given this answer.
    static func undecided(after answer: ResponseMessage) -> AttemptAnswers.Outcome {
        .undecided(
            doubt(of: answer) + ", and nobody can tell whether the request was carried out.")
    }

    /// What a look means after an answer that proves nothing by itself.
    private func outcome(
        _ verdict: ResendPolicy.Verdict, after answer: ResponseMessage, _ work: Work,
        _ request: Int64
    ) -> AttemptAnswers.Outcome {
        let isRepeatable = isRepeatable(work)
        let isLast = work.attempt.sendCount >= (isRepeatable ? 4 : 2)
        let isKnown = isLast || wasSentBefore(work, request)
        let reason = Self.doubt(of: answer)
        switch verdict {
        case .accepted(let shown): return .answered(shown)
        case .unknown where isRepeatable && !isLast: return .unanswered
        case .unknown: return Self.undecided(after: answer)
        case .again:
            if (400..<500).contains(answer.status) || answer.status >= 500 && isKnown {
                // Not as an answer: a 404 of somebody else is no deletion.
                return .refusedWithoutEffect(answer)
            }
            return isKnown ? .undecided(reason + ", and the service shows no effect.") : .unanswered
        case .repeated:
            let isLink = work.requests.contains { $0.id == request && $0.operation.isLink }
            if isLink, answer.status == 204, !work.attempt.isBatch, !knowledge.marks.sendsVersion {
                return .answered(answer)
            }
            return isLast
                ? .undecided(reason + ", more than once, and a look does not tell.") : .unanswered
        }
    }
}

extension UploadMachine.Work {
    /// The parts as they were planned.
    var parts: [UploadPlanner.Part] {
        let names = Dictionary(
            requests.map { ($0.id, $0.changeSet) }, uniquingKeysWith: { first, _ in first })
        var parts: [UploadPlanner.Part] = []
        var last: Int?
        for member in attempt.members {
            let isSet = (names[member.request] ?? nil) != nil
            if isSet, member.part == last, case .changeSet(let ids)? = parts.last {
                parts[parts.count - 1] = .changeSet(ids + [member.request])
            } else {
                parts.append(isSet ? .changeSet([member.request]) : .request(member.request))
            }
            last = member.part
        }
        return parts
    }
}

extension AttemptAnswers.Outcome {
    /// The service has to be looked at before anything is recorded.
    var wantsLook: Bool {
        switch self {
        case .unanswered, .setRefused: true
        default: false
        }
    }
}
