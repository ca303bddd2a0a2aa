import Dispatch
import Foundation
import Synchronization

/// Threads that simulated workers are run on, kept for the next ones: a schedule starts dozens, and starting a thread costs more
/// than most of them do.
enum WorkerThreads {
    /// A thread that waits for something to do.
    private final class Idle: @unchecked Sendable {
        let start = DispatchSemaphore(value: 0)
        /// Written before `start` is signalled, read behind it.
        var body: (@Sendable () -> Void)?

        /// Does what it is given, again and again, while there is room for it among those that wait.
        func work() {
            repeat {
                autoreleasing { body?() }
                body = nil
                guard WorkerThreads.keep(self) else { return }
                start.wait()
            } while true
        }

        private func autoreleasing(_ body: () -> Void) {
            #if canImport(ObjectiveC)
                autoreleasepool(invoking: body)
            #else
                body()
            #endif
        }
    }

    private static let idle = Mutex<[Idle]>([])
    /// More than a schedule has at once.
    private static let maximum = 64

    /// Runs something on a thread of its own.
    static func run(_ body: @escaping @Sendable () -> Void) {
        if let kept = idle.withLock({ $0.popLast() }) {
            kept.body = body
            kept.start.signal()
            return
        }
        let made = Idle()
        made.body = body
        let thread = Thread { made.work() }
        thread.name = "simulated worker"
        thread.start()
    }

    private static func keep(_ thread: Idle) -> Bool {
        idle.withLock { idle in
            guard idle.count < maximum else { return false }
            idle.append(thread)
            return true
        }
    }
}
