import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Answers queries from the store as objects of the API.
struct LocalReads {
    let store: LocalStore
    let document: CSDLDocument

    /// - Parameter token: Stops the query.
    func execute(
        _ query: DataQuery, _ headers: HTTPHeaders, _ token: CancelToken? = nil
    ) throws -> QueryResult {
        let onCancel = try token.map { try Self.cancellation($0) }
        if let (set, key) = query.keyRead, set.model.root === document.model.root {
            let page = try store.execute(
                entityOf: set.localName, key: key, onCancel: onCancel, query: { query.query },
                check: { try query.checked($0) })
            return QueryResult(query: query, result: entity(of: page, in: set), status: 200)
        }
        if let result = try relatedToNew(query) {
            return QueryResult(query: query, result: result, status: 200)
        }
        let whole = query.isTyped ? query.query : try query.checkedQuery()
        if whole.pageSize != nil || whole.skipToken != nil || headers.size > 0,
            let paging = try LocalPaging(
                query.isTyped ? try query.checked(whole) : whole, headers.fields,
                graph: document.graph)
        {
            if let page = try page(paging, onCancel) {
                return QueryResult(query: query, result: page, status: 200)
            }
            guard whole.skipToken == nil else {
                throw ODataError(
                    .invalidQuery, "Expected a token for a collection of entities only.",
                    status: 400)
            }
        }
        let page =
            query.isTyped
            ? try store.execute(whole, onCancel: onCancel) { try query.checked($0) }
            : try store.execute(whole, onCancel: onCancel)
        return QueryResult(query: query, result: try result(of: page, whole), status: 200)
    }

    private static func cancellation(_ token: CancelToken) throws -> QueryCancellation {
        guard !token.isCancelled else {
            throw ODataError(.cancelled, "The request was cancelled.")
        }
        return { action in
            let number = token.onCancel(action)
            return { token.removeListener(number) }
        }
    }

    /// One page with the link to the rest; nil for a query that does not lead to a collection of entities.
    private func page(
        _ paging: LocalPaging, _ onCancel: QueryCancellation?
    ) throws -> EntityValueList? {
        guard
            let page = try store.page(paging.query, behind: paging.behind, onCancel: onCancel)
        else { return nil }
        let found = entities(of: page, paging.query)
        let count = found.length
        let kept = paging.kept(of: count)
        guard kept < count, let values = page.orderKeys(row: kept - 1) else { return found }
        let cut = found.copy()
        cut.items = Array(found.toArray().prefix(kept))
        cut.totalCount = found.totalCount
        cut.nextLink = paging.nextLink(behind: values)
        return cut
    }

    private func result(of page: ODataSQLite.ResultPage, _ query: Query) throws -> DataValue? {
        switch page.plan.result {
        case .entities, .references(isCollection: true): return entities(of: page, query)
        case .entity, .references:
            guard query.customOptions.isEmpty else {
                return entities(of: page, query).toArray().first
            }
            return entity(of: page, in: entitySet(of: page))
        case .count: return LongValue.of(page.count ?? 0)
        case .property(_, let type, _):
            guard let value = page.propertyValue else {
                throw ODataError(.notFound, "Expected an entity, found none.", status: 404)
            }
            return DataValue.of(value, type, in: document.model)
        case .media:
            guard let entity = entities(of: page, query).toArray().first else {
                throw ODataError(.notFound, "Expected an entity, found none.", status: 404)
            }
            return try LocalStreams(writes: EntityWrites(store: store, document: document))
                .download(entity, nil)
        }
    }

    private func entity(of page: ODataSQLite.ResultPage, in set: EntitySet?) -> EntityValue? {
        guard let chunk = page.chunks.first, chunk.count > 0,
            let type = document.model[chunk.type(row: 0)] as? EntityType
        else { return nil }
        let entity = EntityValue.make(.chunk(chunk, row: 0), type: type, in: set)
        let state = chunk.state(row: 0)
        if !state.isDisjoint(with: Self.noted) { entity.setFlags(RowFlags(state)) }
        return entity
    }

    private func entities(of page: ODataSQLite.ResultPage, _ query: Query) -> EntityValueList {
        let set = entitySet(of: page)
        let type = document[page.plan.structure] as? EntityType
        let list: EntityValueList
        if page.plan.isDerived {
            // No entities: what steps of $apply made has only what they gave it.
            let derived = type ?? EntityType.undefined
            list = EntityValueList.fromArray(
                page.values.map { EntityValue.make(.value($0), type: derived, in: set) })
        } else if page.chunks.count == 1 {
            list = EntityValueList.rows(
                page.chunks[0], 0..<page.chunks[0].count, in: document.model, set: set)
        } else {
            list = EntityValueList(capacity: page.rowCount)
            for chunk in page.chunks {
                list.append(
                    contentsOf: EntityValueList.rows(
                        chunk, 0..<chunk.count, in: document.model, set: set))
            }
        }
        if let type { list.withItemType(type) }
        list.totalCount = page.count
        noteStates(page, list)
        for option in RelativesOption.allCases where option.paths(in: query) != nil {
            noteRelatives(option, page, list)
        }
        return list
    }

