import ODataQuery
import ODataText

/// Reads whole multipart batches from memory, requests for the service and answers for the client.
package enum BatchReader {
    /// The answers that came in full.
    package struct Answers: Sendable, Hashable {
        /// In the order of the request's parts; fewer when processing stopped or bytes are missing.
        package var parts: [BatchResponsePart]
        /// False when the batch ended before its closing delimiter.
        package var isComplete: Bool
    }

    /// The answers of a batch response. What a cut connection left of the last one is dropped.
    ///
    /// - Throws: `invalidPayload` when the response is not multipart, `malformedText` when its parts are not HTTP.
    package static func parts(
        of response: ResponseMessage, limits: BatchLimits = BatchLimits()
    ) throws -> Answers {
        let reader = try BatchResponseReader(
            contentType: response.headers["Content-Type"] ?? "", limits: limits,
            source: memorySource(response.body))
        var parts: [BatchResponsePart] = []
        do {
            while let answer = try reader.next() {
                let message = ResponseMessage(
                    status: answer.status, headers: answer.headers, body: try reader.readBody())
                guard reader.bodyIsComplete else { break }
                fillGaps(&parts, upTo: answer.part)
                var item = BatchResponse(contentID: answer.contentID, message)
                item.isWhole = reader.bodyHasStatedLength
                if answer.member == nil {
                    parts.append(.response(item))
                } else if parts.count > answer.part {
                    parts[answer.part].append(item)
                } else {
                    parts.append(.changeSet([item]))
                }
            }
        } catch let error as ODataError where error.code == .malformedText && !reader.isComplete {
            guard try wasCut(response, error) else { throw error }
            return Answers(parts: parts, isComplete: false)
        }
        fillGaps(&parts, upTo: reader.partCount)
        return Answers(parts: parts, isComplete: reader.isComplete)
    }

    /// The parts of a batch request.
    ///
    /// - Throws: `invalidPayload` or `malformedText`: the whole batch is to be refused with 400.
    package static func requests(
        of request: RequestMessage, limits: BatchLimits = BatchLimits()
    ) throws -> [BatchPart] {
        var reader = try BatchMessageReader(
            contentType: request.headers["Content-Type"] ?? "", limits: limits,
            source: memorySource(request.body))
        var parts: [BatchPart] = []
        while let head = try reader.next(hasBody: { _ in true }) {
            let line = try requestLine(head.startLine)
            var message = RequestMessage(
                method: line.method, url: line.url, headers: head.headers,
                body: try reader.readBody())
            if message.method == "GET" || message.method == "HEAD" { message.body = [] }
            while parts.count < head.part { parts.append(.changeSet([])) }
            let item = BatchRequest(contentID: head.contentID, message)
            if head.member == nil {
                parts.append(.request(item))
            } else if parts.count > head.part {
                parts[head.part].append(item)
            } else {
                parts.append(.changeSet([item]))
            }
        }
        guard reader.isComplete else {
            throw ODataError(.malformedText, "Expected a closing delimiter, found the end.")
        }
        while parts.count < reader.partCount { parts.append(.changeSet([])) }
        return parts
    }

    private static func fillGaps(_ parts: inout [BatchResponsePart], upTo count: Int) {
        while parts.count < count { parts.append(.changeSet([])) }
    }

    /// Only the end of the bytes excuses a malformed message.
    private static func wasCut(_ response: ResponseMessage, _ error: ODataError) throws -> Bool {
        guard let text = response.headers["Content-Type"], let type = MediaType(parsing: text),
            let boundary = type["boundary"]
        else { return false }
        let closing = Array("--\(boundary)--".utf8)
        return !response.body.suffix(closing.count + 64).containsSequence(closing)
    }

    /// `METHOD url HTTP/1.1`; blanks inside the URL are kept, the version may be missing.
    private static func requestLine(_ text: String) throws -> (method: String, url: String) {
        var text = text
        let line = text.withUTF8 { bytes -> (method: String, url: String)? in
            let space = UInt8(ascii: " ")
            guard let first = bytes.firstIndex(of: space) else { return nil }
            let method = bytes[..<first]
            guard !method.isEmpty, method.allSatisfy(HeaderText.isTokenByte) else { return nil }
            var rest = bytes[(first + 1)...]
            if let last = rest.lastIndex(of: space),
                HeaderText.hasPrefix(rest[(last + 1)...], "HTTP/")
            {
                rest = rest[..<last]
            }
            let url = HeaderBlock.trimmed(UnsafeBufferPointer(rebasing: rest))
            guard !url.isEmpty, !HeaderText.hasPrefix(url, "HTTP/1.") else { return nil }
            let name = String(decoding: method, as: UTF8.self)
            let isUpper = method.allSatisfy { !(97...122).contains($0) }
            return (isUpper ? name : name.uppercased(), String(decoding: url, as: UTF8.self))
        }
        guard let line else {
            throw ODataError(.malformedText, "Expected a request line in a batch part.")
        }
        return line
    }

    private static func memorySource(_ bytes: [UInt8]) -> MultipartScanner.Source {
        var position = 0
        return { buffer in
            let count = min(buffer.count, bytes.count - position)
            bytes.withUnsafeBytes { all in
                let chunk = UnsafeRawBufferPointer(rebasing: all[position..<position + count])
                buffer.copyMemory(from: chunk)
            }
            position += count
            return count
        }
    }
}

extension Collection where Element == UInt8 {
    fileprivate func containsSequence(_ other: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: other) }
    }
}
