import ODataQuery
import ODataServer
import Synchronization

/// A service written by hand that listens on a port of this machine and keeps what it was asked.
package final class LoopbackService: Sendable {
    /// What to answer to a request, its URL being a path, and its number, counted from 1.
    package typealias Answer = @Sendable (RequestMessage, Int) -> HTTPEdge.Outcome

    private final class Seen: Sendable {
        let requests = Mutex<[RequestMessage]>([])

        func note(_ request: RequestMessage) -> Int {
            requests.withLock {
                $0.append(request)
                return $0.count
            }
        }
    }

    private let seen: Seen
    private let edge: HTTPEdge
    private let port: Int

    /// Listens when it returns; stops when it is released. Blocks the calling thread.
    package init(_ answer: @escaping Answer) throws {
        let seen = Seen()
        self.seen = seen
        edge = HTTPEdge(HTTPEdge.Configuration()) { request in
            answer(request, seen.note(request))
        }
        port = try edge.start()
    }

    deinit { edge.stop() }

    /// Scheme, host and port.
    package var host: String { "http://127.0.0.1:\(port)" }
    /// The root that the service pretends to have.
    package var root: String { host + "/s" }

    /// The requests so far.
    package var requests: [RequestMessage] { seen.requests.withLock { $0 } }

    /// Method and URL of each request so far, the root left aside.
    package var lines: [String] {
        requests.map { request in
            let isInside = request.url.hasPrefix("/s/") && request.url.count > 3
            return request.method + " "
                + (isInside ? String(request.url.dropFirst(3)) : request.url)
        }
    }
}
