import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataText

/// Values of the entities of the store's own sets; nil where one was not selected.
extension EntityValue {
    private func builtIn(_ name: String) -> DataValue? {
        entityType.property(named: name).flatMap { optionalValue(for: $0) }
    }

    func builtInText(_ name: String) -> String? { (builtIn(name) as? StringValue)?.value }

    func builtInNumber(_ name: String) -> Int64? {
        guard case .integer(let value)? = builtIn(name)?.odataValue().scalar else { return nil }
        return value
    }

    func builtInTime(_ name: String) -> GlobalDateTime? { builtIn(name) as? GlobalDateTime }

    func builtInEntity(_ name: String) -> EntityValue? { builtIn(name) as? EntityValue }

    func builtInEntities<Item: EntityValue>(_ name: String, as type: Item.Type) -> [Item] {
        ((builtIn(name) as? EntityValueList)?.toArray() ?? []).compactMap { $0 as? Item }
    }
}

extension BlockingDataService {
    /// The entities of one of the store's own sets.
    ///
    /// - Throws: `DataServiceError` over a provider that has no such set.
    final func fetchBuiltIn<Item: EntityValue>(
        _ set: BuiltInModel.Set, _ query: DataQuery, _ headers: HTTPHeaders?,
        _ options: RequestOptions?, as type: Item.Type
    ) throws -> [Item] {
        // It may have been unloaded.
        if !hasMetadata { try loadMetadata() }
        guard let entitySet = metadata.entitySet(named: set.rawValue) else {
            throw ErrorBase.from(
                any: ODataError(
                    .unknownName,
                    "Expected an offline store, found a provider without \(set.rawValue).",
                    at: .path(set.rawValue)))
        }
        let wanted = query.copy()
        wanted.fromDefault(entitySet)
        return try executeQuery(
            wanted, headers: headers ?? HTTPHeaders.empty, options: options ?? RequestOptions.none
        ).entityList().compactMap { $0 as? Item }
    }
}
