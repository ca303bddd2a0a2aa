import ODataWorld
import Synchronization

/// The live world with a steady clock that stands until the test moves it: what is bound by time ends when the test says so,
/// however busy the machine is.
package final class SteppedWorld: World {
    private struct Time {
        var elapsed: Duration = .zero
        /// Who waits, and for how long each was to when it began.
        var waits: [Int: Duration] = [:]
        var lastWait = 0
    }

    private let live = LiveWorld()
    private let time = Mutex(Time())

    package init() {}

    /// Lets time pass.
    package func advance(_ duration: Duration) { time.withLock { $0.elapsed += duration } }

    /// Blocks until somebody waits for something that is bound by this limit.
    package func awaitWaiter(of limit: Duration) {
        while !time.withLock({ $0.waits.values.contains(limit) }) { pause() }
    }

    package func now() -> Instant { live.now() }
    package func uptime() -> Duration { time.withLock { $0.elapsed } }
    package func makeIdentifier() -> (UInt64, UInt64) { live.makeIdentifier() }
    package func random() -> UInt64 { live.random() }

    @discardableResult
    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        live.sleep(duration, token: token)
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        live.startWorker(name, body)
    }

    package func makeMonitor() -> any Monitor { SteppedMonitor(live.makeMonitor(), self) }
    package func checkpoint(_ name: StaticString) {}

    private func pause() { live.sleep(.milliseconds(1), token: nil) }

    fileprivate func begin(_ limit: Duration) -> (wait: Int, end: Duration) {
        time.withLock { time in
            time.lastWait += 1
            time.waits[time.lastWait] = limit
            return (time.lastWait, time.elapsed + limit)
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
        while world.uptime() < end {
            if inner.wait(timeout: .milliseconds(1)) { return true }
        }
        return false
    }

    func signal() { inner.signal() }
}
