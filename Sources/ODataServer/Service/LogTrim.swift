import Dispatch
import GRDB
import ODataSQL
import ODataWorld
import Synchronization

/// Keeps the change log and the memory of repeatable requests within their bounds: at the start, when the log has grown
/// by whoever wrote, and from time to time.
///
/// Each step is a short transaction of its own. Those after reads are taken behind their answers, on a queue.
final class LogTrim: Sendable {
    private struct State {
        /// Where the log stood at the last step, and when that was; nil before the first.
        var sequence: Int64 = 0
        var time: Int64?
        /// True where the last step left something to do.
        var isUnfinished = false
        var isRunning = false
    }

    private let pool: DatabasePool
    private let configuration: ServiceConfiguration
    private let queue = DispatchQueue(label: "odata.service.log")
    private let state = Mutex(State())

    init(_ pool: DatabasePool, _ configuration: ServiceConfiguration) {
        self.pool = pool
        self.configuration = configuration
    }

    private var now: Int64 { configuration.world.now().seconds }

    /// Takes the first step; what it leaves is done after reads.
    func begin() {
        // Where another program has the database now, the first read tries again.
        _ = try? pool.write { try step($0) }
    }

    /// Takes steps behind the answer of a read where they are due.
    ///
    /// - Parameter sequence: where the read saw the log; nil where it did not look.
    func afterRead(at sequence: Int64?) {
        let begins = state.withLock { state in
            guard !state.isRunning, isDue(state, sequence) else { return false }
            state.isRunning = true
            return true
        }
        if begins { queue.async { self.run() } }
    }

    /// Takes one step as part of a write transaction where it is due.
    func duringWrite(_ database: Database) throws {
        let sequence = try ChangeLog(database).currentSequence()
        guard state.withLock({ isDue($0, sequence) }) else { return }
        try step(database)
    }

    /// Waits for steps that were begun.
    func finish() { queue.sync {} }

    private func isDue(_ state: State, _ sequence: Int64?) -> Bool {
        guard let time = state.time, !state.isUnfinished else { return true }
        if let sequence, sequence - state.sequence >= Self.growth { return true }
        // A clock that was put back is no reason to wait.
        return !(0..<Self.seconds).contains(now - time)
    }

    private func run() {
        // What is left after so many steps, or where another program has the database, is done after the next read.
        for _ in 0..<Self.stepsPerRun {
            guard let isDone = try? pool.write({ try step($0) }), !isDone else { break }
        }
        state.withLock { $0.isRunning = false }
    }

    /// Does some of what is to be done.
    ///
    /// - Returns: False where something is left.
    @discardableResult
    func step(_ database: Database) throws -> Bool {
        let (log, now) = (ChangeLog(database), now)
        var isDone = try log.purge(
            keepingLast: configuration.retainedChanges, atMost: Self.rowsPerStep)
        if isDone {
            isDone = try log.purge(
                keepingBytes: configuration.retainedChangeBytes,
                seconds: configuration.retainedChangeSeconds, now: now, atMost: Self.rowsPerStep)
        }
        let isForgotten = try RepeatabilityStore.purge(
            database, before: now - configuration.repeatabilitySeconds, atMost: Self.rowsPerStep)
        let isFinished = isDone && isForgotten
        let sequence = try log.currentSequence()
        state.withLock { state in
            (state.sequence, state.time) = (sequence, now)
            state.isUnfinished = !isFinished
        }
        return isFinished
    }

    /// Changes between two steps, and seconds.
    private static let growth: Int64 = 1_000
    private static let seconds: Int64 = 3_600
    private static let rowsPerStep = 2_000
    private static let stepsPerRun = 50
}
