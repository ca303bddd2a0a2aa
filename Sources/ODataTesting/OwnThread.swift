import Foundation

/// Runs `body` on a thread of its own, because the API blocks and the cooperative pool must not.
///
/// `body` stays in the calling task, so that what fails in it is reported with the test that called.
package func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await OwnThread().run(body)
}

/// An actor whose jobs run on threads that nobody else uses.
private actor OwnThread {
    private let executor = ThreadExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try body()
    }
}

/// Starts a thread with a large stack for each job; its one actor has one job at a time.
private final class ThreadExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}
