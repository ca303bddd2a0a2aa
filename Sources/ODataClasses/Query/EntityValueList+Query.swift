import ODataModel
import ODataQuery

/// Queries over entities in memory, with the meaning they have for a service.
extension EntityValueList {
    /// The entities that meet the query's condition, in the order it asks for, `skip` and `top` left aside.
    ///
    /// - Throws: `DataQueryError` for a query that cannot be answered in memory.
    public final func filterAndSort(_ query: DataQuery) throws -> EntityValueList {
        var wanted = try query.listQuery()
        wanted.skip = nil
        wanted.top = nil
        return try kept(wanted)
    }

    /// The entities that meet the query's condition, in their present order.
    ///
    /// - Throws: `DataQueryError` for a query that cannot be answered in memory.
    public final func filterWithQuery(_ query: DataQuery) throws -> EntityValueList {
        var wanted = Query(path: ResourcePath())
        wanted.filter = try query.listQuery().filter
        return try kept(wanted)
    }

    /// The entities in the order that the query asks for.
    ///
    /// - Throws: `DataQueryError` for a query that cannot be answered in memory.
    public final func sortWithQuery(_ query: DataQuery) throws -> EntityValueList {
        var wanted = Query(path: ResourcePath())
        wanted.orderBy = try query.listQuery().orderBy
        return try kept(wanted)
    }

    /// The entities that `skip` and `top` of the query leave.
    public final func skipAndTop(_ query: DataQuery) -> EntityValueList {
        let rest = items.dropFirst(query.skipCount ?? 0)
        return copied(Array(rest.prefix(query.topCount ?? Int.max)))
    }

    /// The entities of the query's page of this size, and where the next page begins; all when `size` is 0.
    public final func applyPageSize(_ size: Int) -> EntityValueList {
        guard size > 0, length > size else { return copied(toArray()) }
        let page = copied(Array(items.prefix(size)))
        page.nextLink = page.nextLink ?? "$skiptoken=\(size)"
        return page
    }

    private func kept(_ query: Query) throws -> EntityValueList {
        guard let model = items.first?.entityType.model else { return copied([]) }
        let list = ListEvaluator(ExpressionEvaluator(graph: model.graph))
        let positions = try ErrorBase.translating {
            try list.positions(query, of: items.map(\.structureValue))
        }
        return copied(positions.map { items[$0] })
    }

    private func copied(_ entities: [EntityValue]) -> EntityValueList {
        let list = copy()
        list.items = entities
        return list
    }
}

extension DataQuery {
    /// The condition and order with typed literals where the document is known.
    fileprivate func listQuery() throws -> Query {
        try ErrorBase.translating { try checkedQuery() }
    }
}
