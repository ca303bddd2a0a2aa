import ODataClasses
import ODataQuery
import ODataTransport
import Synchronization

/// Passes requests on to the session's transport with the app's cookies and time limit, and counts the bytes.
final class TransferCounter: HTTPTransport {
    /// Bytes since the last ``reset()``.
    struct Count: Sendable {
        var sent = 0
        var received = 0
        /// What the answers so far will have brought at their ends, as far as they say.
        var expected = 0
    }

    private struct State {
        var count = Count()
        var cookies: [String: String] = [:]
        var idleSeconds: Int?
    }

    private let base: any HTTPTransport
    private let state = Mutex(State())

    init(_ base: any HTTPTransport) {
        self.base = base
    }

    var count: Count { state.withLock { $0.count } }

    func reset() { state.withLock { $0.count = Count() } }

    func configure(cookies: [String: String], idleSeconds: Int?) {
        state.withLock { state in
            state.cookies = cookies
            state.idleSeconds = idleSeconds
        }
    }

    /// Cookies, time limit and counts are those of a request that another one carries, too.
    var dealsWithCarrier: Bool { true }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        let (cookies, idleSeconds) = state.withLock { ($0.cookies, $0.idleSeconds) }
        var request = request
        if !cookies.isEmpty {
            let own = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            request.headers["Cookie"] = ([request.headers["Cookie"]].compactMap { $0 } + own)
                .joined(separator: "; ")
        }
        var options = options
        if let idleSeconds { options.idleTimeout = .seconds(max(1, idleSeconds)) }
        let size = request.body.count
        state.withLock { $0.count.sent += size }
        let answer = try base.carry(request, options: options)
        // Lengths of what comes packed say nothing of what is read.
        let length =
            answer.headers["Content-Encoding"] == nil
            ? answer.headers["Content-Length"].flatMap { Int($0) }
                .flatMap { (0...(1 << 50)).contains($0) ? $0 : nil } : nil
        state.withLock { $0.count.expected += length ?? 0 }
        return CountedAnswer(answer) { [self] bytes in
            state.withLock {
                $0.count.received += bytes
                if length == nil { $0.count.expected += bytes }
            }
        }
    }
}

/// An answer whose bytes are counted as they are read.
private final class CountedAnswer: HTTPAnswer {
    private let base: any HTTPAnswer
    private let note: (Int) -> Void

    init(_ base: any HTTPAnswer, note: @escaping (Int) -> Void) {
        self.base = base
        self.note = note
    }

    var status: Int { base.status }
    var headers: HeaderFields { base.headers }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let bytes = try base.read(into: buffer)
        if bytes > 0 { note(bytes) }
        return bytes
    }

    func close() { base.close() }
}
