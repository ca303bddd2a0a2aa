import ODataWorld

/// The live world in which nobody waits: pauses before repetitions end at once.
package final class ImpatientWorld: World {
    private let live = LiveWorld()

    package init() {}

    package func now() -> Instant { live.now() }
    package func uptime() -> Duration { live.uptime() }
    package func makeIdentifier() -> (UInt64, UInt64) { live.makeIdentifier() }
    package func random() -> UInt64 { live.random() }

    @discardableResult
    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        token?.isCancelled != true
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        live.startWorker(name, body)
    }

    package func makeMonitor() -> any Monitor { live.makeMonitor() }
    package func checkpoint(_ name: StaticString) {}
}
