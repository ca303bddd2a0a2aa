import Dispatch
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ODataQuery
import ODataText
import ODataWire
import ODataWorld
import Synchronization

/// A Hummingbird server in front of a blocking function: requests are gathered on event loops, answered on a pool of
/// threads (SQLite blocks), and written on event loops again.
package final class HTTPEdge: Sendable {
    package struct Configuration: Sendable {
        package var host = "127.0.0.1"
        /// 0 lets the system choose.
        package var port = 0
        package var workerThreads = 4
        package var maximumBodyBytes = 64 << 20
        /// Requests that may wait for a thread; further ones are answered with 503 at once.
        package var maximumWaiting = 1_000
        /// How long one request may wait for a thread; it is answered with 503 then, without any work.
        package var waitingTime = Duration.seconds(300)
        /// How long one request may be worked at.
        package var requestTime = Duration.seconds(30)
        /// How long a connection may bring no (whole) head of a request.
        package var idleTime = Duration.seconds(75)
        /// How long a client may bring next to nothing of a body, or take nothing more of an answer.
        package var stallTime = Duration.seconds(60)
        package var world: any World = LiveWorld()
        /// What connections are encrypted with; nil for HTTP in clear.
        package var tls: TLSContext?
        /// Finds out by its head and where it comes from who sends a request; nil asks nobody. On an event loop it may not
        /// block, and says nil where it would have to: it is asked again on a thread of the pool.
        package var admit:
            (
                @Sendable (_ head: RequestMessage, _ address: String, _ mayBlock: Bool) ->
                    AccessControl.Admission?
            )?
        /// Told what became of each request; nil tells nobody.
        package var observe: (@Sendable (RequestRecord) -> Void)?

        package init() {}
    }

    /// What to do with one request.
    package enum Outcome: Sendable {
        case answer(ResponseMessage)
        /// The connection is closed without a (further) byte; a fault for tests.
        case hangUp
        /// The head and about half of the body are written, then the connection is closed; a fault for tests.
        case cut(ResponseMessage)
        /// A body of so many bytes that is read while it is sent; breaks off where reading fails.
        case stream(ResponseMessage, length: Int, next: @Sendable () throws -> [UInt8]?)
        /// No answer yet; what it is held for keeps no thread.
        case held(HeldAnswer)
    }

    private struct State {
        var task: Task<Void, Never>?
        var connections: ConnectionList?
        /// What connections come from.
        var listener: (any Channel)?
        var pool: NIOThreadPool?
        var port: Int?
    }

    /// Shared by all services of the process and never shut down: what a connection still schedules while its service
    /// ends has a place to run.
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    private let configuration: Configuration
    private let intake: @Sendable (RequestMessage) -> (any BodyIntake)?
    private let handle: @Sendable (RequestMessage, (any BodyIntake)?) -> Outcome
    private let state = Mutex(State())
    private let stopped = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - intake: what takes the body of a request while it arrives; nil to gather it in memory.
    ///   - handle: answers a request whose body has arrived.
    package init(
        _ configuration: Configuration,
        intake: @escaping @Sendable (RequestMessage) -> (any BodyIntake)?,
        handle: @escaping @Sendable (RequestMessage, (any BodyIntake)?) -> Outcome
    ) {
        self.configuration = configuration
        self.intake = intake
        self.handle = handle
    }

    /// An edge that gathers every body in memory.
    package convenience init(
        _ configuration: Configuration, handle: @escaping @Sendable (RequestMessage) -> Outcome
    ) {
        self.init(configuration, intake: { _ in nil }, handle: { message, _ in handle(message) })
    }

    /// The port that is listened on; nil before the start and after the stop.
    package var port: Int? { state.withLock { $0.port } }

    /// Binds and listens; returns the port when connections are accepted. Blocks the calling thread.
    ///
    /// - Throws: `usage` when it runs already, `network` when the address cannot be bound.
    package func start() throws -> Int {
        let connections = ConnectionList()
        let pool = NIOThreadPool(numberOfThreads: max(1, configuration.workerThreads))
        let isFree = state.withLock { state in
            guard state.connections == nil else { return false }
            state.connections = connections
            state.pool = pool
            return true
        }
        guard isFree else {
            throw ODataError(.usage, "Expected a service that is stopped, found it running.")
        }
        pool.start()
        let started = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        let server = server(connections: connections, pool: pool) { listener in
            self.state.withLock { state in
                state.port = listener.localAddress?.port ?? 0
                state.listener = listener
            }
            started.signal()
        }
        let task = Task(executorPreference: EdgeExecutor.shared) { [stopped] in
            do { try await server.run() } catch { failure.withLock { $0 = error } }
            started.signal()
            stopped.signal()
        }
        state.withLock { $0.task = task }
        started.wait()
        guard let port else {
            stop()
            throw ODataError(
                .network,
                "Expected \(configuration.host):\(configuration.port) to be free, could not bind.",
                underlying: failure.withLock { $0 })
        }
        return port
    }

    /// Takes no connection any more, and returns when the requests that run are answered and their connections closed, or
    /// the time is over. ``stop()`` is still to follow. Not to be called on an event loop.
    package func drain(within limit: Duration) {
        let (listener, connections) = state.withLock { ($0.listener, $0.connections) }
        guard let connections else { return }
        listener?.close(promise: nil)
        connections.drain(within: limit)
    }

    /// Connections that are open, and requests that are not answered.
    package var open: (connections: Int, requests: Int) {
        state.withLock { $0.connections }?.counts ?? (0, 0)
    }

    /// Closes the port and every connection; returns when nothing runs any more. Does nothing when stopped.
    package func stop() {
        let (task, connections, pool) = state.withLock { state in
            defer { state = State() }
            return (state.task, state.connections, state.pool)
        }
        guard let task, let connections, let pool else { return }
        task.cancel()
        connections.endRequests()
        stopped.wait()
        try? pool.syncShutdownGracefully()
        connections.close()
    }

    /// A bare server: an application's group of services cancels, with this task, a merge of sequences that holds its
    /// lock while it asks for the task's own, and the two wait for each other forever.
    private func server(
        connections: ConnectionList, pool: NIOThreadPool,
        onStart: @escaping @Sendable (any Channel) -> Void
    ) -> Server<CompressingChannel> {
        let stall = TimeAmount(configuration.stallTime)
        let times = ConnectionTimes(
            idle: TimeAmount(configuration.idleTime), body: stall, stall: stall)
        var logger = Logger(label: "odata.service")
        // Connections that end with the service are no errors; failures of requests are answers.
        logger.logLevel = .critical
        let answer = answer(connections: connections, pool: pool)
        return Server(
            childChannelSetup: CompressingChannel(
                responder: Self.responder(answer, configuration.world), connections: connections,
                times: times, tls: configuration.tls),
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { channel in onStart(channel) },
            eventLoopGroup: Self.group, logger: logger)
    }

    /// Writes what `answer` makes of each request, with the date; 500 where it fails.
    private static func responder(
        _ answer: @escaping @Sendable (Request, any Channel) async throws -> Response,
        _ world: any World
    ) -> HTTPChannelHandler.Responder {
        let clock = DateHeader()
        return { request, writer, channel in
            var response: Response
            do {
                response = try await answer(request, channel)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = clock.text(at: world.now().seconds)
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // Taken for a request that cannot be read, it would be answered a second time.
                throw ChannelError.ioOnClosedChannel
            }
        }
    }

    private func answer(
        connections: ConnectionList, pool: NIOThreadPool
    ) -> @Sendable (Request, any Channel) async throws -> Response {
        let exchange = exchange(connections: connections, pool: pool)
        guard let observe = configuration.observe else {
            return { request, channel in
                try await exchange(request, channel, nil).closing(connections.isDraining)
            }
        }
        let world = configuration.world
        return { request, channel in
            let (sender, start) = (RequestSender(), world.uptime())
            let response = try await exchange(request, channel, sender)
            observe(
                RequestRecord(
                    method: request.method.rawValue,
                    path: String((request.head.path ?? "/").prefix { $0 != "?" }),
                    status: response.status.code, bytes: response.body.contentLength ?? 0,
                    duration: world.uptime() - start, user: sender.user,
                    address: channel.remoteAddress?.ipAddress))
            return response.closing(connections.isDraining)
        }
    }

    private func exchange(
        connections: ConnectionList, pool: NIOThreadPool
    ) -> @Sendable (Request, any Channel, RequestSender?) async throws -> Response {
        let (handle, openIntake) = (handle, intake)
        let limit = configuration.maximumBodyBytes
        let configuration = configuration
        let queue = RequestQueue(limit: max(1, configuration.maximumWaiting))
        return { request, channel, noted in
            var message = Self.head(of: request)
            let client: Client?
            switch try await Self.admission(message, configuration, channel, pool) {
            case .admitted(let known):
                client = known
                noted?.user = known?.principal?.name
            case .refused(let answer): return try await Self.refusal(answer, of: request)
            }
            let intake = openIntake(message)
            do {
                if let intake {
                    try await Self.receive(request, into: intake, pool)
                } else {
                    let body = try await request.body.collect(upTo: limit)
                    message.body = Array(body.readableBytesView)
                }
            } catch is NIOTooManyBytesError {
                return Self.response(ErrorAnswer.tooLarge(limit: limit), isHead: false)
            } catch let error as ODataError {
                return Self.response(ErrorAnswer.response(for: error), isHead: false)
            }
            let isHead = message.method == "HEAD"
            guard let place = queue.enter() else {
                // Nobody waits for the end of it.
                if let intake { pool.submit { if $0 == .active { try? intake.abandon() } } }
                return Self.response(ErrorAnswer.overloaded, isHead: isHead)
            }
            let deadline = connections.begin(
                after: configuration.waitingTime, world: configuration.world, on: channel)
            defer {
                // Where no thread took it.
                place.leave()
                connections.end(on: channel)
            }
            let (complete, sender) = (message, client)
            var outcome = try await pool.runIfActive { () -> Outcome in
                place.leave()
                guard deadline.beginWork(for: configuration.requestTime) else {
                    try? intake?.abandon()
                    return .answer(ErrorAnswer.overloaded)
                }
                return RequestDeadline.$current.withValue(deadline) {
                    guard let sender else { return handle(complete, intake) }
                    return Client.$current.withValue(sender) { handle(complete, intake) }
                }
            }
            if case .held(let held) = outcome {
                outcome = try await held.outcome(
                    deadline, on: channel.eventLoop, pool, for: configuration.requestTime)
            }
            return try await Self.response(outcome, isHead: isHead, channel, pool)
        }
    }
}

