import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL

/// An HTTP/1.1 connection whose answers are compressed when the request's `Accept-Encoding` allows it.
struct CompressingChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let connections: ConnectionList
    let times: ConnectionTimes
    /// Nil speaks HTTP in clear.
    var tls: TLSContext?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        connections.add(channel)
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls.current)) }
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(ConnectionWatch(times, connections))
            // Whoever takes the body counts what comes out of this, and reads on only while that fits.
            try pipeline.addHandler(NIOHTTPRequestDecompressor(limit: .none))
            let methods = RequestMethods()
            let compressor = HTTPResponseCompressor { head, _ in
                // A compressed nothing has bytes, which an answer to HEAD must not have; ranges count the bytes of
                // streams as they are (RFC 9110, section 14.2).
                methods.answersHead || head.headers.first(name: "Content-Length") == "0"
                    || head.headers.contains(name: "Accept-Ranges")
                    ? .doNotCompress : .compressIfPossible
            }
            try pipeline.addHandler(compressor)
            try pipeline.addHandler(CompressionGuard(compressor, methods))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: tls != nil))
            let connection = try Value(
                wrappingChannelSynchronously: channel,
                configuration: Value.Configuration(isOutboundHalfClosureEnabled: true))
            try connections.hold(connection)
            return connection
        }
    }

    func handle(value asyncChannel: Value, logger: Logger) async {
        connections.release(asyncChannel)
        await withTaskExecutorPreference(LoopExecutor.of(asyncChannel.channel.eventLoop)) {
            await handleHTTP(asyncChannel: asyncChannel, logger: logger)
        }
    }
}

/// The methods of the requests without answer, the next one to be answered first. Confined to the channel's event loop.
private final class RequestMethods {
    var waiting: [HTTPMethod] = []

    var answersHead: Bool { waiting.first == .HEAD }
}

/// Takes the compressor out before an answer that no request led to (400 for bytes that are not HTTP): the compressor
/// traps on one, because it takes the encoding from the request. Confined to the channel's event loop.
private final class CompressionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let compressor: HTTPResponseCompressor
    private let methods: RequestMethods
    private var isRemoved = false

    init(_ compressor: HTTPResponseCompressor, _ methods: RequestMethods) {
        self.compressor = compressor
        self.methods = methods
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { methods.waiting.append(head.method) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        if case .head = part, methods.waiting.isEmpty, !isRemoved {
            isRemoved = true
            context.pipeline.syncOperations.removeHandler(compressor, promise: nil)
        }
        context.write(data, promise: promise)
        if case .head = part, !methods.waiting.isEmpty { methods.waiting.removeFirst() }
    }
}
