import ODataQuery
import ODataText

/// Refusals that say that there is no `$batch`. The service is believed. Behind anybody else's word the parts are looked at,
/// and where none shows an effect the service is asked with a batch that only reads.
extension UploadMachine {
    /// A refusal of `$batch` that may be somebody else's, and what a look has shown of the parts since.
    struct BatchDoubt: Sendable, Hashable {
        var answer: ResponseMessage
        var findings: [Int64: ResendPolicy.Finding] = [:]
    }

    mutating func noBatch(_ work: Work, _ answer: ResponseMessage) -> [Action] {
        refusedBatch = refusedBatch ?? answer.status
        guard work.attempt.sendCount == 0 else { return goneOnWithout(work) }
        let parts = work.parts
        // A change set cannot do without a batch: the refusal is its answer.
        if !knowledge.usesBatch, parts.count == 1, parts[0].ids.count > 1 {
            return refuseAll(work, answer)
        }
        knowledge.usesBatch = false
        dropPlan()
        return forget(work, [.giveUpBatches, .takeBack(work.attempt, thaw: true)])
    }

    mutating func perhapsNoBatch(_ work: Work, _ answer: ResponseMessage) -> [Action] {
        // It says nothing of an earlier sending, and is nothing to be remembered.
        guard work.attempt.sendCount == 0 else { return goneOnWithout(work) }
        batchDoubts[work.attempt.id] = BatchDoubt(answer: answer)
        return [.look(work.attempt, isAnswered: false)]
    }

    private mutating func goneOnWithout(_ work: Work) -> [Action] {
        knowledge.usesBatch = false
        return [.giveUpBatches] + lookAtParts(work)
    }

    /// Creations with keys of the service show no effect even where they had it: whether the batch was taken at all, only
    /// another batch can tell.
    mutating func lookedBehindBatch(
        _ work: Work, _ findings: [Int64: ResendPolicy.Finding]
    ) -> [Action] {
        batchDoubts[work.attempt.id]?.findings = findings
        let isTaken = hasTakenBatch || findings.values.contains(where: \.isCarriedOut)
        return isTaken ? takenPerhaps(work) : [.askBatches(work.attempt)]
    }

    /// Who does not take a batch that reads has not taken the one before it.
    mutating func askedBatches(
        _ work: Work, _ isThere: Result<Bool, ODataError>
    ) -> [Action] {
        guard let doubt = batchDoubts[work.attempt.id] else { return [] }
        switch isThere {
        case .failure(let error):
            failure = failure ?? error
            return forget(work, [])
        case .success(false):
            mayPlan = true
            return noBatch(work, doubt.answer)
        case .success(true):
            mayPlan = true
            return takenPerhaps(work)
        }
    }

    /// There is a `$batch`, so that the one that was refused may have been carried out: each part is as the look has shown it.
    /// Where none shows an effect those that go again go by themselves; a change set, which cannot, goes once more and is
    /// listed then.
    private mutating func takenPerhaps(_ work: Work) -> [Action] {
        guard let doubt = batchDoubts[work.attempt.id] else { return [] }
        let members = work.attempt.members
        let verdicts = ResendPolicy.verdicts(members, doubt.findings)
        let isFirst = lookedAt.isDisjoint(with: members.map(\.request))
        lookedAt.formUnion(members.map(\.request))
        let isDivisible = work.parts.count > 1
        let answers = members.map { member in
            let outcome: AttemptAnswers.Outcome =
                switch verdicts[member.request] ?? .unknown {
                case .accepted(let shown): .answered(shown)
                case .again where isFirst || isDivisible: .notCarriedOut
                case .again: .refusedWithoutEffect(doubt.answer)
                case .repeated where isFirst || isDivisible: .repeatable
                case .repeated, .unknown: Self.undecided(after: doubt.answer)
                }
            return AttemptAnswers.Answer(request: member.request, outcome: outcome)
        }
        let record = Action.record(work.attempt, answers)
        let isShown = doubt.findings.values.contains(where: \.isCarriedOut)
        guard isDivisible, !isShown else { return forget(work, [record]) }
        knowledge.usesBatch = false
        dropPlan()
        return forget(work, [record, .giveUpBatches])
    }
}
