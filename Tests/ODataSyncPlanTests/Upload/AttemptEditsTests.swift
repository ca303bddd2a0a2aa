import ODataSyncPlan
import ODataText
import Testing

/// What keeps requests from being sent, as edits of the queue.
@Suite struct AttemptEditsTests {
    private static func request(
        _ id: Int64, row: Int64, state: RequestState = .waiting
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i"), operation: .update(.merge),
            target: QueueFixture.row(row), body: RequestBody(values: QueueFixture.values(nil, 1)),
            state: state)
    }

    @Test func whatIsNotToBeSentIsRefusedAndHoldsBackWhatDependsOnIt() {
        let failure = RequestFailure(status: 412, code: "RowChanged")
        let queue = [
            Self.request(1, row: 1), Self.request(2, row: 1), Self.request(3, row: 2),
            Self.request(4, row: 3, state: .frozen(attempt: 9)),
        ]
        let edits = AttemptEdits.refused([1, 4], with: failure, in: queue)
        #expect(edits.map(\.id) == [1, 2])
        #expect(edits.map(\.state) == [.failed(failure), .blocked(by: 1)])
        #expect(AttemptEdits.refused([4, 7], with: failure, in: queue).isEmpty)
    }

    /// A sending is noted with the freezing, and nothing asks again.
    @Test func whatWasCancelledIsNotFrozen() throws {
        var request = Self.request(1, row: 1)
        #expect(try AttemptEdits.frozen([1], of: [request], in: 3, at: 5).map(\.id) == [1])
        request.flags = .cancelled
        #expect(throws: ODataError.self) {
            try AttemptEdits.frozen([1], of: [request], in: 3, at: 5)
        }
    }

    @Test func ofWhatAnEarlierUploadHasSentItIsNotSaidThatItFailed() throws {
        var open = Self.request(1, row: 1)
        open.flags = .open
        let edits = AttemptEdits.refused(
            [1], with: .rowChanged, in: [open, Self.request(2, row: 1)])
        #expect(edits.count == 2 && edits.last?.state == .blocked(by: 1))
        let edit = try #require(edits.first)
        #expect(edit.state.isUnknown && !edit.flags.contains(.open))
        guard case .unknown(let reason) = edit.state else { return }
        #expect(reason?.hasSuffix(try #require(RequestFailure.rowChanged.message)) == true)
    }
}
