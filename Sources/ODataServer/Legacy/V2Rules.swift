import ODataQuery
import ODataText
import ODataWire

/// What a request of V2 may say of itself, and what its client takes (V2 operations, "Headers"; RFC 9110, section 12).
enum V2Rules {
    /// - Throws: 400 for versions that exclude V2, 412 and 415 as ``RequestRules/checkHead(_:)``.
    static func checkHead(_ request: RequestMessage) throws {
        try RequestRules.checkHead(request.headers)
        let sent = try version("DataServiceVersion", request)
        guard sent ?? 1 <= 2 else {
            throw ODataError(
                .invalidPayload, "Expected a DataServiceVersion of 1.0 or 2.0.", status: 400)
        }
        guard try version("MaxDataServiceVersion", request) ?? 2 >= 1 else {
            throw ODataError(
                .invalidPayload, "Expected a MaxDataServiceVersion of 1.0 or more.", status: 400)
        }
    }

    /// `2.0;NetFx` is 2; nil when the header is not there.
    private static func version(_ name: String, _ request: RequestMessage) throws -> Double? {
        guard let text = request.headers[name] else { return nil }
        guard let number = Double(HeaderText.trimmed(text.prefix { $0 != ";" })) else {
            throw ODataError(.invalidPayload, "Expected a version in \(name).", status: 400)
        }
        return number
    }

    static func requireRead(_ request: RequestMessage) throws {
        guard RequestKind(V2Face.method(of: request)) == .read else {
            throw AllowedMethods.error("GET, HEAD")
        }
    }

    /// - Throws: 406 when the client takes no payload of this type.
    static func require(
        _ type: String, _ request: RequestMessage, _ address: ServiceAddress
    ) throws {
        _ = try ResponseFormat(
            accept: nil, acceptCharset: request.headers["Accept-Charset"], relativeURL: "")
        if ResponseFormat.option(address.relativeURL) != nil { return }
        guard accepted(request).contains(where: { isMet($0, by: type) }) else {
            throw ResponseFormat.refused("Expected \(type) to be acceptable.")
        }
    }

    /// Whether a service document is wanted as JSON rather than as Atom's.
    ///
    /// - Throws: 406 when the client takes neither.
    static func prefersJSON(_ request: RequestMessage, _ address: ServiceAddress) throws -> Bool {
        if let format = ResponseFormat.option(address.relativeURL) {
            guard ["json", "application/json"].contains(format) else {
                throw ResponseFormat.refused("Expected $format=json.")
            }
            return true
        }
        let ranges = accepted(request)
        let isAtom = { (range: MediaType) in
            isMet(range, by: "application/atomsvc+xml") || isMet(range, by: "application/xml")
        }
        // The first that can be met: whoever lists several says what is liked best first, as a rule.
        let first = ranges.first { isAtom($0) || isMet($0, by: "application/json") }
        guard let first else {
            throw ResponseFormat.refused("Expected application/atomsvc+xml or application/json.")
        }
        return !isAtom(first)
    }

    /// - Throws: 415 for a body that does not say to be JSON, or says what is not known of it.
    static func requireJSONBody(_ request: RequestMessage) throws {
        guard let type = MediaType(parsing: request.headers["Content-Type"] ?? ""),
            isMet(type, by: "application/json")
        else {
            throw ODataError(
                ServiceCode.unsupportedMediaType,
                "Expected a body with a Content-Type of application/json.", status: 415)
        }
    }

    private static func accepted(_ request: RequestMessage) -> [MediaType] {
        let ranges = HeaderText.split(
            request.headers["Accept"] ?? "*/*", separator: UInt8(ascii: ",")
        ).compactMap { MediaType(parsing: $0) }.filter { Double($0["q"] ?? "1") ?? 0 > 0 }
        return ranges.isEmpty && request.headers["Accept"] == nil ? [MediaType("*/*")] : ranges
    }

    private static func isMet(_ range: MediaType, by type: String) -> Bool {
        guard range.name == type || range.name == "*/*" || range.name == "application/*" else {
            return false
        }
        return range.parameters.allSatisfy { parameter in
            switch parameter.name {
            case "q": true
            case "odata": parameter.value.lowercased() == "verbose"
            case "charset": parameter.value.lowercased() == "utf-8"
            default: false
            }
        }
    }
}
