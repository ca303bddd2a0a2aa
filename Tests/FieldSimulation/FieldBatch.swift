import Foundation
import ODataQuery
import ODataText

/// Multipart batches of the service in memory (Protocol 4.0, section 11.7; V2 "Batch Processing").
struct FieldBatch {
    private let service: FieldService

    init(_ service: FieldService) { self.service = service }

    private struct Part {
        var headers: HeaderFields
        var body: Substring

        var boundary: String? {
            guard let type = headers["Content-Type"], type.hasPrefix("multipart/mixed"),
                let start = type.range(of: "boundary=")?.upperBound
            else { return nil }
            return type[start...].prefix { $0 != ";" }.filter { $0 != "\"" }
        }
    }

    func answer(_ request: RequestMessage) -> ResponseMessage {
        let whole = Part(
            headers: request.headers, body: Substring(String(decoding: request.body, as: UTF8.self))
        )
        guard let boundary = whole.boundary else {
            return service.refusal(FieldRefusal(415, "a batch is multipart/mixed here"))
        }
        let goesOn =
            service.traits.isV2
            || request.headers["Prefer"]?.contains("continue-on-error") == true
        var answers: [String] = []
        let parts = Self.parts(whole.body, boundary)
        let count = parts.reduce(0) { count, part in
            count + (part.boundary.map { Self.parts(part.body, $0).count } ?? 1)
        }
        guard count <= service.traits.largestBatch else {
            return service.refusal(FieldRefusal(413, "\(count) requests are too many"))
        }
        for part in parts {
            let answer: ResponseMessage
            if let inner = part.boundary {
                let (text, failed) = changeSet(Self.parts(part.body, inner))
                answers.append(text ?? Self.text(failed ?? ResponseMessage(status: 500)))
                answer = failed ?? ResponseMessage(status: 200)
            } else {
                answer = single(part)
                answers.append(Self.text(answer))
            }
            if answer.status >= 400, !goesOn { break }
        }
        let version = service.traits.isV2 ? "DataServiceVersion" : "OData-Version"
        return ResponseMessage(
            status: service.traits.isV2 ? 202 : 200,
            headers: [
                "Content-Type": "multipart/mixed; boundary=b",
                version: service.traits.isV2 ? "2.0" : "4.0",
            ],
            body: Array(
                (answers.map { "--b\r\n" + $0 }.joined() + "--b--\r\n").utf8))
    }

    /// The text of all answers, or the one answer of a change set that failed and has no effect.
    private func changeSet(_ parts: [Part]) -> (text: String?, failed: ResponseMessage?) {
        let before = service.snapshot
        service.references = [:]
        defer { service.references = [:] }
        var text = "Content-Type: multipart/mixed; boundary=c\r\n\r\n"
        for part in parts {
            let answer = single(part)
            guard answer.status < 400 else {
                service.restore(before)
                return (nil, answer)
            }
            let id = part.headers["Content-ID"]
            if let id, let location = answer.headers["Location"] {
                service.references["$" + id] = location
            }
            text += "--c\r\n" + Self.text(answer, id: id)
        }
        return (text + "--c--\r\n", nil)
    }

    private func single(_ part: Part) -> ResponseMessage {
        guard let (line, rest) = Self.line(part.body) else {
            return service.refusal(FieldRefusal(400, "a part of a batch is no request"))
        }
        let words = line.split(separator: " ")
        guard words.count == 3 else {
            return service.refusal(FieldRefusal(400, "no request line: \(line)"))
        }
        let (headers, body) = Self.message(rest)
        var url = String(words[1])
        for (name, place) in service.references where url.hasPrefix(name) {
            url = place + url.dropFirst(name.count)
        }
        guard let target = FieldTarget(url) else {
            return service.refusal(FieldRefusal(404, "no such address: \(url)"))
        }
        let length = headers["Content-Length"].flatMap { Int($0) }
        let bytes = Array(body.utf8)
        let request = RequestMessage(
            method: String(words[0]), url: url, headers: headers,
            body: Array(bytes.prefix(length ?? bytes.count)))
        return service.answer(request, target)
    }

    // MARK: Text

    private static func text(_ answer: ResponseMessage, id: String? = nil) -> String {
        var text = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n"
        if let id { text += "Content-ID: \(id)\r\n" }
        text += "\r\nHTTP/1.1 \(answer.status) .\r\n"
        for field in answer.headers.fields { text += "\(field.name): \(field.value)\r\n" }
        text += "Content-Length: \(answer.body.count)\r\n\r\n"
        return text + String(decoding: answer.body, as: UTF8.self) + "\r\n"
    }

    private static func line(_ text: Substring) -> (Substring, Substring)? {
        guard let end = text.firstIndex(of: "\r\n") else { return nil }
        return (text[..<end], text[text.index(after: end)...])
    }

    /// Headers up to an empty line, and what is behind it.
    private static func message(_ text: Substring) -> (HeaderFields, Substring) {
        var headers = HeaderFields()
        var rest = text
        while let (line, behind) = line(rest) {
            rest = behind
            guard let colon = line.firstIndex(of: ":") else { break }
            headers.append(
                name: String(line[..<colon]),
                value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return (headers, rest)
    }

    private static func parts(_ body: Substring, _ boundary: String) -> [Part] {
        var parts: [Part] = []
        let pieces = body.components(separatedBy: "--" + boundary)
        for piece in pieces.dropFirst() {
            if piece.hasPrefix("--") { break }
            var text = Substring(piece)
            if text.hasPrefix("\r\n") { text = text.dropFirst() }
            if text.hasSuffix("\r\n") { text = text.dropLast() }
            let (headers, inner) = message(text)
            parts.append(Part(headers: headers, body: inner))
        }
        return parts
    }
}
