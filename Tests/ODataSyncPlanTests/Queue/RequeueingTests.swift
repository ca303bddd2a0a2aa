import ODataQuery
import ODataSyncPlan
import Testing

/// Refused requests that an upload takes up, and what it puts back of them.
@Suite struct RequeueingTests {
    private static let refusal = RequestState.failed(
        RequestFailure(status: 409, code: "Taken", responseBody: "{}"))

    private static func request(
        _ id: Int64, row: Int64, _ state: RequestState, takenUp: RequestState? = nil
    ) -> QueuedRequest {
        var request = QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i", firstSent: 1),
            operation: .update(.merge), target: QueueFixture.row(row),
            body: RequestBody(values: QueueFixture.values(nil, 1)), state: state)
        request.takenUp = takenUp
        return request
    }

    @Test func whatIsTakenUpRemembersHowItWasListed() {
        let queue = [
            Self.request(1, row: 1, Self.refusal), Self.request(2, row: 1, .blocked(by: 1)),
            Self.request(3, row: 2, .unknown(reason: nil)), Self.request(4, row: 3, .waiting),
        ]
        let taken = Requeueing(queue, without: []).unchanged
        #expect(taken.map(\.id) == [1, 2])
        #expect(taken.allSatisfy { $0.state == .waiting })
        #expect(taken.map(\.takenUp) == [Self.refusal, .blocked(by: 1)])
        let back = Requeueing.putBack(taken + queue.suffix(2))
        #expect(back == Array(queue.prefix(2)))
    }

    @Test func aCorrectionRemembersItToo() {
        var later = Self.request(2, row: 1, .waiting)
        later.identity = RepeatabilityIdentity(id: "j")
        let queue = [Self.request(1, row: 1, Self.refusal), later]
        let plan = Requeueing(queue, without: [])
        let edits = plan.rememberingRefusals(
            RequestRetry.edits(plan.corrected, in: queue, tags: [:], asNew: true))
        guard case .replace(let corrected)? = edits.first else {
            Issue.record("Expected one request to replace, found \(edits).")
            return
        }
        #expect(edits.count == 1 && corrected.id == 1 && corrected.state == .waiting)
        #expect(corrected.takenUp == Self.refusal && !corrected.wasSent)
    }

    /// It was made before the refusal, and is not to correct what is refused once more.
    @Test func whatWaitsBehindARequestOnItsWayIsListedWithItAgain() {
        let behind = Self.request(2, row: 1, .waiting, takenUp: .blocked(by: 1))
        let onItsWay = Self.request(1, row: 1, .frozen(attempt: 5))
        #expect(Requeueing.putBack([onItsWay, behind]).isEmpty)
        let refused = Self.request(1, row: 1, Self.refusal)
        #expect(Requeueing.putBack([refused, behind]).map(\.state) == [.blocked(by: 1)])
        var unsent = behind
        unsent.identity = RepeatabilityIdentity(id: "j")
        #expect(Requeueing([refused, unsent], without: []).corrected.isEmpty)
    }

    @Test func aLaterChangeStandsForItselfBehindWhatIsTakenUp() {
        var earlier = Self.request(1, row: 1, .waiting, takenUp: Self.refusal)
        earlier.identity = RepeatabilityIdentity(id: "j")
        var later = Self.request(2, row: 1, .waiting)
        later.identity = RepeatabilityIdentity(id: "k")
        #expect(JoinOnWrite().edits(recording: later, behind: [earlier]) == [.append(later)])
        // Where the refused request is to be corrected the two become one.
        let merge = QueueMerge(respectsTransactionIDs: true)
        #expect(merge.edits([earlier, later]) { $0.id == 2 }.last == .remove(2))
    }

    @Test func whatIsOnItsWayOrSettledHoldsNothingBack() {
        let onItsWay = Self.request(1, row: 1, .frozen(attempt: 5), takenUp: Self.refusal)
        let behind = Self.request(2, row: 1, .waiting, takenUp: .blocked(by: 1))
        let settled = Self.request(4, row: 3, .waiting, takenUp: .blocked(by: 3))
        let back = Requeueing.putBack([onItsWay, behind, settled])
        #expect(back.map(\.id) == [4])
        #expect(back.allSatisfy { $0.state == .waiting && $0.takenUp == nil })
    }

    private static let otherRow = RequestState.failed(.rowChanged)

    /// A tag keeps a refused request from going over another row; one without stays listed, with what waits behind it.
    @Test func whatWasListedForAnotherRowStaysListed() {
        var tagged = Self.request(5, row: 3, Self.otherRow)
        tagged.ifMatch = "1"
        var deletion = Self.request(3, row: 1, .waiting)
        (deletion.operation, deletion.body) = (.delete, nil)
        let queue = [
            Self.request(1, row: 1, Self.otherRow), Self.request(2, row: 1, .blocked(by: 1)),
            deletion, Self.request(4, row: 2, Self.refusal), tagged,
        ]
        let plan = Requeueing(queue, without: [])
        #expect(plan.unchanged.map(\.id) == [4, 5])
        #expect(plan.corrected.isEmpty)
        #expect(plan.undecided.map(\.id) == [1])
        #expect(plan.heldBack.map(\.id) == [3])
        #expect(plan.heldBack.map(\.state) == [.blocked(by: 1)])
    }

    @Test func aLaterChangeOfTheRowIsTheAppsWord() {
        var later = Self.request(2, row: 1, .waiting)
        later.identity = RepeatabilityIdentity(id: "j")
        let plan = Requeueing([Self.request(1, row: 1, Self.otherRow), later], without: [])
        #expect(plan.corrected.map(\.id) == [1])
        #expect(plan.undecided.isEmpty && plan.heldBack.isEmpty)
    }

    /// What the app has said of one member does not decide about the other, and neither goes alone.
    @Test func membersOfAChangeSetStayListedTogether() {
        func member(_ id: Int64, _ state: RequestState) -> QueuedRequest {
            var request = Self.request(id, row: id, state)
            request.changeSet = "s"
            return request
        }
        let behind = Self.request(4, row: 1, .waiting)
        let plan = Requeueing(
            [member(1, .waiting), member(2, Self.otherRow), member(3, Self.refusal), behind],
            without: [])
        #expect(plan.unchanged.isEmpty)
        #expect(plan.undecided.map(\.id) == [2])
        #expect(plan.heldBack.map(\.id) == [1, 4])
        #expect(plan.heldBack.allSatisfy { $0.state == .blocked(by: 2) })
    }

    /// Being taken back leaves no trace; an answer, or a sending that may have had its effect, takes the place of the refusal.
    @Test func onlyASendingMakesARefusalOld() {
        let attempt = Attempt(
            id: 5, message: .init(method: "PATCH", url: "T(1)"), members: [.init(request: 1)],
            frozenAt: 1)
        let sent = Self.request(1, row: 1, .frozen(attempt: 5), takenUp: Self.refusal)
        #expect(AttemptEdits.thawed(attempt, [sent]).map(\.takenUp) == [Self.refusal])
        #expect(AnswerRule.wait.applied(to: sent)?.takenUp == Self.refusal)
        #expect(AnswerRule.waitOpen.applied(to: sent)?.takenUp == nil)
        #expect(AnswerRule.become(.unknown(reason: nil)).applied(to: sent)?.takenUp == nil)
    }
}
