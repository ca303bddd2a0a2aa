import ODataQuery
import ODataText

/// Says who answered in the service's place.
package enum ForeignAnswer {
    /// `network`: not the service, but a page of a host; the title of a page is shown, its text never.
    package static func error(
        _ answer: ResponseMessage, of url: String, method: String = "GET"
    ) -> ODataError {
        let type = answer.headers["Content-Type"]?.prefix { $0 != ";" }
        let what =
            answer.body.isEmpty
            ? "an empty answer" : type.map(String.init) ?? "an answer of no known type"
        let page = title(answer.body).map { " (\($0))" } ?? ""
        let status = answer.status == 200 ? "" : ", status \(answer.status)"
        return ODataError(
            .network,
            "Not the service: \(what)\(page)\(status) from \(host(of: url)) to \(method).",
            at: .path(withoutQuery(url)))
    }

    /// The host of an absolute URL, without what comes before `@`.
    package static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "the network" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? authority)
    }

    private static func withoutQuery(_ url: String) -> String {
        var url = String(url.prefix { $0 != "?" })
        if let scheme = url.firstRange(of: "://"),
            let at = url[scheme.upperBound...].prefix(while: { $0 != "/" }).lastIndex(of: "@")
        {
            url.removeSubrange(scheme.upperBound...at)
        }
        return url
    }

    /// The title of an HTML page, in one line of at most 60 characters.
    private static func title(_ body: [UInt8]) -> String? {
        let text = String(decoding: body.prefix(16_384), as: UTF8.self)
        guard let start = text.firstRange(of: "<title>") ?? text.firstRange(of: "<TITLE>"),
            let end = text[start.upperBound...].firstIndex(of: "<")
        else { return nil }
        let words = text[start.upperBound..<end].split(whereSeparator: \.isWhitespace)
        let line = words.joined(separator: " ").prefix(60)
        return line.isEmpty ? nil : String(line)
    }
}
