import ODataQuery
import ODataText
import ODataWire

/// Bodies that are not JSON: counts, raw values and streams (Protocol 4.01, sections 8.1.1, 8.2.1 and 11.4.7 to 11.4.9).
enum RawContent {
    /// - Throws: 415 for a stream that does not say what it is, and for the two formats of forms that are nothing else:
    ///   every page of the web may send those here. A form may come as text/plain, too, which a text is as well.
    static func requireMedia(_ request: RequestMessage) throws {
        guard let type = MediaType(parsing: request.headers["Content-Type"] ?? ""),
            type.name != "application/x-www-form-urlencoded", type.name != "multipart/form-data"
        else { throw unsupported("a Content-Type that is none of a form") }
    }

    /// - Throws: 415 for the raw value of a property that does not say to be text in UTF-8, or bytes.
    static func requireValue(_ request: RequestMessage, isEmpty: Bool) throws {
        let text = request.headers["Content-Type"] ?? ""
        if text.isEmpty, isEmpty { return }
        guard let type = MediaType(parsing: text),
            ["text/plain", "application/octet-stream"].contains(type.name),
            type.parameters.allSatisfy({
                $0.name == "charset" && $0.value.lowercased() == "utf-8"
            })
        else {
            throw unsupported("a Content-Type of text/plain in UTF-8, or application/octet-stream")
        }
    }

    /// - Throws: 406 where the client takes no body of this type; `$format` is about payloads and none of these.
    static func requireAcceptable(_ type: String, _ request: RequestMessage) throws {
        guard let accept = request.headers["Accept"], let type = MediaType(parsing: type),
            !ResponseFormat.accepts(type, accept: accept)
        else { return }
        throw ResponseFormat.refused("Expected \(type.name) to be acceptable.")
    }

    /// As ``requireAcceptable(_:_:)`` for a count, which has no formats to choose from (Protocol 4.01, section 11.2.10):
    /// clients that ask for JSON all along mean no harm.
    static func requireAcceptableCount(_ request: RequestMessage) throws {
        if let accept = request.headers["Accept"],
            let json = MediaType(parsing: "application/json"),
            ResponseFormat.accepts(json, accept: accept)
        {
            return
        }
        try requireAcceptable("text/plain", request)
    }

    private static func unsupported(_ what: String) -> ODataError {
        ODataError(ServiceCode.unsupportedMediaType, "Expected \(what).", status: 415)
    }
}
