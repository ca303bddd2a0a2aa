import ODataModel

extension StructureBase {
    /// The value of a property, or of what a path leads to; nil for null. Reading a property that was never set is a
    /// programming error and traps; see ``optionalValue(for:)``.
    public final func dataValue(for path: PropertyPath) -> DataValue? {
        switch read(path) {
        case .set(let value): return value
        case .unset:
            preconditionFailure("Expected \(path.toString()) to be set, found it was not.")
        }
    }

    /// The value of a property, or of what a path leads to; nil for null and for properties that were never set.
    public final func optionalValue(for path: PropertyPath) -> DataValue? {
        if case .set(let value) = read(path) { value } else { nil }
    }

    // As above without asking whether the path is a property.
    final func dataValue(for property: Property) -> DataValue? {
        switch read(property) {
        case .set(let value): return value
        case .unset:
            preconditionFailure("Expected \(property.toString()) to be set, found it was not.")
        }
    }

    final func optionalValue(for property: Property) -> DataValue? {
        if case .set(let value) = read(property) { value } else { nil }
    }

    final func requiredValue(for property: Property) -> DataValue {
        guard let value = dataValue(for: property) else {
            preconditionFailure("Expected \(property.toString()) to have a value, found null.")
        }
        return value
    }

    /// The value of a property. Null and a property that was never set are programming errors and trap.
    public final func requiredValue(for path: PropertyPath) -> DataValue {
        guard let value = dataValue(for: path) else {
            preconditionFailure("Expected \(path.toString()) to have a value, found null.")
        }
        return value
    }

    /// Sets a property. A value of a class that the property cannot have is a programming error and traps. A property that
    /// the service has removed since the app was built keeps no value.
    public final func setDataValue(for property: Property, to value: DataValue?) {
        if property.isMediaStream {
            mediaEntity(property).mediaStream = (value as? StreamLink) ?? StreamLink()
            return
        }
        guard let slot = knownSlot(of: property) else { return }
        if property.definition.type.primitive == .stream {
            details.streamLinks[slot] = value as? StreamLink
            return
        }
        guard let value else {
            children[slot] = nil
            mutate { $0.setSlot(slot, .null) }
            return
        }
        guard let kept = stored(value, in: ours(property, slot)) else {
            preconditionFailure(
                "Expected a value of \(property.dataType.name) for \(property.qualifiedName), found "
                    + "\(type(of: value)).")
        }
        if value is ListBase || value is StructureBase {
            children[slot] = value
        } else {
            children[slot] = nil
        }
        mutate { $0.setSlot(slot, kept) }
    }

    /// Sets a property; nil unsets a property that may not be null.
    public final func setOptionalValue(for property: Property, to value: DataValue?) {
        if value == nil,
            !property.definition.type.isNullable || property.definition.type.isCollection
        {
            unsetDataValue(for: property)
        } else {
            setDataValue(for: property, to: value)
        }
    }

    /// Sets a property to a value.
    public final func setRequiredValue(for property: Property, to value: DataValue) {
        setDataValue(for: property, to: value)
    }

    /// True when the property is set, an explicit null included.
    public final func hasDataValue(for property: Property) -> Bool {
        property.isMediaStream || knownSlot(of: property).map { isSet($0) } ?? false
    }

    /// Makes the property one that was never set.
    public final func unsetDataValue(for property: Property) {
        guard !property.isMediaStream else { return setDataValue(for: property, to: nil) }
        guard let slot = knownSlot(of: property) else { return }
        children[slot] = nil
        detailsIfAny?.streamLinks[slot] = nil
        guard storage.isSet(slot: slot) else { return }
        mutate { $0.setSlot(slot, nil) }
    }

    /// True when the slot is set, an explicit null included.
    package final func isSet(_ slot: Int) -> Bool {
        if let child = children[slot] { return isAssigned(slot, child) }
        return storage.isSet(slot: slot)
    }

    /// The object of a structured property or list that was read or assigned; nil where nobody has looked, so that nothing can
    /// have been changed.
    package final func lookedAt(_ property: Property) -> DataValue? {
        guard let slot = knownSlot(of: property) else { return nil }
        return isSet(slot) ? children[slot] : nil
    }

