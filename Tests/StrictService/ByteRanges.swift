import Foundation

/// Content, whole or a range of it (RFC 9110, 14).
enum ByteRanges {
    static func answer(
        _ content: Workshop.Content, _ request: StrictRequest
    ) throws(Refusal) -> StrictAnswer {
        var headers = [
            ("Content-Type", content.type), ("ETag", content.tag), ("Accept-Ranges", "bytes"),
        ]
        let isSame = request["If-Range"].map { $0 == content.tag } ?? true
        guard let range = request["Range"], isSame else {
            return StrictAnswer(status: 200, headers: headers, body: content.bytes)
        }
        let bounds = range.dropFirst("bytes=".count).split(
            separator: "-", omittingEmptySubsequences: false)
        guard range.hasPrefix("bytes="), bounds.count == 2, let start = Int(bounds[0]),
            start < content.bytes.count
        else { throw Refusal(416, "RFC 9110, 15.5.17", "Range: \(range)") }
        let end = min(Int(bounds[1]) ?? .max, content.bytes.count - 1)
        headers.append(("Content-Range", "bytes \(start)-\(end)/\(content.bytes.count)"))
        return StrictAnswer(status: 206, headers: headers, body: Array(content.bytes[start...end]))
    }
}
