import Foundation
import SAPOData

// Sections 5.9 to 5.13: complex and entity values.

enum StructureNames {
    static func structures(
        _ value: StructureBase, _ property: Property, _ new: DataValue
    ) throws {
        _ = (value.dataValue(for: property), value.optionalValue(for: property))
        _ = value.requiredValue(for: property)
        value.setDataValue(for: property, to: new)
        value.setOptionalValue(for: property, to: nil)
        value.setRequiredValue(for: property, to: new)
        value.unsetDataValue(for: property)
        _ = (value.hasDataValue(for: property), value.streamLink(for: property))
        _ = (value.nextLink(for: property), value.hasNextLink(for: property))
        _ = (value.dynamicProperties, value.hasDynamicProperties, value.dynamicValue("a"))
        value.setDynamicValue("a", new)
        value.setDefaultValues(
            nestedComplex: true, nestedEntity: false, defaultOptional: true, defaultRequired: true,
            skipConstraints: false)
        _ = (value.structureType, value.hasDataType(value.dataType), value.isProxy)
        _ = (value.annotations, value.dataPath, value.valuePath, value.copyStructure())
        let encoded = try JSONEncoder().encode(value)
        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = nil
        _ = try decoder.decode(EntityValue.self, from: encoded)
    }

    static func complex(_ type: ComplexType, _ object: AnyObject?) {
        let value = ComplexValue(withDefaults: true, type: type)
        _ = ComplexValue(withDefaults: true, type: type, withIndexMap: nil)
        _ = (ComplexValue.ofType(type), value.complexType, value.oldComplex, value.copyComplex())
        _ = (ComplexValue.equal(value, nil), ComplexValue.castOptional(object))
        _ = ComplexValue.castRequired(object)
    }

    static func making(_ type: EntityType, _ set: EntitySet) {
        _ = EntityValue(withDefaults: true, type: type)
        _ = EntityValue(withDefaults: true, type: type, withIndexMap: nil)
        _ = EntityValue(type: type)
        _ = EntityValue.ofType(type).inSet(set).withKey(EntityKey())
    }

    static func identity(_ entity: EntityValue, _ object: AnyObject?) {
        _ = (entity.entityType, entity.entitySet, entity.entityKey, entity.canonicalURL)
        _ = (entity.entityID, entity.readLink, entity.editLink, entity.entityTag)
        entity.readLink = "Customers(1)"
        entity.entitySet = EntitySet.undefined
        _ = (entity.mediaStream, entity.deltaTime, entity.hasKey(), entity.hasClientProvidedKey)
        _ = (entity.parentEntity, entity.parentProperty, entity.systemKey, entity.systemFlags)
        _ = (EntityValue.castOptional(object), EntityValue.castRequired(object))
        _ = (EntityValue.equal(entity, nil), EntityValue.equalKeys(entity, nil))
        let binding: any BindingPath = entity
        let either: any EntityValueOrList = entity
        _ = (binding, either, entity.toString())
    }

    static func states(_ entity: EntityValue) {
        _ = (entity.isNew, entity.isLocal, entity.isCreated, entity.isUpdated, entity.isDeleted)
        _ = (entity.hasPendingChanges, entity.hasLocalRelatives, entity.inErrorState)
        _ = (entity.hasRelativesWithPendingChanges, entity.isReference, entity.isBinding)
        _ = (entity.hasChangedBindings, entity.isResolved, entity.isResolving)
        entity.isNew = true
    }

    static func changes(_ entity: EntityValue, _ property: Property) {
        _ = (entity.oldEntity, entity.isNewOrChanged(property), entity.copyEntity())
        entity.rememberOld()
        entity.bindEntity(entity, to: property)
        entity.unbindEntity(nil, from: property)
        entity.withLock {}
    }

    static func lists(_ list: EntityValueList, _ query: DataQuery, _ type: EntityType) throws {
        _ = (list.entityType, list.changedLinks, list.deltaLink, list.nextLink, list.readLink)
        _ = (list.totalCount, list.isDelta, list.isReference, list.withType(type))
        _ = try list.filterAndSort(query)
        _ = try list.filterWithQuery(query)
        _ = try list.sortWithQuery(query)
        _ = list.skipAndTop(query)
        _ = (list.withItemType(type), list.withNulls(), EntityValueList.equal(list, nil))
    }

    static func keysAndLinks(_ property: Property, _ link: ChangedLink) {
        let key = EntityKey().with(name: "ID", value: nil).withProperty(property, value: nil)
        _ = (key.map, key.toString())
        _ = (link.source, link.sourceProperty, link.target, link.isCreated, link.isUpdated)
        _ = (link.isDeleted, link.deltaTime)
    }

    static func readers(_ entities: EntityStream, _ changes: DeltaStream) throws {
        _ = try entities.hasNext()
        _ = try entities.next()
        try entities.close()
        _ = try changes.next()
        _ = try (changes.hasEntity(), changes.hasLink(), changes.entity(), changes.link())
        try changes.close()
        _ = (changes.deltaLink, changes.nextLink, changes.readLink)
    }
}
