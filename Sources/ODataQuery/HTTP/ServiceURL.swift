/// URL arithmetic against a service root (RFC 3986, section 5, as far as OData links need it).
package enum ServiceURL {
    /// `reference` as an absolute URL: as it is when it has a scheme, on the root's host when it starts with `/`,
    /// beneath the root otherwise.
    package static func absolute(_ reference: String, root: String) -> String {
        if hasScheme(reference) { return reference }
        if reference.hasPrefix("/") { return origin(of: root) + reference }
        var text = Substring(reference)
        if text.hasPrefix("./") { text = text.dropFirst(2) }
        return root + text
    }

    /// `reference` without the root in front, where it lies beneath the root.
    package static func relative(_ reference: String, root: String) -> String {
        if reference.hasPrefix(root) { return String(reference.dropFirst(root.count)) }
        let path = String(root.dropFirst(origin(of: root).count))
        return reference.hasPrefix(path) ? String(reference.dropFirst(path.count)) : reference
    }

    /// True when both have the same scheme, host and port: what one may see, the other may, too (RFC 6454).
    package static func isSameOrigin(_ url: String, as root: String) -> Bool {
        comparable(origin(of: url)) == comparable(origin(of: root))
    }

    /// An origin in lower case and with its port.
    private static func comparable(_ origin: String) -> String {
        let text = origin.lowercased()
        let scheme = text.prefix { $0 != ":" }
        let host = text.dropFirst(scheme.count).drop { $0 == ":" || $0 == "/" }
        let authority = host.split(separator: "@").last ?? host
        let hasPort = authority.drop { $0 != "]" && authority.first == "[" }.contains(":")
        return "\(scheme)://\(authority)" + (hasPort ? "" : scheme == "https" ? ":443" : ":80")
    }

    /// The host and port of an absolute URL, without what comes before `@`.
    package static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "the service" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@").last ?? authority)
    }

    /// `url` as it may be shown: without credentials, query and fragment.
    package static func shown(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let scheme = path.firstRange(of: "://") else { return String(path) }
        let authority = path[scheme.upperBound...].prefix { $0 != "/" }
        return path[..<scheme.upperBound] + host(of: url)
            + path[authority.endIndex...]
    }

    /// Puts `suffix` behind the path, in front of the query.
    package static func appending(suffix: String, to url: String) -> String {
        guard !suffix.isEmpty else { return url }
        guard let question = url.firstIndex(of: "?") else { return url + suffix }
        return String(url[..<question]) + suffix + String(url[question...])
    }

    /// Scheme, host and port.
    private static func origin(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "" }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" }
        return String(url[..<(end ?? url.endIndex)])
    }

    private static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(of: ":") else { return false }
        let scheme = reference[..<colon].utf8
        guard let first = scheme.first, isLetter(first) else { return false }
        return reference[colon...].hasPrefix("://")
            && scheme.allSatisfy {
                isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte & 0xDF)
    }
}
