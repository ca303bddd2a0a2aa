import ODataQuery
import ODataText
import ODataWire
import Synchronization

/// How many bytes the answers of one batch may come to, which are all held until the last is there.
final class AnswerBudget: Sendable {
    /// The one of the batch that the current thread works at; nil outside batches.
    @TaskLocal static var current: AnswerBudget?

    private let limit: Int
    private let used = Mutex(0)

    init(bytes: Int) { limit = bytes }

    /// Runs a batch, which may be a part of one that has its budget already.
    static func withBudget<Result>(
        _ configuration: ServiceConfiguration, _ body: () throws -> Result
    ) throws -> Result {
        guard current == nil else { return try body() }
        return try $current.withValue(AnswerBudget(bytes: configuration.maximumBatchBytes)) {
            try body()
        }
    }

    /// - Throws: 503 where so many bytes more do not fit, 413 where they never would.
    func require(_ bytes: Int) throws {
        guard bytes > limit || used.withLock({ $0 + bytes > limit }) else { return }
        throw ODataError(
            ServiceCode.batchIsFull,
            "Expected answers of at most \(limit) bytes in a batch; send the rest in another.",
            status: bytes > limit ? 413 : 503)
    }

    func take(_ bytes: Int) { used.withLock { $0 += bytes } }

    /// The answer to a member of a batch that changes nothing, which is let go where it does not fit.
    static func read(_ body: () throws -> ResponseMessage) throws -> ResponseMessage {
        guard let budget = current else { return try body() }
        try budget.require(1)
        let answer = try body()
        try budget.require(answer.body.count)
        budget.take(answer.body.count)
        return answer
    }
}
