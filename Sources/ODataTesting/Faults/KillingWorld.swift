import Foundation
import ODataWorld
import Synchronization

/// The live world with a trap door: the process kills itself, as the system would, at a named point.
///
/// Beside the points of ``checkpoint(_:)``, which lie between transactions, `clock` and `uptime` are passed whenever
/// time is read, which also happens inside the transactions of the store.
package final class KillingWorld: VariedWorld {
    /// Where the process dies.
    package struct Trap: Sendable {
        package var point: String
        /// How often the point is passed until the trap opens; at least 1.
        package var passages: Int
        /// A point that has to be passed once more after that.
        package var then: String?
        /// How long the process then lives on, so that the kill falls into what follows the point.
        package var delayMicroseconds: UInt32

        package init(
            point: String, passages: Int, then: String? = nil, delayMicroseconds: UInt32 = 0
        ) {
            self.point = point
            self.passages = passages
            self.then = then
            self.delayMicroseconds = delayMicroseconds
        }

        /// Four words: point, passages, the point after that or `-`, microseconds.
        package init?(_ words: some Collection<String>) {
            let words = Array(words)
            guard words.count == 4, let passages = Int(words[1]), let delay = UInt32(words[3])
            else { return nil }
            self.init(
                point: words[0], passages: passages, then: words[2] == "-" ? nil : words[2],
                delayMicroseconds: delay)
        }

        package var words: [String] {
            [point, String(passages), then ?? "-", String(delayMicroseconds)]
        }
    }

    package let live = LiveWorld()
    private let delay: UInt32
    private let trap: Mutex<Trap>

    package init(_ trap: Trap) {
        delay = trap.delayMicroseconds
        self.trap = Mutex(trap)
    }

    package func checkpoint(_ name: StaticString) { pass("\(name)") }

    package func now() -> Instant {
        pass("clock")
        return live.now()
    }

    package func uptime() -> Duration {
        pass("uptime")
        return live.uptime()
    }

    private func pass(_ name: String) {
        let isOpen = trap.withLock { trap in
            guard name == trap.point, trap.passages > 0 else { return false }
            trap.passages -= 1
            guard trap.passages == 0 else { return false }
            guard let next = trap.then else { return true }
            (trap.point, trap.passages, trap.then) = (next, 1, nil)
            return false
        }
        guard isOpen else { return }
        guard delay > 0 else {
            kill(getpid(), SIGKILL)
            return
        }
        let delay = delay
        Thread.detachNewThread {
            usleep(delay)
            kill(getpid(), SIGKILL)
        }
    }
}
