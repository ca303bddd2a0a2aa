import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// What is noted of a sending for the people who look at the queue.
@Suite struct SendingRecordTests {
    private static let attempt = Attempt(
        id: 1, message: RequestMessage(method: "POST", url: "$batch"),
        members: [
            Attempt.Member(request: 7, contentID: nil, changeSet: nil, part: 0),
            Attempt.Member(request: 8, contentID: nil, changeSet: nil, part: 1),
        ], frozenAt: 0)

    private static let refusal = ResponseMessage(
        status: 409, headers: ["Content-Type": "application/json"],
        body: Array(#"{"error":{"code":"x","message":"It is sold."}}"#.utf8))

    private static func failure(_ phase: NetworkFailure.Phase) -> ODataError {
        let failure = NetworkFailure(phase: phase, method: "POST", host: "h.example")
        return ODataError(.network, failure.sentence, underlying: failure)
    }

    @Test func whoWasNotReachedHasNoStatus() {
        let notSent = SendingOutcome.notSent(Self.failure(.connect)).records(of: Self.attempt)
        #expect(notSent.keys.sorted() == [7, 8])
        #expect(
            notSent[7] == .init(status: nil, message: "not sent: POST: no connection to h.example.")
        )
        let lost = SendingOutcome.unanswered(Self.failure(.wait)).records(of: Self.attempt)
        #expect(
            lost[8] == .init(status: nil, message: "no answer: POST: h.example gave no answer."))
    }

    @Test func eachMemberHasItsOwnAnswer() {
        let records = SendingOutcome.answered([
            .init(request: 7, outcome: .answered(ResponseMessage(status: 204))),
            .init(request: 8, outcome: .answered(Self.refusal)),
        ]).records(of: Self.attempt)
        // What was accepted leaves the queue.
        #expect(records == [8: .init(status: 409, message: "It is sold.")])
        let missing = SendingOutcome.answered([.init(request: 7, outcome: .unanswered)])
            .records(of: Self.attempt)
        #expect(missing[7]?.status == nil && missing[7]?.message.hasPrefix("no answer") == true)
    }

    @Test func anAnswerToAllIsNotedForAll() {
        let error = ODataError(.service, "Log in.", status: 401)
        let outcomes: [(SendingOutcome, SendingRecord.Answer)] = [
            (
                .refusedUnprocessed(.init(status: 401, error: error)),
                .init(status: 401, message: "Log in.")
            ),
            (.refusedWhole(Self.refusal), .init(status: 409, message: "It is sold.")),
            (
                .tooLarge(ResponseMessage(status: 413)),
                .init(status: 413, message: "HTTP 413 Content Too Large")
            ),
            (
                .doubtful(ResponseMessage(status: 200), ODataError(.network, "Not the service.")),
                .init(status: 200, message: "Not the service.")
            ),
        ]
        for (outcome, answer) in outcomes {
            let records = outcome.records(of: Self.attempt)
            #expect(records[7] == answer && records[8] == answer, "\(records)")
        }
    }
}
