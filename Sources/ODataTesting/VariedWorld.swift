import ODataWorld

/// A world that is the live one but for what it says itself.
package protocol VariedWorld: World {
    var live: LiveWorld { get }
}

extension VariedWorld {
    package func now() -> Instant { live.now() }
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
    package func checkpoint(_ name: StaticString) {}
}
