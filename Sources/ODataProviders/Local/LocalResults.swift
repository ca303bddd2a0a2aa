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
struct LocalResults {
    let reads: LocalReads
    let document: CSDLDocument

    init(store: LocalStore, document: CSDLDocument) {
        reads = LocalReads(store: store)
        self.document = document
    }

    /// - Parameter token: Stops the query.
    func execute(
        _ query: DataQuery, _ headers: HTTPHeaders, _ token: CancelToken? = nil
    ) throws -> QueryResult {
        if let method = query.methodCall?.method {
            throw ODataError(
                .notImplemented,
                "Expected \(method.name) to be invoked through `online`, the companion of the offline service, or by "
                    + "`executeMethod`: a store runs no actions and functions.",
                at: .path(method.name), status: 501)
        }
        let onCancel = try token.map { try Self.cancellation($0) }
        if let (set, key) = query.keyRead, set.model.root === document.model.root {
            let page = try reads.entity(
                of: set.localName, key: key, onCancel: onCancel, query: { query.query },
                check: { try query.checked($0) })
            return QueryResult(query: query, result: entity(of: page, in: set), status: 200)
        }
        let answer = try reads.answer(
            query.isTyped ? query.query : query.checkedQuery(), url: query.url,
            headers: headers.fields, onCancel: onCancel, in: document.graph,
            check: query.isTyped ? { try query.checked($0) } : nil)
        return QueryResult(query: query, result: try value(of: answer), status: 200)
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

    private func value(of answer: LocalReads.Answer) throws -> DataValue? {
        switch answer {
        case .page(let page, let relatives, let rest):
            guard let rest else { return try value(of: page, relatives) }
            let found = entities(of: page, relatives)
            let cut = found.copy()
            cut.items = Array(found.toArray().prefix(rest.kept))
            cut.totalCount = found.totalCount
            cut.nextLink = rest.nextLink
            return cut
        case .related(let rows, let source, let navigation):
            guard let set = document.entitySet(named: source.table),
                let property = set.entityType.property(named: navigation)
            else { return nil }
            let entities = try related(
                rows, property,
                LocalCall(store: reads.store, document: document, rules: LocalRules()))
            return property.isCollection ? EntityValueList.fromArray(entities) : entities.first
        }
    }

    private func value(
        of page: ODataSQLite.ResultPage, _ relatives: [RelativesOption]
    ) throws -> DataValue? {
        switch page.result {
        case .entities, .references(isCollection: true): return entities(of: page, relatives)
        case .entity, .references:
            guard relatives.isEmpty else { return entities(of: page, relatives).toArray().first }
            return entity(of: page, in: entitySet(of: page))
        case .count: return LongValue.of(page.count ?? 0)
        case .property(_, let type, _):
            guard let value = page.propertyValue else {
                throw ODataError(.notFound, "Expected an entity, found none.", status: 404)
            }
            return DataValue.of(value, type, in: document.model)
        case .media:
            guard let entity = entities(of: page, relatives).toArray().first else {
                throw ODataError(.notFound, "Expected an entity, found none.", status: 404)
            }
            return try LocalCall(store: reads.store, document: document, rules: LocalRules())
                .download(entity, nil)
        }
    }

    // MARK: Rows

    private func entity(of page: ODataSQLite.ResultPage, in set: EntitySet?) -> EntityValue? {
        guard let chunk = page.chunks.first, chunk.count > 0,
            let type = document.model[chunk.type(row: 0)] as? EntityType
        else { return nil }
        let entity = EntityValue.make(.chunk(chunk, row: 0), type: type, in: set)
        let state = chunk.state(row: 0)
        if !state.isDisjoint(with: Self.noted) { entity.setFlags(RowFlags(state)) }
        return entity
    }

    private func entities(
        of page: ODataSQLite.ResultPage, _ relatives: [RelativesOption]
    ) -> EntityValueList {
        let set = entitySet(of: page)
        let type = document[page.structure] as? EntityType
        let list: EntityValueList
        if page.isDerived {
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
        for option in relatives { noteRelatives(option, page, list) }
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
        document.entitySet(named: page.tablePath)
    }

    // MARK: One entity

    /// Fills an entity with the row's state and what the query expands.
    func load(_ entity: EntityValue, query: DataQuery?, _ call: LocalCall) throws {
        let row = try call.writes.row(of: call.name(of: entity))
        try call.refresh(entity, row, try call.writes.state(of: row))
        for item in query?.options.expand ?? [] {
            guard let name = item.path.propertyNames?.first,
                let property = entity.entityType.property(named: name)
            else {
                throw ODataError(
                    .unknownName, "Expected a navigation property to expand, found none.",
                    at: .path(row.table))
            }
            guard
                let found = try known({
                    try reads.related(row, name, item.options, in: document.graph)
                })
            else {
                entity.unsetDataValue(for: property)
                continue
            }
            let entities = try related(found, property, call)
            if property.isCollection {
                property.setEntityList(in: entity, to: EntityValueList.fromArray(entities))
            } else {
                property.setOptionalEntity(in: entity, to: entities.first)
            }
        }
    }

    /// What was read; nil where no download has brought it, which is no reason to refuse the rest.
    private func known<Found>(_ read: () throws -> Found) throws -> Found? {
        do {
            return try read()
        } catch let error as ODataError where error.code == .notLoaded {
            return nil
        }
    }

    private func related(
        _ rows: [LocalReads.Related], _ property: Property, _ call: LocalCall
    ) throws -> [EntityValue] {
        try rows.map { row, state in
            let related = EntityValue.make(
                .value(StructureValue(type: StructureID(0), slots: [])),
                type: property.isCollection ? property.itemEntityType : property.entityType)
            try call.refresh(related, row, state)
            return related
        }
    }
}
