import ODataModel

extension DataValue {
    /// The object for a value of this type; nil for null and for a value that no object of the type has.
    package static func of(
        _ value: ODataValue, _ type: TypeReference, in model: MetadataModel
    ) -> DataValue? {
        switch value {
        case .scalar(let scalar): return of(scalar, type, in: model)
        case .structure(let structure):
            return StructureBase.make(.value(structure), model[structure.type])
        case .list(let items): return list(items, type, in: model)
        }
    }

    static func of(
        _ scalar: Scalar, _ type: TypeReference, in model: MetadataModel
    ) -> DataValue? {
        switch type.kind {
        case .enumeration(let id):
            guard case .integer(let value) = scalar else { return nil }
            return EnumValue(model[id], value)
        case .primitive(let primitive):
            if type.isBigInteger, case .decimal(let number) = scalar,
                let whole = BigInteger(exactly: number)
            {
                return IntegerValue(whole)
            }
            return of(scalar, primitive)
        case .structure: return nil
        }
    }

    private static func list(
        _ items: [ODataValue], _ type: TypeReference, in model: MetadataModel
    ) -> DataValue {
        var itemType = type
        itemType.isCollection = false
        switch type.kind {
        case .structure(let id):
            let structures = items.compactMap { item -> StructureBase? in
                item.structure.map { StructureBase.make(.value($0), model[$0.type]) }
            }
            if model[id] is EntityType {
                let list = EntityValueList.fromArray(structures.compactMap { $0 as? EntityValue })
                list.itemTypeObject = model[id] as? EntityType
                return list
            }
            return ComplexValueList.fromArray(structures.compactMap { $0 as? ComplexValue })
        case .enumeration:
            return EnumValueList.fromArray(
                items.compactMap { of($0, itemType, in: model) as? EnumValue })
        case .primitive:
            let values = items.map { of($0, itemType, in: model) }
            let present = values.compactMap { $0 }
            return present.count == values.count
                ? DataValueList.fromArray(present) : DataValueListWithNulls.fromArray(values)
        }
    }

    /// The value as plans, writers and the store pass it; null for values that have no such form.
    package final func odataValue() -> ODataValue {
        if let scalar = scalarValue() { return .scalar(scalar) }
        if let structure = self as? StructureBase { return .structure(structure.structureValue) }
        if let list = self as? ListBase {
            return .list(list.dataValues().map { $0?.odataValue() ?? .null })
        }
        return .null
    }
}

extension StructureBase {
    /// The object for stored values: of the subclass that is registered for the type, where one is.
    package static func make(_ storage: StructureStorage, _ type: StructureType) -> StructureBase {
        if let entityType = type as? EntityType {
            return EntityValue.make(storage, type: entityType)
        }
        if let made = type.makeObject() as? ComplexValue {
            made.adopt(storage, type)
            made.readsDefaults = false
            return made
        }
        return ComplexValue(storage, type)
    }
}

extension StructureType {
    /// The factory registered for the type or the nearest of its base types; nil when there is none.
    final var nearestFactory: ObjectFactory? {
        var current: StructureType? = self
        while let type = current {
            if let factory = type.objectFactory { return factory }
            current = type.baseType as? StructureType
        }
        return nil
    }

    /// A new object of the registered subclass.
    final func makeObject() -> ObjectBase? { nearestFactory.map(makeObject) }

    final func makeObject(_ factory: ObjectFactory) -> ObjectBase {
        guard let sparse = factory.sparse else { return factory.create() }
        return sparse(SparseIndexMap(slots: Array(properties.indices)))
    }
}
