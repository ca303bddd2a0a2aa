import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan

/// What the expansions of one source lead to: the tables, and the ways there.
///
/// No read of their own tells that such a row has left the source: it has when no way leads to it any more. Where a query
/// leaves out the columns of a relation nobody can tell, and rows go with the source only.
package struct SourceExpansions: Sendable, Hashable {
    /// An expansion of the query, or of an expansion.
    struct Reference: Sendable, Hashable {
        var source: TableID
        /// The rows that lead on are the query's own.
        var isOwn: Bool
        var navigation: NavigationMapping
    }

    /// The ways to each table; contained entities belong to what contains them and have none.
    private(set) var references: [TableID: [Reference]] = [:]
    /// Tables of which not every way is told.
    private(set) var untold: Set<TableID> = []
    /// What it asks for cannot be read with this metadata.
    private(set) var isUnknown = false

    package init() {}

    package init(_ source: DownloadSource, _ mapping: SchemaMapping) {
        guard source.url.contains("expand"), let table = mapping.table(path: source.entitySet)
        else { return }
        let dialect = Dialect.of(mapping.graph.version)
        guard let query = try? URLParser.parse(source.url, graph: mapping.graph, dialect: dialect)
        else {
            isUnknown = true
            return
        }
        add(query.expand, of: table, isOwn: true, Self.selection(query.select), mapping)
    }

    /// The tables that it leads to.
    package var targets: Set<TableID> { Set(references.keys) }

    private mutating func add(
        _ items: [ExpandTerm], of table: TableMapping, isOwn: Bool, _ selection: Set<String>?,
        _ mapping: SchemaMapping
    ) {
        for item in items {
            guard let path = item.path.propertyNames?.joined(separator: "/"),
                let navigation = table.navigation(path: path)
            else { continue }
            let target = mapping[navigation.target]
            let below = Self.selection(item.options.select)
            if target.parent == nil, !mapping.graph.isClientOnly(target.entitySet) {
                references[target.id, default: []].append(
                    Reference(source: table.id, isOwn: isOwn, navigation: navigation))
                if !Self.tells(navigation, from: table, selection, to: target, below) {
                    untold.insert(target.id)
                }
            }
            add(
                item.options.expand, of: target, isOwn: isOwn && target.parent == table.id, below,
                mapping)
        }
    }

    /// The paths that a query selects; nil for all.
    private static func selection(_ terms: [SelectTerm]) -> Set<String>? {
        let paths = terms.map { $0.path.propertyNames?.joined(separator: "/") }
        return paths.isEmpty || paths.contains(nil) ? nil : Set(paths.compactMap { $0 })
    }

    /// True when the rows that come tell which of them are related.
    static func tells(
        _ navigation: NavigationMapping, from source: TableMapping, _ near: Set<String>?,
        to target: TableMapping, _ far: Set<String>?
    ) -> Bool {
        guard case .columns(let pairs) = navigation.storage else { return true }
        return pairs.allSatisfy {
            brings($0.source, of: source, near) && brings($0.target, of: target, far)
        }
    }

    private static func brings(
        _ column: String, of table: TableMapping, _ selection: Set<String>?
    ) -> Bool {
        guard let selection,
            let position = table.columns.firstIndex(where: { $0.storedColumns.contains(column) }),
            !table.keyColumns.contains(position)
        else { return true }
        let path = table.columns[position].path
        return selection.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
}
