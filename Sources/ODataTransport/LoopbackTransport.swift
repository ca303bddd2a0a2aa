import ODataQuery
import ODataText
import ODataWorld

/// Hands requests to a function in the same process: the whole protocol without a socket.
package struct LoopbackTransport: HTTPTransport {
    private let respond: @Sendable (RequestMessage) throws -> ResponseMessage

    package init(_ respond: @escaping @Sendable (RequestMessage) throws -> ResponseMessage) {
        self.respond = respond
    }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        if options.cancellation?.isCancelled == true {
            throw ConnectionFailure.cancelled(request)
        }
        guard let content = options.content else { return BufferedAnswer(try respond(request)) }
        var complete = request
        complete.body = try content.readAll()
        return BufferedAnswer(try respond(complete))
    }
}

/// An answer that is wholly in memory.
package final class BufferedAnswer: HTTPAnswer {
    package let status: Int
    package let headers: HeaderFields
    private let body: [UInt8]
    private var offset = 0

    package init(_ message: ResponseMessage) {
        status = message.status
        headers = message.headers
        body = message.body
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, body.count - offset)
        guard count > 0 else { return 0 }
        body.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }

    package func close() { offset = body.count }
}
