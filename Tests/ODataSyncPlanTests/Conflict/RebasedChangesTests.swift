import ODataModel
import ODataSQL
import ODataSyncPlan
import Testing

/// Changes without tags over a row that a download brings otherwise than it was.
@Suite struct RebasedChangesTests {
    private static func change(
        _ id: Int64, to value: Int64 = 9, _ operation: QueuedRequest.Operation = .update(.merge),
        _ state: RequestState = .waiting
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: operation,
            target: QueueFixture.row(1),
            body: operation == .delete
                ? nil : RequestBody(values: QueueFixture.values(nil, value)), state: state)
    }

    private static func marked(
        _ requests: [QueuedRequest], now: StructureValue
    ) -> [Int64] {
        let before = StoredRow(id: 1, values: QueueFixture.values(1, 2, 3), state: [])
        let edits = RebasedChanges(BaseComparison(graph: QueueFixture.graph)).edits(
            requests, before: before, now: now
        ).requests
        #expect(edits.allSatisfy { $0.flags.contains(.rebased) })
        return edits.map(\.id)
    }

    @Test func whatAChangeOverwritesCounts() {
        #expect(Self.marked([Self.change(1)], now: QueueFixture.values(1, 4, 3)) == [1])
        #expect(Self.marked([Self.change(1)], now: QueueFixture.values(1, 2, 4)) == [])
        // A deletion goes over everything.
        let deletion = Self.change(1, to: 0, .delete)
        #expect(Self.marked([deletion], now: QueueFixture.values(1, 2, 4)) == [1])
    }

    /// What is listed is marked as well: there are ways out of the list on which nobody has decided about the row.
    @Test func whatIsMarkedOrHasATagStays() {
        var marked = Self.change(1)
        marked.flags.insert(.rebased)
        let listed = Self.change(2, to: 9, .update(.merge), .failed(.rowChanged))
        var tagged = Self.change(3)
        tagged.ifMatch = "W/\"1\""
        let now = QueueFixture.values(1, 4, 3)
        #expect(Self.marked([marked, listed, tagged], now: now) == [2])
    }

    /// The download has brought what the lost sending made: nobody else has written.
    @Test func ourOwnLostSendingIsNoOtherRowForWhatWaitsBehindIt() {
        let lost = Self.change(1, to: 7, .update(.merge), .frozen(attempt: 4))
        let behind = Self.change(2)
        #expect(Self.marked([lost, behind], now: QueueFixture.values(1, 7, 3)) == [])
        #expect(Self.marked([lost, behind], now: QueueFixture.values(1, 8, 3)) == [1, 2])
        #expect(Self.marked([behind], now: QueueFixture.values(1, 7, 3)) == [2])
    }

    /// The tag that the download tells is that of the row by now.
    @Test(arguments: [(Int64(2), false), (4, true)])
    func aTagIsTakenOnlyWhereNoChangeWasMadeForAnotherRow(value: Int64, isUntagged: Bool) {
        let before = StoredRow(id: 1, values: QueueFixture.values(1, 2, 3), state: [])
        var now = QueueFixture.values(1, value, 3)
        now.control.etag = "W/\"5\""
        let rebased = RebasedChanges(BaseComparison(graph: QueueFixture.graph))
        let edits = rebased.edits([Self.change(1)], before: before, now: now)
        #expect(edits.isUntagged == isUntagged)
        #expect(edits.requests.map(\.ifMatch) == [isUntagged ? nil : "W/\"5\""])
        // A mark that is there already keeps the tag away, too.
        var marked = Self.change(1)
        marked.flags.insert(.rebased)
        let kept = rebased.edits([marked], before: before, now: now)
        #expect(kept.requests.isEmpty && kept.isUntagged == true)
    }

    @Test func aLookBeforeTheSendingTellsWhatBecameOfTheRow() {
        let base = StoredRow(id: 1, values: QueueFixture.values(1, 2, 3), state: [])
        func verdict(
            _ request: QueuedRequest, _ shown: StructureValue?, _ isWhole: Bool = false
        ) -> ComparedChange {
            ComparedChange(
                request, over: base, shown: shown,
                by: BaseComparison(graph: QueueFixture.graph), isWhole: isWhole)
        }
        let same = QueueFixture.values(1, 2, 3)
        #expect(verdict(Self.change(1), same) == .unchanged(isSeen: true))
        #expect(verdict(Self.change(1), QueueFixture.values(1, 2, 4)) == .conflict)
        #expect(verdict(Self.change(1), nil) == .conflict)
        #expect(verdict(Self.change(1, to: 0, .delete), nil) == .done)
        var open = Self.change(1)
        open.flags.insert(.open)
        #expect(verdict(open, QueueFixture.values(1, 9, 3)) == .done)
        #expect(verdict(open, QueueFixture.values(1, 9, 3), true) == .conflict)
        open.flags.insert(.rebased)
        #expect(verdict(open, same) == .conflict)
    }

    @Test func theMarkGoesWithWhatIsJoined() {
        var later = Self.change(2, to: 7)
        later.flags.insert(.rebased)
        let joined = JoinOnWrite().edits(recording: later, behind: [Self.change(1)])
        guard case .replace(let change)? = joined.first else {
            Issue.record("Expected one change, found \(joined).")
            return
        }
        #expect(change.flags.contains(.rebased))
        let deletion = Self.change(3, to: 0, .delete)
        let edits = JoinOnWrite().edits(recording: deletion, behind: [change])
        guard case .append(let remaining)? = edits.last else {
            Issue.record("Expected the deletion, found \(edits).")
            return
        }
        #expect(remaining.flags.contains(.rebased))
    }

    @Test func theAppsDecisionTakesTheMark() {
        var listed = Self.change(1, to: 9, .update(.merge), .failed(.rowChanged))
        listed.flags.insert(.rebased)
        let edits = RequestRetry.edits([listed], in: [listed], tags: [:])
        #expect(
            edits.allSatisfy {
                if case .replace(let again) = $0 { !again.flags.contains(.rebased) } else { false }
            })
    }
}
