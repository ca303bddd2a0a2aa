import ODataText

/// References of batch requests to earlier ones (Protocol 4.01, section 11.7.3.1): `$1` or `$1/Items`.
enum BatchReference {
    /// The URL with the reference replaced; other URLs as they are.
    ///
    /// - Throws: 424 when the request that is referred to made nothing.
    static func resolve(_ url: String, _ references: [String: String]) throws -> String {
        guard let (name, rest) = parts(of: url) else { return url }
        if let target = references[name] { return target + rest }
        guard systemResources.contains(name) else {
            throw ODataError(
                .invalidQuery, "Expected the Content-ID of an earlier request that succeeded.",
                status: 424)
        }
        return url
    }

    /// Outside of a batch there is nothing to refer to.
    ///
    /// - Throws: 404 for such a URL.
    static func refuse(_ url: String) throws {
        guard let (name, _) = parts(of: url), !systemResources.contains(name) else { return }
        throw ODataError(
            .notFound, "Expected a resource of the service, found a name that it does not have.",
            status: 404)
    }

    /// The name behind the `$` of a URL that begins with one, and what follows it.
    private static func parts(of url: String) -> (name: String, rest: Substring)? {
        guard url.hasPrefix("$") else { return nil }
        let end = url.firstIndex { "/?(".contains($0) } ?? url.endIndex
        return (String(url[..<end].dropFirst()), url[end...])
    }

    private static let systemResources: Set<String> = [
        "metadata", "batch", "entity", "all", "crossjoin",
    ]
}
