import ODataModel
import ODataSyncPlan
import Testing

/// Which row a change is made for that is recorded behind another one without an answer.
@Suite struct ChangeBehindTests {
    /// A change of the first value to 9, made for the row with tag 1.
    private static func front(
        _ state: RequestState = .waiting, tag: String? = "W/\"1\"",
        flags: QueuedRequest.Flags = .open, operation: QueuedRequest.Operation = .update(.merge)
    ) -> QueuedRequest {
        QueuedRequest(
            id: 1, identity: RepeatabilityIdentity(id: "i"), operation: operation,
            target: QueueFixture.row(1),
            body: operation == .delete
                ? nil : RequestBody(values: QueueFixture.values(nil, 9)), ifMatch: tag,
            flags: flags, state: state)
    }

    private static func behind(
        _ writers: [QueuedRequest], brought value: Int64, tag: String? = "W/\"3\""
    ) -> ChangeBehind? {
        var image = QueueFixture.values(1, value, 3)
        image.control.etag = tag
        return ChangeBehind(writers, of: QueueFixture.row(1), over: image, QueueFixture.graph)
    }

    @Test func aRowThatHidesTheChangeInFrontWasNotSeen() {
        for state in [RequestState.waiting, .frozen(attempt: 1), .unknown(reason: "lost")] {
            let behind = Self.behind([Self.front(state)], brought: 4)
            #expect(behind?.ifMatch == "W/\"1\"" && behind?.isRebased == false)
        }
    }

    @Test func aRowThatShowsItIsTheOneThatIsChanged() {
        #expect(Self.behind([Self.front()], brought: 9) == nil)
        #expect(Self.behind([Self.front()], brought: 4, tag: "W/\"1\"") == nil)
        #expect(Self.behind([], brought: 4) == nil)
    }

    /// Whoever changes a listed row again decides about it; a change that goes over any row was made for none.
    @Test func whatIsListedOrForAnyRowTellsNothing() {
        let failure = RequestFailure(status: 412, message: "changed")
        for front in [
            Self.front(.failed(failure)), Self.front(.blocked(by: 7)), Self.front(tag: "*"),
            Self.front(operation: .delete),
        ] {
            #expect(Self.behind([front], brought: 4) == nil)
        }
    }

    @Test func theMarkOfAChangeWithoutATagGoesOn() {
        let marked = Self.front(tag: nil, flags: [.open, .rebased])
        for value: Int64 in [4, 9] {
            let behind = Self.behind([marked], brought: value)
            #expect(behind != nil && behind?.ifMatch == nil && behind?.isRebased == true)
        }
        #expect(Self.behind([Self.front(tag: nil)], brought: 4) == nil)
    }

    /// The latest one in front is what the app sees.
    @Test func theLastOneInFrontCounts() {
        var later = Self.front(tag: "W/\"2\"", flags: [])
        (later.id, later.position) = (2, 2)
        #expect(Self.behind([later, Self.front()], brought: 4)?.ifMatch == "W/\"2\"")
    }
}
