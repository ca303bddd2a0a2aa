#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import ODataText
    import ODataWorld

    /// Sends a request's body from the thread that makes the request, one part at a time: the next is read when the last
    /// has left, so that a body of any size stays within one part. What changes is guarded by `monitor`.
    final class BodyUpload: @unchecked Sendable {
        private static let partSize = 256 << 10

        private let content: any RequestContent
        private let answer: PulledAnswer
        private let finished: EventLoopPromise<Void>
        private let monitor: any Monitor
        private var writer: HTTPClient.Body.StreamWriter?

        init(
            _ content: any RequestContent, answer: PulledAnswer, loop: any EventLoop,
            world: any World
        ) {
            self.content = content
            self.answer = answer
            finished = loop.makePromise(of: Void.self)
            monitor = world.makeMonitor()
            answer.attach(endUpload: { [finished] in finished.fail(CancellationError()) })
        }

        /// The body as the client takes it; the client asks for it when the head of the request is sent.
        var body: HTTPClient.Body {
            .stream(contentLength: content.length) { [self] writer in
                monitor.withLock { self.writer = writer }
                answer.noteWritten()
                return finished.futureResult
            }
        }

        /// Reads the content to its end and returns when it was sent, or when the service said no before that.
        func run() throws {
            let part = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Self.partSize, alignment: 16)
            defer { part.deallocate() }
            var steps = 1
            var sent: Int64 = 0
            guard try answer.waitForWritten(steps), let writer = monitor.withLock({ writer }) else {
                return
            }
            while true {
                let count = try content.read(into: part)
                guard count > 0 else { break }
                sent += Int64(count)
                if content.length.map({ sent >= $0 }) ?? true { answer.noteLastPart() }
                let bytes = ByteBuffer(bytes: UnsafeRawBufferPointer(rebasing: part[..<count]))
                writer.write(.byteBuffer(bytes)).whenSuccess { [answer] in answer.noteWritten() }
                steps += 1
                guard try answer.waitForWritten(steps) else { return }
            }
            answer.noteLastPart()
            finished.succeed(())
        }
    }
#endif
