import ODataQuery
import ODataText

/// Beneath an error: somebody else answered in the service's place.
package struct ForeignPage: Error, Sendable {
    package init() {}
}

/// Says who answered in the service's place.
package enum ForeignAnswer {
    /// `network`: not the service, but a page of a host; the title of a page is shown, its text never.
    ///
    /// - Parameter url: the resource asked for, under its absolute URL.
    package static func error(
        _ answer: ResponseMessage, of url: String, method: String = "GET"
    ) -> ODataError {
        let status = answer.status == 200 ? "" : ", status \(answer.status)"
        return ODataError(
            .network,
            "Not the service: \(content(answer))\(status) from \(ServiceURL.host(of: url)) to \(method).",
            at: .resource(of: url), underlying: ForeignPage())
    }

    /// Whether an answer about a content is a page of somebody else's.
    ///
    /// - Parameters:
    ///   - mediaType: what the content is said to be; nil where nobody knows.
    ///   - sendsVersion: the service's answers bring a version header.
    package static func stands(
        forContentOf mediaType: String?, _ headers: HeaderFields, sendsVersion: Bool
    ) -> Bool {
        func isHTML(_ type: String?) -> Bool {
            AnswerBody(contentType: type ?? "", start: []).isHTML
        }
        guard isHTML(headers["Content-Type"]), !ServiceMarks.hasVersion(headers) else {
            return false
        }
        return mediaType.map { !isHTML($0) } ?? sendsVersion
    }

    /// There is no service at a root: nothing that it should have is its own metadata. `service` where the answer is a
    /// refusal, `network` otherwise.
    ///
    /// - Parameters:
    ///   - root: the service root.
    ///   - url: the metadata document asked for, under its absolute URL.
    package static func noService(
        _ answer: ResponseMessage, at root: String, of url: String
    ) -> ODataError {
        ODataError(
            answer.isSuccess ? .network : .service,
            "No OData service at \(ServiceURL.shown(root)): $metadata is \(content(answer)),"
                + " status \(answer.status).",
            at: .resource(of: url), status: answer.isSuccess ? 0 : answer.status)
    }

    /// The page for people that an answer is, with its title; nil for any other answer.
    static func page(_ answer: ResponseMessage) -> String? {
        let type = answer.headers["Content-Type"] ?? ""
        guard AnswerBody(contentType: type, start: answer.body).isHTML else { return nil }
        return "a page" + (title(answer.body).map { " (\($0))" } ?? "")
    }

    /// What came: its type, and the title of a page.
    private static func content(_ answer: ResponseMessage) -> String {
        guard !answer.body.isEmpty else { return "an empty answer" }
        let type = answer.headers["Content-Type"]?.prefix { $0 != ";" }
        let page = title(answer.body).map { " (\($0))" } ?? ""
        return (type.map(String.init) ?? "an answer of no known type") + page
    }

    /// The title of an HTML page, in one line of at most 60 characters.
    private static func title(_ body: [UInt8]) -> String? {
        var rest = body.prefix(16_384)
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            guard rest.prefix(5).elementsEqual("title".utf8, by: { $0 | 0x20 == $1 }),
                let end = rest.prefix(206).firstIndex(of: UInt8(ascii: ">"))
            else { continue }
            let content = rest[(end + 1)...]
            guard let close = content.firstIndex(of: UInt8(ascii: "<")) else { return nil }
            let words = String(decoding: content[..<close], as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            let line = words.joined(separator: " ").prefix(60)
            return line.isEmpty ? nil : String(line)
        }
        return nil
    }
}
