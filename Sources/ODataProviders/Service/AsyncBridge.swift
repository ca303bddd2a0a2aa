import ODataClasses
import ODataQuery
import ODataSyncPlan
import ODataWorld

/// The one way from tasks to the threads on which calls block.
struct AsyncBridge: Sendable {
    /// Runs `work` on a queue and gives the task what came of it.
    ///
    /// - Throws: What `work` throws; `CancellationError` where that says that it was cancelled.
    func run<Value: Sendable>(
        on queue: WorkQueue, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                queue.add { continuation.resume(with: Result { try work() }) }
            }
        } catch {
            throw ErrorBase.forTask(error)
        }
    }

    /// As ``run(on:_:)`` for a call with options, which ends when the task is cancelled.
    func request<Value: Sendable>(
        _ options: RequestOptions?, on queue: WorkQueue,
        _ work: @escaping @Sendable (RequestOptions) throws -> Value
    ) async throws -> Value {
        let own = (options ?? .none).forCall()
        defer { options?.keepIdentity(of: own) }
        return try await cancellable(own.cancelToken, on: queue) { token in
            own.cancelToken = token
            return try work(own)
        }
    }

    /// As ``run(on:_:)`` for a download or upload, which ends when the task is cancelled.
    func sync<Value: Sendable>(
        _ options: SyncOptions?, on queue: WorkQueue,
        _ work: @escaping @Sendable (SyncOptions) throws -> Value
    ) async throws -> Value {
        let own = options?.copy() ?? SyncOptions()
        return try await cancellable(own.cancelToken, on: queue) { token in
            own.cancelToken = token
            return try work(own)
        }
    }

    /// Gives the work a token of its own, which the task and the caller's token cancel: a cancelled task stops no other call
    /// that has the caller's token.
    private func cancellable<Value: Sendable>(
        _ given: CancelToken?, on queue: WorkQueue,
        _ work: @escaping @Sendable (CancelToken) throws -> Value
    ) async throws -> Value {
        let token = CallToken(given)
        let listener = given?.onCancel { token.cancel() }
        defer { listener.map { given?.removeListener($0) } }
        return try await withTaskCancellationHandler {
            try await run(on: queue) {
                try CancelCheck.throwIfCancelled(token)
                return try work(token)
            }
        } onCancel: {
            token.cancel()
        }
    }
}

/// The token of one call: on when it or the caller's is, which counts also for a stream that is read after the call.
private final class CallToken: CancelToken, @unchecked Sendable {
    private let given: CancelToken?

    init(_ given: CancelToken?) {
        self.given = given
        super.init()
    }

    override var isCancelled: Bool { super.isCancelled || given?.isCancelled ?? false }
}
