import NIOCore
import NIOPosix

/// A port that answers whatever comes with the words of plain HTTP and hangs up, as one that speaks no TLS does.
final class PlainListener: Sendable {
    private let channel: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }

    init() throws {
        channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Refusal())
                }
            }.bind(host: "127.0.0.1", port: 0).wait()
    }

    func stop() throws { try channel.close().wait() }

    private final class Refusal: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let words = context.channel.allocator.buffer(
                string: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(words), promise: nil)
            context.close(promise: nil)
        }
    }
}
