import ODataText
import ODataWorld

/// Lets one operation of a kind run at a time, without holding a lock while it runs; `isTaken` is guarded by `monitor`.
final class Turn: @unchecked Sendable {
    private let monitor: any Monitor
    private var isTaken = false

    init(_ world: any World) { monitor = world.makeMonitor() }

    /// Waits for the turn; ``end()`` gives it back.
    ///
    /// - Throws: `cancelled` when the flag is set while waiting.
    func begin(_ flag: CancellationFlag) throws {
        let listener = flag.onCancel { [monitor] in monitor.withLock { monitor.signal() } }
        defer { flag.removeListener(listener) }
        try monitor.withLock {
            while isTaken {
                if flag.isCancelled {
                    throw ODataError(.cancelled, "The operation was cancelled before it began.")
                }
                _ = monitor.wait(timeout: nil)
            }
            isTaken = true
        }
    }

    func end() {
        monitor.withLock {
            isTaken = false
            monitor.signal()
        }
    }
}
