import ODataQuery
import ODataText
import ODataWire
import Testing

@testable import ODataSyncPlan

/// Answers that somebody in front of the service may have written, and those that only the service can have.
@Suite struct DoubtfulAnswerTests {
    private static let root = "http://host/s/"

    private static func outcome(
        _ status: Int, _ headers: HeaderFields = HeaderFields(), _ body: String = "",
        url: String = "Orders", asking question: ServiceMarks.Question = .create,
        sendsVersion: Bool = false
    ) -> SendingOutcome {
        let isBatch = question == .batch
        let attempt = Attempt(
            id: 1, message: RequestMessage(method: "POST", url: url),
            members: (1...(isBatch ? 2 : 1)).map {
                .init(request: $0, contentID: isBatch ? "\($0)" : nil, part: Int($0) - 1)
            }, frozenAt: 0)
        return SendingOutcome.of(
            .success(ResponseMessage(status: status, headers: headers, body: Array(body.utf8))),
            to: attempt, asking: question, marks: ServiceMarks(sendsVersion: sendsVersion),
            root: root)
    }

    private static func isDoubtful(_ outcome: SendingOutcome) -> Bool {
        if case .doubtful = outcome { true } else { false }
    }

    private static func isAnswered(_ outcome: SendingOutcome) -> Bool {
        if case .answered = outcome { true } else { false }
    }

    private static let json: HeaderFields = ["Content-Type": "application/json"]
    private static let marked: HeaderFields = [
        "Content-Type": "application/json", "OData-Version": "4.0",
    ]
    private static let error = #"{"error":{"code":"timeout","message":"No answer in time."}}"#

    /// A gateway that gave up waiting writes errors in any form, and the service behind it may have acted.
    @Test func whatAGatewayGivesUpMayHaveBeenDone() {
        for status in [502, 504] {
            #expect(Self.isDoubtful(Self.outcome(status, Self.json, Self.error)))
            #expect(Self.isDoubtful(Self.outcome(status, Self.marked, Self.error)))
        }
        #expect(Self.isDoubtful(Self.outcome(503, Self.json, Self.error)))
        #expect(Self.isAnswered(Self.outcome(503, Self.marked, Self.error)))
        // A service without marks answers in its own words.
        #expect(Self.isAnswered(Self.outcome(500, Self.json, Self.error)))
        #expect(Self.isAnswered(Self.outcome(409, Self.json, Self.error)))
    }

    @Test func aServiceThatMarksItsAnswersMarksItsFailures() {
        #expect(Self.isDoubtful(Self.outcome(500, Self.json, Self.error, sendsVersion: true)))
        #expect(Self.isAnswered(Self.outcome(500, Self.marked, Self.error, sendsVersion: true)))
        #expect(Self.isAnswered(Self.outcome(409, Self.json, Self.error, sendsVersion: true)))
        // What is only read has no effect.
        let origin = ServiceMarks(sendsVersion: true).origin(
            status: 500, headers: Self.json, start: Array(Self.error.utf8), to: .data)
        #expect(origin == .service)
    }

    @Test(arguments: [
        "http://host/s/Orders(7)", "/s/Orders('a%2Fb')", "Orders(7)", "http://host/s/Orders/7",
        "http://host:80/s/Other(A=1,B=2)?x=1", "http://inner/s/Orders(7)",
    ])
    func theLocationOfACreatedEntityIsTheServices(_ place: String) {
        let isNamed = CreatedLocation.isNamed(
            in: ["Location": place], url: "Orders", root: Self.root)
        #expect(isNamed == (place != "http://host:80/s/Other(A=1,B=2)?x=1"))
        guard isNamed else { return }
        #expect(Self.isAnswered(Self.outcome(201, ["Location": place])))
        #expect(Self.isAnswered(Self.outcome(204, ["Location": place], sendsVersion: true)))
    }

