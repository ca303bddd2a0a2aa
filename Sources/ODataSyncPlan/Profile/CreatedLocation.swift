import ODataQuery
import ODataText

/// Where the answer to a creation says that the entity is.
enum CreatedLocation {
    /// Whether the answer names an entity of the service, by `Location` or `OData-EntityId`: a place beneath the root with a key
    /// at its end, in parentheses or as a segment behind what was posted to. Nobody else knows such places.
    ///
    /// - Parameter url: what was posted to.
    static func isNamed(in headers: HeaderFields, url: String, root: String) -> Bool {
        guard let place = headers["OData-EntityId"] ?? headers["Location"],
            let link = ServiceLink.followable(place, root: root)
        else { return false }
        let absolute = ServiceURL.absolute(link, root: root)
        guard absolute.hasPrefix(root) else { return false }
        let path = absolute.dropFirst(root.count).prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        if let open = last.firstIndex(of: "("), open != last.startIndex, last.hasSuffix(")") {
            return last.index(after: open) != last.index(before: last.endIndex)
        }
        let posted = ServiceURL.relative(url, root: root).prefix { $0 != "?" && $0 != "#" } + "/"
        return path.hasPrefix(posted) && !last.isEmpty && path.count == posted.count + last.count
    }
}
