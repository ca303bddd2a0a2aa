import Foundation
import ODataQuery

/// The answer to a recorded batch under the names that this batch gave to its parts.
enum RecordedBatch {
    /// The recorded body; in a batch the identities of parts are those that the client chose, in the order of the parts.
    static func body(of exchange: Replay.Exchange, for request: RequestMessage) -> [UInt8] {
        guard exchange.request.url.hasSuffix("$batch") else { return exchange.bytes }
        let recorded = identities(exchange.request.body ?? "")
        let sent = identities(String(decoding: request.body, as: UTF8.self))
        var text = exchange.response.body ?? ""
        for (old, new) in zip(recorded, sent) where old != new {
            for name in ["Content-ID: ", "Content-Id: "] {
                text = text.replacing("\(name)\(old)\r\n", with: "\(name)#\(new)\r\n")
            }
            text = text.replacing("\"id\":\"\(old)\"", with: "\"id\":\"#\(new)\"")
        }
        text = text.replacing("Content-ID: #", with: "Content-ID: ")
            .replacing("Content-Id: #", with: "Content-Id: ")
            .replacing("\"id\":\"#", with: "\"id\":\"")
        return Array(text.utf8)
    }

    /// The request lines of a multipart batch, or method and URL of a JSON one.
    static func lines(_ body: String) -> [String] {
        if let requests = jsonRequests(body) {
            return requests.map { "\($0["method"] ?? "") \($0["url"] ?? "")" }
        }
        return body.split(separator: "\r\n").filter { $0.hasSuffix(" HTTP/1.1") }
            .map { String($0.dropLast(9)).removingPercentEncoding ?? String($0) }
    }

    private static func identities(_ body: String) -> [String] {
        if let requests = jsonRequests(body) { return requests.map { "\($0["id"] ?? "")" } }
        return body.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("content-id:") }
            .map { $0.dropFirst(11).trimmingCharacters(in: .whitespaces) }
    }

    private static func jsonRequests(_ body: String) -> [[String: Any]]? {
        guard body.hasPrefix("{") else { return nil }
        let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
        return object?["requests"] as? [[String: Any]]
    }
}
