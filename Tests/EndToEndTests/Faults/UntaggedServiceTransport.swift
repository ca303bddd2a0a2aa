import ODataQuery
import ODataTesting
import ODataTransport

/// Makes the service look like one that gives no entity tags, takes none, and shows nothing of what it changed, beside knowing no
/// repeatable requests.
final class UntaggedServiceTransport: HTTPTransport {
    private let base: PlainServiceTransport

    init(_ base: any HTTPTransport) { self.base = PlainServiceTransport(base) }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        var request = request
        request.headers["If-Match"] = nil
        var message = try base.send(request, options: options).readAll()
        message.headers["ETag"] = nil
        if request.method == "PATCH", message.isSuccess {
            message = ResponseMessage(status: 204, headers: message.headers)
        }
        guard !request.url.contains("$metadata") else { return BufferedAnswer(message) }
        let text = String(decoding: message.body, as: UTF8.self)
        message.body = Array(
            text.replacing(#/"@(odata\.)?etag":"([^"\\]|\\.)*",?/#, with: "").utf8)
        return BufferedAnswer(message)
    }
}
