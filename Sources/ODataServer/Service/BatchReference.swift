import ODataText

/// References of batch requests to earlier ones (Protocol 4.01, section 11.7.3.1): `$1` or `$1/Items`.
enum BatchReference {
    /// The URL with the reference replaced; other URLs as they are.
    ///
    /// - Throws: 424 when the request that is referred to made nothing.
    static func resolve(_ url: String, _ references: [String: String]) throws -> String {
        guard url.hasPrefix("$") else { return url }
        let end = url.firstIndex { "/?(".contains($0) } ?? url.endIndex
        let name = String(url[..<end].dropFirst())
        if let target = references[name] { return target + url[end...] }
        guard systemResources.contains(name) else {
            throw ODataError(
                .invalidQuery, "Expected the Content-ID of an earlier request that succeeded.",
                status: 424)
        }
        return url
    }

    private static let systemResources: Set<String> = [
        "metadata", "batch", "entity", "all", "crossjoin",
    ]
}
