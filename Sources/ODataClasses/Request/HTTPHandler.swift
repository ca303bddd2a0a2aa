import ODataModel
import ODataQuery

/// A way to send requests of the app's own, in place of the library's: subclass it and override ``send(_:)``.
///
/// Handlers are called on the thread that makes the call, several at once where the app makes several.
open class HTTPHandler: ObjectBase, @unchecked Sendable {
    // Without state of its own; subclasses say what guards theirs.

    /// A request as it is to be sent, security token and credentials included.
    public struct Request {
        /// The method, in capitals.
        public var method: String
        /// The absolute URL.
        public var url: String
        /// The header fields.
        public var headers: HTTPHeaders
        /// The body; nil where there is none. Read once, by the handler.
        public var content: ByteStream?

        package init(method: String, url: String, headers: HTTPHeaders, content: ByteStream?) {
            self.method = method
            self.url = url
            self.headers = headers
            self.content = content
        }
    }

    /// The answer to a request; an error status is an answer, too.
    public struct Response {
        /// The HTTP status.
        public var status: Int
        /// The header fields.
        public var headers: HTTPHeaders
        /// The body, without any transfer or content encoding.
        public var content: ByteStream

        /// An answer of these parts.
        public init(
            status: Int, headers: HTTPHeaders = HTTPHeaders(), content: ByteStream = ByteStream()
        ) {
            self.status = status
            self.headers = headers
            self.content = content
        }
    }

    /// Creates a handler.
    public override init() { super.init() }

    /// Sends a request and returns when the head of the answer is there; blocks.
    ///
    /// - Throws: whatever stood in the way; this class always, because it has no way to send anything.
    open func send(_ request: Request) throws -> Response {
        throw DataServiceError.notImplemented(method: "HTTPHandler.send")
    }
}
