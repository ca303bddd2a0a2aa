import GRDB
import GRDBSQLite
import ODataWorld
import Synchronization

/// When a request is over, whether or not it is answered: SQLite asks every few thousand steps, so that no statement
/// outlives its time, the client that sent it, or the service.
package final class RequestDeadline: Sendable {
    /// The one of the request that the current thread works at; nil for calls in process.
    @TaskLocal static var current: RequestDeadline?

    private struct State {
        var end: Duration
        /// True once nobody may be there any more who waits for an answer.
        var isShortened = false
        /// Told once while the request is held.
        var onEnd: (@Sendable () -> Void)?

        var isOpen: Bool { end != .zero && !isShortened }

        mutating func takeOnEnd() -> (@Sendable () -> Void)? {
            defer { onEnd = nil }
            return onEnd
        }
    }

    private let world: any World
    private let state: Mutex<State>

    /// - Parameter limit: from now on.
    init(after limit: Duration, world: any World) {
        self.world = world
        state = Mutex(State(end: world.uptime() + limit))
    }

    var hasPassed: Bool {
        let end = state.withLock { $0.end }
        return end == .zero || world.uptime() >= end
    }

    /// Ends the request now.
    func cancel() {
        let tell = state.withLock { state in
            state.end = .zero
            return state.takeOnEnd()
        }
        tell?()
    }

    /// False once the client has left, or may have.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Nothing is done for the request for at most so long, which does not count.
    ///
    /// - Parameter onEnd: called once when the client leaves or the service stops meanwhile, and at once where that was so.
    func beginHold(for limit: Duration, onEnd: @escaping @Sendable () -> Void) {
        let end = world.uptime() + limit + Self.holdGrace
        let isOpen = state.withLock { state in
            guard state.isOpen else { return false }
            state.end = max(state.end, end)
            state.onEnd = onEnd
            return true
        }
        if !isOpen { onEnd() }
    }

    func endHold() { state.withLock { $0.onEnd = nil } }

    /// A request that was held waits for a thread again.
    private static let holdGrace = Duration.seconds(300)

    /// Counts `limit` from now on, for the work at a request that has waited until now.
    ///
    /// - Returns: False where the request is over: it has waited too long, or its client left.
    func beginWork(for limit: Duration) -> Bool {
        let now = world.uptime()
        return state.withLock { state in
            guard state.end != .zero, now < state.end else { return false }
            state.end = state.isShortened ? min(state.end, now + limit) : now + limit
            return true
        }
    }

    /// Ends the request after `rest` at the latest.
    func shorten(to rest: Duration) {
        let wanted = world.uptime() + rest
        let tell = state.withLock { state in
            state.end = min(state.end, wanted)
            state.isShortened = true
            return state.takeOnEnd()
        }
        tell?()
    }
}

extension Database {
    /// Runs `body` until the deadline of the current request, if there is one.
    ///
    /// - Throws: what `body` throws, and an interruption when the time is over.
    func untilDeadline<Result>(_ body: () throws -> Result) throws -> Result {
        guard let deadline = RequestDeadline.current else { return try body() }
        guard !deadline.hasPassed else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
        sqlite3_progress_handler(
            sqliteConnection, Self.stepsBetweenLooks,
            { context in
                guard let context else { return 0 }
                let deadline = Unmanaged<RequestDeadline>.fromOpaque(context).takeUnretainedValue()
                return deadline.hasPassed ? 1 : 0
            }, Unmanaged.passUnretained(deadline).toOpaque())
        defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
        return try withExtendedLifetime(deadline) { try body() }
    }

    private static let stepsBetweenLooks: Int32 = 2_000
}
