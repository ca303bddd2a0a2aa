import ODataQuery
import ODataText
import Testing

@testable import ODataSyncPlan

/// CSP-176: what cancelling does while an answer is open.
@Suite struct CancellationTests {
    private static func fixture(open: Int = 0) -> QueueFixture {
        var fixture = QueueFixture(
            join: JoinOnWrite(combinesUpdates: false, combinesDeletes: false))
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.record(.update(.merge), -1, QueueFixture.values(nil, 2))
        fixture.record(.create, -2, QueueFixture.values(nil, 3), binds: [-1])
        fixture.record(.update(.merge), 9, QueueFixture.values(nil, 4))
        fixture.queue[open].state = .frozen(attempt: 7)
        return fixture
    }

    private static func after(_ cancellation: Cancellation, _ fixture: QueueFixture)
        -> [QueuedRequest]
    {
        var next = fixture.nextID
        return QueueEdit.apply(cancellation.edits, to: fixture.queue, nextID: &next)
    }

    @Test("CSP-176 what is open is marked and named, and all else goes")
    func whatIsOpenIsMarkedAndNamed() {
        let fixture = Self.fixture()
        let cancellation = Cancellation(of: nil, in: fixture.queue)
        #expect(cancellation.gone == [2, 3, 4] && cancellation.open == [1])
        let left = Self.after(cancellation, fixture)
        #expect(left.map(\.id) == [1] && left.allSatisfy(\.isCancelled))
        #expect(left.first?.state == .frozen(attempt: 7))
        #expect(cancellation.error?.code == .conflict)
        #expect(cancellation.error?.message.contains("request 1 has no answer yet") == true)
        #expect((cancellation.error?.underlying as? OpenRequests)?.ids == [1])
        #expect(Cancellation(of: [4], in: fixture.queue).error == nil)
        #expect(Cancellation(of: [], in: fixture.queue).edits.isEmpty)
        // What depends on it goes with it, and nothing else.
        #expect(Cancellation(of: [1], in: fixture.queue).gone == [2, 3])
    }

    @Test(
        "CSP-176 undoing marks what is open of the rows, and no request that makes other rows, too")
    func undoingMarksWhatIsOpen() {
        let fixture = Self.fixture()
        let undone = Cancellation(undoing: [QueueFixture.row(-1)], in: fixture.queue)
        #expect(undone.open == [1] && undone.kept.isEmpty && undone.gone == [2])
        var deep = QueueFixture(join: JoinOnWrite())
        deep.record(.create, -1, QueueFixture.values(nil, 1))
        deep.queue[0].body?.inline = [
            .init(
                navigation: "N", row: QueueFixture.row(-2),
                body: RequestBody(values: QueueFixture.values(nil, 2)))
        ]
        deep.queue[0].state = .frozen(attempt: 7)
        let part = Cancellation(undoing: [QueueFixture.row(-2)], in: deep.queue)
        #expect(part.open.isEmpty && part.kept == [1] && part.edits.isEmpty)
        #expect((part.error?.underlying as? OpenRequests)?.ids == [1])
        let whole = Cancellation(
            undoing: [QueueFixture.row(-1), QueueFixture.row(-2)], in: deep.queue)
        #expect(whole.open == [1] && whole.kept.isEmpty)
    }

