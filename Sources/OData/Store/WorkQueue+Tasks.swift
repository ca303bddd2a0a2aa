import ODataWorld

extension WorkQueue {
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
