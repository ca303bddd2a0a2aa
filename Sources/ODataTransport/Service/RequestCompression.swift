import ODataQuery
import ODataText

#if AsyncHTTPClient
    import NIOCore
    import NIOEmbedded
    import NIOHTTP1
    import NIOHTTPCompression
#endif

/// Compresses the bodies of requests, for services that take them so (RFC 9110, section 8.4).
enum RequestCompression {
    /// Below this size the head of the request weighs more than what is saved.
    private static let smallestBody = 1_024

    /// Replaces a body of some size by its gzip form; one that is encoded already stays as it is.
    ///
    /// - Throws: `usage` in a build without the trait `AsyncHTTPClient`, whatever the size: who asked for
    ///   compression is to hear of it at the first request.
    static func apply(to request: inout RequestMessage) throws {
        #if !AsyncHTTPClient
            throw ODataError(
                .usage,
                "Expected the package trait AsyncHTTPClient, which compresses requests.")
        #else
            guard request.body.count >= smallestBody, request.headers["Content-Encoding"] == nil
            else {
                return
            }
            request.body = try gzip(request.body)
            request.headers["Content-Encoding"] = "gzip"
        #endif
    }

    #if AsyncHTTPClient
        /// The compressor of SwiftNIO is a channel handler, so the bytes go through a channel without a network.
        private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
            let channel = EmbeddedChannel(handler: NIOHTTPRequestCompressor(encoding: .gzip))
            defer { _ = try? channel.finish() }
            var compressed: [UInt8] = []
            do {
                let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
                channel.write(HTTPClientRequestPart.head(head), promise: nil)
                channel.write(
                    HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
                channel.write(HTTPClientRequestPart.end(nil), promise: nil)
                channel.flush()
                while let part = try channel.readOutbound(as: HTTPClientRequestPart.self) {
                    if case .body(.byteBuffer(let buffer)) = part {
                        compressed.append(contentsOf: buffer.readableBytesView)
                    }
                }
            } catch {
                throw ODataError(
                    .network, "Expected a body that can be compressed.", underlying: error)
            }
            return compressed
        }
    #endif
}
