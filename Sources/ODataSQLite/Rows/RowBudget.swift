import ODataText
import Synchronization

/// How many bytes of rows the work of the current thread may hold at a time: what a service gives to one request.
package final class RowBudget: Sendable {
    /// Nil where nothing is counted.
    @TaskLocal package static var current: RowBudget?

    private let limit: Int
    private let used = Mutex(0)

    package init(bytes: Int) {
        limit = bytes
    }

    /// The code of the error that says that the budget is used up.
    package static let exceeded = ODataError.Code("rowBudgetExceeded")

    var rest: Int { max(0, limit - used.withLock { $0 }) }

    func take(_ bytes: Int) { used.withLock { $0 += bytes } }

    /// Begins anew, after what was read was let go.
    package func reset() { used.withLock { $0 = 0 } }

    var failure: ODataError {
        ODataError(
            Self.exceeded, "Expected rows of at most \(limit) bytes; ask for fewer at a time.",
            status: 400)
    }
}
