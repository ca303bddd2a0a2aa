import Dispatch
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ODataQuery
import ODataText
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

        package init() {}
    }

    /// What to do with one request.
    package enum Outcome: Sendable {
        case answer(ResponseMessage)
        /// The connection is closed without a (further) byte; a fault for tests.
        case hangUp
        /// The head and about half of the body are written, then the connection is closed; a fault for tests.
        case cut(ResponseMessage)
    }

    private struct State {
        var task: Task<Void, Never>?
        var connections: ConnectionList?
        var pool: NIOThreadPool?
        var port: Int?
    }

    /// Shared by all services of the process and never shut down: what a connection still schedules while its service
    /// ends has a place to run.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    private let configuration: Configuration
    private let handle: @Sendable (RequestMessage) -> Outcome
    private let state = Mutex(State())
    private let stopped = DispatchSemaphore(value: 0)

    package init(
        _ configuration: Configuration, handle: @escaping @Sendable (RequestMessage) -> Outcome
    ) {
        self.configuration = configuration
        self.handle = handle
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
        let application = application(connections: connections, pool: pool) { port in
            self.state.withLock { $0.port = port }
            started.signal()
        }
        let task = Task(executorPreference: EdgeExecutor()) { [stopped] in
            do { try await application.run() } catch { failure.withLock { $0 = error } }
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

    /// Closes the port and every connection; returns when nothing runs any more. Does nothing when stopped.
    package func stop() {
        let (task, connections, pool) = state.withLock { state in
            defer { state = State() }
            return (state.task, state.connections, state.pool)
        }
        guard let task, let connections, let pool else { return }
        task.cancel()
        stopped.wait()
        try? pool.syncShutdownGracefully()
        connections.close()
    }

    private func application(
        connections: ConnectionList, pool: NIOThreadPool,
        onStart: @escaping @Sendable (Int) -> Void
    ) -> Application<CallbackResponder<EdgeContext>> {
        let handle = handle
        let limit = configuration.maximumBodyBytes
        let responder = CallbackResponder<EdgeContext> { request, context in
            let message: RequestMessage
            do {
                message = try await Self.message(request, limit: limit)
            } catch is NIOTooManyBytesError {
                return Self.response(ErrorAnswer.tooLarge(limit: limit), isHead: false)
            }
            let outcome = try await pool.runIfActive { handle(message) }
            switch outcome {
            case .answer(let answer):
                return Self.response(answer, isHead: message.method == "HEAD")
            case .hangUp:
                try? await context.channel.close()
                throw ChannelError.ioOnClosedChannel
            case .cut(let answer):
                return Self.cutResponse(answer, channel: context.channel)
            }
        }
        var logger = Logger(label: "odata.service")
        // Connections that end with the service are no errors; failures of requests are answers.
        logger.logLevel = .critical
        return Application(
            responder: responder,
            server: HTTPServerBuilder {
                CompressingChannel(responder: $0, connections: connections)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { channel in onStart(channel.localAddress?.port ?? 0) },
            eventLoopGroupProvider: .shared(Self.group), logger: logger)
    }
}

extension HTTPEdge {
    private static func message(_ request: Request, limit: Int) async throws -> RequestMessage {
        let buffer = try await request.body.collect(upTo: limit)
        var headers = HeaderFields()
        for field in request.headers {
            headers.append(name: field.name.rawName, value: field.value)
        }
        if let authority = request.head.authority, headers["Host"] == nil {
            headers["Host"] = authority
        }
        return RequestMessage(
            method: request.method.rawValue, url: request.head.path ?? "/", headers: headers,
            body: Array(buffer.readableBytesView))
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
        if !hasNoBody { fields[.contentLength] = String(answer.body.count) }
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

/// The context of one request, with the channel it came through.
struct EdgeContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
