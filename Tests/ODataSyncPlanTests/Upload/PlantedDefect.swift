import ODataQuery
import ODataSyncPlan
import ODataText

/// A rule that does not hold, to see that the walk through all sequences finds it.
enum PlantedDefect: CaseIterable, Sendable {
    /// Sendings are not counted.
    case forgetsSendings
    /// A refusal after a sending without an answer counts as the answer to that one.
    case forgetsWhatIsOpen
    /// What is open waits again as if never sent.
    case thawsWhatIsOpen
    /// What is refused leaves the queue.
    case dropsRefusals
    /// Members of a batch without an answer count as carried out.
    case forgetsMissingMembers
    /// Requests whose fate nobody knows are sent again.
    case resendsUnknown
    /// Nobody looks closely: what was sent can be sent again.
    case believesRepetitionHarmless
    /// Whoever answers with success is the service.
    case believesAnySuccess
    /// Whoever answers with an error is the service.
    case believesAnyError
    /// No answer means that nobody got it.
    case takesSilenceForNotSent
    /// A batch that is refused whole was never looked at, whatever came before.
    case believesSetRefusals
    /// That the service does not understand a key is taken for its word that there is no such row.
    case believesMissingKeys
    /// Whoever says that there is no `$batch` is the service.
    case believesMissingBatches
    /// What is recorded together with what goes next is forgotten.
    case forgetsHeldAnswers
    /// The tag that a look has shown is that of our own change.
    case believesTagsOfLooks

    /// What a client with the defect makes of a sending.
    func altered(
        _ outcome: SendingOutcome, of attempt: Attempt,
        _ result: Result<ResponseMessage, ODataError>
    ) -> SendingOutcome {
        switch (self, outcome) {
        case (.believesAnySuccess, .doubtful(let answer, _)) where answer.isSuccess:
            return .answered(
                attempt.members.map { .init(request: $0.request, outcome: .answered(answer)) })
        case (.believesAnyError, .doubtful(let answer, _)) where !answer.isSuccess:
            return .answered(
                attempt.members.map { .init(request: $0.request, outcome: .answered(answer)) })
        case (.believesMissingBatches, .perhapsNoBatch(let answer, _)): return .noBatch(answer)
        case (.takesSilenceForNotSent, .unanswered(let error)): return .notSent(error)
        case (.believesSetRefusals, .answered(let answers)):
            return .answered(
                answers.map { answer in
                    guard case .setRefused(let message) = answer.outcome else { return answer }
                    return .init(request: answer.request, outcome: .refused(message))
                })
        default: return outcome
        }
    }
}
