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
        let error = Self.outcome(
            status, Self.json, Self.error, url: "$batch", asking: .batch, sendsVersion: true)
        for doubt in [Self.page(status), error] {
            guard case .perhapsNoBatch = doubt else {
                Issue.record("Expected a doubt, found \(doubt).")
                return
            }
        }
    }

    private static func page(_ status: Int) -> SendingOutcome {
        outcome(status, ["Content-Type": "text/html"], "<html>", url: "$batch", asking: .batch)
    }

    /// A batch of two creations, or their change set, for which a page came.
    private static func machine(
        _ status: Int = 404, sendings: Int = 0, isChangeSet: Bool = false
    ) -> (machine: UploadMachine, actions: [UploadMachine.Action]) {
        var machine = UploadMachine(.init())
        _ = machine.send(work(sendings: sendings, isChangeSet: isChangeSet))
        let actions = machine.actions(following: page(status), of: 1)
        return (machine, actions)
    }

    private static func work(
        id: Int64 = 1, sendings: Int = 0, isChangeSet: Bool = false
    ) -> UploadMachine.Work {
        let requests = [1, 2].map {
            QueuedRequest(
                id: $0, identity: RepeatabilityIdentity(id: "i\($0)"), operation: .create,
                target: RowReference(table: "T", id: -$0), changeSet: isChangeSet ? "s" : nil,
                state: .frozen(attempt: id))
        }
        let attempt = Attempt(
            id: id, message: RequestMessage(method: "POST", url: "$batch"),
            members: requests.map {
                .init(
                    request: $0.id, contentID: "\($0.id)", changeSet: isChangeSet ? 0 : nil,
                    part: isChangeSet ? 0 : Int($0.id) - 1)
            }, frozenAt: 0, sendCount: sendings)
        return .init(attempt: attempt, requests: requests)
    }

    private static func recorded(
        _ actions: [UploadMachine.Action]
    ) -> [AttemptAnswers.Outcome] {
        for case .record(_, let answers) in actions { return answers.map(\.outcome) }
        return []
    }

    private static func isUndecided(_ outcome: AttemptAnswers.Outcome) -> Bool {
        if case .undecided = outcome { true } else { false }
    }

    @Test func aPageInPlaceOfABatchIsLookedBehind() {
        let (begun, actions) = Self.machine()
        var machine = begun
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
    }

    /// Creations with keys of the service show nothing even where they were carried out.
    @Test(arguments: [404, 405, 415, 501])
    func whereNoPartShowsAnEffectABatchThatReadsTells(_ status: Int) {
        func asked(_ answer: Result<Bool, ODataError>) -> ([UploadMachine.Action], UploadMachine) {
            var (machine, _) = Self.machine(status)
            let look = machine.step(.looked(1, .success([1: .notCarriedOut, 2: .undecided])))
            guard case .askBatches? = look.first, look.count == 1 else {
                Issue.record("Expected a batch that reads, found \(look).")
                return ([], machine)
            }
            return (machine.step(.askedBatches(1, answer)), machine)
        }
        // There is none: they go by themselves.
        let (untaken, without) = asked(.success(false))
        guard case .giveUpBatches? = untaken.first, untaken.count == 2,
            case .takeBack(_, thaw: true) = untaken[1]
        else {
            Issue.record("Expected the parts by themselves, found \(untaken).")
            return
        }
        #expect(without.refusedBatch == status)
        // There is one, and it may have taken them: nothing is learned.
        let (taken, with) = asked(.success(true))
        let outcomes = Self.recorded(taken)
        #expect(outcomes.first == .notCarriedOut && outcomes.last.map(Self.isUndecided) == true)
        #expect(with.refusedBatch == nil && !with.knowledge.usesBatch && with.works.isEmpty)
        // Nobody tells: it stays open.
        let (open, ended) = asked(.failure(ODataError(.network, "cut")))
        #expect(open.isEmpty && ended.failure?.code == .network && ended.works.isEmpty)
    }

    /// A service that has answered a batch has a `$batch`.
    @Test func aPageBehindABatchThatWasAnsweredIsNotTheServices() {
        var machine = UploadMachine(.init())
        _ = machine.send(Self.work())
        _ = machine.step(
            .came(
                1,
                .answered(
                    [1, 2].map {
                        .init(
                            request: $0, outcome: .answered(ResponseMessage(status: 204)))
                    })))
        _ = machine.send(Self.work(id: 2))
        _ = machine.step(.came(2, Self.page(404)))
        let actions = machine.step(.looked(2, .success([1: .undecided, 2: .undecided])))
        #expect(Self.recorded(actions).map(Self.isUndecided) == [true, true])
    }

    /// A change set that is not let through goes once more, and is listed then.
    @Test func aChangeSetThatIsNotLetThroughIsListed() {
        var (machine, _) = Self.machine(isChangeSet: true)
        let findings: [Int64: ResendPolicy.Finding] = [1: .notCarriedOut, 2: .notCarriedOut]
        _ = machine.step(.looked(1, .success(findings)))
        let first = Self.recorded(machine.step(.askedBatches(1, .success(true))))
        #expect(first == [.notCarriedOut, .notCarriedOut])
        _ = machine.send(Self.work(isChangeSet: true))
        _ = machine.step(.came(1, Self.page(404)))
        _ = machine.step(.looked(1, .success(findings)))
        let second = Self.recorded(machine.step(.askedBatches(1, .success(true))))
        guard second.count == 2, case .refusedWithoutEffect(let answer) = second[0],
            second[0] == second[1]
        else {
            Issue.record("Expected two refusals, found \(second).")
            return
        }
        #expect(answer.status == 404)
        #expect(machine.works.isEmpty)
    }

    /// What came after a sending that is open neither thaws it nor says that there are no batches.
    @Test func aPageAfterAnOpenSendingThawsNothing() {
        var (machine, actions) = Self.machine(sendings: 1)
        #expect(machine.refusedBatch == nil)
        actions += machine.step(.looked(1, .success([1: .notCarriedOut, 2: .undecided])))
        for case .takeBack in actions { Issue.record("Expected that it stays open.") }
        let outcomes = Self.recorded(actions)
        #expect(outcomes.first == .notCarriedOut && outcomes.last.map(Self.isUndecided) == true)
    }

    /// A look that shows no effect settles a request by itself, whatever became of the others in its batch.
    @Test func aRefusalBehindALookLeavesNothingOpen() throws {
        let work = Self.work(sendings: 2)
        var (machine, _) = Self.machine(503, sendings: 2)
        let shown = ResponseMessage(status: 200)
        let outcomes = Self.recorded(
            machine.step(.looked(1, .success([1: .carriedOut(shown), 2: .notCarriedOut]))))
        guard outcomes.first == .answered(shown), let second = outcomes.last,
            case .refusedWithoutEffect = second
        else {
            Issue.record("Expected one that is done and one that is refused, found \(outcomes).")
            return
        }
        let rule = AnswerRule.of(second, for: work.requests[1], isOpen: true)
        guard case .become(.failed(let failure)) = rule else {
            Issue.record("Expected a refusal, found \(rule).")
            return
        }
        #expect(failure.status == 503)
    }

    /// A proxy with a limit of its own passes nothing on: what it says of the size is believed without a look.
    @Test func aBatchThatSomebodyElseFindsTooLargeIsHalved() {
        let (machine, actions) = Self.machine(413)
        guard case .takeBack(_, thaw: true)? = actions.first, actions.count == 1 else {
            Issue.record("Expected two halves, found \(actions).")
            return
        }
        #expect(machine.ready == [[.request(1)], [.request(2)]])
    }

    /// Whatever else a gateway says in place of a batch may come after its effect.
    @Test(arguments: [400, 403, 500])
    func aBatchThatSomebodyElseRefusesIsLookedBehind(_ status: Int) {
        var (machine, actions) = Self.machine(status)
        guard case .look? = actions.first else {
            Issue.record("Expected a look, found \(actions).")
            return
        }
        actions = machine.step(.looked(1, .success([1: .undecided, 2: .undecided])))
        #expect(Self.recorded(actions).map(Self.isUndecided) == [true, true])
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