    @Test(arguments: [
        "http://host/login", "http://host/s/", "http://host/s/Orders", "http://host/s/Orders/",
        "http://host/s/Orders/7/Lines", "http://host/s/Orders()", "http://other/portal(1)",
        "http://host/s/(7)",
    ])
    func anotherLocationProvesNothing(_ place: String) {
        #expect(Self.isDoubtful(Self.outcome(201, ["Location": place])))
    }

    @Test func aLocationProvesNothingOfOtherChanges() {
        #expect(
            Self.isDoubtful(
                Self.outcome(204, ["Location": "http://host/s/Orders(7)"], asking: .update)))
    }

    // MARK: Batches

    @Test(arguments: [404, 405, 415, 501])
    func thatThereAreNoBatchesIsBelievedOfTheServiceOnly(_ status: Int) {
        let own = Self.outcome(status, Self.marked, Self.error, url: "$batch", asking: .batch)
        guard case .noBatch = own else {
            Issue.record("Expected that there is no $batch, found \(own).")
            return
        }
        let page = Self.outcome(
            status, ["Content-Type": "text/html"], "<html>", url: "$batch", asking: .batch)
        guard case .perhapsNoBatch = page else {
            Issue.record("Expected a doubt, found \(page).")
            return
        }
    }

    private static func machine() -> (machine: UploadMachine, actions: [UploadMachine.Action]) {
        let requests = [1, 2].map {
            QueuedRequest(
                id: $0, identity: RepeatabilityIdentity(id: "i\($0)"), operation: .create,
                target: RowReference(table: "T", id: -$0), state: .frozen(attempt: 1))
        }
        let attempt = Attempt(
            id: 1, message: RequestMessage(method: "POST", url: "$batch"),
            members: requests.map {
                .init(request: $0.id, contentID: "\($0.id)", part: Int($0.id) - 1)
            }, frozenAt: 0)
        var machine = UploadMachine(.init())
        _ = machine.send(.init(attempt: attempt, requests: requests))
        let actions = machine.step(
            .came(
                1,
                outcome(404, ["Content-Type": "text/html"], "<html>", url: "$batch", asking: .batch)
            ))
        return (machine, actions)
    }

    @Test func aPageInPlaceOfABatchIsLookedBehind() {
        var (machine, actions) = Self.machine()
        guard case .look? = actions.first else {
            Issue.record("Expected a look.")
            return
        }
        // A part shows its effect: the batch was taken, and what nobody can look at is not sent again.
        let taken = machine.step(
            .looked(
                1, .success([1: .carriedOut(ResponseMessage(status: 200)), 2: .undecided])))
        guard case .record(_, let answers)? = taken.first, answers.count == 2,
            case .answered = answers[0].outcome, case .undecided = answers[1].outcome
        else {
            Issue.record("Expected one that is done and one of unknown fate, found \(taken).")
            return
        }
        #expect(machine.knowledge.usesBatch)
        // No part does: they go by themselves.
        (machine, actions) = Self.machine()
        let untaken = machine.step(.looked(1, .success([1: .notCarriedOut, 2: .undecided])))
        guard case .giveUpBatches? = untaken.first, untaken.count == 2,
            case .takeBack(_, thaw: true) = untaken[1]
        else {
            Issue.record("Expected the parts by themselves, found \(untaken).")
            return
        }
    }

    // MARK: Notes

    @Test(arguments: [0, 1]) func whatWasNotNotedIsNotTakenBack(sendings: Int) {
        let request = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: .create,
            target: RowReference(table: "T", id: -1), state: .frozen(attempt: 1))
        let attempt = Attempt(
            id: 1, message: RequestMessage(method: "POST", url: "T"),
            members: [.init(request: 1)], frozenAt: 0, sendCount: sendings)
        var machine = UploadMachine(.init())
        _ = machine.send(.init(attempt: attempt, requests: [request]))
        let actions = machine.step(.unnoted(1, ODataError(.storage, "full")))
        #expect(actions.isEmpty == (sendings == 1))
        if case .takeBack(_, let thaw)? = actions.first { #expect(thaw) }
        guard case .end(let error?)? = machine.next().first else {
            Issue.record("Expected the end.")
            return
        }
        #expect(error.code == .storage)
    }
}