extension HTTPEdge {
    private static func response(
        _ outcome: Outcome, isHead: Bool, _ channel: any Channel, _ pool: NIOThreadPool
    ) async throws -> Response {
        switch outcome {
        case .answer(let answer):
            return response(answer, isHead: isHead)
        case .hangUp:
            try? await channel.close()
            throw ChannelError.ioOnClosedChannel
        case .cut(let answer):
            return cutResponse(answer, channel: channel)
        case .stream(let answer, let length, let next):
            return streamResponse(answer, isHead: isHead, length, next, pool)
        case .held:
            return response(ErrorAnswer.overloaded, isHead: isHead)
        }
    }

    /// What is decided of a request by its head, with who sends it where that is asked.
    private enum Admitted {
        case admitted(Client?)
        case refused(ResponseMessage)
    }

    private static func admission(
        _ head: RequestMessage, _ configuration: Configuration, _ channel: any Channel,
        _ pool: NIOThreadPool
    ) async throws -> Admitted {
        guard let admit = configuration.admit else { return .admitted(nil) }
        let address = channel.remoteAddress?.ipAddress ?? "unknown"
        var decided = admit(head, address, false)
        if decided == nil { decided = try await pool.runIfActive { admit(head, address, true) } }
        switch decided {
        case .admitted(let client)?: return .admitted(client)
        case .refused(let answer)?: return .refused(answer)
        case nil: return .refused(ErrorAnswer.overloaded)
        }
    }

