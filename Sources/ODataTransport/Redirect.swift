import Foundation
import ODataQuery
import ODataText

/// What to ask next after a redirect (RFC 9110, section 15.4).
enum Redirect {
    private static let maximum = 5

    /// The answer to a request, or to the last of those that redirects of it lead to.
    ///
    /// - Throws: `network` behind too many redirects, and what `exchange` throws.
    static func following<Answer: HTTPAnswer>(
        _ request: RequestMessage, _ exchange: (RequestMessage) throws -> Answer
    ) throws -> Answer {
        var current = request
        for _ in 0...maximum {
            let answer = try exchange(current)
            guard let next = next(after: answer.status, answer.headers, of: current) else {
                return answer
            }
            answer.close()
            current = next
        }
        throw ODataError(
            .network, "Expected an answer within \(maximum) redirects, found more.",
            at: .resource(of: request.url))
    }

    /// The request to send instead; nil when the answer is to be taken as it is.
    ///
    /// Only GET and HEAD are repeated elsewhere, because a write must not silently land on another resource.
    static func next(
        after status: Int, _ headers: HeaderFields, of request: RequestMessage
    ) -> RequestMessage? {
        guard [301, 302, 303, 307, 308].contains(status),
            request.method == "GET" || request.method == "HEAD",
            let location = headers["Location"],
            let base = URL(string: request.url),
            let target = URL(string: location, relativeTo: base)?.absoluteURL,
            target.scheme == "https" || target.scheme == base.scheme
        else { return nil }
        var next = request
        next.url = target.absoluteString
        if target.host != base.host || target.port != base.port || target.scheme != base.scheme {
            next.headers = next.headers.forAnotherHost
        }
        return next
    }

    /// Where a write is sent instead, which must be of the service itself: 307 and 308 keep method and body (RFC 9110,
    /// sections 15.4.8 and 15.4.9). Nil for any other answer.
    static func ofWrite(after status: Int, _ headers: HeaderFields) -> String? {
        status == 307 || status == 308 ? headers["Location"] : nil
    }
}
