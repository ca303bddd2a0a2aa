import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// How one page of a collection is read: the order made total by the key, and where the page begins.
struct CollectionPlan {
    let target: RowTarget
    let original: Query
    let position: PagePosition?

    /// The rows still wanted by `$top`, at most a page.
    func limit(pageSize: Int) -> Int {
        let remaining = position == nil ? original.top : position?.remaining
        return max(0, min(pageSize, remaining ?? pageSize))
    }

    /// Whether rows are wanted behind a page that is full: `$top` may end with it.
    func continues(behind limit: Int) -> Bool {
        (position == nil ? original.top : position?.remaining) ?? .max > limit
    }

    /// The order asked for, then the key properties that it does not name.
    var order: PageOrder { PageOrder(original.orderBy, table: target.table) }

    func query(limit: Int) -> Query {
        var query = target.query
        query.filter = conjunction([
            target.filter, original.filter, position?.values.map { order.after($0) },
        ])
        query.orderBy = order.items
        query.top = limit
        query.skip = position.map { $0.offset } ?? original.skip
        query.select = original.select
        query.selectsAll = original.selectsAll
        query.expand = original.expand
        query.aliases = original.aliases
        query.search = original.search
        if !query.select.isEmpty, !query.selectsAll {
            let given = Set(
                query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
            let needed = target.table.keys.map(\.path) + order.items.compactMap(PageOrder.property)
            for path in needed where !given.contains(path) {
                query.select.append(SelectTerm(ExpressionPath(path)))
            }
        }
        return query
    }

    /// What `$count` counts: the filter, without paging.
    var countQuery: Query {
        var query = target.query
        query.filter = conjunction([target.filter, original.filter])
        query.aliases = original.aliases
        query.search = original.search
        return query
    }

    /// All rows of a query with `$apply` or `$compute`: what the path says is met before the first step.
    var computedQuery: Query {
        var query = target.query
        if let filter = target.filter { query.apply = [.filter(filter)] }
        query.apply += original.apply
        query.compute = original.compute
        query.filter = original.filter
        query.orderBy = original.orderBy
        query.aliases = original.aliases
        query.search = original.search
        return query
    }

    private func conjunction(_ parts: [Expression?]) -> Expression? {
        parts.compactMap { $0 }.reduce(nil) { sum, next in
            sum.map { .binary(.and, $0, next) } ?? next
        }
    }

    /// Where the next page begins, after the last of `rows`.
    func position(after rows: [StructureValue], mark: String?, graph: MetadataGraph) throws
        -> PagePosition
    {
        position(after: rows.last, count: rows.count, mark: mark)
    }

    /// Where the next page begins, after `last` of so many rows.
    func position(after last: StructureValue?, count: Int, mark: String?) -> PagePosition {
        let wanted = position == nil ? original.top : position?.remaining
        var next = PagePosition(
            remaining: wanted.map { max(0, $0 - count) }, mark: mark)
        if let last, let values = order.values(of: last) {
            next.values = values.scalars
            next.types = values.types
        } else {
            next.offset = (position?.offset ?? original.skip ?? 0) + count
        }
        return next
    }

    /// The structural properties that the client asked for, and the key; nil for all.
    func keptSlots(of type: StructureID, graph: MetadataGraph) -> Set<Int>? {
        guard !original.select.isEmpty, !original.selectsAll else { return nil }
        var kept = Set(target.table.keys.compactMap(\.slots.first))
        for item in original.select {
            guard let name = item.path.propertyNames?.first else { continue }
            if let slot = graph[type].slot(named: name) { kept.insert(slot) }
        }
        return kept
    }

    /// Whether items of `$select` have options of their own.
    var hasSelectOptions: Bool { original.select.contains { $0.options != nil } }

    /// The row with only what the client asked for, the key and expanded entities.
    ///
    /// - Throws: 400 and 501 for options of `$select` that cannot be met.
    func trimmed(_ row: StructureValue, graph: MetadataGraph) throws -> StructureValue {
        guard let kept = keptSlots(of: row.type, graph: graph) else { return row }
        var row = row
        for slot in row.slots.indices where !kept.contains(slot) {
            if !graph[row.type].properties[slot].isNavigation { row.slots[slot] = nil }
        }
        guard hasSelectOptions else { return row }
        return try SelectedMembers(original, graph: graph).applied(to: row)
    }
}

extension Expression {
    /// True when the expression reads nothing but properties of the row itself, so that the row's own changes tell
    /// when its value may have changed.
    var readsOneRow: Bool {
        switch self {
        case .literal, .enumeration, .json: true
        case .path(let path): path.root == .it && path.propertyNames?.count == 1
        case .unary(_, let operand): operand.readsOneRow
        case .binary(_, let left, let right): left.readsOneRow && right.readsOneRow
        case .isIn(let value, let list):
            value.readsOneRow && list.allSatisfy(\.readsOneRow)
        case .call(let function, let arguments):
            function != .now && arguments.allSatisfy(\.readsOneRow)
        case .cast, .isOf, .lambda, .count, .aggregate, .alias, .custom: false
        }
    }
}
