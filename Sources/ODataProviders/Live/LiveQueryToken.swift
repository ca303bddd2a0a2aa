import ODataClasses

/// Keeps an observation alive: it ends when the token is cancelled or let go.
public final class LiveQueryToken: Sendable {
    private let session: LiveQuerySession

    init(_ session: LiveQuerySession) { self.session = session }

    deinit { session.cancel() }

    /// Ends the observation; a listener that runs just now is the last.
    public func cancel() { session.cancel() }
}
