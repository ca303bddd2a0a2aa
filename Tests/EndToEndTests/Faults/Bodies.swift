import ODataQuery
import Synchronization

/// Requests as they arrived, headers and body.
final class Bodies: Sendable {
    private let seen = Mutex<[RequestMessage]>([])

    var all: [RequestMessage] { seen.withLock { $0 } }

    /// Keeps a request; says how many there are now.
    func add(_ request: RequestMessage) -> Int {
        seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
    }
}
