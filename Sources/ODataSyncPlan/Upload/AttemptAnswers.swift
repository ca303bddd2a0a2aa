import ODataQuery
import ODataText
import ODataWire

/// Reads which member of an attempt got which answer (pure).
package enum AttemptAnswers {
    package enum Outcome: Sendable, Hashable {
        case answered(ResponseMessage)
        /// One refusal for the whole change set that the member belongs to.
        case changeSetRefused(ResponseMessage)
        /// No answer came; whether the service acted on it is not known.
        case unanswered
        /// Nobody can tell whether it had its effect.
        case undecided
    }

    package struct Answer: Sendable, Hashable {
        package var request: Int64
        package var outcome: Outcome

        package init(request: Int64, outcome: Outcome) {
            self.request = request
            self.outcome = outcome
        }
    }

    /// One answer for each member, in the members' order.
    ///
    /// A refusal of the batch as a whole is no answer to its members: nothing in it was looked at.
    ///
    /// Neither is one that asks to come again later: after an unanswered sending it says nothing about that one, and a
    /// request that counted as refused would come again as a new one.
    ///
    /// - Throws: `service` for such a refusal, `invalidPayload` for answers that cannot belong to the members.
    package static func read(_ response: ResponseMessage, of attempt: Attempt) throws -> [Answer] {
        guard attempt.isBatch else {
            guard !comesTooEarly(response.status) else {
                throw ErrorPayload(response).error(status: response.status)
            }
            return attempt.members.map { Answer(request: $0.request, outcome: .answered(response)) }
        }
        guard response.isSuccess else {
            throw ODataError(
                .service, "Expected the service to take a batch, found status \(response.status).",
                at: .path("$batch"), status: response.status)
        }
        let outcomes = try BatchMatcher.match(
            shape(of: attempt), BatchReader.parts(of: response).parts)
        var answers: [Answer] = []
        var taken: [Int: Int] = [:]
        for member in attempt.members {
            let index = taken[member.part, default: 0]
            taken[member.part] = index + 1
            answers.append(
                Answer(
                    request: member.request,
                    outcome: outcome(at: index, of: outcomes, part: member.part)))
        }
        return answers
    }

    private static func outcome(
        at index: Int, of outcomes: [BatchOutcome], part: Int
    ) -> Outcome {
        guard part < outcomes.count else { return .unanswered }
        switch outcomes[part] {
        case .answered(let message):
            return comesTooEarly(message.status) ? .unanswered : .answered(message)
        case .changeSetFailed(let message):
            return comesTooEarly(message.status) ? .unanswered : .changeSetRefused(message)
        case .changeSet(let messages):
            guard index < messages.count, let message = messages[index] else { return .unanswered }
            return .answered(message)
        case .unanswered: return .unanswered
        }
    }

    /// The service, or something in front of it, did not deal with the request now (RFC 9110, section 15).
    private static func comesTooEarly(_ status: Int) -> Bool {
        [408, 425, 429, 502, 503, 504].contains(status)
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
