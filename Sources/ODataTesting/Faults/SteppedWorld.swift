import ODataWorld
import Synchronization

/// The live world with a steady clock that stands until the test moves it: what is bound by time ends when the test says so,
/// however busy the machine is.
package final class SteppedWorld: VariedWorld {
    private struct Wait {
        /// How long it was to last when it began.
        var limit: Duration
        /// The time when the waiter looked at the clock last.
        var seen: Duration?
    }

    private struct Time {
        var elapsed: Duration = .zero
        var waits: [Int: Wait] = [:]
        var lastWait = 0
    }

    package let live = LiveWorld()
    private let time = Mutex(Time())

    package init() {}

    /// Lets time pass.
    package func advance(_ duration: Duration) { time.withLock { $0.elapsed += duration } }

    /// Blocks until somebody waits for something that is bound by this limit.
    ///
    /// - Returns: false when nobody came.
    package func awaitWaiter(of limit: Duration) -> Bool {
        awaiting { $0.waits.values.contains { $0.limit == limit } }
    }

    /// Blocks until everybody who waits has seen what time it is, and waits on.
    ///
    /// - Returns: false when nobody waits any more.
    package func awaitLook() -> Bool {
        awaiting { time in
            !time.waits.isEmpty && time.waits.values.allSatisfy { $0.seen == time.elapsed }
        }
    }

    private func awaiting(_ condition: (Time) -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(HeldRequest.patience)
        while !time.withLock({ condition($0) }) {
            guard ContinuousClock.now < end else { return false }
            pause()
        }
        return true
    }

    package func uptime() -> Duration { time.withLock { $0.elapsed } }

    package func makeMonitor() -> any Monitor { SteppedMonitor(live.makeMonitor(), self) }

    private func pause() { live.sleep(.milliseconds(1), token: nil) }

    fileprivate func begin(_ limit: Duration) -> (wait: Int, end: Duration) {
        time.withLock { time in
            time.lastWait += 1
            time.waits[time.lastWait] = Wait(limit: limit)
            return (time.lastWait, time.elapsed + limit)
        }
    }

    /// What time it is for somebody who waits.
    fileprivate func look(_ wait: Int) -> Duration {
        time.withLock { time in
            time.waits[wait]?.seen = time.elapsed
            return time.elapsed
        }
    }

    fileprivate func end(_ wait: Int) { time.withLock { $0.waits[wait] = nil } }
}

/// Looks at the clock of its world as long as it waits.
private final class SteppedMonitor: Monitor {
    private let inner: any Monitor
    private let world: SteppedWorld

    init(_ inner: any Monitor, _ world: SteppedWorld) {
        self.inner = inner
        self.world = world
    }

    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        try inner.withLock(body)
    }

    func wait(timeout: Duration?) -> Bool {
        guard let timeout else { return inner.wait(timeout: nil) }
        let (wait, end) = world.begin(timeout)
        defer { world.end(wait) }
        while world.look(wait) < end {
            if inner.wait(timeout: .milliseconds(1)) { return true }
        }
        return false
    }

    func signal() { inner.signal() }
}
