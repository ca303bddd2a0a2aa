import ODataQuery
import ODataText

/// A service of the system that goes on with requests while the app sleeps or is gone, and keeps each answer in a file until
/// somebody asks for it under the name that the request was begun with.
///
/// Safe to call from any thread. `docs/sync.md` says what goes through it.
package protocol BackgroundTransfer: Sendable {
    /// What is known of a transfer, be it of this process or of one that is gone; nil for a name that nothing was begun under.
    func state(of name: String) -> BackgroundState?
    /// Begins to send a request under a name that is free; the system reads the body as a whole before this returns.
    ///
    /// - Throws: `storage` without room for the body, `invalidQuery` for a URL that nobody can ask.
    func begin(_ name: String, _ request: RequestMessage, _ body: (any RequestContent)?) throws
    /// Calls `action` when the transfer has ended or was forgotten, perhaps more than once, and at once where it runs no more.
    func whenEnded(_ name: String, _ action: @escaping @Sendable () -> Void)
    /// Ends the transfer where it still runs and removes its answer; the name is free again.
    func forget(_ name: String)
    /// All names that something was begun under and that were not forgotten.
    func names() -> Set<String>
}

/// Where a transfer is.
package enum BackgroundState: Sendable, Hashable {
    case running
    /// The answer has come whole; the file at `body` holds what stood behind its head.
    case answered(status: Int, headers: HeaderFields, body: String)
    /// No answer came, and the step at which it ended.
    case failed(NetworkFailure.Phase)
}
