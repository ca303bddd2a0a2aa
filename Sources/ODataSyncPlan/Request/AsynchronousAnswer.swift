import ODataQuery
import ODataText
import ODataWire

/// An answer that is ready later, at a place that the service names (Protocol 4.01, section 11.6).
///
/// A service gives none unless the request asks for it with `Prefer: respond-async`.
package struct AsynchronousAnswer: Sendable, Equatable {
    /// Where it will be: absolute, on the service's own origin.
    package let monitor: String
    /// How long to wait before the next look.
    package private(set) var pause: Duration

    /// The most looks at a monitor.
    package static let maximumLooks = 600
    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause: Int64 = 30

    /// Nil when the answer is the answer itself.
    ///
    /// - Throws: `invalidPayload` when the place is missing or lies on another origin.
    package init?(_ answer: ResponseMessage, to request: RequestMessage, root: String) throws {
        guard answer.status == 202,
            Preferences(requestedBy: request.headers).respondsAsynchronously
        else { return nil }
        guard let location = answer.headers["Location"],
            let place = ServiceLink.followable(location, root: root)
        else {
            throw ODataError(
                .invalidPayload,
                "Expected the Location of a monitor on the service's own origin with 202, found "
                    + "\(answer.headers["Location"] ?? "none").",
                at: .resource(of: request.url))
        }
        monitor = place
        pause = Self.pause(answer)
    }

    private static func pause(_ answer: ResponseMessage) -> Duration {
        let seconds = answer.headers["Retry-After"].flatMap { Int64($0) } ?? 1
        return max(shortestPause, .seconds(min(max(seconds, 0), longestPause)))
    }

    /// What a look at the monitor gave: the answer itself, taken out of its wrapping; nil while it is not ready.
    ///
    /// - Throws: `invalidPayload` for a wrapping that is no HTTP response.
    package mutating func answer(in look: ResponseMessage) throws -> ResponseMessage? {
        if look.status == 202 {
            pause = Self.pause(look)
            return nil
        }
        if let text = look.headers["AsyncResult"] {
            guard let status = Int(text) else {
                throw Self.malformed("AsyncResult: \(text)", monitor)
            }
            var answer = look
            answer.status = status
            return answer
        }
        let type = look.headers["Content-Type"]?.lowercased() ?? ""
        guard look.status == 200, type.hasPrefix("application/http") else { return look }
        return try Self.unwrap(look.body, monitor)
    }

    /// The response inside of `application/http` (RFC 9112, section 10.2).
    private static func unwrap(_ bytes: [UInt8], _ place: String) throws -> ResponseMessage {
        let separator = Array("\r\n\r\n".utf8)
        let end =
            bytes.indices.first { bytes[$0...].starts(with: separator) } ?? bytes.endIndex
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]),
            (100...599).contains(status)
        else { throw malformed(String(lines.first ?? "").prefix(40).description, place) }
        var fields: [HeaderFields.Field] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw malformed("a header", place) }
            fields.append(
                .init(
                    name: String(line[..<colon]),
                    value: line[line.index(after: colon)...].drop { $0 == " " }.description))
        }
        return ResponseMessage(
            status: status, headers: HeaderFields(fields),
            body: Array(bytes[min(end + separator.count, bytes.endIndex)...]))
    }

    private static func malformed(_ found: String, _ place: String) -> ODataError {
        ODataError(
            .invalidPayload, "Expected an HTTP response in application/http, found \(found).",
            at: .resource(of: place))
    }
}
