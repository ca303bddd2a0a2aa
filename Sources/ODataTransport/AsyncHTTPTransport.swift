#if AsyncHTTPClient
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL
    import ODataQuery
    import ODataText
    import ODataWorld

    /// HTTP over AsyncHTTPClient's delegate interface, with back-pressure: the next part of a body is asked for when
    /// the last has been drained, so an answer of any size stays within ``bufferLimit`` bytes.
    ///
    /// Redirects of GET and HEAD are followed by ourselves, at most five times; another host sees none of the fields
    /// that an app has added.
    package final class AsyncHTTPTransport: HTTPTransport {
        package static let shared = AsyncHTTPTransport()

        private let client: HTTPClient
        private let world: any World
        /// Where every request with a body is sent, its connection included. A body may be answered before its end is written;
        /// where that end is told on another loop than the connection's, a service that hangs up meanwhile has the pool meet a
        /// connection that it has forgotten, and AsyncHTTPClient ends the process.
        private let writes: any EventLoop

        package init(
            world: any World = LiveWorld(), connectTimeout: Int64 = 15, connectionsPerHost: Int = 16
        ) {
            var configuration = HTTPClient.Configuration()
            configuration.timeout.connect = .seconds(connectTimeout)
            configuration.tlsConfiguration = Self.tlsConfiguration
            configuration.redirectConfiguration = .disallow
            configuration.decompression = .enabled(limit: .none)
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
                connectionsPerHost
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            self.world = world
            writes = client.eventLoopGroup.any()
        }

        /// What the certificates of services are checked against: those that the system trusts, or the file in PEM that
        /// `SSL_CERT_FILE` names, as with curl and OpenSSL.
        private static var tlsConfiguration: TLSConfiguration? {
            let file = ProcessInfo.processInfo.environment["SSL_CERT_FILE"] ?? ""
            guard !file.isEmpty else { return nil }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .file(file)
            return configuration
        }

        deinit { client.shutdown { _ in } }

        package func send(
            _ request: RequestMessage, options: TransportOptions
        ) throws -> any HTTPAnswer {
            try Redirect.following(request) { try exchange($0, options) }
        }

        private func exchange(
            _ message: RequestMessage, _ options: TransportOptions
        ) throws -> PulledAnswer {
            if options.cancellation?.isCancelled == true {
                throw ConnectionFailure.cancelled(message)
            }
            var request = try makeRequest(message)
            let answer = PulledAnswer(options: options, world: world, request: message)
            let upload = options.content.map {
                BodyUpload($0, answer: answer, loop: writes, world: world)
            }
            request.body = upload?.body ?? request.body
            let task = client.execute(
                request: request, delegate: BodyDelegate(answer: answer),
                eventLoop: request.body == nil ? .indifferent : .delegateAndChannel(on: writes))
            answer.attach(abort: { task.cancel() })
            do {
                try upload?.run()
                try answer.waitForHead()
            } catch {
                answer.close()
                throw error
            }
            return answer
        }

        private func makeRequest(_ message: RequestMessage) throws -> HTTPClient.Request {
            var headers = NIOHTTP1.HTTPHeaders()
            for field in message.headers.fields {
                headers.add(name: field.name, value: field.value)
            }
            if !headers.contains(name: "Accept-Encoding") {
                headers.add(name: "Accept-Encoding", value: "gzip")
            }
            do {
                return try HTTPClient.Request(
                    url: message.url, method: HTTPMethod(rawValue: message.method),
                    headers: headers,
                    body: message.body.isEmpty ? nil : .bytes(message.body))
            } catch {
                throw ODataError(
                    .invalidQuery, "Expected an absolute http or https URL.",
                    at: .resource(of: message.url),
                    underlying: error)
            }
        }
    }

    /// Feeds what the event loop delivers to the thread that pulls.
    private final class BodyDelegate: HTTPClientResponseDelegate, Sendable {
        typealias Response = Void
        private let answer: PulledAnswer

        init(answer: PulledAnswer) { self.answer = answer }

        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
            answer.noteHeadSent()
        }

        func didReceiveHead(
            task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
        ) -> EventLoopFuture<Void> {
            var fields = HeaderFields()
            for (name, value) in head.headers { fields.append(name: name, value: value) }
            guard answer.receive(status: Int(head.status.code), headers: fields) else {
                return task.eventLoop.makeFailedFuture(EarlyAnswer(status: Int(head.status.code)))
            }
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(
            task: HTTPClient.Task<Void>, _ buffer: ByteBuffer
        ) -> EventLoopFuture<Void> {
            guard answer.receive(buffer) else {
                let drained = task.eventLoop.makePromise(of: Void.self)
                answer.whenDrained { drained.succeed(()) }
                return drained.futureResult
            }
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
            answer.fail(error)
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws {
            answer.finish()
        }
    }

    /// Success was told before the request had been sent.
    private struct EarlyAnswer: Error {
        var status: Int
    }

    extension ByteBuffer: BodyPart {
        var byteCount: Int { readableBytes }

        func readBytes(_ body: (UnsafeRawBufferPointer) -> Void) { withUnsafeReadableBytes(body) }
    }
#endif
