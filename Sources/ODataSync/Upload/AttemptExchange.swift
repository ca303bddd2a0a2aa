import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

/// Sends frozen attempts, several at a time, and hands the answers back one by one to the thread that records them.
///
/// With one thread allowed, the calling thread itself sends. What workers and caller share is guarded by `monitor`.
final class AttemptExchange: @unchecked Sendable {
    /// How an attempt goes to the service.
    enum Way {
        case live
        /// By the system's transfers.
        case carried
        /// The system has it from an earlier process.
        case takenUp
    }

    private struct Sending {
        var attempt: Attempt
        var content: (any RequestContent)?
        var way: Way
    }

    typealias Answer = (
        attempt: Attempt, answer: Swift.Result<ResponseMessage, ODataError>, way: Way
    )

    private let connection: ServiceConnection
    private let world: any World
    private let threads: Int
    private let cancellation: CancellationFlag
    private let background: BackgroundRun?
    private let monitor: any Monitor
    private var waiting: [Sending] = []
    private var answers: [Answer] = []
    private var workers: [any WorkerHandle] = []
    private var isClosed = false
    /// Used by the calling thread only: attempts without an answer taken.
    private(set) var openCount = 0
    /// Used by the calling thread only.
    private var refused: [Answer] = []

    init(
        connection: ServiceConnection, world: any World, threads: Int,
        cancellation: CancellationFlag, background: BackgroundRun? = nil
    ) {
        self.background = background
        self.connection = connection
        self.world = world
        self.threads = max(1, threads)
        self.cancellation = cancellation
        monitor = world.makeMonitor()
    }

    /// Sends the attempt as soon as a worker is free; its sending must have been noted.
    ///
    /// - Parameter content: read while it is sent, in place of the attempt's own body.
    func start(
        _ attempt: Attempt, _ content: (any RequestContent)? = nil, by way: Way = .live
    ) {
        openCount += 1
        monitor.withLock {
            waiting.append(Sending(attempt: attempt, content: content, way: way))
            monitor.signal()
        }
        guard threads > 1, workers.count < min(openCount, threads) else { return }
        workers.append(world.startWorker("odata-upload") { [self] in work() })
    }

    /// Hands back an attempt that could not be sent, as if the transport had refused it.
    func refuse(_ attempt: Attempt, _ error: ODataError) {
        openCount += 1
        refused.append((attempt, .failure(Self.unsent(attempt, error)), .live))
    }

    /// As the transport says that nobody was reached.
    private static func unsent(_ attempt: Attempt, _ error: ODataError) -> ODataError {
        var error = error
        error.underlying = NetworkFailure(
            phase: .connect, method: attempt.message.method, host: "", cause: error)
        return error
    }

    /// Blocks until one of the attempts that were started has an answer or has failed.
    func next() -> Answer {
        defer { openCount -= 1 }
        if let first = refused.popLast() { return first }
        if threads == 1 {
            let next = monitor.withLock { waiting.removeFirst() }
            return send(next)
        }
        return monitor.withLock {
            while answers.isEmpty { _ = monitor.wait(timeout: nil) }
            return answers.removeFirst()
        }
    }

    /// As ``next()``, where one is there already.
    func nextIfThere() -> Answer? {
        let answer =
            refused.popLast()
            ?? monitor.withLock { answers.isEmpty ? nil : answers.removeFirst() }
        if answer != nil { openCount -= 1 }
        return answer
    }

    /// Lets the workers end, and waits for them.
    func close() {
        monitor.withLock {
            isClosed = true
            monitor.signal()
        }
        for worker in workers { worker.join() }
    }

    private func work() {
        while true {
            let next = monitor.withLock { () -> Sending? in
                while waiting.isEmpty, !isClosed { _ = monitor.wait(timeout: nil) }
                return waiting.isEmpty ? nil : waiting.removeFirst()
            }
            guard let next else { return }
            let answer = send(next)
            monitor.withLock {
                answers.append(answer)
                monitor.signal()
            }
        }
    }

    private func connection(for sending: Sending) -> ServiceConnection {
        guard sending.way != .live, let background else { return connection }
        return background.connection(
            for: sending.attempt, isTakenUp: sending.way == .takenUp)
    }

    private func send(_ sending: Sending) -> Answer {
        let answer: Swift.Result<ResponseMessage, ODataError>
        // It may have been cancelled since it was noted: whoever is told of the answers before it may do that.
        if cancellation.isCancelled, sending.way != .takenUp {
            let error = Self.unsent(sending.attempt, UploadRun.isCancelled)
            return (sending.attempt, .failure(error), sending.way)
        }
        do {
            answer = .success(
                try connection(for: sending).exchange(
                    sending.attempt.message, content: sending.content, cancellation: cancellation))
        } catch let error as ODataError {
            answer = .failure(error)
        } catch {
            answer = .failure(
                ODataError(.network, "The answer did not arrive.", underlying: error))
        }
        return (sending.attempt, answer, sending.way)
    }
}
