import Dispatch
import Foundation

/// Calls a closure when the process is asked to end (SIGINT, SIGTERM), in place of ending at once.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(
                signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler(handler: stop)
            source.resume()
            return source
        }
    }

    func cancel() { for source in sources { source.cancel() } }
}
