import ODataText

/// A name and a password as they stand in front of the host of a URL (RFC 3986, section 3.2.1): they belong into a header,
/// never into what is stored, logged or shown.
package struct URLCredentials: Sendable, Hashable {
    package let user: String
    package let password: String

    /// The URL without what stands in front of its host, and the credentials in that, percent-decoded; nil for none.
    package static func separated(
        from url: String
    ) -> (url: String, credentials: URLCredentials?) {
        guard let scheme = url.firstRange(of: "://") else { return (url, nil) }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return (url, nil) }
        let parts = authority[..<at].split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = url[..<scheme.upperBound] + url[url.index(after: at)...]
        let user = decoded(parts[0])
        let password = parts.count > 1 ? decoded(parts[1]) : ""
        guard !user.isEmpty || !password.isEmpty else { return (String(rest), nil) }
        return (String(rest), URLCredentials(user: user, password: password))
    }

    private static func decoded(_ text: Substring) -> String {
        let bytes = try? DecodedText(
            decoding: Array(text.utf8)[...], base: 0, plusIsSpace: false
        ).bytes
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? String(text)
    }
}
