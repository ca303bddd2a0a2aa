import Foundation
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import SAPCommon
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a session: as observers see it, and as apps start and stop it.
///
/// Everything mutable is guarded by one lock.
public class SAPURLSessionTask: @unchecked Sendable {
    // Guarded by `stored`; the rest is constant.
    /// How far a task is.
    public enum State: Int, Sendable, Hashable {
        /// The request is under way.
        case running = 0
        /// The task was made and not started yet, or was stopped for now before it was sent.
        case suspended = 1
        /// The task was told to end.
        case canceling = 2
        /// The answer is there, or the reason why there is none.
        case completed = 3
    }

    private struct Stored: Sendable {
        var state = State.suspended
        var current: URLRequest
        var response: URLResponse?
    }

    /// Rises with each task of the process.
    public let taskIdentifier: Int
    /// The request before any observer changed it.
    public let originalRequest: URLRequest?
    private let stored: Mutex<Stored>
    private let work: (@Sendable (SAPURLSessionTask) -> Void)?
    let cancellation = CancellationFlag()

    private static let nextIdentifier = Mutex(0)

    static func makeIdentifier() -> Int {
        nextIdentifier.withLock {
            $0 += 1
            return $0
        }
    }

    init(
        originalRequest: URLRequest, isRunning: Bool = false,
        work: (@Sendable (SAPURLSessionTask) -> Void)? = nil
    ) {
        taskIdentifier = Self.makeIdentifier()
        self.originalRequest = originalRequest
        self.work = work
        stored = Mutex(Stored(state: isRunning ? .running : .suspended, current: originalRequest))
    }

    /// The request with what observers changed in it.
    public var currentRequest: URLRequest? { stored.withLock { $0.current } }

    /// The head of the answer; nil until it is there.
    public var response: URLResponse? { stored.withLock { $0.response } }

    /// How far the task is.
    public var state: State { stored.withLock { $0.state } }

    /// Starts the task; one that runs or ended stays as it is.
    public func resume() {
        let starts = stored.withLock { stored in
            guard stored.state == .suspended else { return false }
            stored.state = .running
            return true
        }
        guard starts, let work else { return }
        Thread.detachNewThread { [self] in work(self) }
    }

    /// Ends the task; its completion handler gets an error unless the answer is there already.
    public func cancel() {
        let wasWaiting = stored.withLock { stored in
            let isWaiting = stored.state == .suspended
            if stored.state != .completed { stored.state = .canceling }
            return isWaiting
        }
        cancellation.cancel()
        // A task that was never started has its handler called all the same.
        if wasWaiting, let work { Thread.detachNewThread { [self] in work(self) } }
    }

    /// Keeps a task that was not started from starting until ``resume()``; a request under way goes on, which is logged.
    public func suspend() {
        guard state == .running else { return }
        Logger.shared(named: "SAPFoundation.Session").warn(
            "The setting SAPURLSessionTask.suspend has no effect: a request under way goes on.")
    }

    func note(current: URLRequest) { stored.withLock { $0.current = current } }

    func note(response: URLResponse) { stored.withLock { $0.response = response } }

    func complete() { stored.withLock { $0.state = .completed } }
}

/// A task whose answer goes into a file.
public final class SAPURLSessionDownloadTask: SAPURLSessionTask, @unchecked Sendable {
    // As its base class says.
}
