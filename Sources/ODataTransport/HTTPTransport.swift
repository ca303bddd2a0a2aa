import ODataQuery
import ODataText
import ODataWorld

/// The HTTP edge: sends one request and hands over the answer's head with a reader for its body.
///
/// Calls block the calling thread, which must be one of the library's own (never the cooperative pool).
package protocol HTTPTransport: Sendable {
    /// Sends `request`, whose URL is absolute, and returns when the head of the answer is there.
    ///
    /// - Throws: `ODataError` with code `network`, `timeout` or `cancelled`. An HTTP error status is an answer.
    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer
    /// Whether ``TransportOptions/carrier`` is for this transport to deal with, as one does that sends through another.
    var dealsWithCarrier: Bool { get }
}

extension HTTPTransport {
    package var dealsWithCarrier: Bool { false }

    /// Sends a request by way of the options' carrier, or of this transport where there is none.
    package func carry(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        guard !dealsWithCarrier, let carrier = options.carrier else {
            return try send(request, options: options)
        }
        var options = options
        options.carrier = nil
        return try carrier.send(request, options: options)
    }
}

/// Limits of one exchange.
package struct TransportOptions: Sendable {
    /// Longest silence between two parts of the answer.
    package var idleTimeout: Duration
    /// Longest duration of the exchange as a whole, body included; nil for none.
    package var totalTimeout: Duration?
    package var cancellation: CancellationFlag?
    /// The body of the request where it is not in memory; goes before the message's own.
    package var content: (any RequestContent)?
    /// What sends this one request in place of the transport's own connections (``HTTPTransport/carry(_:options:)``).
    package var carrier: (any HTTPTransport)?

    package init(
        idleTimeout: Duration = .seconds(60), totalTimeout: Duration? = nil,
        cancellation: CancellationFlag? = nil, content: (any RequestContent)? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.totalTimeout = totalTimeout
        self.cancellation = cancellation
        self.content = content
    }
}

/// An answer whose body is pulled; used by one thread at a time.
package protocol HTTPAnswer: AnyObject {
    var status: Int { get }
    var headers: HeaderFields { get }
    /// Copies the next bytes of the (decompressed) body into `buffer` and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Gives up what has not been read; safe to call twice, and after the end.
    func close()
}

extension HTTPAnswer {
    /// The whole body, at most `limit` bytes.
    ///
    /// - Throws: `limitExceeded` when there is more, and what ``read(into:)`` throws.
    package func readAll(limit: Int = 64 << 20) throws -> ResponseMessage {
        defer { close() }
        var body: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = try read(into: chunk)
            if count == 0 { return ResponseMessage(status: status, headers: headers, body: body) }
            guard body.count + count <= limit else { throw Self.tooLarge(limit) }
            body.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    private static func tooLarge(_ limit: Int) -> ODataError {
        ODataError(.limitExceeded, "Expected a body of at most \(limit) bytes, found more.")
    }
}
