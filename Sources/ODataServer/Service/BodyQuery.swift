import ODataQuery
import ODataText
import ODataWire

/// `POST …/$query`, whose body has the query options: what a GET with all of them in the URL asks (URL Conventions 4.01,
/// section 4.17).
enum BodyQuery {
    /// The GET that such a request stands for, and its address; nil for all other requests.
    ///
    /// Links of the answer have the options in their URL.
    ///
    /// - Throws: 405 for another method, 415 for a body that is no text, 400 for one that a URL could not have.
    static func unfolded(
        _ request: RequestMessage, _ address: ServiceAddress
    ) throws -> (request: RequestMessage, address: ServiceAddress)? {
        let path = address.relativeURL.pathOfURL
        // Looked at before each request, by a byte first.
        guard path.utf8.last == UInt8(ascii: "y"),
            let suffix = suffixes.first(where: { path.hasSuffix($0) })
        else { return nil }
        guard request.method == "POST" else { throw AllowedMethods.error("POST") }
        guard let type = MediaType(parsing: request.headers["Content-Type"] ?? ""),
            type.name == "text/plain",
            type.parameters.allSatisfy({
                $0.name == "charset" && $0.value.lowercased() == "utf-8"
            })
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType,
                "Expected query options with a Content-Type of text/plain in UTF-8.", status: 415)
        }
        guard request.body.allSatisfy(isURLByte) else {
            throw ODataError(
                .invalidQuery, "Expected query options in percent-encoding, as a URL has them.",
                status: 400)
        }
        let given = address.relativeURL.dropFirst(path.count).dropFirst()
        let options = [String(given), String(decoding: request.body, as: UTF8.self)]
            .filter { !$0.isEmpty }
        var (read, place) = (request, address)
        place.relativeURL =
            ([String(path.dropLast(suffix.count))] + [options.joined(separator: "&")])
            .filter { !$0.isEmpty }.joined(separator: "?")
        read.method = "GET"
        read.url = place.root + place.relativeURL
        read.body = []
        read.headers["Content-Type"] = nil
        return (read, place)
    }

    /// What stands in a URL behind its question mark, and what senders leave unencoded there.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
    }

    private static let suffixes = ["/$query", "/%24query"]
}
