import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Lets the downloads of whole sets bring the links that no referential constraint tells, and does without them where
/// the service refuses.
struct LinkDownload {
    /// The sources as they are without expansions, by key.
    private var plain: [String: DownloadSource] = [:]
    private let expansion: LinkExpansion

    /// Adds expansions to the default downloads among `sources`.
    init(
        _ sources: inout [DownloadSource], _ mapping: SchemaMapping,
        _ capabilities: ServiceCapabilities
    ) {
        let whole = sources.filter { $0.name == nil }
        expansion = LinkExpansion(
            mapping, capabilities: capabilities, sets: Set(whole.map(\.entitySet)))
        for index in sources.indices where sources[index].name == nil {
            let source = sources[index]
            guard let items = expansion.items[source.entitySet] else { continue }
            var query = Query(entitySet: source.entitySet)
            query.expand = items
            let dialect = Dialect.of(mapping.graph.version)
            guard let url = try? URLWriter.text(query, graph: mapping.graph, dialect: dialect)
            else { continue }
            plain[source.key] = source
            sources[index].url = url
        }
    }

    /// Reads without expansions what was refused with them.
    func complete(
        _ result: inout DownloadProgress, of phases: [DownloadPlanner.Phase],
        run: (DownloadPlanner.Phase) throws -> DownloadProgress
    ) throws {
        let refused = phases.flatMap(\.sources).filter { result.skipped[$0.key] != nil }
            .compactMap { plain[$0.key] }
        guard !refused.isEmpty else { return }
        let reasons = result.skipped
        result.add(try run(DownloadPlanner.Phase(number: .max, mode: .any, sources: refused)))
        for source in refused where result.skipped[source.key] == nil {
            for item in expansion.items[source.entitySet] ?? [] {
                let path = item.path.propertyNames?.joined(separator: "/") ?? ""
                result.unknownLinks["\(source.entitySet)/\(path)"] =
                    "the service refuses $expand: \(reasons[source.key] ?? "")"
            }
        }
    }

    /// Adds why links are unknown.
    ///
    /// - Parameter unknown: link tables without known links, and a navigation property of each.
    func report(to result: inout DownloadProgress, unknown: [(link: Int, name: String)]) {
        result.unknownLinks.merge(expansion.unknown) { first, _ in first }
        for (link, name) in unknown {
            guard let asked = expansion.names[link] else { continue }
            if result.unknownLinks[asked] == nil, result.unknownLinks[name] == nil {
                result.unknownLinks[asked] = "no download has brought them"
            }
        }
    }
}
