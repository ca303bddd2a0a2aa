import Dispatch
import ODataWorld
import Synchronization

/// Keeps the change log of a ``ServedDatabase`` within its bounds: at the start and, behind answers, from time to time. Each
/// step is a short transaction on a queue; of several processes one takes it at a time.
final class ServedTrim: Sendable {
    private struct State {
        /// When the last step was; nil before the first.
        var time: Int64?
        var isUnfinished = false
        var isRunning = false
    }

    private let served: any ServedDatabase
    private let configuration: ServiceConfiguration
    private let queue = DispatchQueue(label: "odata.service.served-log")
    private let state = Mutex(State())

    init(_ served: any ServedDatabase, _ configuration: ServiceConfiguration) {
        self.served = served
        self.configuration = configuration
    }

    /// What the configuration lets the log grow to.
    private var bounds: LogBounds {
        LogBounds(
            changes: configuration.retainedChanges, bytes: configuration.retainedChangeBytes,
            seconds: configuration.retainedChangeSeconds, now: now)
    }

    private var now: Int64 { configuration.world.now().seconds }

    /// Takes steps behind an answer where they are due.
    func afterAnswer() {
        let now = now
        let begins = state.withLock { state in
            // A clock that was put back is no reason to wait.
            let isDue =
                state.time.map { !(0..<Self.seconds).contains(now - $0) } ?? true
                || state.isUnfinished
            guard isDue, !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        if begins { queue.async { self.run() } }
    }

    private func run() {
        var isDone = false
        for _ in 0..<Self.stepsPerRun where !isDone {
            // Where the database cannot be reached now, the next time is soon enough.
            isDone = (try? served.trim(bounds)) ?? true
        }
        state.withLock { state in
            state.time = now
            state.isUnfinished = !isDone
            state.isRunning = false
        }
    }

    /// Cuts the log down to bounds.
    ///
    /// - Throws: As ``ServedDatabase/trim(_:)``.
    func cut(to bounds: LogBounds) throws {
        finish()
        for _ in 0..<Self.maximumSteps {
            if try served.trim(bounds) { return }
        }
    }

    /// Waits for steps that were begun.
    func finish() { queue.sync {} }

    /// Between two steps.
    private static let seconds: Int64 = 600
    private static let stepsPerRun = 50
    private static let maximumSteps = 10_000
}
