/// The one value through which the engine starts workers, waits, reads the clock and draws identifiers.
///
/// Production uses ``live``: workers are threads the library owns. Tests use the seeded single-step twin, in
/// which one worker at a time holds a baton and the seed picks who runs next at every ``checkpoint()``.
package protocol World: Sendable {
    /// Seconds and nanoseconds since 1970-01-01T00:00:00Z.
    func now() -> Instant
    /// A steady clock for durations and deadlines.
    func uptime() -> Duration
    /// Sixteen random bytes shaped as a version 4 UUID.
    func makeIdentifier() -> (UInt64, UInt64)
    /// A uniformly random number.
    func random() -> UInt64
    /// Blocks the calling worker; returns early, and false, when `token` is cancelled.
    @discardableResult
    func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool
    /// Runs `body` on a worker of its own; the handle joins it.
    func startWorker(_ name: String, _ body: @escaping @Sendable () -> Void) -> any WorkerHandle
    /// A condition with its own lock, for the queues between workers.
    func makeMonitor() -> any Monitor
    /// Calls `changed` after a file was written, by whichever process of this machine, until the result is stopped; nil where
    /// nobody tells. What is there by then may not be all that was written. The file is opened and closed again, which
    /// takes the process's own locks of it away: it is to be one that nobody locks, as SQLite's log.
    func watch(
        _ path: String, changed: @escaping @Sendable () -> Void
    ) -> (any FileEvents)?
    /// A point at which a simulated world may switch workers or inject a fault; does nothing in production.
    func checkpoint(_ name: StaticString)
}

/// A point in time.
package struct Instant: Sendable, Hashable, Comparable {
    package var seconds: Int64
    package var nanoseconds: Int32

    package init(seconds: Int64, nanoseconds: Int32 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}

extension World {
    /// An identifier as hexadecimal digits, for names that must not be met elsewhere.
    package func makeToken() -> String {
        let (high, low) = makeIdentifier()
        return String(high, radix: 16) + String(low, radix: 16)
    }
}

/// A running worker.
package protocol WorkerHandle: Sendable {
    /// Blocks until the worker's body has returned.
    func join()
}

/// A lock with a condition, in the manner of Hoare and Mesa.
package protocol Monitor: Sendable {
    /// Runs `body` while holding the lock.
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result
    /// Inside ``withLock(_:)``: releases the lock until ``signal()`` or the timeout; false on timeout.
    func wait(timeout: Duration?) -> Bool
    /// Wakes every waiter; they check their condition again.
    func signal()
}