    private static func request(_ operation: QueuedRequest.Operation) -> QueuedRequest {
        QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i", firstSent: 1), operation: operation,
            target: QueueFixture.row(1), flags: .cancelled, state: .frozen(attempt: 7))
    }

    /// Nothing makes it wait again.
    @Test("CSP-176 it goes with the first that says it had no effect, and nothing sends it again")
    func itGoesWithTheFirstThatSaysItHadNoEffect() {
        let answers: [AttemptAnswers.Outcome] = [
            .answered(ResponseMessage(status: 412)), .refused(ResponseMessage(status: 400)),
            .refusedUnprocessed(ResponseMessage(status: 429)), .notCarriedOut,
            .passedOver(ResponseMessage(status: 424)), .turnedAway(status: 302, reason: "r"),
            .unwritten(code: "c", reason: "r"),
        ]
        for operation in [QueuedRequest.Operation.create, .update(.merge), .delete] {
            for answer in answers {
                #expect(
                    AnswerRule.of(answer, for: Self.request(operation), isOpen: false) == .drop,
                    "\(answer)")
            }
            let accepted = ResponseMessage(status: 204)
            #expect(
                AnswerRule.of(.answered(accepted), for: Self.request(operation), isOpen: false)
                    == .accept(accepted))
            #expect(
                AnswerRule.of(.unanswered, for: Self.request(operation), isOpen: false) == .stay)
        }
    }

    /// The rows of a download tell of a creation, and of nothing else.
    @Test("CSP-176 of unknown fate a creation stays listed, and a change goes")
    func ofUnknownFateACreationStaysListed() {
        let answers: [AttemptAnswers.Outcome] = [
            .repeatable, .undecided("u"), .answered(ResponseMessage(status: 400)),
            .turnedAway(status: 302, reason: "r"),
        ]
        for answer in answers {
            guard
                case .become(.unknown) = AnswerRule.of(
                    answer, for: Self.request(.create), isOpen: true)
            else {
                Issue.record("expected a listed creation after \(answer)")
                continue
            }
            for operation in [QueuedRequest.Operation.update(.merge), .delete] {
                #expect(
                    AnswerRule.of(answer, for: Self.request(operation), isOpen: true) == .drop)
            }
        }
    }

    @Test("CSP-176 changes that the app makes since are not lost with it")
    func changesMadeSinceAreNotLost() {
        var fixture = QueueFixture(
            join: JoinOnWrite(combinesUpdates: false, combinesDeletes: false))
        fixture.record(.update(.merge), 5, QueueFixture.values(nil, 1))
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        for place in [0, 1] {
            fixture.queue[place].state = .frozen(attempt: 7)
            fixture.queue[place].flags.insert(.cancelled)
        }
        fixture.record(.update(.merge), 5, QueueFixture.values(nil, 2))
        #expect(Cancellation.dropped(fixture.queue[0], in: fixture.queue) == [.remove(1)])
        #expect(Cancellation.dropped(fixture.queue[1], in: fixture.queue) == [.remove(2)])
        var deleted = fixture
        deleted.record(.delete, -1)
        #expect(
            Cancellation.dropped(fixture.queue[1], in: deleted.queue) == [.remove(2), .remove(4)])
        fixture.record(.update(.merge), -1, QueueFixture.values(nil, 2))
        var listed = fixture.queue[1]
        listed.state = .failed(.cancelled)
        #expect(Cancellation.dropped(fixture.queue[1], in: fixture.queue) == [.replace(listed)])
        #expect(listed.staysListed && !WriteConflict.isPossible(listed))
        #expect(RequestRetry.edits([listed], in: fixture.queue, tags: [:]).isEmpty)
        #expect(throws: ODataError.self) {
            try RequestFix(
                of: listed, changes: QueueFixture.values(nil, 3), graph: QueueFixture.graph)
        }
    }

    /// Undoing a part of it would make another request of the rest.
    @Test("CSP-176 undoing takes what is listed of it back as a whole")
    func undoingTakesItBackAsAWhole() {
        var fixture = QueueFixture(join: JoinOnWrite())
        fixture.record(.create, -1, QueueFixture.values(nil, 1))
        fixture.queue[0].body?.inline = [
            .init(
                navigation: "N", row: QueueFixture.row(-2),
                body: RequestBody(values: QueueFixture.values(nil, 2)))
        ]
        fixture.queue[0].state = .unknown(reason: nil)
        fixture.queue[0].flags.insert(.cancelled)
        fixture.record(.create, -3, QueueFixture.values(nil, 3), binds: [-1])
        let other = UndoRules(undoing: [QueueFixture.row(9)], in: fixture.queue)
        #expect(other.edits.isEmpty)
        let undone = UndoRules(undoing: [QueueFixture.row(-2)], in: fixture.queue)
        #expect(undone.vanished == [QueueFixture.row(-1), QueueFixture.row(-2)])
        #expect(undone.edits.first == .remove(1) && undone.edits.count == 2)
        guard case .replace(let rest)? = undone.edits.last else {
            Issue.record("expected a creation without its link")
            return
        }
        #expect(rest.id == 2 && rest.body?.binds.isEmpty == true)
    }

    private static func machine(sendCount: Int, isRepeatable: Bool) -> UploadMachine {
        var other = request(.create)
        (other.id, other.flags) = (2, [])
        let attempt = Attempt(
            id: 7, message: RequestMessage(method: "POST", url: "$batch"),
            members: [
                Attempt.Member(request: 1, contentID: "1", part: 0),
                Attempt.Member(request: 2, contentID: "2", part: 1),
            ], frozenAt: 1, sendCount: sendCount)
        return UploadMachine(
            .init(isRepeatable: isRepeatable),
            unsettled: [.init(attempt: attempt, requests: [request(.update(.merge)), other])])
    }

    @Test("CSP-176 an attempt with something cancelled in it is not sent")
    func anAttemptWithSomethingCancelledIsNotSent() {
        var fresh = Self.machine(sendCount: 0, isRepeatable: true)
        guard case .send? = fresh.next().first else {
            Issue.record("expected a sending")
            return
        }
        guard case .takeBack(_, thaw: true)? = fresh.step(.withheld(7)).first else {
            Issue.record("expected the attempt to be taken back")
            return
        }
        // Where a sending is open each part is looked for, and what is not cancelled goes on.
        var open = Self.machine(sendCount: 1, isRepeatable: true)
        _ = open.next()
        guard case .look? = open.step(.withheld(7)).first else {
            Issue.record("expected a look")
            return
        }
        let actions = open.step(.looked(7, .success([1: .notCarriedOut, 2: .undecided])))
        let outcomes = actions.compactMap { action -> [AttemptAnswers.Outcome]? in
            if case .record(_, let answers) = action { answers.map(\.outcome) } else { nil }
        }
        #expect(outcomes == [[.notCarriedOut, .repeatable]])
        #expect(actions.allSatisfy { if case .send = $0 { false } else { true } })
    }
}
