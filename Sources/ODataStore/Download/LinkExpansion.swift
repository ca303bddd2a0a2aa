import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan

/// Decides what a download of whole sets has to expand so that no link stays unknown (docs/design.md, decision 11): navigation
/// properties without a referential constraint, and contained entities, which have no set of their own.
package struct LinkExpansion {
    /// The items by entity set; sets that need none are absent.
    package private(set) var items: [String: [ExpandTerm]] = [:]
    /// Why links cannot be asked for, by table and navigation property as `Orders/Customer`.
    package private(set) var unknown: [String: String] = [:]
    /// The navigation property that brings the links, by link table.
    package private(set) var names: [Int: String] = [:]

    /// One side of a pair of navigation properties that share their links.
    private struct Side {
        var table: TableID
        var navigation: NavigationMapping
    }

    private let mapping: SchemaMapping
    private let capabilities: ServiceCapabilities
    private let sets: Set<String>
    /// The side that brings the links, by link table.
    private var chosen: [Int: Side] = [:]

    /// - Parameter sets: the entity sets that are read whole.
    package init(
        _ mapping: SchemaMapping, capabilities: ServiceCapabilities, sets: Set<String>
    ) {
        self.mapping = mapping
        self.capabilities = capabilities
        self.sets = sets
        for link in mapping.linkTables.indices { choose(link) }
        for table in mapping.tables where table.parent == nil && sets.contains(table.path) {
            let items = items(of: table, depth: 0)
            if !items.isEmpty { self.items[table.path] = items }
        }
    }

    /// Prefers the side that leads to one entity, because it needs no paging.
    private mutating func choose(_ link: Int) {
        var sides: [(Side, isReversed: Bool)] = []
        for table in mapping.tables {
            for navigation in table.navigations {
                guard case .linkTable(link, let isReversed) = navigation.storage else { continue }
                sides.append((Side(table: table.id, navigation: navigation), isReversed))
            }
        }
        sides = sides.filter { sets.contains(root(of: mapping[$0.0.table])) }
        guard let first = sides.first(where: { !$0.isReversed }) ?? sides.first else { return }
        let open = sides.filter { obstacle($0.0.navigation, of: mapping[$0.0.table]) == nil }
        let best = open.min { rank($0.0, $0.isReversed) < rank($1.0, $1.isReversed) }
        guard let best else {
            let table = mapping[first.0.table]
            names[link] = name(first.0.navigation, of: table)
            unknown[name(first.0.navigation, of: table)] = obstacle(first.0.navigation, of: table)
            return
        }
        chosen[link] = best.0
        names[link] = name(best.0.navigation, of: mapping[best.0.table])
    }

    private func rank(_ side: Side, _ isReversed: Bool) -> Int {
        (side.navigation.isCollection ? 2 : 0) + (isReversed ? 1 : 0)
    }

    private mutating func items(of table: TableMapping, depth: Int) -> [ExpandTerm] {
        var items: [ExpandTerm] = []
        for navigation in table.navigations {
            let target = mapping[navigation.target]
            if target.parent == table.id, target.id != table.id {
                if let reason = obstacle(navigation, of: table) {
                    unknown[name(navigation, of: table)] = reason
                    continue
                }
                var item = ExpandTerm(ExpressionPath(navigation.path))
                item.options.expand = self.items(of: target, depth: depth + 1)
                items.append(item)
            } else if case .linkTable(let link, _) = navigation.storage,
                let side = chosen[link], side.table == table.id, side.navigation == navigation
            {
                var item = ExpandTerm(ExpressionPath(navigation.path))
                // The entities themselves come with their own set. V2 cannot select from what it expands without naming
                // everything else.
                if target.parent == nil, sets.contains(target.path), mapping.graph.version >= .v4 {
                    item.options.select = target.keys.map { SelectTerm(ExpressionPath($0.path)) }
                }
                items.append(item)
            }
        }
        return items
    }

    /// Why the navigation property cannot be expanded from its set; nil when it can.
    private func obstacle(_ navigation: NavigationMapping, of table: TableMapping) -> String? {
        if navigation.slots.count > 1 { return "it belongs to a complex property" }
        if !mapping.graph.isA(table.structure, navigation.owner) {
            return "it belongs to a derived type"
        }
        let path = table.path.split(separator: "/").dropFirst().joined(separator: "/")
        if path.split(separator: "/").count >= Self.maximumDepth {
            return "it is nested too deeply"
        }
        return capabilities.obstacle(
            toExpanding: (path.isEmpty ? "" : path + "/") + navigation.path,
            of: root(of: table))
    }

    private func root(of table: TableMapping) -> String {
        String(table.path.prefix { $0 != "/" })
    }

    private func name(_ navigation: NavigationMapping, of table: TableMapping) -> String {
        table.path + "/" + navigation.path
    }

    private static let maximumDepth = 3
}
