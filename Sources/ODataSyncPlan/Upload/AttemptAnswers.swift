import ODataQuery
import ODataText
import ODataWire

/// Reads which member of an attempt got which answer (pure).
package enum AttemptAnswers {
    package enum Outcome: Sendable, Hashable {
        case answered(ResponseMessage)
        /// A refusal that is not the member's own answer, and of which a look at the service has shown that nothing was done.
        case refused(ResponseMessage)
        /// The same, where the look has shown that no earlier sending of the member had an effect either: nothing of it is open.
        case refusedWithoutEffect(ResponseMessage)
        /// The one refusal of its whole change set, which says nothing of the member itself: some services keep what
        /// earlier members did.
        case setRefused(ResponseMessage)
        /// It cannot be written as a request, so that it was not sent.
        case unwritten(code: String, reason: String)
        /// No answer came; whether the service acted on it is not known.
        case unanswered
        /// The service did not deal with it now: it was not looked at, and waits as before.
        case refusedUnprocessed(ResponseMessage)
        /// Nobody looked at it in this one place, though the service answers elsewhere: a redirection or 401, and why.
        case turnedAway(status: Int, reason: String)
        /// The service passed over it because another part of the batch failed: it waits as before.
        case passedOver(ResponseMessage)
        /// It certainly had no effect yet: it waits as if never sent.
        case notCarriedOut
        /// Nothing is known, and a repetition does no harm: it waits, and stays open until an answer settles it.
        case repeatable
        /// Nobody can tell whether it had its effect, and why.
        case undecided(String)
    }

    package struct Answer: Sendable, Hashable {
        package var request: Int64
        package var outcome: Outcome
        /// A look at the service has shown it: others may have changed the row since the request did.
        package var isLook: Bool

        package init(request: Int64, outcome: Outcome, isLook: Bool = false) {
            self.request = request
            self.outcome = outcome
            self.isLook = isLook
        }
    }

    /// One answer for each member, in the members' order, of a batch that the service took.
    ///
    /// A part that asks to come again later was not looked at; one that a server behind the service did not deal with in
    /// time has no answer.
    ///
    /// - Throws: `invalidPayload` or `malformedText` for answers that cannot belong to the members.
    package static func read(_ response: ResponseMessage, of attempt: Attempt) throws -> [Answer] {
        guard attempt.isBatch else {
            return attempt.members.map { Answer(request: $0.request, outcome: .answered(response)) }
        }
        let outcomes = try BatchForm.outcomes(of: response, for: shape(of: attempt))
        var answers: [Answer] = []
        var taken: [Int: Int] = [:]
        let counts = Dictionary(attempt.members.map { ($0.part, 1) }, uniquingKeysWith: +)
        for member in attempt.members {
            let index = taken[member.part, default: 0]
            taken[member.part] = index + 1
            answers.append(
                Answer(
                    request: member.request,
                    outcome: outcome(
                        at: index, of: outcomes, part: member.part,
                        isAlone: counts[member.part] == 1)))
        }
        return passedOver(answers)
    }

    /// 424 is no answer to a request (RFC 4918, section 11.4): what it depends on has failed, and it was not carried out.
    /// The parts of a batch depend on nothing outside of them, but some services go on behind no failure. Where nothing
    /// else has failed, it is the service's own refusal.
    private static func passedOver(_ answers: [Answer]) -> [Answer] {
        let refusals = answers.compactMap(\.outcome.refusal)
        guard refusals.contains(where: { $0.status != 424 }) else { return answers }
        return answers.map { answer in
            guard let refusal = answer.outcome.refusal, refusal.status == 424 else { return answer }
            return Answer(request: answer.request, outcome: .passedOver(refusal))
        }
    }

    private static func outcome(
        at index: Int, of outcomes: [BatchOutcome], part: Int, isAlone: Bool
    ) -> Outcome {
        guard part < outcomes.count else { return .unanswered }
        switch outcomes[part] {
        case .answered(let message):
            return refusal(message) ?? .answered(message)
        case .changeSetFailed(let message):
            return refusal(message) ?? (isAlone ? .answered(message) : .setRefused(message))
        case .changeSet(let messages):
            guard index < messages.count, let message = messages[index] else { return .unanswered }
            return .answered(message)
        case .unanswered, .mangled: return .unanswered
        }
    }

    /// What the status of a part says when it is no answer; nil when it is one (RFC 9110, section 15; RFC 6585,
    /// section 4; RFC 8470, section 5.2).
    private static func refusal(_ message: ResponseMessage) -> Outcome? {
        switch message.status {
        case 425, 429: .refusedUnprocessed(message)
        case 503 where message.headers["Retry-After"] != nil: .refusedUnprocessed(message)
        case 408, 502, 503, 504: .unanswered
        default: nil
        }
    }

    /// The parts as they were sent, as far as matching needs them.
    private static func shape(of attempt: Attempt) -> [BatchPart] {
        let blank = RequestMessage(method: "", url: "")
        let count = (attempt.members.map(\.part).max() ?? -1) + 1
        return (0..<count).map { part in
            let members = attempt.members.filter { $0.part == part }
            let requests = members.map { BatchRequest(contentID: $0.contentID, blank) }
            if members.first?.changeSet != nil { return .changeSet(requests) }
            return requests.first.map(BatchPart.request) ?? .changeSet([])
        }
    }
}

extension AttemptAnswers.Outcome {
    /// The answer with which the service has refused the request, or the whole of its change set.
    fileprivate var refusal: ResponseMessage? {
        switch self {
        case .answered(let message), .setRefused(let message): message.isSuccess ? nil : message
        default: nil
        }
    }
}
