import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

/// What there is to download: whole sets, and the queries that the app has defined.
package struct DownloadQueries {
    let scope: SyncScope

    package init(_ scope: SyncScope) { self.scope = scope }

    /// Keeps a query that says which entities of its set to download; one that says what the query of this name says is
    /// that query.
    ///
    /// - Throws: `usage` for a query that names no set, `conflict` for a name that another query has.
    package func create(_ name: String, _ query: Query, streams: Bool) throws {
        let (set, url) = try place(of: query, name)
        guard try !isKnown(name, set, url, streams) else { return }
        _ = try scope.store.addDownloadQuery(name, table: set, url: url, streams: streams)
    }

    /// Keeps a query under a name that another has, unless it is the same; the rows of the old one stay until those of this
    /// one are complete.
    ///
    /// - Returns: whether it is another one.
    /// - Throws: `usage` for a query that names no set, `notFound` for a name that is free.
    package func replace(_ name: String, with query: Query, streams: Bool) throws -> Bool {
        let (set, url) = try place(of: query, name)
        guard try !isKnown(name, set, url, streams) else { return false }
        try scope.store.replaceDownloadQuery(name, table: set, url: url, streams: streams)
        return true
    }

    private func isKnown(
        _ name: String, _ set: String, _ url: String, _ streams: Bool
    ) throws -> Bool {
        guard let known = try scope.store.downloadQuery(name) else { return false }
        return known.entitySet == set && known.url == url && known.streams == streams
    }

    private func place(of query: Query, _ name: String) throws -> (set: String, url: String) {
        guard case .entitySet(let set)? = query.path.segments.first else {
            throw ODataError(
                .usage, "Expected a query that says which entity set it reads.", at: .path(name))
        }
        let graph = try scope.store.graph()
        return (set, try URLWriter.text(query, graph: graph, dialect: Dialect.of(graph.version)))
    }

    /// Removes a query and the rows that only it brought.
    ///
    /// - Throws: `notFound` for another name, `conflict` when such rows have unsent changes; nothing is removed then.
    package func delete(_ name: String) throws {
        let graph = try scope.store.graph()
        let sources = try sources(graph, ServiceCapabilities(graph))
        let selection = scope.choice.selection(of: graph.entitySets.map(\.name))
        try scope.store.deleteDownloadQuery(name, among: Self.wanted(sources, selection))
    }

    /// The default download of each set that can be read, and the download queries.
    func sources(
        _ graph: MetadataGraph, _ capabilities: ServiceCapabilities
    ) throws -> [DownloadSource] {
        let queries = try scope.store.downloadQueries()
        var sources: [DownloadSource] = []
        let unwanted = graph.clientOnlySets.union(scope.choice.unwantedSets)
        for set in graph.entitySets {
            if capabilities.unreadable[set.name] == nil, !unwanted.contains(set.name) {
                sources.append(
                    DownloadSource(
                        entitySet: set.name,
                        url: PercentCoding.encode(graph.address(of: set), for: .path), bit: 0))
            }
            sources += queries.filter { $0.entitySet == set.name }
        }
        return sources
    }

    /// The sources without the default downloads that the app has switched off.
    static func wanted(
        _ sources: [DownloadSource], _ selection: DownloadSelection
    ) -> [DownloadSource] {
        sources.filter {
            !$0.isDefault || !selection.setsWithoutDefaultDownload.contains($0.entitySet)
        }
    }
}
