import Foundation

/// The world as it is: threads of the library's own, the system's clocks and its random numbers.
///
/// This is the one file that reads a clock, sleeps, starts a thread or draws an identifier in production.
package struct LiveWorld: World {
    package init() {}

    package func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
    }

    package func uptime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    package func makeIdentifier() -> (UInt64, UInt64) {
        let high = UInt64.random(in: .min ... .max)
        let low = UInt64.random(in: .min ... .max)
        return UUIDBits.version4(high, low)
    }

    package func random() -> UInt64 { UInt64.random(in: .min ... .max) }

    @discardableResult
    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        let monitor = makeMonitor()
        let listener = token?.onCancel { monitor.withLock { monitor.signal() } }
        defer { listener.map { token?.removeListener($0) } }
        let end = uptime() + duration
        return monitor.withLock {
            while token?.isCancelled != true {
                let left = end - uptime()
                guard left > .zero else { return true }
                _ = monitor.wait(timeout: left)
            }
            return false
        }
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        let handle = LiveWorker()
        let thread = Thread {
            body()
            handle.finish()
        }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
        return handle
    }

    package func makeMonitor() -> any Monitor { LiveMonitor() }

    package func watch(
        _ path: String, changed: @escaping @Sendable () -> Void
    ) -> (any FileEvents)? {
        SystemFileEvents(path, changed: changed)
    }

    package func checkpoint(_ name: StaticString) {}
}

/// Sets the version and variant bits of RFC 9562, section 5.4, over random bits.
package enum UUIDBits {
    package static func version4(_ high: UInt64, _ low: UInt64) -> (UInt64, UInt64) {
        (
            (high & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000,
            (low & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        )
    }
}

/// A finished flag that joiners wait for; guarded by its own condition.
private final class LiveWorker: WorkerHandle, @unchecked Sendable {
    private let condition = NSCondition()
    private var isFinished = false

    func finish() {
        condition.lock()
        isFinished = true
        condition.broadcast()
        condition.unlock()
    }

    func join() {
        condition.lock()
        while !isFinished { condition.wait() }
        condition.unlock()
    }
}

/// `NSCondition` is itself safe to share.
private final class LiveMonitor: Monitor, @unchecked Sendable {
    private let condition = NSCondition()

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    func wait(timeout: Duration?) -> Bool {
        guard let timeout else {
            condition.wait()
            return true
        }
        // Dates of later centuries overflow in Foundation; who waits for years looks again.
        let seconds = min(timeout, .seconds(31_536_000)) / .seconds(1)
        return condition.wait(until: Date(timeIntervalSinceNow: seconds))
    }

    func signal() { condition.broadcast() }
}