    /// One row of a result as an entity.
    func entity(_ chunk: SQLiteRowChunk, _ row: Int) -> EntityValue {
        let type = (document[chunk.type(row: row)] as? EntityType) ?? EntityType.undefined
        let set = document.entitySet(named: chunk.layout.tablePath)
        let entity = EntityValue.make(.chunk(chunk, row: row), type: type, in: set)
        entity.setFlags(RowFlags(chunk.state(row: row)))
        return entity
    }

    /// Rows mostly have no local state; only those that have are looked at.
    private func noteStates(_ page: ODataSQLite.ResultPage, _ list: EntityValueList) {
        var start = 0
        for chunk in page.chunks {
            chunk.forEachState(in: Self.noted) { row, state in
                list[start + row].setFlags(RowFlags(state))
            }
            start += chunk.count
        }
    }

    private static let noted: EntityState = [
        .created, .updated, .linked, .pending, .error, .deleteError,
    ]

    /// What the query asked to know about related entities: an answer for every row.
    private func noteRelatives(
        _ option: RelativesOption, _ page: ODataSQLite.ResultPage, _ list: EntityValueList
    ) {
        var position = 0
        for chunk in page.chunks {
            for row in 0..<chunk.count {
                let state = chunk.state(row: row)
                switch option {
                case .localRelatives:
                    list[position].hasLocalRelatives = state.contains(.localRelatives)
                case .pendingRelatives:
                    list[position].hasRelativesWithPendingChanges =
                        state.contains(.pendingRelatives)
                }
                position += 1
            }
        }
    }

    private func entitySet(of page: ODataSQLite.ResultPage) -> EntitySet? {
        guard let mapping = try? store.mapping() else { return nil }
        return document.entitySet(named: mapping[page.plan.table].path)
    }

    // MARK: One entity

    /// Fills an entity with the row's state and what the query expands.
    func load(
        _ entity: EntityValue, _ row: RowReference, query: DataQuery?, _ writes: EntityWrites
    ) throws {
        try writes.refresh(entity, from: row)
        for item in query?.options.expand ?? [] {
            guard let name = item.path.propertyNames?.first,
                let property = entity.entityType.property(named: name)
            else {
                throw ODataError(
                    .unknownName, "Expected a navigation property to expand, found none.",
                    at: .path(row.table))
            }
            try loadProperty(property, of: entity, row, options: item.options, writes)
        }
    }

    /// Fills a navigation property with the related entities.
    func loadProperty(
        _ property: Property, of entity: EntityValue, _ row: RowReference,
        options: NestedOptions, _ writes: EntityWrites
    ) throws {
        let entities = try related(property, row, options, writes)
        if property.isCollection {
            property.setEntityList(in: entity, to: EntityValueList.fromArray(entities))
        } else {
            property.setOptionalEntity(in: entity, to: entities.first)
        }
    }

    private func related(
        _ property: Property, _ row: RowReference, _ options: NestedOptions,
        _ writes: EntityWrites
    ) throws -> [EntityValue] {
        var rows = try store.related(row, property.name)
        if !options.isEmpty { rows = try narrowed(rows, options) }
        return try rows.map { row in
            let related = EntityValue.make(
                .value(StructureValue(type: StructureID(0), slots: [])),
                type: property.isCollection ? property.itemEntityType : property.entityType)
            try writes.refresh(related, from: row)
            return related
        }
    }

    /// What a navigation property of an entity leads to that was created here and has no key yet: its URL is the local
    /// link with the property behind it. Nil for any other query.
    private func relatedToNew(_ query: DataQuery) throws -> DataValue? {
        guard let url = query.url else { return nil }
        let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
        guard let slash = parts[0].lastIndex(of: "/"),
            let row = try store.row(link: String(parts[0][..<slash])), row.id < 0,
            let set = document.entitySet(named: row.table),
            let property = set.entityType.property(
                named: String(parts[0][parts[0].index(after: slash)...])), property.isNavigation
        else { return nil }
        var options = NestedOptions()
        if parts.count > 1 {
            let parsed = try URLParser.parse(
                row.table + "?" + parts[1], graph: nil, dialect: Dialect.of(document.graph.version))
            options = NestedOptions(parsed)
        }
        let writes = EntityWrites(store: store, document: document)
        let entities = try related(property, row, options, writes)
        return property.isCollection ? EntityValueList.fromArray(entities) : entities.first
    }

    private func narrowed(
        _ rows: [RowReference], _ options: NestedOptions
    ) throws -> [RowReference] {
        let found = try rows.compactMap { row in
            try store.entity(row)?.values.map { (row, $0) }
        }
        var query = Query(path: ResourcePath())
        query.filter = options.filter
        query.orderBy = options.orderBy
        query.skip = options.skip
        query.top = options.top
        let evaluator = ListEvaluator(ExpressionEvaluator(graph: document.graph))
        return try evaluator.positions(query, of: found.map(\.1)).map { found[$0].0 }
    }
}
