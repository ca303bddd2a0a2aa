import Foundation
import ODataText
import ODataWire

/// How a payload is to be written: what of the client's `$format` or `Accept` can be met (Protocol 4.01, sections 8.2.1
/// and 11.2.12; JSON Format 4.01, section 3).
struct ResponseFormat: Sendable, Hashable {
    enum Level: String, Sendable, Hashable { case none, minimal, full }

    var level = Level.minimal
    var isIEEE754Compatible = false
    /// Pages may be written as ``CompactRows``.
    var acceptsCompactRows = false
    /// True for a client that takes a metadata document as JSON, and as XML at most less gladly.
    var prefersJSON = false
    /// False where a client takes no JSON that can be written.
    private(set) var acceptsJSON = true
    private(set) var acceptsXML = true

    /// - Parameter relativeURL: its `$format` goes before the header.
    /// - Throws: 406 for a `$format` that is none, and for charsets without UTF-8.
    init(accept: String?, acceptCharset: String? = nil, relativeURL: String) throws {
        if let charsets = acceptCharset, !Self.includesUTF8(charsets) {
            throw Self.refused("Expected utf-8 to be an acceptable charset.")
        }
        if let format = Self.option(relativeURL) {
            try apply(format: format)
        } else if let accept, !HeaderText.trimmed(accept[...]).isEmpty {
            apply(accept: accept)
        }
    }

    private mutating func applyJSON() { (acceptsXML, prefersJSON) = (false, true) }

    private mutating func apply(format: String) throws {
        switch format {
        case "json": applyJSON()
        case "xml": acceptsJSON = false
        default:
            apply(accept: format)
            guard acceptsJSON || acceptsXML else {
                throw Self.refused("Expected a $format that the service writes.")
            }
        }
    }

    private mutating func apply(accept: String) {
        // What nearly every client sends is known.
        if accept == "application/json" { return applyJSON() }
        let ranges = HeaderText.split(accept, separator: UInt8(ascii: ","))
            .compactMap { AcceptedRange(parsing: $0) }
        let refused = Set(ranges.filter { $0.quality == 0 }.map(\.type.name))
        let wanted = ranges.filter { $0.quality > 0 }
        let anything = wanted.filter { ["*/*", "application/*"].contains($0.type.name) }
            .map(\.quality).max()
        let json = Self.best(wanted) { $0.name == "application/json" && Self.isKnown(json: $0) }
        let xml = Self.best(wanted) { $0.name == "application/xml" && Self.isKnown(xml: $0) }
        acceptsCompactRows = wanted.contains { $0.type.name == CompactRows.mediaType }
        acceptsJSON =
            json != nil || acceptsCompactRows
            || anything != nil && !refused.contains("application/json")
        acceptsXML = xml != nil || anything != nil && !refused.contains("application/xml")
        // XML is what a metadata document is written in unless it is liked less.
        prefersJSON =
            acceptsJSON
            && (!acceptsXML
                || (json?.quality ?? anything ?? 0) > (xml?.quality ?? anything ?? 0)
                || json != nil && xml == nil && anything == nil)
        if let json {
            level = json.type.metadataLevel.flatMap(Level.init) ?? .minimal
            isIEEE754Compatible = json.type.isIEEE754Compatible
        }
    }

    private static func best(
        _ ranges: [AcceptedRange], where isMeant: (MediaType) -> Bool
    ) -> AcceptedRange? {
        let meant = ranges.filter { isMeant($0.type) }
        guard let most = meant.map(\.quality).max() else { return nil }
        return meant.first { $0.quality == most }
    }

    /// The `Content-Type` of a JSON payload.
    var contentType: String {
        if level == .minimal, !isIEEE754Compatible {
            return "application/json;odata.metadata=minimal"
        }
        return "application/json;odata.metadata=\(level.rawValue)"
            + (isIEEE754Compatible ? ";IEEE754Compatible=true" : "")
    }

    /// - Throws: 406 when the client takes no JSON.
    func requireJSON() throws {
        guard acceptsJSON else {
            throw Self.refused("Expected application/json to be acceptable.")
        }
    }

    static func refused(_ message: String) -> ODataError {
        ODataError(ServiceCode.notAcceptable, message, status: 406)
    }
}

