import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

/// Answers queries about the built-in sets, with the meaning that they have for a service: filter, order, paging,
/// selection, count, key, property and expand.
struct BuiltInReads {
    let sync: CloudSyncProvider
    let document: CSDLDocument

    private var rows: BuiltInRows { BuiltInRows(sync: sync, graph: document.graph) }

    /// The built-in set that a query is about; nil when it is about the service's data.
    static func set(of query: DataQuery, _ checked: Query) -> BuiltInModel.Set? {
        guard case .entitySet(let name)? = checked.path.segments.first,
            let set = BuiltInModel.Set(rawValue: name)
        else { return nil }
        let type =
            query.entitySet?.entityType
            ?? query.model.flatMap { model in
                model.graph.entitySet(named: name).map { model[$0].entityType }
            }
        return type.map { $0.definition.namespace == BuiltInModel.namespace } ?? true ? set : nil
    }

    func execute(
        _ query: DataQuery, _ checked: Query, _ set: BuiltInModel.Set
    ) throws -> QueryResult {
        QueryResult(query: query, result: try result(checked, set), status: 200)
    }

    private func result(_ query: Query, _ set: BuiltInModel.Set) throws -> DataValue? {
        var segments = query.path.segments.dropFirst()
        var values = try rows.values(of: set)
        var isSingle = false
        if case .key(let key)? = segments.first {
            segments = segments.dropFirst()
            values = try values.filter { try matches($0, key) }
            isSingle = true
            guard !values.isEmpty else {
                throw ODataError(
                    .notFound, "Expected an entity with this key, found none.",
                    at: .path(set.rawValue), status: 404)
            }
        }
        switch (segments.first, isSingle) {
        case (nil, true): return try entities(values, query, set).toArray().first
        case (nil, false): return try list(values, query, set)
        case (.count?, false):
            return LongValue.of(Int64(try page(values, query, withPaging: false).count))
        case (.property(let name)?, true) where segments.count == 1:
            return try property(name, of: values[0], query, set)
        default:
            throw ODataError(
                .notImplemented, "Expected a set, a key or a property of the built-in sets.",
                at: .path(set.rawValue), status: 501)
        }
    }

    // MARK: Lists

    private func list(
        _ values: [StructureValue], _ query: Query, _ set: BuiltInModel.Set
    ) throws -> EntityValueList {
        let list = try entities(try page(values, query, withPaging: true), query, set)
        if query.includesCount {
            list.totalCount = Int64(try page(values, query, withPaging: false).count)
        }
        return list
    }

    private func page(
        _ values: [StructureValue], _ query: Query, withPaging: Bool
    ) throws -> [StructureValue] {
        var query = query
        if !withPaging {
            query.skip = nil
            query.top = nil
        }
        return try ListEvaluator(ExpressionEvaluator(graph: document.graph))
            .apply(query, to: values)
    }

    private func entities(
        _ values: [StructureValue], _ query: Query, _ set: BuiltInModel.Set
    ) throws -> EntityValueList {
        let list = EntityValueList(capacity: values.count)
        for value in values { list.append(try entity(value, query, set)) }
        return list
    }

    private func entity(
        _ value: StructureValue, _ query: Query, _ set: BuiltInModel.Set
    ) throws -> EntityValue {
        let type = (document[value.type] as? EntityType) ?? EntityType.undefined
        var kept = value
        if !query.select.isEmpty, !query.selectsAll {
            let names = Set(query.select.compactMap { $0.path.propertyNames?.first })
                .union(type.definition.key.map(\.path))
            for (slot, property) in type.definition.properties.enumerated()
            where !names.contains(property.name) { kept.slots[slot] = nil }
        }
        let entity = EntityValue.make(
            .value(kept), type: type, in: document.entitySet(named: set.rawValue))
        for item in query.expand {
            guard let name = item.path.propertyNames?.first,
                let property = type.property(named: name), property.isNavigation
            else {
                throw ODataError(
                    .unknownName, "Expected a navigation property to expand, found another.",
                    at: .path(set.rawValue))
            }
            entity.setDataValue(for: property, to: try related(property, of: value, set))
        }
        entity.rememberOld()
        return entity
    }

    // MARK: Properties

    private func property(
        _ name: String, of value: StructureValue, _ query: Query, _ set: BuiltInModel.Set
    ) throws -> DataValue? {
        guard let property = document[value.type].property(named: name) else {
            throw ODataError(
                .unknownName, "Expected a property, found another name.",
                at: .path("\(set.rawValue)/\(name)"))
        }
        guard property.isNavigation else {
            return DataValue.of(
                value.slots[property.slot] ?? .null, property.definition.type, in: document.model)
        }
        return try related(property, of: value, set)
    }

    /// What a navigation property of a row leads to.
    private func related(
        _ property: Property, of value: StructureValue, _ set: BuiltInModel.Set
    ) throws -> DataValue? {
        guard case .integer(let id)? = value.slots.first??.scalar,
            let request = try rows.all().first(where: { $0.requestID == id })
        else { return nil }
        switch property.name {
        case "AffectedEntity": return try request.affectedEntity()
        case "CustomHeaders":
            let type = document.structureType(named: BuiltInModel.header) as? EntityType
            return EntityValueList.fromArray(
                rows.headers(of: request).map {
                    EntityValue.make(.value($0), type: type ?? EntityType.undefined)
                })
        default:
            let dependents = try rows.dependents(of: id)
            let values = try rows.values(of: .requestQueue).filter {
                guard case .integer(let id)? = $0.slots.first??.scalar else { return false }
                return dependents.contains(id)
            }
            return try entities(values, Query(entitySet: set.rawValue), .requestQueue)
        }
    }

    // MARK: Keys

    private func matches(_ value: StructureValue, _ key: [KeyValue]) throws -> Bool {
        guard key.count == 1, case .literal(let wanted, _) = key[0].value else {
            throw ODataError(
                .invalidQuery, "Expected one number as the key of a built-in entity.")
        }
        return value.slots.first??.scalar == wanted
    }
}
