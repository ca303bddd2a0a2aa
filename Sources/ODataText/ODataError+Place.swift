extension ODataError.Location {
    /// The resource that a URL addresses: nothing that says who is asked about, or by whom.
    package static func resource(of url: String) -> ODataError.Location {
        guard let scheme = url.firstRange(of: "://") else { return .path(withoutKeys(url)) }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let host = rest[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return .resource(host: String(host), path: withoutKeys(String(rest[end...])))
    }

    /// A path without key predicates, arguments and query; what stands behind an open parenthesis goes, too.
    package static func withoutKeys(_ path: String) -> String {
        var (kept, depth, isQuoted) = ("", 0, false)
        for character in path.replacing("%27", with: "'") {
            switch character {
            case "'" where depth > 0: isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where depth > 0 && !isQuoted: depth -= 1
            case _ where depth > 0: break
            case "?", "#": return kept
            default: kept.append(character)
            }
        }
        return kept
    }
}

extension ODataError {
    /// The error with the place of a request where it has none.
    package func during(_ url: String) -> ODataError {
        guard location == nil else { return self }
        var error = self
        error.location = .resource(of: url)
        return error
    }
}
