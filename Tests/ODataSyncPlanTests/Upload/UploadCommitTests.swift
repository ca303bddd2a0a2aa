import ODataQuery
import ODataText
import Testing

@testable import ODataSyncPlan

/// What goes into one durable transaction.
@Suite struct UploadCommitTests {
    private static func work(_ id: Int64) -> UploadMachine.Work {
        let request = QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: .create,
            target: RowReference(table: "T", id: -id), state: .frozen(attempt: id))
        return .init(
            attempt: Attempt(
                id: id, message: RequestMessage(method: "POST", url: "T"),
                members: [.init(request: id)], frozenAt: 0), requests: [request])
    }

    private static func accepted(_ id: Int64) -> UploadMachine.Event {
        .came(
            id,
            .answered([.init(request: id, outcome: .answered(ResponseMessage(status: 204)))]))
    }

    /// A machine with so many planned, as many of them on their way as there are threads.
    private static func begun(threads: Int, planned: Int64) throws -> UploadMachine {
        var machine = UploadMachine(.init(threads: threads))
        guard case .select? = machine.next().first, case .plan? = machine.next().first else {
            throw ODataError(.usage, "Expected a plan.")
        }
        _ = machine.step(.planned((1...planned).map { [.request($0)] }))
        guard case .commit(let first)? = machine.next().first else {
            throw ODataError(.usage, "Expected requests to be frozen.")
        }
        #expect(first.recordings.isEmpty)
        #expect(first.pieces == (1...Int64(threads)).map { [.request($0)] })
        _ = machine.step(.committed(.init(begun: (1...Int64(threads)).map(Self.work))))
        return machine
    }

    @Test func whatHasComeIsRecordedTogetherWithWhatGoesInItsPlace() throws {
        var machine = try Self.begun(threads: 3, planned: 8)
        guard case .await? = machine.next().first else { throw ODataError(.usage, "no wait") }
        #expect(machine.step(Self.accepted(2)).isEmpty)
        guard case .poll? = machine.next().first else { throw ODataError(.usage, "no look") }
        #expect(machine.step(Self.accepted(3)).isEmpty)
        guard case .poll? = machine.next().first else { throw ODataError(.usage, "no look") }
        #expect(machine.step(.noneCame).isEmpty)
        guard case .commit(let commit)? = machine.next().first else {
            throw ODataError(.usage, "nothing stored")
        }
        #expect(commit.recordings.map(\.attempt.id) == [2, 3])
        #expect(commit.pieces == [[.request(4)], [.request(5)]])
    }

    /// What an answer leads to beside being recorded comes behind the recording of those before it.
    @Test func whatIsHeldIsInTheStoreBeforeAnythingElseIsDone() throws {
        var machine = try Self.begun(threads: 2, planned: 2)
        #expect(machine.step(Self.accepted(1)).isEmpty)
        let actions = machine.step(.came(2, .unanswered(ODataError(.network, "cut"))))
        guard case .commit(let commit)? = actions.first else {
            throw ODataError(.usage, "nothing stored")
        }
        #expect(commit.recordings.map(\.attempt.id) == [1] && commit.pieces.isEmpty)
        guard case .note(let notes)? = actions.last else {
            throw ODataError(.usage, "nothing noted")
        }
        #expect(notes.keys.sorted() == [2])
    }

    @Test func aRefusalIsNotedForPeopleWithItsRecording() throws {
        var machine = try Self.begun(threads: 1, planned: 2)
        let refusal = ResponseMessage(status: 400)
        let answers = [AttemptAnswers.Answer(request: 1, outcome: .answered(refusal))]
        #expect(machine.step(.came(1, .answered(answers))).isEmpty)
        guard case .commit(let commit)? = machine.next().first else {
            throw ODataError(.usage, "nothing stored")
        }
        #expect(commit.recordings.first?.notes[1]?.status == 400)
        #expect(commit.pieces == [[.request(2)]])
    }

    /// It goes by itself, before what was planned behind it; when the queue has changed, all is planned anew.
    @Test func whatCannotBeFrozenBesideOthersIsFrozenApart() throws {
        var machine = try Self.begun(threads: 1, planned: 3)
        _ = machine.step(Self.accepted(1))
        guard case .commit? = machine.next().first else {
            throw ODataError(.usage, "nothing stored")
        }
        _ = machine.step(.committed(.init(left: [[.request(2)]])))
        guard case .freeze([.request(2)])? = machine.next().first else {
            throw ODataError(.usage, "not frozen")
        }
        _ = machine.step(.frozen(nil))
        guard case .plan? = machine.next().first else { throw ODataError(.usage, "no plan") }
    }

    /// Local writes wait while a transaction is written.
    @Test func aTransactionHoldsNoMoreThanSoManyRequests() throws {
        var machine = UploadMachine(.init(threads: 4))
        _ = (machine.next(), machine.next())
        let large: UploadMachine.Piece = (1...150).map { .request($0) }
        _ = machine.step(.planned([large, large, [.request(1)]]))
        guard case .commit(let commit)? = machine.next().first else {
            throw ODataError(.usage, "nothing stored")
        }
        #expect(commit.pieces == [large])
    }
}
