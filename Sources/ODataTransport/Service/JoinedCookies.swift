/// `Set-Cookie` fields that a URL session hands over as one: they must not be joined (RFC 6265, section 3), and are.
enum JoinedCookies {
    /// Each field's own value. A comma parts two of them where a blank, a name and `=` follow; the comma of a date does not.
    static func parts(of joined: String) -> [String] {
        var parts: [String] = []
        var rest = joined[...]
        var start = joined.startIndex
        while let comma = rest.firstIndex(of: ",") {
            rest = rest[rest.index(after: comma)...]
            guard beginsCookie(rest) else { continue }
            parts.append(String(joined[start..<comma]))
            rest = rest.dropFirst()
            start = rest.startIndex
        }
        return parts + [String(joined[start...])]
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        guard text.first == " " else { return false }
        let name = text.dropFirst().prefix { !"=;, \t".contains($0) }
        return !name.isEmpty && text[name.endIndex...].first == "="
    }
}