    /// What a slot holds, attached structures and lists included; nil when it was never set.
    package final func odataValue(_ slot: Int) -> ODataValue? {
        guard let child = children[slot] else { return storage.value(slot: slot) }
        return isAssigned(slot, child) ? child.odataValue() : nil
    }

    /// The slot of a property of this type, or of a document that was refreshed meanwhile. A property of another type
    /// is a programming error and traps.
    final func slot(of property: Property) -> Int {
        guard let slot = knownSlot(of: property) else {
            preconditionFailure(
                "Expected a property that \(typeObject.qualifiedName) still has, found "
                    + "\(property.qualifiedName).")
        }
        return slot
    }

    /// The property as the document of this value has it: in another one types have other numbers.
    @inline(__always)
    private final func ours(_ property: Property, _ slot: Int) -> Property {
        property.owner === typeObject || property.owner.model === typeObject.model
            ? property : typeObject.properties[slot]
    }

    /// As ``slot(of:)``; nil for a property that another version of the document has, and this one does not.
    final func knownSlot(of property: Property) -> Int? {
        if property.owner === typeObject { return property.slot }
        let properties = typeObject.properties
        if property.slot < properties.count, properties[property.slot] === property {
            return property.slot
        }
        if let slot = typeObject.definition.slot(named: property.name) { return slot }
        guard property.owner.model.root !== typeObject.model.root,
            typeObject.isA(property.owner)
        else {
            preconditionFailure(
                "Expected a property of \(typeObject.qualifiedName), found \(property.qualifiedName)."
            )
        }
        return nil
    }

    /// Whether ``setDataValue(for:to:)`` takes the value.
    final func accepts(_ value: DataValue, for property: Property) -> Bool {
        if property.definition.type.primitive == .stream { return value is StreamLink }
        return stored(value, in: typeObject.property(named: property.name) ?? property) != nil
    }

    /// What the storage keeps for a value of this class; nil when the property cannot have it. Structures and lists
    /// are attached, so a placeholder is enough.
    private func stored(_ value: DataValue, in property: Property) -> ODataValue? {
        let type = property.definition.type
        if type.isCollection { return value is ListBase ? .list([]) : nil }
        switch type.kind {
        case .structure(let id):
            guard let structure = value as? StructureBase,
                structure.typeObject.model.root !== typeObject.model.root
                    || structure.typeObject.isA(property.owner.model[id])
            else { return nil }
            return .null
        case .enumeration:
            guard case .integer(let number)? = value.scalarValue() else { return nil }
            return .scalar(.integer(number))
        case .primitive(let primitive):
            return value.scalar(as: primitive).map { .scalar($0) }
        }
    }
}

extension StructureBase {
    enum Reading {
        case unset
        case set(DataValue?)
    }

    /// Follows a path through properties, casts and positions; a null on the way gives null.
    final func read(_ path: PropertyPath) -> Reading {
        if let property = path as? Property { return read(property) }
        var current: Reading = .set(self)
        for segment in path.toPath().segments {
            guard case .set(let value?) = current else { return current }
            switch segment {
            case .property(let property):
                guard let structure = value as? StructureBase else { return .unset }
                current = structure.read(property)
            case .dynamic(let name):
                guard let structure = value as? StructureBase else { return .unset }
                current = structure.dynamicProperties.get(name).map { .set($0) } ?? .unset
            case .index(let index):
                let items = (value as? ListBase)?.dataValues() ?? []
                let position = index < 0 ? items.count + index : index
                current = items.indices.contains(position) ? .set(items[position]) : .unset
            case .key(let key):
                let found = (value as? ListBase)?.dataValues().first {
                    ($0 as? StructureBase)?.has(key) ?? false
                }
                current = found.map { .set($0) } ?? .unset
            case .cast(let type):
                let fits = (value as? StructureBase)?.hasDataType(type) ?? false
                current = fits ? current : .set(nil)
            case .lambda: break
            }
        }
        return current
    }

    /// True when every value of the key is that of the property it names.
    private func has(_ key: EntityKey) -> Bool {
        key.map.entries().allSatisfy { entry in
            guard let property = typeObject.property(named: entry.key) else { return false }
            return optionalValue(for: property) == entry.value
        }
    }

