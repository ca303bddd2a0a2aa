import ODataQuery
import ODataText
import ODataWorld

/// One service as an HTTP peer: resolves URLs against its root, adds the headers every request carries, keeps
/// cookies and the security token, and repeats what may be repeated.
///
/// A write is sent once; it is repeated only after the answer said that it was not looked at (403 with
/// `X-CSRF-Token: Required`). A read is repeated after a network failure and after 429 or 503.
package final class ServiceConnection: Sendable {
    /// The service root, ending in `/`.
    package let root: String
    private let transport: any HTTPTransport
    private let world: any World
    private let settings: any Monitor
    private let state: SessionState

    /// What requests carry and how long they may take; a copy is taken when a request starts.
    package struct Configuration: Sendable {
        package var headers = HeaderFields()
        package var credentials: Credentials?
        /// The header that carries the security token; nil where the service wants none.
        package var tokenHeader: String? = "X-CSRF-Token"
        package var idleTimeout: Duration = .seconds(60)
        package var totalTimeout: Duration?
        /// Text appended to the path of every request (`urlSuffix` of the offline parameters).
        package var urlSuffix = ""
        package var trace: (@Sendable (TraceEntry) -> Void)?

        package init() {}
    }

    package init(
        root: String, transport: any HTTPTransport, world: any World = LiveWorld(),
        configuration: Configuration = Configuration()
    ) {
        self.root = root.hasSuffix("/") ? root : root + "/"
        self.transport = transport
        self.world = world
        settings = world.makeMonitor()
        state = SessionState(configuration: configuration)
    }

    /// Read and replaced as a whole; a change counts from the next request on.
    package var configuration: Configuration {
        get { settings.withLock { state.configuration } }
        set { settings.withLock { state.configuration = newValue } }
    }

    /// Sends a request whose URL is absolute or relative to the root, and returns when the head of the answer is there.
    ///
    /// - Throws: `network`, `timeout` or `cancelled`. An error status is an answer, not an error.
    package func send(
        _ message: RequestMessage, cancellation: CancellationFlag? = nil
    ) throws -> any HTTPAnswer {
        let configuration = configuration
        let isRead = message.method == "GET" || message.method == "HEAD"
        var retry = RetryBudget()
        while true {
            do {
                let answer = try exchange(message, configuration, cancellation)
                if !isRead, needsToken(answer, configuration), retry.takeTokenRefresh() {
                    answer.close()
                    try fetchToken(configuration, cancellation)
                    continue
                }
                guard isRead, let pause = retry.pause(after: answer.status, answer.headers) else {
                    return answer
                }
                answer.close()
                try wait(pause, cancellation)
            } catch let error as ODataError where isRead && error.code == .network {
                guard let pause = retry.pauseAfterNetworkFailure() else { throw error }
                try wait(pause, cancellation)
            }
        }
    }

    /// Sends a request and reads the whole answer.
    package func exchange(
        _ message: RequestMessage, limit: Int = 64 << 20, cancellation: CancellationFlag? = nil
    ) throws -> ResponseMessage {
        try send(message, cancellation: cancellation).readAll(limit: limit)
    }

    /// Makes `url` absolute: relative to the root, or to its host when it starts with `/`.
    package func absolute(_ url: String) -> String {
        ServiceURL.absolute(url, root: root)
    }

    /// Asks for a fresh security token now, as an application may want to before it goes on.
    package func acquireToken(cancellation: CancellationFlag? = nil) throws {
        try fetchToken(configuration, cancellation)
    }

    private func exchange(
        _ message: RequestMessage, _ configuration: Configuration, _ cancellation: CancellationFlag?
    ) throws -> any HTTPAnswer {
        var request = message
        request.url = ServiceURL.appending(
            suffix: configuration.urlSuffix, to: absolute(message.url))
        request.headers = makeHeaders(message, configuration)
        let started = world.uptime()
        let options = TransportOptions(
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout,
            cancellation: cancellation)
        let answer: any HTTPAnswer
        do {
            answer = try transport.send(request, options: options)
        } catch {
            configuration.trace?(
                TraceEntry(request: request, status: nil, duration: world.uptime() - started))
            throw error
        }
        settings.withLock { state.cookies.store(answer.headers.values("Set-Cookie")) }
        configuration.trace?(
            TraceEntry(request: request, status: answer.status, duration: world.uptime() - started))
        return answer
    }

    private func makeHeaders(
        _ message: RequestMessage, _ configuration: Configuration
    ) -> HeaderFields {
        var headers = configuration.headers
        headers.merge(message.headers)
        if let credentials = configuration.credentials, headers["Authorization"] == nil {
            headers["Authorization"] = credentials.headerValue
        }
        let isRead = message.method == "GET" || message.method == "HEAD"
        settings.withLock {
            if let cookies = state.cookies.headerValue {
                headers["Cookie"] = [headers["Cookie"], cookies].compactMap { $0 }.joined(
                    separator: "; ")
            }
            if !isRead, let name = configuration.tokenHeader, headers[name] == nil {
                headers[name] = state.token
            }
        }
        return headers
    }

    private func needsToken(_ answer: any HTTPAnswer, _ configuration: Configuration) -> Bool {
        guard let name = configuration.tokenHeader, answer.status == 403 else { return false }
        return answer.headers[name]?.lowercased() == "required"
    }

    private func fetchToken(
        _ configuration: Configuration, _ cancellation: CancellationFlag?
    ) throws {
        guard let name = configuration.tokenHeader else { return }
        settings.withLock { state.token = nil }
        let answer = try exchange(
            RequestMessage(
                method: "GET", url: root, headers: HeaderFields([.init(name: name, value: "Fetch")])
            ),
            configuration, cancellation)
        let token = answer.headers[name]
        answer.close()
        settings.withLock { state.token = token }
    }

    private func wait(_ pause: Duration, _ cancellation: CancellationFlag?) throws {
        guard world.sleep(pause, token: cancellation) else {
            throw ODataError(.cancelled, "The request was cancelled.")
        }
    }
}

/// What changes during a session; guarded by the connection's monitor.
private final class SessionState: @unchecked Sendable {
    var configuration: ServiceConnection.Configuration
    var cookies = CookieJar()
    var token: String?

    init(configuration: ServiceConnection.Configuration) {
        self.configuration = configuration
    }
}

/// One exchange as it is reported to a trace.
package struct TraceEntry: Sendable {
    package var request: RequestMessage
    /// Nil when no answer came.
    package var status: Int?
    package var duration: Duration
}