extension ResponseFormat {
    /// True when every parameter of the JSON type is one that the service knows, with a value that it can meet: services
    /// reject all others (Protocol 4.01, section 8.2.1).
    static func isKnown(json type: MediaType, levels: Set<String> = answeredLevels) -> Bool {
        type.parameters.allSatisfy { parameter in
            let value = parameter.value.lowercased()
            switch parameter.name {
            case "odata.metadata", "metadata": return levels.contains(value)
            case "ieee754compatible", "odata.streaming", "streaming", "exponentialdecimals":
                return value == "true" || value == "false"
            case "charset": return value == "utf-8"
            default: return false
            }
        }
    }

    static func isKnown(xml type: MediaType) -> Bool {
        type.parameters.allSatisfy { $0.name == "charset" && $0.value.lowercased() == "utf-8" }
    }

    /// What bodies may say of themselves; every level is read alike.
    static let sentLevels: Set<String> = ["none", "minimal", "full"]
    /// What answers may be asked for.
    static let answeredLevels: Set<String> = ["none", "minimal", "full"]

    /// The value of `$format`, percent-decoded; nil without one.
    static func option(_ relativeURL: String) -> String? {
        guard let mark = relativeURL.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        for item in relativeURL.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
            // Decoded only where it may be one of the two names.
            guard let end = item.firstIndex(of: UInt8(ascii: "=")),
                isLikeFormat(item[..<end])
            else { continue }
            let (item, equals) = (Substring(item), end)
            guard
                ["$format", "format"].contains(
                    item[..<equals].removingPercentEncoding?.lowercased())
            else { continue }
            return item[item.index(after: equals)...].removingPercentEncoding
        }
        return nil
    }

    /// Whether a name may be `$format` or `format`, in either case, or be encoded.
    private static func isLikeFormat(_ name: Substring.UTF8View) -> Bool {
        switch name.last {
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            (6...7).contains(name.count) || name.contains(percent)
        default: name.contains(percent)
        }
    }

    private static let percent = UInt8(ascii: "%")

    /// Whether a body of this type is taken: the range that names it most closely says so (RFC 9110, section 12.5.1).
    static func accepts(_ type: MediaType, accept: String) -> Bool {
        let ranges = HeaderText.split(accept, separator: UInt8(ascii: ","))
            .compactMap { AcceptedRange(parsing: $0) }
        guard !ranges.isEmpty else { return HeaderText.trimmed(accept[...]).isEmpty }
        let family = type.name.prefix { $0 != "/" } + "/*"
        for name in [type.name, String(family), "*/*"] {
            let meant = ranges.filter { $0.name == name && holds($0.type, type) }
            if let most = meant.map(\.quality).max() { return most > 0 }
        }
        return false
    }

    /// Texts are in UTF-8 unless they say otherwise.
    private static func holds(_ range: MediaType, _ type: MediaType) -> Bool {
        range.parameters.allSatisfy { parameter in
            let own = type[parameter.name] ?? (parameter.name == "charset" ? "utf-8" : nil)
            return own?.lowercased() == parameter.value.lowercased()
        }
    }

    /// Nothing named is everything taken (RFC 9110, section 12.5.2).
    private static func includesUTF8(_ text: String) -> Bool {
        let ranges = HeaderText.split(text, separator: UInt8(ascii: ","))
            .map { AcceptedRange(name: $0) }
        if let own = ranges.first(where: { $0.name == "utf-8" }) { return own.quality > 0 }
        return ranges.isEmpty || ranges.contains { $0.name == "*" && $0.quality > 0 }
    }
}

/// One entry of `Accept` or `Accept-Charset`: what, and how gladly (RFC 9110, section 12.4.2).
private struct AcceptedRange {
    var type = MediaType("")
    var name: String
    var quality: Double

    /// Nil for what is no media range.
    init?(parsing text: String) {
        guard var type = MediaType(parsing: text) else { return nil }
        quality = Self.quality(type["q"])
        // What stands behind the weight are extensions of Accept, not parameters of the type.
        if let weight = type.parameters.firstIndex(where: { $0.name == "q" }) {
            type.parameters.removeSubrange(weight...)
        }
        self.type = type
        name = type.name
    }

    init(name text: String) {
        let parts = HeaderText.split(text, separator: UInt8(ascii: ";"))
        name = (parts.first ?? "").lowercased()
        let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
        quality = Self.quality(weight.map { String($0.dropFirst(2)) })
    }

    private static func quality(_ text: String?) -> Double {
        guard let text else { return 1 }
        return Double(text).map { min(max($0, 0), 1) } ?? 0
    }
}
