import ODataWorld
import Synchronization

/// Runs blocking work on threads of the library's own, at most so many pieces at once, in the order they came; tasks wait
/// for it without blocking theirs.
///
/// Threads live while there is work. Callers bound what waits: each piece stands for one call of theirs.
final class BlockingQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
    }

    private let name: String
    private let width: Int
    private let world: any World
    private let state = Mutex(State())

    init(_ name: String, width: Int, world: any World) {
        self.name = name
        self.width = width
        self.world = world
    }

    /// Runs `work` as soon as a thread is free; returns at once.
    func add(_ work: @escaping @Sendable () -> Void) {
        let startsThread = state.withLock { state -> Bool in
            state.waiting.append(work)
            guard state.running < width else { return false }
            state.running += 1
            return true
        }
        guard startsThread else { return }
        _ = world.startWorker(name) { [self] in
            while let work = next() { work() }
        }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.running -= 1
            return nil
        }
    }

    /// Gives the task what came of the work; its errors are ours, or the work's own.
    ///
    /// - Parameter work: is given a flag that is set when the task is cancelled; not begun when that is so before.
    /// - Throws: `CancellationError` where the work ends because of the flag, or was not begun.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add {
                    continuation.resume(
                        with: Result {
                            guard !flag.isCancelled else { throw CancellationError() }
                            return try ODataError.translating { try work(flag) }
                        })
                }
            }
        } onCancel: {
            flag.cancel()
        }
    }
}
