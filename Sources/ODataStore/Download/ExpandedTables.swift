import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan

/// The tables whose rows come through `$expand` only, and the expansions that lead to them.
///
/// No read of their own tells that such a row has gone, so a row goes when no expansion leads to it any more. A table that
/// is downloaded as a whole, now or at any time before, is none of them, and neither is one that is reached by columns which a
/// query leaves out; rows that a query of their own brings are spared.
package struct ExpandedTables: Sendable {
    /// An expansion of a download query, or of an expansion.
    struct Reference: Sendable, Hashable {
        var source: TableID
        /// The bit of rows that the query brings; 0 for all rows.
        var sourceBit: Int64
        var navigation: NavigationMapping
    }

    private(set) var references: [TableID: [Reference]] = [:]
    private var candidates: Set<TableID> = []

    package init() {}

    /// - Parameters:
    ///   - sources: every default download and download query there is.
    ///   - deleted: a query that is being deleted: what only it led to is to go.
    ///   - loaded: the entity sets that were ever downloaded whole.
    package init(
        _ sources: [DownloadSource], deleting deleted: DownloadSource? = nil, loaded: Set<String>,
        mapping: SchemaMapping
    ) throws {
        let whole = Set(sources.filter { $0.name == nil }.map(\.entitySet)).union(loaded)
        for table in mapping.tables
        where table.parent == nil && !whole.contains(table.path)
            && !mapping.graph.isClientOnly(table.entitySet)
        {
            candidates.insert(table.id)
        }
        guard !candidates.isEmpty else { return }
        for source in sources {
            guard source != deleted else { continue }
            try add(source, mapping)
        }
        guard let deleted else { return }
        var reached = ExpandedTables()
        reached.candidates = candidates
        try reached.add(deleted, mapping)
        for table in reached.references.keys where references[table] == nil {
            references[table] = []
        }
    }

    private mutating func add(_ source: DownloadSource, _ mapping: SchemaMapping) throws {
        guard source.url.contains("expand"), let table = mapping.table(path: source.entitySet)
        else { return }
        let query: Query
        do {
            query = try URLParser.parse(
                source.url, graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        } catch {
            // Nobody can tell any more which rows it leads to: all stay.
            candidates = []
            references = [:]
            return
        }
        let bit: Int64 = source.name == nil ? 0 : 1 << Int64(source.bit)
        add(query.expand, of: table, bit, Self.selection(query.select), mapping)
    }

    /// The paths that a query selects; nil for all.
    private static func selection(_ terms: [SelectTerm]) -> Set<String>? {
        let paths = terms.map { $0.path.propertyNames?.joined(separator: "/") }
        return paths.isEmpty || paths.contains(nil) ? nil : Set(paths.compactMap { $0 })
    }

    private mutating func add(
        _ items: [ExpandTerm], of table: TableMapping, _ bit: Int64, _ selection: Set<String>?,
        _ mapping: SchemaMapping
    ) {
        for item in items {
            guard let path = item.path.propertyNames?.joined(separator: "/"),
                let navigation = table.navigation(path: path)
            else { continue }
            let target = mapping[navigation.target]
            let below = Self.selection(item.options.select)
            if !Self.isBrought(navigation, from: table, selection, to: target, below) {
                candidates.remove(target.id)
                references[target.id] = nil
            }
            if candidates.contains(target.id) {
                references[target.id, default: []].append(
                    Reference(source: table.id, sourceBit: bit, navigation: navigation))
            }
            add(item.options.expand, of: target, 0, below, mapping)
        }
    }

    /// True when the rows that come tell which of them are related.
    private static func isBrought(
        _ navigation: NavigationMapping, from source: TableMapping, _ near: Set<String>?,
        to target: TableMapping, _ far: Set<String>?
    ) -> Bool {
        guard case .columns(let pairs) = navigation.storage else { return true }
        return pairs.allSatisfy {
            isBrought($0.source, of: source, near) && isBrought($0.target, of: target, far)
        }
    }

    private static func isBrought(
        _ column: String, of table: TableMapping, _ selection: Set<String>?
    ) -> Bool {
        guard let selection,
            let position = table.columns.firstIndex(where: { $0.storedColumns.contains(column) }),
            !table.keyColumns.contains(position)
        else { return true }
        let path = table.columns[position].path
        return selection.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// True for a table whose rows come through expansions only.
    package func contains(_ table: TableID) -> Bool { references[table] != nil }

    var isEmpty: Bool { references.isEmpty }
}
