import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Server-driven paging of expanded collections (Protocol 4.01, section 11.2.6.7; JSON Format 4.01, section 8.3): at
/// most ``size`` related entities stand below an entity, and a next link leads to the rest.
struct NestedPages {
    let exchange: Exchange
    let size: Int

    private typealias Level = (item: ExpandTerm, navigation: NavigationMapping, slot: Int)

    /// The items, asking for one related entity more than a page holds, which tells whether there is a rest.
    func widened(_ items: [ExpandTerm], from table: TableMapping) -> [ExpandTerm] {
        items.map { item in
            guard let level = level(item, table) else { return item }
            var item = item
            if item.options.top ?? .max > size { item.options.top = size + 1 }
            if !item.options.select.isEmpty, !item.options.selectsAll {
                item.options.select += missing(item.options, in: target(of: level))
            }
            item.options.expand = widened(item.options.expand, from: target(of: level))
            return item
        }
    }

    /// What a next link is made of and the client did not select: the key, and what orders.
    private func missing(_ options: NestedOptions, in table: TableMapping) -> [SelectTerm] {
        let given = Set(options.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
        let orders = options.orderBy.compactMap { item -> String? in
            guard case .path(let path) = item.expression, path.root == .it else { return nil }
            return path.propertyNames?.joined(separator: "/")
        }
        return (table.keys.map(\.path) + orders).filter { !given.contains($0) }
            .map { SelectTerm(ExpressionPath($0)) }
    }

    /// Cuts the expanded collections of `rows` to their first page and links the rest.
    ///
    /// - Parameter items: as the client asked.
    func cut(_ rows: inout [StructureValue], of table: TableMapping, _ items: [ExpandTerm]) throws {
        let levels = items.compactMap { level($0, table) }
        guard !levels.isEmpty else { return }
        for index in rows.indices {
            for level in levels { try cut(&rows[index], of: table, level) }
        }
    }

    private func cut(
        _ row: inout StructureValue, of table: TableMapping, _ level: Level
    ) throws {
        guard case .list(let items)? = row.slots[level.slot] else { return }
        var related = items.compactMap(\.structure)
        let limit = min(size, level.item.options.top ?? .max)
        if related.count > limit {
            related.removeLast(related.count - limit)
            if limit == size {
                row.control.nextLinks[level.navigation.path] = try nextLink(
                    behind: related, of: row, in: table, level)
            }
        }
        try cut(&related, of: target(of: level), level.item.options.expand)
        row.slots[level.slot] = .list(related.map { .structure($0) })
    }

    /// The rest of the collection as a query of its own, with the options of the item.
    private func nextLink(
        behind related: [StructureValue], of row: StructureValue, in table: TableMapping,
        _ level: Level
    ) throws -> String {
        let options = level.item.options
        var query = Query(entitySet: target(of: level).path)
        query.filter = options.filter
        query.orderBy = options.orderBy
        query.top = options.top
        query.skip = options.skip
        query.select = options.select
        query.selectsAll = options.selectsAll
        query.expand = options.expand
        let plan = CollectionPlan(
            target: RowTarget(table: target(of: level)), original: query, position: nil)
        let position = try plan.position(after: related, mark: nil, graph: exchange.graph)
        query.top = nil
        query.skip = nil
        let text = try URLWriter.optionsText(query, graph: exchange.graph, dialect: .v401)
        let id = try EntityID.text(
            of: row, in: table.entitySet, of: exchange.graph, dialect: exchange.dialect)
        let path = id + "/" + PercentCoding.encode(level.navigation.path, for: .path)
        return exchange.root + PageLink(text.isEmpty ? path : path + "?" + text).with(position)
    }

    private func target(of level: Level) -> TableMapping {
        exchange.model.mapping[level.navigation.target]
    }

    /// Nil for what is not paged: single entities, `*`, `$levels`, `/$ref` and `/$count`.
    private func level(_ item: ExpandTerm, _ table: TableMapping) -> Level? {
        guard item.kind == .entities, !item.isStar, item.options.levels == nil,
            let path = item.path.propertyNames?.joined(separator: "/"),
            let navigation = table.navigation(path: path), navigation.isCollection,
            navigation.slots.count == 1
        else { return nil }
        return (item, navigation, navigation.slots[0])
    }
}