    /// A body that is nobody's business is not waited for.
    private static func refusal(
        _ answer: ResponseMessage, of request: Request
    ) async throws -> Response {
        var answer = answer
        if try await !isDrained(request) { answer.headers["Connection"] = "close" }
        return response(answer, isHead: request.method == .head)
    }

    /// Takes a short body in for nothing, so that the connection serves on; false for a longer one.
    private static func isDrained(_ request: Request) async throws -> Bool {
        do {
            _ = try await request.body.collect(upTo: 64 << 10)
            return true
        } catch is NIOTooManyBytesError {
            return false
        }
    }

    private static func head(of request: Request) -> RequestMessage {
        var headers = HeaderFields()
        for field in request.headers {
            headers.append(name: field.name.rawName, value: field.value)
        }
        if let authority = request.head.authority, headers["Host"] == nil {
            headers["Host"] = authority
        }
        return RequestMessage(
            method: request.method.rawValue, url: request.head.path ?? "/", headers: headers)
    }

    /// Hands the body over while it arrives; the next part is asked for when the last is stored.
    private static func receive(
        _ request: Request, into intake: any BodyIntake, _ pool: NIOThreadPool
    ) async throws {
        do {
            for try await buffer in request.body {
                let bytes = Array(buffer.readableBytesView)
                try await pool.runIfActive { try intake.write(bytes) }
            }
        } catch {
            try? await pool.runIfActive { try intake.abandon() }
            throw error
        }
    }

