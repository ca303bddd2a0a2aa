import ODataQuery
@testable import ODataSyncPlan
import ODataText
import Testing

/// Sendings that an earlier process has begun and the system goes on with.
@Suite struct TakenUpSendingTests {
    private static func attempt(_ id: Int64 = 1, at time: Int64 = 5) -> Attempt {
        Attempt(
            id: id, message: RequestMessage(method: "POST", url: "Items"),
            members: [Attempt.Member(request: id)], frozenAt: time, sendCount: 1)
    }

    /// The app may have switched identities on, or learned that the service knows them, since it was sent without.
    @Test(arguments: [true, false])
    func onlyWhatWentWithItsIdentityGoesAgainUnseen(isIdentified: Bool) {
        var attempt = Self.attempt()
        attempt.members[0].isIdentified = isIdentified
        let creation = QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "g", firstSent: 5), operation: .create,
            target: RowReference(table: "Items", id: -1))
        var machine = UploadMachine(
            .init(isRepeatable: true), unsettled: [.init(attempt: attempt, requests: [creation])])
        switch machine.next().first {
        case .send: #expect(isIdentified)
        case .look: #expect(!isIdentified)
        case let action: Issue.record("Expected a sending or a look, found \(action as Any).")
        }
    }

    /// The service shows nothing that could be relied on while the request may still arrive.
    @Test(arguments: [true, false])
    func whatIsUnderWayIsWaitedForBeforeAnythingIsLookedAt(isUnderWay: Bool) {
        var machine = UploadMachine(
            .init(),
            unsettled: [.init(attempt: Self.attempt(), requests: [], isUnderWay: isUnderWay)])
        let first = machine.next()
        guard isUnderWay else {
            if case .takeUp = first.first { Issue.record("It is not under way.") }
            return
        }
        guard first.count == 1, case .takeUp(let attempt) = first[0] else {
            Issue.record("Expected it to be taken up, found \(first).")
            return
        }
        #expect(attempt.id == 1)
        guard case .await? = machine.next().first else {
            Issue.record("Expected a wait for its end.")
            return
        }
        // Without an answer the upload ends, and the next one looks.
        let lost = ODataError(.network, "Gone.")
        _ = machine.step(.came(1, .unanswered(lost)))
        guard case .end(let failure) = machine.next().first else {
            Issue.record("Expected the end.")
            return
        }
        #expect(failure != nil)
    }

    /// The answer is that to the sending that is taken up: no earlier one is open beside it.
    @Test(
        "CSP-066 a batch of an earlier process that was too large goes in halves, as one of this process"
    )
    func theSendingThatIsTakenUpIsNotAnEarlierOne() {
        for (sendCount, isDivided) in [(1, true), (2, false)] {
            var attempt = Self.attempt()
            attempt.sendCount = sendCount
            attempt.members = [Attempt.Member(request: 1), Attempt.Member(request: 2)]
            var machine = UploadMachine(
                .init(), unsettled: [.init(attempt: attempt, requests: [], isUnderWay: true)])
            _ = machine.next()
            let actions = machine.actions(following: .tooLarge(ResponseMessage(status: 413)), of: 1)
            switch actions.first {
            case .takeBack(_, let thaw)?: #expect(isDivided && thaw)
            case .look?: #expect(!isDivided)
            default: Issue.record("Expected halves or a look, found \(actions).")
            }
        }
    }

    @Test("CSP-066 what keeps an upload from waiting says nothing of a request that is on its way")
    func whatCannotBeTakenUpIsNotTakenBack() {
        var machine = UploadMachine(
            .init(),
            unsettled: [.init(attempt: Self.attempt(), requests: [], isUnderWay: true)])
        _ = machine.next()
        let actions = machine.step(.unnoted(1, ODataError(.cancelled, "Cancelled.")))
        #expect(actions.isEmpty, "\(actions)")
        guard case .end(let failure?) = machine.next().first else {
            Issue.record("Expected the end.")
            return
        }
        #expect(failure.code == .cancelled)
    }

    /// That nobody was reached now proves nothing of what another process has sent.
    @Test func aFailureOfASendingThatIsTakenUpSettlesNothing() {
        let failure = ODataError(
            .network, "Nobody there.",
            underlying: NetworkFailure(phase: .connect, method: "POST", host: "h", cause: nil))
        for wasOnItsWay in [true, false] {
            let outcome = SendingOutcome.of(
                .failure(failure), to: Self.attempt(), asking: .create, marks: ServiceMarks(),
                root: "http://h/", wasOnItsWay: wasOnItsWay)
            switch outcome {
            case .unanswered: #expect(wasOnItsWay)
            case .notSent: #expect(!wasOnItsWay)
            default: Issue.record("Expected a failure, found \(outcome).")
            }
        }
    }

    @Test func namesTellWhatIsAskedForWhomAndAfterWhichChanges() {
        let read = RequestMessage(method: "GET", url: "Items", headers: ["Accept": "a/b"])
        let names = TransferNames(store: "/a", identity: "me", accepted: 1)
        #expect(names.name(ofRead: read) == names.name(ofRead: read))
        var other = read
        other.headers["Prefer"] = "odata.track-changes"
        let different = [
            names.name(ofRead: other),
            names.name(ofRead: RequestMessage(method: "GET", url: "Items2")),
            TransferNames(store: "/a", identity: "you", accepted: 1).name(ofRead: read),
            TransferNames(store: "/a", identity: "me", accepted: 2).name(ofRead: read),
            TransferNames(store: "/b", identity: "me", accepted: 1).name(ofRead: read),
        ]
        #expect(Set(different + [names.name(ofRead: read)]).count == 6)
    }

    @Test func theBoundaryOfABatchSaysNothing() {
        func batch(_ boundary: String, _ url: String) -> RequestMessage {
            RequestMessage(
                method: "POST", url: "$batch",
                headers: ["Content-Type": "multipart/mixed;boundary=\(boundary)"],
                body: Array("--\(boundary)\r\nGET \(url)\r\n--\(boundary)--".utf8))
        }
        let names = TransferNames(store: "/a", identity: "me", accepted: 1)
        #expect(names.name(ofRead: batch("x1", "A")) == names.name(ofRead: batch("y2", "A")))
        #expect(names.name(ofRead: batch("x1", "A")) != names.name(ofRead: batch("x1", "B")))
    }

    @Test func onlyWhatNobodyAsksForIsForgotten() {
        let names = TransferNames(store: "/a", identity: "me", accepted: 1)
        let foreign = TransferNames(store: "/b", identity: "me", accepted: 1)
        let read = names.name(ofRead: RequestMessage(method: "GET", url: "Items"))
        let kept = names.name(ofSending: Self.attempt(1))
        let gone = names.name(ofSending: Self.attempt(2))
        let all: Set = [
            read, kept, gone, foreign.name(ofSending: Self.attempt(1)), "something-else",
        ]
        #expect(names.transfers(.read, among: all) == [read])
        #expect(names.transfers(.sending, among: all, but: [kept]) == [gone])
        #expect(TransferNames.all(of: "/a", among: all) == [read, kept, gone])
        // A store that was made anew counts its attempts from the beginning.
        #expect(names.name(ofSending: Self.attempt(1, at: 6)) != kept)
    }
}
