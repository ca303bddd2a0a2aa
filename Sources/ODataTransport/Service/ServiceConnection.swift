import ODataQuery
import ODataText
import ODataWire
import ODataWorld

/// One service as an HTTP peer: resolves URLs against its root, adds the headers every request carries, keeps
/// cookies and the security token, renews credentials, and repeats what may be repeated.
///
/// A write is sent once; it is repeated only after the answer said that it was not looked at (403 with
/// `X-CSRF-Token: Required`, 401 with credentials that can be renewed). A read is repeated after a network failure
/// and after 429 or 503. What proves who is asking goes to the root's own scheme, host and port only.
package final class ServiceConnection: Sendable {
    /// The service root, ending in `/`.
    package let root: String
    private let transport: any HTTPTransport
    private let world: any World
    private let settings: any Monitor
    private let state: SessionState
    private let carrier: (@Sendable (RequestMessage) -> any HTTPTransport)?

    /// What requests carry and how long they may take; a copy is taken when a request starts.
    package struct Configuration: Sendable {
        package var headers = HeaderFields()
        package var credentials: Credentials?
        /// Gives the credentials in place of those that were refused with 401; nil when there are no others.
        package var renewCredentials: (@Sendable (Credentials?) throws -> Credentials?)?
        /// The header that carries the security token; nil where the service wants none.
        package var tokenHeader: String? = "X-CSRF-Token"
        /// Whether bodies of some size are sent compressed (`Content-Encoding: gzip`).
        package var compressesRequests = false
        /// Nothing is sent: there is no service behind the root.
        package var refusesRequests = false
        package var idleTimeout: Duration = .seconds(60)
        package var totalTimeout: Duration?
        /// Text appended to the path of every request (`urlSuffix` of the offline parameters).
        package var urlSuffix = ""
        package var trace: (@Sendable (TraceEntry) -> Void)?
        /// The header that carries the method of a request that goes as `POST` (MS-ODATA, section 2.2.5.8).
        package var tunnellingHeader = "X-HTTP-Method"

        package init() {}

        /// Whether a request only reads, be it under a method of its own or in a tunnel.
        func isRead(_ message: RequestMessage) -> Bool {
            let tunnelled = message.method == "POST" ? message.headers[tunnellingHeader] : nil
            return ["GET", "HEAD"].contains(tunnelled ?? message.method)
        }
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
        carrier = nil
    }

    private init(
        _ base: ServiceConnection,
        _ carrier: @escaping @Sendable (RequestMessage) -> any HTTPTransport
    ) {
        (root, transport, world) = (base.root, base.transport, base.world)
        (settings, state) = (base.settings, base.state)
        self.carrier = carrier
    }

    /// The same connection, session and settings included, whose requests are sent by another carrier each, asked for with the
    /// request as the caller made it. Tokens are fetched over the transport.
    package func carried(
        by carrier: @escaping @Sendable (RequestMessage) -> any HTTPTransport
    ) -> ServiceConnection {
        ServiceConnection(self, carrier)
    }

    /// The same connection for requests that the service holds: over the standard transport they have connections of their own,
    /// and take none from those that are answered soon.
    package var forHeldRequests: ServiceConnection {
        guard let other = StandardTransport.held(besides: transport) else { return self }
        return carried { _ in other }
    }

    /// Read and replaced as a whole; a change counts from the next request on.
    package var configuration: Configuration {
        get { settings.withLock { state.configuration } }
        set { settings.withLock { state.configuration = newValue } }
    }

    /// The cookies of the session.
    package var cookies: CookieJar {
        get { settings.withLock { state.cookies } }
        set { settings.withLock { state.cookies = newValue } }
    }

    /// Sends a request whose URL is absolute or relative to the root, and returns when the head of the answer is there.
    ///
    /// - Throws: `network`, `timeout` or `cancelled`, at the request's host and path. An error status is an answer, not an
    ///   error.
    package func send(
        _ message: RequestMessage, content: (any RequestContent)? = nil,
        cancellation: CancellationFlag? = nil
    ) throws -> any HTTPAnswer {
        do {
            return try sendWithRetries(message, content: content, cancellation: cancellation)
        } catch let error as ODataError {
            throw error.during(absolute(message.url))
        }
    }

    private func sendWithRetries(
        _ message: RequestMessage, content: (any RequestContent)?, cancellation: CancellationFlag?
    ) throws -> any HTTPAnswer {
        var configuration = configuration
        var message = message
        let isRead = configuration.isRead(message)
        let carrier = carrier?(message)
        var retry = RetryBudget()
        if content?.canRewind == false, !isRead {
            try fetchFirstToken(configuration, cancellation)
        }
        while true {
            do {
                let token = settings.withLock { state.token }
                let answer = try exchange(
                    message, configuration, cancellation, content, carrier)
                if demandsToken(answer, configuration), retry.takeTokenRefresh(),
                    try content?.rewind() ?? true
                {
                    answer.close()
                    if isRead { settings.withLock { state.readsCarryToken = true } }
                    try fetchToken(configuration, cancellation, refused: token)
                    continue
                }
                if !isRead,
                    let next = Redirect.ofWrite(after: answer.status, answer.headers)
                        .map(absolute), ServiceURL.isSameOrigin(next, as: root),
                    retry.takeRedirect(),
                    try content?.rewind() ?? true
                {
                    answer.close()
                    message.url = next
                    continue
                }
                if answer.status == 401, ServiceURL.isSameOrigin(absolute(message.url), as: root),
                    let renew = configuration.renewCredentials, retry.takeCredentialRefresh(),
                    try content?.rewind() ?? true,
                    let renewed = try renew(configuration.credentials)
                {
                    answer.close()
                    configuration.credentials = renewed
                    settings.withLock { state.configuration.credentials = renewed }
                    continue
                }
                guard isRead,
                    let pause = retry.pause(
                        after: answer.status, answer.headers, now: world.now().seconds)
                else { return answer }
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
        _ message: RequestMessage, limit: Int = 64 << 20, content: (any RequestContent)? = nil,
        cancellation: CancellationFlag? = nil
    ) throws -> ResponseMessage {
        let answer = try send(message, content: content, cancellation: cancellation)
        do {
            return try answer.readAll(limit: limit)
        } catch let error as ODataError {
            throw error.during(absolute(message.url))
        }
    }

    /// Makes `url` absolute: relative to the root, or to its host when it starts with `/`.
    package func absolute(_ url: String) -> String {
        ServiceURL.absolute(url, root: root)
    }

    /// An answer of the service has brought a version header.
    package var hasSeenVersion: Bool { settings.withLock { state.hasSeenVersion } }

    /// The service's clock, as far as its answers have told it.
    package var clock: ServiceClock { settings.withLock { state.clock } }

    /// Asks for a fresh security token now, as an application may want to before it goes on.
    package func acquireToken(cancellation: CancellationFlag? = nil) throws {
        try fetchToken(configuration, cancellation, refused: settings.withLock { state.token })
    }

    private func exchange(
        _ message: RequestMessage, _ configuration: Configuration,
        _ cancellation: CancellationFlag?, _ content: (any RequestContent)? = nil,
        _ carrier: (any HTTPTransport)? = nil
    ) throws -> any HTTPAnswer {
        guard !configuration.refusesRequests else {
            throw ODataError(
                .usage, "Expected a service to ask; the options say that there is only a database.")
        }
        var request = message
        request.url = ServiceURL.appending(
            suffix: configuration.urlSuffix, to: absolute(message.url))
        let isOwn = ServiceURL.isSameOrigin(request.url, as: root)
        request.headers =
            isOwn ? makeHeaders(message, configuration) : message.headers.forAnotherHost
        if configuration.compressesRequests { try RequestCompression.apply(to: &request) }
        let started = world.uptime()
        var options = TransportOptions(
            idleTimeout: configuration.idleTimeout, totalTimeout: configuration.totalTimeout,
            cancellation: cancellation, content: content)
        options.carrier = carrier
        let answer: any HTTPAnswer
        do {
            answer = try transport.carry(request, options: options)
        } catch {
            configuration.trace?(
                TraceEntry(request: request, status: nil, duration: world.uptime() - started))
            throw error
        }
        if isOwn { learn(from: answer, configuration, isCarried: carrier != nil) }
        configuration.trace?(
            TraceEntry(request: request, status: answer.status, duration: world.uptime() - started))
        return answer
    }

    /// Takes over session, token and what tells the service from others.
    ///
    /// - Parameter isCarried: nobody knows when it was given, so that it tells no time.
    private func learn(
        from answer: any HTTPAnswer, _ configuration: Configuration, isCarried: Bool
    ) {
        let headers = answer.headers
        let isDemand = demandsToken(answer, configuration)
        let token = configuration.tokenHeader.flatMap { headers[$0] }
        settings.withLock {
            // The session of an answer that wants a token is not the one that a token was fetched for.
            if !isDemand {
                state.cookies.store(headers.values("Set-Cookie"), now: world.now().seconds)
            }
            if let token, !Self.isRequest(token) { state.token = token }
            if headers["OData-Version"] != nil || headers["DataServiceVersion"] != nil {
                state.hasSeenVersion = true
            } else if state.hasSeenVersion {
                return
            }
            if !isCarried { state.clock.learn(date: headers["Date"], at: world.now().seconds) }
        }
    }

    /// `Required` and `Fetch` are words of the exchange, not tokens.
    private static func isRequest(_ token: String) -> Bool {
        ["required", "fetch", ""].contains(token.lowercased())
    }

    private func makeHeaders(
        _ message: RequestMessage, _ configuration: Configuration
    ) -> HeaderFields {
        var headers = configuration.headers
        headers.merge(message.headers)
        if let credentials = configuration.credentials, headers["Authorization"] == nil {
            headers["Authorization"] = credentials.headerValue
        }
        let isRead = configuration.isRead(message)
        settings.withLock {
            if let cookies = state.cookies.headerValue(now: world.now().seconds) {
                headers["Cookie"] = [headers["Cookie"], cookies].compactMap { $0 }.joined(
                    separator: "; ")
            }
            if !isRead || state.readsCarryToken, let name = configuration.tokenHeader,
                headers[name] == nil
            {
                headers[name] = state.token
            }
        }
        return headers
    }

    private func demandsToken(_ answer: any HTTPAnswer, _ configuration: Configuration) -> Bool {
        guard let name = configuration.tokenHeader, answer.status == 403 else { return false }
        return answer.headers[name]?.lowercased() == "required"
    }

    /// A body that is read once should not be sent only to hear that a token was missing: the first one asks before.
    private func fetchFirstToken(
        _ configuration: Configuration, _ cancellation: CancellationFlag?
    ) throws {
        let isDue = settings.withLock { !state.hasAskedForToken && state.token == nil }
        if isDue { try fetchToken(configuration, cancellation, refused: nil) }
    }

    /// Gets a token in place of the one that was refused; of several callers at a time one asks, for all.
    ///
    /// - Throws: what the transport throws, marked as an exchange before the one that needs the token.
    private func fetchToken(
        _ configuration: Configuration, _ cancellation: CancellationFlag?, refused: String?
    ) throws {
        guard let name = configuration.tokenHeader else { return }
        let isMine = settings.withLock { () -> Bool in
            while state.isFetchingToken { _ = settings.wait(timeout: nil) }
            if let token = state.token, token != refused { return false }
            state.token = nil
            state.hasAskedForToken = true
            state.isFetchingToken = true
            return true
        }
        guard isMine else { return }
        defer {
            settings.withLock {
                state.isFetchingToken = false
                settings.signal()
            }
        }
        do {
            let answer = try exchange(
                RequestMessage(
                    method: "GET", url: root,
                    headers: HeaderFields([
                        .init(name: name, value: "Fetch"),
                        .init(
                            name: "Accept",
                            value: "application/json, application/xml;q=0.9, */*;q=0.1"),
                    ])), configuration, cancellation)
            answer.close()
        } catch var error as ODataError {
            var failure =
                error.underlying as? NetworkFailure
                ?? NetworkFailure(
                    phase: .connect, method: "GET", host: ServiceURL.host(of: root), cause: error)
            failure.isPreparation = true
            error.underlying = failure
            throw error
        }
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
    var hasAskedForToken = false
    var isFetchingToken = false
    /// The service has asked for a token at a read.
    var readsCarryToken = false
    var hasSeenVersion = false
    var clock = ServiceClock()

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
