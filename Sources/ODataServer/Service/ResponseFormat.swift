import ODataText
import ODataWire

/// How a payload is to be written: metadata level and number form (JSON Format 4.01, section 3).
struct ResponseFormat: Sendable, Hashable {
    enum Level: String, Sendable, Hashable { case none, minimal, full }

    var level = Level.minimal
    var isIEEE754Compatible = false
    /// Pages may be written as ``CompactRows``.
    var acceptsCompactRows = false
    /// The request asked for this kind and no other.
    var wantsXML = false
    var wantsJSON = false

    /// - Parameter relativeURL: its `$format` goes before the header.
    /// - Throws: 406 when nothing that the client accepts can be written.
    init(accept: String?, relativeURL: String) throws {
        let query = relativeURL.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let option = query.split(separator: "&").first {
            $0.hasPrefix("$format=") || $0.hasPrefix("%24format=")
        }
        if let option, let equals = option.firstIndex(of: "=") {
            let value = String(option[option.index(after: equals)...])
                .replacing("%2F", with: "/").replacing("%2f", with: "/")
                .replacing("%3B", with: ";").replacing("%3b", with: ";")
                .replacing("%3D", with: "=").replacing("%3d", with: "=")
            switch value {
            case "json": wantsJSON = true
            case "xml": wantsXML = true
            default: try apply([value])
            }
            return
        }
        guard let accept, !accept.isEmpty else { return }
        try apply(HeaderText.split(accept, separator: UInt8(ascii: ",")))
    }

    private mutating func apply(_ types: [String]) throws {
        let ranges = types.compactMap { MediaType(parsing: $0) }.filter { $0["q"] != "0" }
        acceptsCompactRows = ranges.contains { $0.name == CompactRows.mediaType }
        if acceptsCompactRows, !ranges.contains(where: { $0.name == "application/json" }) {
            wantsJSON = true
            return
        }
        if let json = ranges.first(where: { $0.isJSON && $0.name != CompactRows.mediaType }) {
            wantsJSON = !ranges.contains { $0.isXML || $0.name.contains("*") }
            if let level = json.metadataLevel.flatMap(Level.init) { self.level = level }
            isIEEE754Compatible = json.isIEEE754Compatible
            return
        }
        if ranges.contains(where: { $0.isXML && $0.name != "application/atom+xml" }) {
            wantsXML = !ranges.contains { $0.name == "*/*" }
            return
        }
        let isAcceptable = ranges.contains {
            $0.name == "*/*" || $0.name == "application/*" || $0.name == "text/plain"
                || $0.name == "text/*" || $0.name == "application/octet-stream"
                || $0.isMultipart
        }
        guard isAcceptable || ranges.isEmpty else {
            throw ODataError(
                .notImplemented, "Expected application/json to be acceptable.", status: 406)
        }
    }

    /// The `Content-Type` of a JSON payload.
    var contentType: String {
        "application/json;odata.metadata=\(level.rawValue)"
            + (isIEEE754Compatible ? ";IEEE754Compatible=true" : "")
    }

    /// - Throws: 406 when the client asks for XML and nothing else.
    func requireJSON() throws {
        guard wantsXML else { return }
        throw ODataError(
            .notImplemented, "Expected application/json to be acceptable.", status: 406)
    }
}
