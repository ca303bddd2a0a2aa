import ODataClasses
import ODataQuery
import ODataSyncPlan

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

    /// As ``run(on:_:)`` for a call with options, whose token the task cancels when it is cancelled.
    func request<Value: Sendable>(
        _ options: RequestOptions?, on queue: WorkQueue,
        _ work: @escaping @Sendable (RequestOptions) throws -> Value
    ) async throws -> Value {
        let options = options ?? RequestOptions()
        let own = options.cancelToken == nil ? CancelToken() : nil
        if let own { options.cancelToken = own }
        // The options are the caller's; a token that was lent to them is taken back.
        defer { if own != nil { options.cancelToken = nil } }
        return try await cancellable(own ?? options.cancelToken, on: queue) { try work(options) }
    }

    /// As ``run(on:_:)`` for a download or upload, which ends when the task is cancelled.
    func sync<Value: Sendable>(
        _ options: SyncOptions?, on queue: WorkQueue,
        _ work: @escaping @Sendable (SyncOptions) throws -> Value
    ) async throws -> Value {
        let options = options?.copy() ?? SyncOptions()
        let token = options.cancelToken ?? CancelToken()
        options.cancelToken = token
        return try await cancellable(token, on: queue) { try work(options) }
    }

    private func cancellable<Value: Sendable>(
        _ token: CancelToken?, on queue: WorkQueue,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await run(on: queue) {
                try CancelCheck.throwIfCancelled(token)
                return try work()
            }
        } onCancel: {
            token?.cancel()
        }
    }
}
