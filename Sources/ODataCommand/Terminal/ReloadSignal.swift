import Dispatch
import Foundation

/// Calls a closure for each SIGHUP, for as long as the process runs.
enum ReloadSignal {
    /// - Returns: what keeps it at work.
    static func listen(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(SIGHUP, SIG_IGN)
        let source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: .global(qos: .userInitiated))
        source.setEventHandler(handler: body)
        source.resume()
        return source
    }
}