    private static func streamResponse(
        _ answer: ResponseMessage, isHead: Bool, _ length: Int,
        _ next: @escaping @Sendable () throws -> [UInt8]?, _ pool: NIOThreadPool
    ) -> Response {
        var fields = fields(of: answer)
        fields[.contentLength] = String(length)
        if isHead {
            return Response(status: HTTPResponse.Status(code: answer.status), headers: fields)
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: ResponseBody(contentLength: length) { writer in
                while let part = try await pool.runIfActive({ try next() }) {
                    try await writer.write(ByteBuffer(bytes: part))
                }
                try await writer.finish(nil)
            })
    }

    private static func fields(of answer: ResponseMessage) -> HTTPFields {
        var fields = HTTPFields()
        for field in answer.headers.fields {
            if let name = HTTPField.Name(field.name) {
                fields.append(HTTPField(name: name, value: field.value))
            }
        }
        return fields
    }

    private static func response(_ answer: ResponseMessage, isHead: Bool) -> Response {
        var fields = fields(of: answer)
        let hasNoBody = answer.status == 204 || answer.status == 304 || answer.status < 200
        // An answer to HEAD says how long the body would be.
        let isTold = isHead && fields[.contentLength] != nil
        if !hasNoBody, !isTold { fields[.contentLength] = String(answer.body.count) }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: hasNoBody || isHead || answer.body.isEmpty
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
    }

    private static func cutResponse(_ answer: ResponseMessage, channel: any Channel) -> Response {
        var fields = fields(of: answer)
        fields[.contentLength] = String(answer.body.count)
        let half = ByteBuffer(bytes: answer.body.prefix(answer.body.count / 2))
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: fields,
            body: ResponseBody(contentLength: answer.body.count) { writer in
                try await writer.write(half)
                try? await channel.close()
                throw ChannelError.ioOnClosedChannel
            })
    }
}

extension Response {
    /// The same, behind which the connection is closed.
    fileprivate func closing(_ isClosing: Bool) -> Response {
        guard isClosing else { return self }
        var response = self
        response.headers[.connection] = "close"
        return response
    }
}
