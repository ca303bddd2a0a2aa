import ErrorFixture
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct BatchMatcherTests {
    private let get = RequestMessage(method: "GET", url: "A")
    private let ok = ResponseMessage(status: 200)
    private let created = ResponseMessage(status: 201)
    private let failed = ResponseMessage(status: 412)

    private var requests: [BatchPart] {
        [
            .request(get, contentID: nil),
            .changeSet([BatchRequest(contentID: "1", get), BatchRequest(contentID: "2", get)]),
            .request(get, contentID: nil),
        ]
    }

    @Test func membersOfAChangeSetAreMatchedByContentID() throws {
        let outcomes = try BatchMatcher.match(
            requests,
            [
                .response(ok),
                .changeSet([
                    BatchResponse(contentID: "2", ok), BatchResponse(contentID: "1", created),
                ]),
                .response(failed),
            ])
        #expect(outcomes == [.answered(ok), .changeSet([created, ok]), .answered(failed)])
    }

    @Test func withoutContentIDsTheOrderDecides() throws {
        let outcomes = try BatchMatcher.match(
            requests, [.response(ok), .changeSet([BatchResponse(created)])])
        #expect(outcomes == [.answered(ok), .changeSet([created, nil]), .unanswered])
    }

    @Test func oneErrorStandsForTheWholeChangeSet() throws {
        let outcomes = try BatchMatcher.match(requests, [.response(ok), .response(failed)])
        #expect(outcomes == [.answered(ok), .changeSetFailed(failed), .unanswered])
    }

    @Test func partsWithoutAnswerAreUnansweredNotFailed() throws {
        #expect(
            try BatchMatcher.match(requests, []) == [.unanswered, .unanswered, .unanswered])
    }

    @Test(arguments: [
        [
            BatchResponsePart.response(ResponseMessage(status: 200)),
            .response(ResponseMessage(status: 200)),
        ],
        [
            .response(ResponseMessage(status: 200)),
            .changeSet([BatchResponse(contentID: "9", ResponseMessage(status: 200))]),
        ],
        [
            .response(ResponseMessage(status: 200)),
            .changeSet([
                BatchResponse(contentID: "1", ResponseMessage(status: 200)),
                BatchResponse(contentID: "1", ResponseMessage(status: 200)),
            ]),
        ],
    ])
    func answersThatCannotBelongToTheRequestsAreRefused(answers: [BatchResponsePart]) {
        #expect(
            failure { try BatchMatcher.match(requests, answers) }
                == Failure(.invalidPayload, at: .path("$batch/1")))
    }

    @Test func moreAnswersThanRequestsAreRefused() {
        #expect(
            failure {
                try BatchMatcher.match([], [.response(ok)])
            } == Failure(.invalidPayload, "Expected at most 0 parts in a batch response, found 1."))
    }
}
