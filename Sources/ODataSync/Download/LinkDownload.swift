import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText

/// Lets the downloads of whole sets bring the links that no referential constraint tells; the reads do without them where
/// the service refuses.
package struct LinkDownload {
    private let expansion: LinkExpansion

    /// Adds expansions to the default downloads among `sources`.
    package init(
        _ sources: inout [DownloadSource], _ mapping: SchemaMapping,
        _ capabilities: ServiceCapabilities
    ) {
        let whole = sources.filter { $0.isDefault }
        expansion = LinkExpansion(
            mapping, capabilities: capabilities, sets: Set(whole.map(\.entitySet)))
        for index in sources.indices where sources[index].isDefault {
            let source = sources[index]
            guard let items = expansion.items[source.entitySet] else { continue }
            var query = Query(entitySet: source.entitySet)
            query.expand = items
            let dialect = Dialect.of(mapping.graph.version)
            guard let url = try? URLWriter.text(query, graph: mapping.graph, dialect: dialect)
            else { continue }
            sources[index].urlWithoutExpansions = source.url
            sources[index].url = url
        }
    }

    /// The navigation properties of a set that the service says it cannot expand.
    func unasked(of set: String) -> [String] {
        expansion.unknown.keys.filter { $0.hasPrefix(set + "/") }.map {
            String($0.dropFirst(set.count + 1))
        }
    }

    /// Adds why links are unknown.
    ///
    /// - Parameter unknown: link tables without known links, and a navigation property of each; contained entities that
    ///   never came, without a table.
    package func report(to result: inout DownloadProgress, unknown: [(link: Int?, name: String)]) {
        result.unknownLinks.merge(expansion.unknown) { first, _ in first }
        for (key, reason) in result.unexpanded where key.hasPrefix("set:") {
            let set = String(key.dropFirst(4))
            for item in expansion.items[set] ?? [] {
                let path = item.path.propertyNames?.joined(separator: "/") ?? ""
                result.unknownLinks["\(set)/\(path)"] = "the service refuses $expand: \(reason)"
            }
        }
        for (link, name) in unknown {
            guard let asked = link.map({ expansion.names[$0] }) ?? name else { continue }
            if result.unknownLinks[asked] == nil, result.unknownLinks[name] == nil {
                result.unknownLinks[asked] = "no download has brought them"
            }
        }
    }
}
