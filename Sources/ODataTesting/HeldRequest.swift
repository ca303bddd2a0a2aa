import Foundation
import ODataQuery
import ODataServer
import Synchronization

/// Holds the first request of a kind at a service until the test lets it go, so that something is surely under way.
package final class HeldRequest: Sendable {
    /// Seconds; longer than a run of all tests on a busy machine.
    static let patience = 600.0

    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let isHeld = Mutex(false)

    /// - Parameter matches: which request is held; `url` is as it was sent, percent-decoded.
    package init(
        at observer: ServiceObserver,
        _ matches: @escaping @Sendable (_ method: String, _ url: String) -> Bool
    ) {
        observer.setFaults { [self] request, _ in
            let url = request.url.removingPercentEncoding ?? request.url
            guard matches(request.method, url) else { return nil }
            let isFirst = isHeld.withLock { isHeld in
                defer { isHeld = true }
                return !isHeld
            }
            guard isFirst else { return nil }
            reached.signal()
            _ = released.wait(timeout: .now() + HeldRequest.patience)
            return nil
        }
    }

    /// Whether the request has come, waited for as long as a busy machine may take.
    package func hasCome() -> Bool {
        reached.wait(timeout: .now() + HeldRequest.patience) == .success
    }

    package func release() { released.signal() }
}

/// Runs each job of a task on a thread that nobody else uses.
package final class ThreadPerJob: TaskExecutor {
    package static let shared = ThreadPerJob()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}

/// A call that was started elsewhere, and how it ended.
package final class StartedCall: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Void, any Error>?>(nil)

    package init() {}

    /// Runs a call that blocks on a thread of its own.
    package convenience init(_ body: @escaping @Sendable () throws -> Void) {
        self.init()
        let thread = Thread { self.end(Result { try body() }) }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Runs a call of a task; the second value cancels that.
    package static func task(
        _ body: @escaping @Sendable () async throws -> Void
    ) -> (call: StartedCall, cancel: @Sendable () -> Void) {
        let call = StartedCall()
        // Not on the threads that all tests share, which may be busy for long.
        let task = Task(executorPreference: ThreadPerJob.shared) {
            do {
                call.end(.success(try await body()))
            } catch {
                call.end(.failure(error))
            }
        }
        return (call, { task.cancel() })
    }

    package func end(_ outcome: Result<Void, any Error>) {
        result.withLock { $0 = outcome }
        ended.signal()
    }

    package var hasEnded: Bool { result.withLock { $0 != nil } }

    /// What the call has thrown; nil when it has ended well. A call that never ends is an error, too.
    package func failure() -> (any Error)? {
        guard ended.wait(timeout: .now() + HeldRequest.patience) == .success else {
            return StillRunning()
        }
        ended.signal()
        if case .failure(let error)? = result.withLock({ $0 }) { return error }
        return nil
    }

    /// The call did not come to its end.
    package struct StillRunning: Error {}
}
