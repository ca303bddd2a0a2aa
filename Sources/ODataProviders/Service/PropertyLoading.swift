import ODataClasses
import ODataModel
import ODataQuery

/// Reads one property of an entity into the entity.
struct PropertyLoading {
    let property: Property
    let entity: EntityValue

    /// The query for the property, shaped as `query` says.
    func query(_ query: DataQuery?) -> DataQuery {
        let wanted = query?.copy() ?? DataQuery()
        let isCollection = property.definition.type.isCollection
        wanted.target.model = entity.entityType.model
        if property.definition.type.structure != nil {
            wanted.entityType = property.target(in: entity)
        }
        wanted.expectSingle = !isCollection
        if entity.entitySet !== EntitySet.undefined, entity.entitySet.isSingleton || entity.hasKey()
        {
            wanted.entitySet = nil
            wanted.bind(entity)
            wanted.propertyPath = property
        } else if let link = entity.readLink {
            let options = (try? wanted.optionsText()) ?? ""
            wanted.url = "\(link)/\(property.name)" + (options.isEmpty ? "" : "?\(options)")
        }
        return wanted
    }

    /// Sets the property to what was read; properties that the app did not change stay unchanged for updates.
    func take(_ result: QueryResult) throws {
        let wasClean = entity.changedSlots.isEmpty
        if property.isNavigation {
            let value: DataValue? =
                property.definition.type.isCollection
                ? try result.entityList() : try result.optionalEntity()
            own(value)
            entity.setDataValue(for: property, to: value)
        } else {
            entity.setDataValue(for: property, to: try result.checkedResult())
            if wasClean, !entity.isNew { entity.rememberOld() }
        }
    }

    /// Contained entities are addressed by way of the entity that contains them.
    private func own(_ value: DataValue?) {
        guard property.definition.navigation?.containsTarget == true else { return }
        let children =
            (value as? EntityValueList)?.toArray() ?? (value as? EntityValue).map { [$0] } ?? []
        for child in children {
            child.parentEntity = entity
            child.parentProperty = property
        }
    }
}

extension Property {
    /// The type of entities that the property leads to, in the document of `entity`: an app's property may be of another one, in
    /// which types have other numbers.
    final func target(in entity: EntityValue) -> EntityType? {
        guard let id = definition.type.structure else { return nil }
        let (type, model) = (ownerType.model[id], entity.entityType.model)
        if type.model === model { return type as? EntityType }
        return model.graph.structure(named: type.qualifiedName).flatMap { model[$0] as? EntityType }
    }
}

extension DataQuery {
    /// The options of the query as they stand behind `?`.
    fileprivate final func optionsText() throws -> String {
        try URLWriter.optionsText(query, graph: model?.graph, dialect: dialect)
    }
}
