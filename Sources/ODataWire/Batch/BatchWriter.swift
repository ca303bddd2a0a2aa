import ODataQuery
import ODataText

/// Writes multipart batches, requests for the client and answers for the service (Protocol 4.01, section 11.7.7).
///
/// Equal input gives equal bytes: a frozen attempt can be sent again as it was. Boundaries come from the caller and
/// must not occur in a body.
package enum BatchWriter {
    /// The batch request, its URL `$batch` relative to the service root.
    ///
    /// - Throws: `usage` when a method, URL or header would break the framing, or the boundary is not allowed.
    package static func request(
        _ parts: [BatchPart], boundary: String, url: String = "$batch",
        headers: HeaderFields = HeaderFields()
    ) throws -> RequestMessage {
        try checkBoundary(boundary)
        var body: [UInt8] = []
        body.reserveCapacity(parts.reduce(256) { $0 + room(for: $1) })
        for (index, part) in parts.enumerated() {
            body.append(delimiter: boundary)
            switch part {
            case .request(let request):
                try placed("parts[\(index)]") { try body.append(request) }
            case .changeSet(let members):
                let inner = changeSetBoundary(index, boundary)
                body.append(line: "Content-Type: \(contentType(inner))")
                body.append(line: "")
                for (position, member) in members.enumerated() {
                    body.append(delimiter: inner)
                    try placed("parts[\(index)]/members[\(position)]") { try body.append(member) }
                }
                body.append(closing: inner)
            }
        }
        body.append(closing: boundary)
        var headers = headers
        headers["Content-Type"] = contentType(boundary)
        return RequestMessage(method: "POST", url: url, headers: headers, body: body)
    }

    /// The batch response: status 200 (V4) or 202 (V2).
    ///
    /// - Throws: `usage` as ``request(_:boundary:url:headers:)``.
    package static func response(
        _ parts: [BatchResponsePart], boundary: String, status: Int = 200,
        headers: HeaderFields = HeaderFields()
    ) throws -> ResponseMessage {
        try checkBoundary(boundary)
        var body: [UInt8] = []
        body.reserveCapacity(parts.reduce(256) { $0 + room(for: $1) })
        for (index, part) in parts.enumerated() {
            try append(part, index: index, boundary: boundary, to: &body)
        }
        body.append(closing: boundary)
        var headers = headers
        headers["Content-Type"] = contentType(boundary)
        return ResponseMessage(status: status, headers: headers, body: body)
    }

    /// One part of a batch response with its delimiter in front, for a service that sends while it works.
    package static func responseBytes(
        _ part: BatchResponsePart, index: Int, boundary: String
    ) throws -> [UInt8] {
        var body: [UInt8] = []
        try append(part, index: index, boundary: boundary, to: &body)
        return body
    }

    private static func append(
        _ part: BatchResponsePart, index: Int, boundary: String, to body: inout [UInt8]
    ) throws {
        body.append(delimiter: boundary)
        switch part {
        case .response(let response):
            try placed("parts[\(index)]") { try body.append(response) }
        case .changeSet(let members):
            let inner = changeSetBoundary(index, boundary)
            body.append(line: "Content-Type: \(contentType(inner))")
            body.append(line: "")
            for (position, member) in members.enumerated() {
                body.append(delimiter: inner)
                try placed("parts[\(index)]/members[\(position)]") { try body.append(member) }
            }
            body.append(closing: inner)
        }
    }

    /// About what a part takes, so that the body does not grow by copies of itself.
    private static func room(for part: BatchPart) -> Int {
        switch part {
        case .request(let request): request.message.body.count + roomForHead
        case .changeSet(let members):
            members.reduce(roomForHead) { $0 + $1.message.body.count + roomForHead }
        }
    }

    private static func room(for part: BatchResponsePart) -> Int {
        switch part {
        case .response(let response): response.message.body.count + roomForHead
        case .changeSet(let members):
            members.reduce(roomForHead) { $0 + $1.message.body.count + roomForHead }
        }
    }

    private static let roomForHead = 320

    /// What ends a batch response that was sent part by part.
    package static func closingBytes(boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        body.append(closing: boundary)
        return body
    }

    /// A boundary of an identifier that was drawn for it, so that no body holds it.
    package static func boundary(_ identifier: (UInt64, UInt64)) -> String {
        "batch_" + String(identifier.0, radix: 16) + String(identifier.1, radix: 16)
    }

    /// The header value for a boundary; quoted only where it must be, since some clients cannot read it quoted.
    package static func contentType(_ boundary: String) -> String {
        "multipart/mixed; boundary=\(HeaderText.quotedIfNeeded(boundary))"
    }

    /// The URL as it stands in a part: a colon in the first segment of a relative URL would read as a scheme.
    package static func partURL(_ url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: ":")), !isAbsolute(url) else { return url }
        let end = url.firstIndex { "/?#".contains($0) } ?? url.endIndex
        return String(url[..<end].replacing(":", with: "%3A") + url[end...])
    }

    /// Puts the message in front of the field that is refused in it.
    private static func placed(
        _ message: @autoclosure () -> String, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch var error as ODataError {
            let message = message()
            if case .path(let field)? = error.location {
                error.location = .path("\(message)/\(field)")
            } else {
                error.location = .path(message)
            }
            throw error
        }
    }

    private static func isAbsolute(_ url: String) -> Bool {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://"),
            let first = url.utf8.first, HeaderText.isTokenByte(first)
        else { return false }
        return url[..<colon].utf8.allSatisfy { byte in
            HeaderText.isTokenByte(byte) && !"$'()%!&".utf8.contains(byte)
        }
    }

    private static func changeSetBoundary(_ index: Int, _ boundary: String) -> String {
        "cs\(index)_\(boundary)"
    }

    private static func checkBoundary(_ boundary: String) throws {
        let isAllowed = { (byte: UInt8) in
            HeaderText.isTokenByte(byte) && byte != UInt8(ascii: "%")
                || "()+_,-./:=?'".utf8.contains(byte)
        }
        guard (1...60).contains(boundary.utf8.count), boundary.utf8.allSatisfy(isAllowed) else {
            throw ODataError(
                .usage, "Expected a boundary of 1 to 60 allowed characters.", at: .path("boundary"))
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(line: String) {
        append(text: line)
        endLine()
    }

    /// At once where the bytes of the text stand together, as they nearly always do.
    private mutating func append(text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil {
            append(contentsOf: text.utf8)
        }
    }

    private mutating func endLine() {
        append(13)
        append(10)
    }

    private mutating func append(_ text: StaticString) {
        append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    fileprivate mutating func append(delimiter boundary: String) {
        append("--")
        append(line: boundary)
    }

    fileprivate mutating func append(closing boundary: String) {
        append("--")
        append(text: boundary)
        append("--\r\n")
    }

    fileprivate mutating func append(_ request: BatchRequest) throws {
        let message = request.message
        let url = BatchWriter.partURL(message.url)
        guard HeaderText.isToken(message.method), !url.isEmpty,
            HeaderText.allSatisfy(url, { $0 > 32 && $0 != 127 })
        else {
            throw ODataError(.usage, "Expected a method and an encoded URL for a batch part.")
        }
        try appendPartHead(contentID: request.contentID)
        append(text: message.method)
        append(32)
        append(text: url)
        append(" HTTP/1.1\r\n")
        try appendContent(headers: message.headers, body: message.body)
    }

    fileprivate mutating func append(_ response: BatchResponse) throws {
        let message = response.message
        try appendPartHead(contentID: response.contentID)
        append("HTTP/1.1 ")
        append(text: String(message.status))
        append(32)
        append(line: StatusReason.text(message.status))
        try appendContent(headers: message.headers, body: message.body)
    }

    // Hot: Batch
    private mutating func appendPartHead(contentID: String?) throws {
        append("Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n")
        if let contentID {
            try appendField("Content-ID", contentID)
        }
        endLine()
    }

    private mutating func appendContent(headers: HeaderFields, body: [UInt8]) throws {
        for field in headers.fields where !Self.isKeptOut(field.name) {
            try appendField(field.name, field.value)
        }
        if !body.isEmpty {
            append("Content-Length: ")
            append(line: String(body.count))
        }
        endLine()
        append(contentsOf: body)
        endLine()
    }

    private mutating func appendField(_ name: String, _ value: String) throws {
        guard HeaderText.isToken(name), HeaderText.isFieldValue(value) else {
            throw ODataError(
                .usage, "Expected a header field without control characters.", at: .path(name))
        }
        append(text: name)
        append(": ")
        append(line: value)
    }

    /// Credentials belong to the batch as a whole, and lengths are ours to write.
    private static func isKeptOut(_ name: String) -> Bool {
        switch name.utf8.count {
        case 6: HeaderFields.matches("cookie", name)
        case 10: HeaderFields.matches("content-id", name)
        case 13: HeaderFields.matches("authorization", name)
        case 14: HeaderFields.matches("content-length", name)
        case 19: HeaderFields.matches("proxy-authorization", name)
        default: false
        }
    }
}
