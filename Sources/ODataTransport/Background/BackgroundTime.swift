import Dispatch
import Foundation

/// Asks the system to let work go on after the app has left the screen, without a promise that it may end.
package protocol BackgroundTime: Sendable {
    /// - Parameter reason: names the work, for the system's log.
    /// - Returns: to be called once when the work is over.
    func ask(for reason: String) -> @Sendable () -> Void
}

/// What the system has: expiring activities on the systems that suspend apps; nothing elsewhere, where nobody needs to ask.
package enum PlatformTime {
    package static var ofSystem: (any BackgroundTime)? {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            ExpiringActivity()
        #else
            nil
        #endif
    }
}

#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
    /// An activity lasts as long as its block, which waits for the end of the work.
    private struct ExpiringActivity: BackgroundTime {
        func ask(for reason: String) -> @Sendable () -> Void {
            let end = DispatchSemaphore(value: 0)
            ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpired in
                // Called once more, on another thread, when the time is up: the work stays as it is until the app goes on.
                if isExpired { end.signal() } else { end.wait() }
            }
            return { end.signal() }
        }
    }
#endif
