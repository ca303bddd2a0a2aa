import Foundation
import ODataModel
import ODataQuery
import ODataText

/// `$schemaversion`: the version of the model that a request is made for (Protocol 4.01, section 11.2.12).
enum SchemaVersion {
    /// - Throws: 404 for a version that the model does not say to be (`Core.SchemaVersion`); there is one version only.
    static func require(_ relativeURL: String, of graph: MetadataGraph) throws {
        guard let wanted = option(relativeURL), wanted != "*" else { return }
        let isThere = graph.schemas.contains { schema in
            guard case .string(let text)? = schema.annotations.first(term: term)?.value else {
                return false
            }
            return text == wanted
        }
        guard isThere else {
            throw ODataError(
                .notFound, "Expected the version of the schema that $metadata has, or *.",
                at: .path("$schemaversion"), status: 404)
        }
    }

    /// The value, percent-decoded; nil without one.
    private static func option(_ relativeURL: String) -> String? {
        guard let mark = relativeURL.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        for item in relativeURL.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
            // Looked at before each request: names of another length are decoded for nothing.
            guard let end = item.firstIndex(of: UInt8(ascii: "=")),
                lengths.contains(item.distance(from: item.startIndex, to: end)),
                names.contains(
                    Substring(item[..<end]).removingPercentEncoding?.lowercased() ?? "")
            else { continue }
            return Substring(item)[item.index(after: end)...].removingPercentEncoding
        }
        return nil
    }

    private static let names: Set = ["$schemaversion", "schemaversion"]
    /// Of the names, with some letters encoded or none.
    private static let lengths = 13...42
    private static let term = "Org.OData.Core.V1.SchemaVersion"
}
