import ODataStore
import ODataSyncPlan

/// What becomes of a write at the service.
///
/// Nothing of it is guessed: it says that a write was accepted when the service's answer is in the store, and that it is
/// not known where nobody knows.
public struct Confirmation: Sendable {
    /// Where a write stands.
    public enum State: Sendable, Hashable {
        /// In the store, and waiting to be sent.
        case local
        /// Sent, and not answered yet.
        case sending
        /// Carried out by the service, all of it.
        case accepted
        /// Refused by the service, for this reason; a corrected or repeated change may be accepted still.
        case refused(ODataError)
        /// Not sent, because a change that it depends on was refused.
        case heldBack
        /// Sent to a service that cannot tell whether it was carried out.
        case undecided
        /// Taken back, at least in part, before the service accepted it: by an undo, or because the service's row won.
        case undone
        /// No longer in the queue, by the hand of another process.
        case settledElsewhere
        /// The store was closed before; the write waits there.
        case storeClosed

        /// Whether the state is the last one.
        var isFinal: Bool {
            switch self {
            case .accepted, .undone, .settledElsewhere, .storeClosed: true
            case .local, .sending, .refused, .heldBack, .undecided: false
            }
        }
    }

    private let record: ConfirmationRecord

    init(_ record: ConfirmationRecord) { self.record = record }

    /// Where the write stands now.
    public var state: State { record.broadcast.value }

    /// Where the write stands, and each time it changes; ends behind the last state.
    public var states: AsyncStream<State> { record.broadcast.follow() }

    /// Waits until it is known what has become of the write. It is sent by ``OfflineStore/sync(within:)``, whoever calls
    /// that; as long as the service cannot be reached, the write waits, and so does this.
    ///
    /// - Throws: ``ODataError``: `refused` with what the service says, `heldBack`, `undecided`, `undone`,
    ///   `settledElsewhere` or `storeClosed`; `CancellationError` when the task is cancelled.
    public func settled() async throws {
        for await state in states {
            switch state {
            case .local, .sending: continue
            case .accepted: return
            case .refused(let error): throw error
            case .heldBack:
                throw ODataError(
                    .heldBack, "Not sent, because a change that it depends on was refused.")
            case .undecided:
                throw ODataError(
                    .undecided, "Sent, and nobody can tell whether the service carried it out.")
            case .undone:
                throw ODataError(.undone, "Taken back before the service accepted it.")
            case .settledElsewhere:
                throw ODataError(
                    .settledElsewhere, "Another process has taken the change out of the queue.")
            case .storeClosed:
                throw ODataError(
                    .storeClosed, "The store was closed before; the change waits there.")
            }
        }
        throw CancellationError()
    }
}

extension OfflineStore {
    /// What becomes of the changes of an entity that wait now, as after a restart of the app.
    ///
    /// - Throws: ``ODataError`` with `notFound` where none waits, which does not say how those before went; `readOnly` for
    ///   a reader, `storeClosed` or `storage`.
    public func confirmation<E: Entity>(of ref: Ref<E>) async throws -> Confirmation {
        let core = core
        return try await core.run(on: core.reads, owner: true) { _ in
            let row = ref.reference
            let record = try core.store.holdingQueue { queue -> ConfirmationRecord in
                let waiting = queue.filter { $0.writtenRows.union($0.touchedRows).contains(row) }
                guard !waiting.isEmpty else {
                    throw ODataError(
                        .notFound, "Expected changes of the entity that wait, found none.",
                        at: E.entitySet)
                }
                return core.confirmations.watch(waiting.map(\.id))
            }
            try core.refresh()
            return Confirmation(record)
        }
    }
}