    fileprivate func read(_ property: Property) -> Reading {
        if property.isMediaStream { return .set(mediaEntity(property).mediaStream) }
        guard let slot = knownSlot(of: property) else { return .set(nil) }
        if !children.isEmpty, let child = children[slot] { return .set(child) }
        let property = ours(property, slot)
        let type = property.definition.type
        if type.primitive == .stream { return .set(streamLink(for: property)) }
        if property.leadsToEntities, let rows = relatedRows(slot) {
            let object = related(rows, isCollection: type.isCollection)
            children[slot] = object
            return .set(object)
        }
        if row.isRow, case .value(let scalar) = row.scalar(slot) {
            return .set(DataValue.of(scalar, type, in: typeObject.model))
        }
        guard let value = slotValue(slot) else {
            return readsDefaults ? .set(defaultValue(of: property, slot)) : .unset
        }
        let object = DataValue.of(value, type, in: typeObject.model)
        if case .scalar = value { return .set(object) }
        if object is ListBase || object is StructureBase { children[slot] = object }
        if property.isNavigation { Self.settle(object) }
        return .set(object)
    }

    @inline(__always)
    private final func slotValue(_ slot: Int) -> ODataValue? {
        row.isRow ? row.value(slot) : storage.value(slot: slot)
    }

    @inline(__always)
    private final func relatedRows(_ slot: Int) -> RelatedRows? {
        row.isRow ? row.related(slot) : nil
    }

    /// What entities that were read with this one change is told from what was read.
    private static func settle(_ object: DataValue?) {
        if let entity = object as? EntityValue, !entity.isNew { entity.rememberOld() }
        for entity in object as? EntityValueList ?? [] where !entity.isNew { entity.rememberOld() }
    }

    /// The objects of expanded rows, which stay undecoded.
    private func related(_ rows: RelatedRows, isCollection: Bool) -> DataValue? {
        guard isCollection else {
            guard let row = rows.rows.first,
                let type = typeObject.model[rows.chunk.type(row: row)] as? EntityType
            else { return nil }
            return EntityValue.make(.chunk(rows.chunk, row: row), type: type)
        }
        let list = EntityValueList.rows(rows.chunk, rows.rows, in: typeObject.model, set: nil)
        list.totalCount = rows.count
        return list
    }

    /// What an unset property reads as: the model's default, null where allowed, otherwise false, zero or empty.
    private func defaultValue(of property: Property, _ slot: Int) -> DataValue? {
        let type = property.definition.type
        if type.isCollection {
            let list = DataValue.of(.list([]), type, in: typeObject.model)
            children[slot] = list
            return list
        }
        if let scalar = property.definition.defaultScalar(in: typeObject.model.graph) {
            return DataValue.of(.scalar(scalar), type, in: typeObject.model)
        }
        guard !type.isNullable else { return nil }
        switch type.kind {
        case .enumeration(let id): return EnumValue(typeObject.model[id], 0)
        case .structure(let id):
            guard !property.isNavigation, let complex = typeObject.model[id] as? ComplexType
            else { return nil }
            let value = ComplexValue.ofType(complex)
            children[slot] = value
            return value
        case .primitive(let primitive):
            return Scalar.zero(of: primitive).flatMap {
                DataValue.of(.scalar($0), type, in: typeObject.model)
            }
        }
    }
}

extension PropertyDefinition {
    /// The default that the model gives; nil when there is none or it does not fit the type.
    package func defaultScalar(in graph: MetadataGraph) -> Scalar? {
        guard let text = defaultValue, !type.isCollection else { return nil }
        switch type.kind {
        case .primitive(let primitive): return Lexical.scalar(text, as: primitive)
        case .enumeration(let id): return graph[id].value(of: text).map { .integer($0) }
        case .structure: return nil
        }
    }
}

extension Scalar {
    /// False, zero or empty; nil for types that have no such value, as dates.
    package static func zero(of type: PrimitiveType) -> Scalar? {
        switch type {
        case .boolean: .boolean(false)
        case .byte, .sbyte, .int16, .int32, .int64: .integer(0)
        case .single, .double: .double(0)
        case .decimal: .decimal(.zero)
        case .string: .string("")
        case .binary: .binary([])
        case .duration: .duration(.zero)
        case .timeOfDay, .time: .timeOfDay(.midnight)
        default: nil
        }
    }
}
