import Foundation
import ODataText
import ODataWorld

/// Lets one operation of a kind run at a time, without holding a lock while it runs; `isTaken` is guarded by `monitor`.
final class Turn: @unchecked Sendable {
    private let monitor: any Monitor
    private var isTaken = false
    private var holder: ObjectIdentifier?

    init(_ world: any World) { monitor = world.makeMonitor() }

    /// Waits for the turn; ``end()`` gives it back.
    ///
    /// - Throws: `cancelled` when the flag is set while waiting; `usage` on the thread that has the turn, which would wait for
    ///   itself.
    func begin(_ flag: CancellationFlag) throws {
        let listener = flag.onCancel { [monitor] in monitor.withLock { monitor.signal() } }
        defer { flag.removeListener(listener) }
        let thread = ObjectIdentifier(Thread.current)
        try monitor.withLock {
            while isTaken {
                guard holder != thread else {
                    throw ODataError(
                        .usage,
                        "Expected a call from outside, found one from a callback of such an operation."
                    )
                }
                if flag.isCancelled {
                    throw ODataError(.cancelled, "The operation was cancelled before it began.")
                }
                _ = monitor.wait(timeout: nil)
            }
            isTaken = true
            holder = thread
        }
    }

    func end() {
        monitor.withLock {
            isTaken = false
            holder = nil
            monitor.signal()
        }
    }
}
