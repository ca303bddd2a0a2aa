import ODataClasses
import ODataText
import Synchronization

/// The updates of an observed query, for `for try await`.
///
/// Nothing is buffered: while the loop is busy, changes are joined, and the next update tells them together. The
/// sequence ends when its task is cancelled, and is made for one loop.
public struct LiveQueryUpdates: AsyncSequence, Sendable {
    /// What the loop gets.
    public typealias Element = LiveQueryUpdate

    private let mailbox: LiveQueryMailbox

    init(_ mailbox: LiveQueryMailbox) { self.mailbox = mailbox }

    /// Gets the updates one by one.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: mailbox) }

    /// Waits for one update after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let mailbox: LiveQueryMailbox

        /// The next update; nil once the task is cancelled.
        ///
        /// - Throws: What the query failed with when it was read again.
        public mutating func next() async throws -> LiveQueryUpdate? { try await mailbox.next() }
    }
}

/// Where a session leaves the update that a loop waits for.
final class LiveQueryMailbox: Sendable {
    private struct State {
        var waiting: CheckedContinuation<LiveQueryUpdate?, any Error>?
        var session: LiveQuerySession?
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ session: LiveQuerySession) { state.withLock { $0.session = session } }

    deinit { state.withLock { $0.session }?.cancel() }

    var isWaiting: Bool { state.withLock { $0.waiting != nil } }

    /// False when nobody waits.
    func put(_ result: Result<LiveQueryUpdate, any Error>) -> Bool {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if case .failure = result { state.isOver = true }
            return state.waiting
        }
        waiting?.resume(with: result.map { $0 })
        return waiting != nil
    }

    func next() async throws -> LiveQueryUpdate? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let session = state.withLock { state -> LiveQuerySession? in
                    guard !state.isOver, state.waiting == nil else { return nil }
                    state.waiting = continuation
                    return state.session
                }
                guard let session else {
                    continuation.resume(returning: nil)
                    return
                }
                session.wake()
            }
        } onCancel: {
            end()
        }
    }

    private func end() {
        let (session, waiting) = state.withLock { state in
            state.isOver = true
            defer { (state.waiting, state.session) = (nil, nil) }
            return (state.session, state.waiting)
        }
        session?.cancel()
        waiting?.resume(returning: nil)
    }
}
