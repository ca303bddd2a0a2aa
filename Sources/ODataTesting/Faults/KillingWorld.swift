import Foundation
import ODataWorld
import Synchronization

/// The live world with a trap door: the process kills itself, as the system would, when it passes a named point for
/// the n-th time. Reading the clock is the point `clock`, which lies inside every write transaction of the store.
package final class KillingWorld: World {
    private let live = LiveWorld()
    private let point: String
    private let passages: Mutex<Int>

    /// - Parameter passages: how often the point is passed before the kill; at least 1.
    package init(at point: String, after passages: Int) {
        self.point = point
        self.passages = Mutex(passages)
    }

    package func checkpoint(_ name: StaticString) { pass("\(name)") }

    package func now() -> Instant {
        pass("clock")
        return live.now()
    }

    package func uptime() -> Duration { live.uptime() }
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

    package func makeMonitor() -> any Monitor { live.makeMonitor() }

    private func pass(_ name: String) {
        guard name == point else { return }
        let isLast = passages.withLock { passages in
            passages -= 1
            return passages == 0
        }
        if isLast { kill(getpid(), SIGKILL) }
    }
}
