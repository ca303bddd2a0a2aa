import Foundation
import NIOCore
import NIOPosix

/// A TCP server on loopback that answers each request head with the bytes a script gives for its path.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case bytes([UInt8])
        case text(String)
        /// Holds the next step back until the test calls ``ScriptedServer/release()``.
        case gate
        /// Holds the next step back until so many bytes have come behind heads.
        case body(Int)
        /// Closes the connection.
        case hangUp
    }

    let port: Int
    private let channel: any Channel
    private let gate = NSCondition()
    private nonisolated(unsafe) var isReleased = false  // guarded by `gate`
    private nonisolated(unsafe) var heads: [String] = []  // guarded by `gate`
    private nonisolated(unsafe) var bodyBytes = 0  // guarded by `gate`
    private nonisolated(unsafe) var connections: [any Channel] = []  // guarded by `gate`

    init(_ script: @escaping @Sendable (String) -> [Step]) throws {
        let box = Box()
        channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    box.server?.note(channel)
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptHandler(script: script, server: box))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        port = channel.localAddress?.port ?? 0
        box.server = self
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The request heads seen so far.
    var requests: [String] {
        gate.lock()
        defer { gate.unlock() }
        return heads
    }

    func release() {
        gate.lock()
        isReleased = true
        gate.broadcast()
        gate.unlock()
    }

    /// Connections end, too: a client may meet another server at this port later, and must not go on with this one.
    func stop() throws {
        try channel.close().wait()
        gate.lock()
        let open = connections
        connections = []
        gate.unlock()
        for connection in open { connection.close(promise: nil) }
    }

    private func note(_ connection: any Channel) {
        gate.lock()
        connections.append(connection)
        gate.unlock()
    }

    /// Waits until so many requests have come; false where that takes longer than a busy machine may need, or the test gives up
    /// and releases what is held.
    func awaitRequests(_ count: Int) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 600)
        gate.lock()
        defer { gate.unlock() }
        while heads.count < count, !isReleased {
            guard gate.wait(until: deadline) else { break }
        }
        return heads.count >= count
    }

    fileprivate func record(_ head: String) {
        gate.lock()
        heads.append(head)
        gate.broadcast()
        gate.unlock()
    }

    fileprivate func record(bodyBytes count: Int) {
        gate.lock()
        bodyBytes += count
        gate.broadcast()
        gate.unlock()
    }

    fileprivate func waitForBody(_ count: Int) {
        gate.lock()
        while bodyBytes < count, !isReleased { gate.wait() }
        gate.unlock()
    }

    fileprivate func waitAtGate() {
        gate.lock()
        while !isReleased { gate.wait() }
        gate.unlock()
    }

    fileprivate final class Box: @unchecked Sendable {  // set once before the first connection
        weak var server: ScriptedServer?
    }
}

private final class ScriptHandler: ChannelInboundHandler, @unchecked Sendable {  // one event loop
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let script: @Sendable (String) -> [ScriptedServer.Step]
    private let server: ScriptedServer.Box
    private var received = ""

    init(
        script: @escaping @Sendable (String) -> [ScriptedServer.Step], server: ScriptedServer.Box
    ) {
        self.script = script
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        received += String(buffer: buffer)
        server.server?.record(bodyBytes: buffer.readableBytes)
        while let end = received.range(of: "\r\n\r\n") {
            let head = String(received[..<end.lowerBound])
            server.server?.record(bodyBytes: -(head.utf8.count + 4))
            received = String(received[end.upperBound...])
            server.server?.record(head)
            let words = head.split(separator: " ")
            play(script(words.count > 1 ? String(words[1]) : ""), on: context.channel)
        }
        // No head is so long: it is the body of one, and looking through all of it again would take long.
        if received.utf8.count > 16_384 { received = "" }
    }

    private func play(_ steps: [ScriptedServer.Step], on channel: any Channel) {
        let server = server.server
        Thread.detachNewThread {
            for step in steps {
                switch step {
                case .bytes(let bytes):
                    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                case .text(let text):
                    channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                case .gate: server?.waitAtGate()
                case .body(let count): server?.waitForBody(count)
                case .hangUp: channel.close(promise: nil)
                }
            }
        }
    }
}
