/// Where a link that a service sent may be followed to.
///
/// A gateway that does not rewrite bodies lets the name of the host behind it through; the path says then that the link
/// lies below the service's own root. Any other link of another origin is not followed.
package enum ServiceLink {
    /// The link as it is asked for: as it came, or on the root's own origin where it named another one; nil when it leads
    /// out of the service.
    package static func followable(_ link: String, root: String) -> String? {
        guard let found = Origin(link) else { return link }
        guard let own = Origin(root) else { return nil }
        if found.comparable == own.comparable { return link }
        let path = String(link.dropFirst(found.length))
        let home = String(root.dropFirst(own.length))
        let bare = home.hasSuffix("/") ? String(home.dropLast()) : home
        guard path.hasPrefix(home) || path == bare || path.hasPrefix(bare + "?") else { return nil }
        return String(root.prefix(own.length)) + path
    }

    /// The host that a link names, for messages; nil for a link without one.
    package static func host(of link: String) -> String? { Origin(link)?.authority }

    /// Scheme, host and port in front of a link.
    private struct Origin {
        /// Characters of the link that belong to it.
        var length: Int
        var authority: String
        /// In lower case, with its port.
        var comparable: String

        init?(_ link: String) {
            var scheme = ""
            var rest = Substring(link)
            if let colon = link.firstRange(of: "://"), Self.isScheme(link[..<colon.lowerBound]) {
                scheme = link[..<colon.lowerBound].lowercased()
                rest = link[colon.upperBound...]
            } else if link.hasPrefix("//") {
                rest = link.dropFirst(2)
            } else {
                return nil
            }
            let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
            length = link.distance(from: link.startIndex, to: end)
            authority = String(rest[..<end].split(separator: "@").last ?? "")
            let host = authority.lowercased()
            let hasPort = host.drop { $0 != "]" && host.first == "[" }.contains(":")
            comparable = scheme + "://" + host + (hasPort ? "" : scheme == "https" ? ":443" : ":80")
        }

        private static func isScheme(_ text: Substring) -> Bool {
            guard let first = text.first, first.isASCII, first.isLetter else { return false }
            return text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".")
            }
        }
    }
}
