import ODataWorld
import Synchronization

/// The world as it is, but for the waits of a synchronisation that goes on by itself: they are told to the test, and last
/// until the test ends them or they are cancelled.
package final class PacedWorld: VariedWorld {
    /// How long each wait would have been, when it begins.
    package let waits: AsyncStream<Duration>
    private let told: AsyncStream<Duration>.Continuation
    package let live = LiveWorld()
    private let current = Mutex<CancellationFlag?>(nil)

    package init() { (waits, told) = AsyncStream.makeStream() }

    /// Ends the present wait, as when its time is over.
    package func pass() { current.withLock { $0 }?.cancel() }

    package func sleep(_ duration: Duration, token: CancellationFlag?) -> Bool {
        guard Self.isPause else {
            return live.sleep(duration, token: token)
        }
        let time = CancellationFlag()
        current.withLock { $0 = time }
        let listener = token?.onCancel { time.cancel() }
        defer { if let listener { token?.removeListener(listener) } }
        told.yield(duration)
        _ = live.sleep(.seconds(600), token: time)
        return token?.isCancelled != true
    }

    package func startWorker(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) -> any WorkerHandle {
        live.startWorker(name) { Self.$isPause.withValue(name == "OData.pause", operation: body) }
    }

    /// Whether the present thread is the one that waits between two rounds.
    @TaskLocal private static var isPause = false
}
