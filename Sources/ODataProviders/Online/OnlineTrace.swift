import ODataClasses
import ODataQuery
import ODataText
import SAPCommon

/// Writes requests and answers to a logger; header fields that prove who is asking never.
struct OnlineTrace: Sendable {
    var logger: Logger
    var isOn = false
    var showsData = false
    var isPretty = false

    /// The most characters of one body that are written.
    private static let dataLimit = 64 << 10

    func answered(_ request: RequestMessage, _ answer: ResponseMessage, after time: Duration) {
        guard isOn else { return }
        logger.info("\(request.method) \(place(request)): \(answer.status) in \(time)")
        guard showsData else { return }
        if !request.body.isEmpty { logger.info("Request: \(text(request.body))") }
        if !answer.body.isEmpty { logger.info("Answer: \(text(answer.body))") }
    }

    func failed(_ request: RequestMessage, _ error: any Error) {
        guard isOn else { return }
        logger.info("\(request.method) \(place(request)): no answer", error: error)
    }

    private func place(_ request: RequestMessage) -> String {
        OnlineTraceText.url(request.url, showsData: showsData)
    }

    private func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(Self.dataLimit), as: UTF8.self)
        guard isPretty, bytes.count <= Self.dataLimit, let value = try? JSONValue(parsing: bytes)
        else { return text }
        return JSONLayout.text(value)
    }
}

/// What a trace says of a request.
package enum OnlineTraceText {
    /// The URL without what proves who is asking; its query is data, because filters name what they look for.
    package static func url(_ url: String, showsData: Bool) -> String {
        let url = URLCredentials.separated(from: url).url
        guard let query = url.firstIndex(of: "?") else { return url }
        guard showsData else { return url[..<query] + "?…" }
        let options = url[url.index(after: query)...].split(
            separator: "&", omittingEmptySubsequences: false)
        return url[...query] + options.map(shown).joined(separator: "&")
    }

    /// An option of the URL; of one that is named like a key or a password, the name.
    private static func shown(_ option: Substring) -> String {
        let name = option.prefix { $0 != "=" }.lowercased()
        let isOwn = name.first == "$" || name.first == "!" || name.hasPrefix("%24")
        guard !isOwn, secretWords.contains(where: { name.contains($0) }) else {
            return String(option)
        }
        return option.prefix { $0 != "=" } + "=…"
    }

    private static let secretWords = [
        "password", "passwd", "pwd", "secret", "token", "apikey", "api-key", "api_key",
        "subscription-key", "signature", "credential", "auth",
    ]
}

/// JSON laid out for reading, one member per line.
enum JSONLayout {
    static func text(_ value: JSONValue, indent: String = "") -> String {
        let inner = indent + "  "
        if let object = value.object, !object.members.isEmpty {
            let lines = object.members.map {
                inner + JSONValue.string($0.name).text + ": " + text($0.value, indent: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
        if let items = value.array, !items.isEmpty {
            let lines = items.map { inner + text($0, indent: inner) }
            return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
        }
        return value.text
    }
}
