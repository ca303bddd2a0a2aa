import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

/// Sends frozen attempts, several at a time, and hands the answers back one by one to the thread that records them.
///
/// With one thread allowed, the calling thread itself sends. What workers and caller share is guarded by `monitor`.
final class AttemptExchange: @unchecked Sendable {
    typealias Answer = (attempt: Attempt, answer: Swift.Result<ResponseMessage, ODataError>)

    private let connection: ServiceConnection
    private let world: any World
    private let threads: Int
    private let cancellation: CancellationFlag
    private let monitor: any Monitor
    private var waiting: [Attempt] = []
    private var answers: [Answer] = []
    private var workers: [any WorkerHandle] = []
    private var isClosed = false
    /// Used by the calling thread only: attempts without an answer taken.
    private(set) var openCount = 0

    init(
        connection: ServiceConnection, world: any World, threads: Int,
        cancellation: CancellationFlag
    ) {
        self.connection = connection
        self.world = world
        self.threads = max(1, threads)
        self.cancellation = cancellation
        monitor = world.makeMonitor()
    }

    /// True while another attempt can be sent at once.
    var hasRoom: Bool { openCount < threads }

    /// Sends the attempt as soon as a worker is free; its sending must have been noted.
    func start(_ attempt: Attempt) {
        openCount += 1
        monitor.withLock {
            waiting.append(attempt)
            monitor.signal()
        }
        guard threads > 1, workers.count < min(openCount, threads) else { return }
        workers.append(world.startWorker("odata-upload") { [self] in work() })
    }

    /// Blocks until one of the attempts that were started has an answer or has failed.
    func next() -> Answer {
        defer { openCount -= 1 }
        if threads == 1 { return send(monitor.withLock { waiting.removeFirst() }) }
        return monitor.withLock {
            while answers.isEmpty { _ = monitor.wait(timeout: nil) }
            return answers.removeFirst()
        }
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
            let attempt = monitor.withLock { () -> Attempt? in
                while waiting.isEmpty, !isClosed { _ = monitor.wait(timeout: nil) }
                return waiting.isEmpty ? nil : waiting.removeFirst()
            }
            guard let attempt else { return }
            let answer = send(attempt)
            monitor.withLock {
                answers.append(answer)
                monitor.signal()
            }
        }
    }

    private func send(_ attempt: Attempt) -> Answer {
        do {
            return (
                attempt,
                .success(try connection.exchange(attempt.message, cancellation: cancellation))
            )
        } catch let error as ODataError {
            return (attempt, .failure(error))
        } catch {
            return (
                attempt,
                .failure(ODataError(.network, "The answer did not arrive.", underlying: error))
            )
        }
    }
}
