import Dispatch
import Foundation
import Synchronization

/// Calls a closure when the process is asked to end (SIGINT, SIGTERM), in place of ending at once.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]
    private let seen = Received()

    /// The signals that came; the first one counts.
    private final class Received: Sendable {
        let first = Mutex<Int32?>(nil)
    }

    /// - Parameter stop: called for the first signal; the second ends the process.
    init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { [seen] number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(
                signal: number, queue: .global(qos: .userInitiated))
            source.setEventHandler {
                let isFirst = seen.first.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                guard isFirst else { _exit(Self.status(number)) }
                stop()
            }
            source.resume()
            return source
        }
    }

    /// The status of a command that was asked to end (128 and the number of the signal); nil when it was not.
    var status: Int32? { seen.first.withLock { $0 }.map(Self.status) }

    /// The status of a command that a signal ended.
    static func status(_ number: Int32) -> Int32 { 128 + number }

    /// Lets the signals end the process again.
    func cancel() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
