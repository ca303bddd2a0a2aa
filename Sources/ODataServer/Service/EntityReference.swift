import Foundation
import ODataText

/// `$entity?$id=…`: the entity that an entity-id names, as if its own URL had been sent (URL Conventions 4.01, section 4.10).
enum EntityReference {
    /// The URL that the request is for, relative to the root; the same one where it is another resource.
    ///
    /// - Throws: 400 without an entity-id, 404 for one that leads elsewhere.
    static func resolved(_ url: String, _ exchange: Exchange) throws -> String {
        guard url.beginsLikeSystemResource else { return url }
        let path = url.prefix { $0 != "?" }
        let name = path.prefix { $0 != "/" }
        guard name == "$entity" || name == "%24entity" else { return url }
        guard exchange.isRead else { throw exchange.methodNotAllowed("GET, HEAD") }
        var rest: [Substring] = []
        var id: String?
        for option in url.dropFirst(path.count + 1).split(separator: "&") {
            let parts = option.split(separator: "=", maxSplits: 1)
            guard let key = parts.first?.removingPercentEncoding, key == "$id" || key == "id" else {
                rest.append(option)
                continue
            }
            id = parts.count > 1 ? String(parts[1]).removingPercentEncoding : nil
        }
        guard let id, !id.isEmpty else {
            throw ODataError(
                .invalidQuery, "Expected an entity-id in $id.", at: .path("$id"), status: 400)
        }
        let rootPath = exchange.model.configuration.rootPath
        let root = ServiceAddress(root: exchange.root, relativeURL: "")
        let own = String(exchange.root.dropLast(rootPath.count))
        guard !id.contains("://") || id.hasPrefix(own + rootPath) else {
            throw ODataError(
                .notFound, "Expected the entity-id of an entity of this service.", at: .path("$id"),
                status: 404)
        }
        let address = try ServiceAddress(id, within: root, rootPath: rootPath)
        guard !address.relativeURL.contains("?"), !address.relativeURL.hasPrefix("$") else {
            throw ODataError(
                .invalidQuery, "Expected the entity-id of an entity.", at: .path("$id"), status: 400
            )
        }
        let options = rest.isEmpty ? "" : "?" + rest.joined(separator: "&")
        return address.relativeURL + path.dropFirst(name.count) + options
    }
}
