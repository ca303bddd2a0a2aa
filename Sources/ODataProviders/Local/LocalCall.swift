import ODataClasses
import ODataModel
import ODataStore
import ODataSync
import ODataSyncPlan

/// One call of the local provider: makes what the engine reads of the app's entities, and finds them again by what it gives
/// back.
struct LocalCall {
    let document: CSDLDocument
    let writes: LocalWrites
    /// Entities that need no other to take them along.
    var planned: Set<ObjectIdentifier> = []
    /// The entities of a call with several.
    var objects: [ObjectIdentifier: EntityValue] = [:]

    init(store: LocalStore, document: CSDLDocument, rules: LocalRules) {
        self.document = document
        writes = LocalWrites(store: store, rules: rules)
    }

    // MARK: Names

    /// How the entity is found in the store.
    func name(of entity: EntityValue) -> EntityName {
        guard let set = set(of: entity) else { return outside(entity) }
        let object = ObjectIdentifier(entity)
        if let id = entity.localID {
            return EntityName(object, .row(RowReference(table: set, id: id)))
        }
        let control = entity.control
        return EntityName(
            object,
            .named(set: set, link: control.readLink ?? control.editLink, key: entity.keyScalars))
    }

    /// The set of the entity, named by the app or the only one of its type; nil when the store has none of this name.
    private func set(of entity: EntityValue) -> String? {
        known(entity.entitySet)
    }

    private func known(_ set: EntitySet) -> String? {
        set === EntitySet.undefined ? nil : document.entitySet(named: set.localName)?.localName
    }

    private func outside(_ entity: EntityValue) -> EntityName {
        EntityName(ObjectIdentifier(entity), .outside(type: entity.entityType.qualifiedName))
    }

    /// Which stream of the entity is meant; nil for the media stream.
    func stream(of entity: EntityValue, _ property: Property?) -> StreamName {
        guard let property else {
            return StreamName(
                name(of: entity), property: nil, place: entity.entityType.qualifiedName,
                isStream: entity.entityType.definition.hasStream)
        }
        return StreamName(
            name(of: entity), property: property.name, place: property.qualifiedName,
            isStream: property.definition.type.primitive == .stream)
    }

    // MARK: Entities

    /// What a creation reads of the entity.
    ///
    /// - Parameter isNamed: Whether later changes of the same call may name it by its key.
    func creation(of entity: EntityValue, isNamed: Bool = false) -> LocalEntity {
        creation(
            of: entity,
            isNamed
                ? name(of: entity)
                : set(of: entity).map { EntityName(ObjectIdentifier(entity), .new(set: $0)) }
                    ?? outside(entity))
    }

    private func creation(of entity: EntityValue, _ name: EntityName) -> LocalEntity {
        var result = LocalEntity(
            name: name, value: entity.structureValue, changedSlots: [],
            bindings: bindings(of: entity))
        if let parent = entity.parentEntity, let property = entity.parentProperty {
            result.parent = (self.name(of: parent), property.name)
        }
        result.adopted = adoption(of: entity)
        return result
    }

    /// What an update reads of the entity: what changed since it was loaded; with replacement, everything that is set.
    /// Related entities go along that it holds and that are new or changed.
    mutating func update(of entity: EntityValue, _ mode: UpdateMode) -> LocalEntity {
        let properties = entity.entityType.properties
        let slots =
            mode == .merge
            ? entity.changedSlots : properties.indices.filter { !properties[$0].isNavigation }
        var value = entity.structureValue
        // What the entity was loaded with is made a value only where it may have such properties.
        if mode == .merge,
            !value.dynamicValues.isEmpty || entity.entityType.definition.isOpen
        {
            value.dynamicValues = Self.changes(of: value.dynamicValues, since: entity.snapshot)
        }
        var result = LocalEntity(
            name: name(of: entity), value: value, changedSlots: slots,
            bindings: bindings(of: entity))
        result.adopted = adoption(of: entity)
        let relatives = entity.changedRelatives(besides: planned)
        guard !relatives.isEmpty else { return result }
        for child in relatives.flatMap(\.entities) {
            planned.insert(ObjectIdentifier(child))
            objects[ObjectIdentifier(child)] = child
        }
        for (property, children) in relatives {
            var entities: [LocalEntity] = []
            for child in children {
                entities.append(
                    child.isNew
                        ? creation(of: child, under: entity, property) : update(of: child, .merge))
            }
            result.relatives.append(
                LocalEntity.Relatives(navigation: property.definition, entities: entities))
        }
        return result
    }

    /// What is new, different or gone (null then) of dynamic properties; all of them where nothing says what they were.
    private static func changes(
        of values: [String: ODataValue], since old: StructureStorage?
    ) -> [String: ODataValue] {
        guard let before = old?.structureValue.dynamicValues else { return values }
        var changes = values.filter { before[$0.key] != $0.value }
        for (name, content) in before where values[name] == nil && content != .null {
            changes[name] = .null
        }
        return changes
    }

    /// A new entity that is created because one that is updated holds it.
    private func creation(
        of child: EntityValue, under parent: EntityValue, _ property: Property
    ) -> LocalEntity {
        let set =
            child.entitySet === EntitySet.undefined
            ? parent.entitySet.binding(property.name) : child.entitySet
        var result = creation(
            of: child,
            known(set).map { EntityName(ObjectIdentifier(child), .new(set: $0)) }
                ?? outside(child))
        if property.definition.type.isCollection {
            result.parent = (name(of: parent), property.name)
        }
        result.isNew = true
        return result
    }

    private func bindings(of entity: EntityValue) -> [LocalEntity.Binding] {
        entity.bindings.map { binding in
            LocalEntity.Binding(
                navigation: binding.property.name, target: binding.target.map(name(of:)),
                isBind: binding.isBind)
        }
    }

    /// Makes a value of the store's document of one of the entity's: an app may hold a document of another version.
    private func adoption(of entity: EntityValue) -> ((StructureValue) throws -> StructureValue)? {
        let model = entity.entityType.model
        guard model.root !== document.model.root, !document.graph.hasLayout(of: model.graph) else {
            return nil
        }
        return { [document] in try document.graph.adopting($0, of: model.graph) }
    }
}
