import ODataModel
import ODataText

// Lookup by name. A missing name is a programming error and traps; the maps tell whether a name exists. Types have
// qualified names; sets, singletons and imports have unqualified ones.

extension CSDLDocument {
    /// The entity set (or singleton) with this name; traps when there is none.
    public func entitySet(withName name: String) -> EntitySet {
        found(entitySet(named: name), "an entity set", name)
    }

    /// The singleton with this name; traps when there is none (CSDL 4.01, section 13.3).
    public func singleton(withName name: String) -> EntitySet {
        found(entitySet(named: name).flatMap { $0.isSingleton ? $0 : nil }, "a singleton", name)
    }

    /// The entity type with this qualified name; traps when there is none.
    public func entityType(withName name: String) -> EntityType {
        found(structureType(named: name) as? EntityType, "an entity type", name)
    }

    /// The complex type with this qualified name; traps when there is none.
    public func complexType(withName name: String) -> ComplexType {
        found(structureType(named: name) as? ComplexType, "a complex type", name)
    }

    /// The enumeration type with this qualified name; traps when there is none.
    public func enumType(withName name: String) -> EnumType {
        found(enumType(named: name), "an enumeration type", name)
    }

    /// The type definition with this qualified name; traps when there is none.
    public func simpleType(withName name: String) -> SimpleType {
        found(model.simpleType(named: graph.unaliased(name)), "a type definition", name)
    }

    /// The action or function with this qualified name, or the import with this unqualified one; traps when there is
    /// none.
    public func dataMethod(withName name: String) -> DataMethod {
        found(dataMethod(named: name), "an action or function", name)
    }

    /// The schema with this namespace or alias; traps when there is none.
    public func dataSchema(withName name: String) -> DataSchema {
        found(
            model.schemas.first { $0.namespace == name || $0.alias == name }, "a schema", name)
    }

    private func found<Element>(_ element: Element?, _ what: String, _ name: String) -> Element {
        guard let element else {
            preconditionFailure("Expected \(what) with the name \(name); the document has none.")
        }
        return element
    }

    /// Marks what `fresh`, a later version of the document, does not have any more (see `isRemoved` of the elements).
    package func markRemoved(absentFrom fresh: CSDLDocument) {
        if fresh !== self { model.removeWhat(isNotIn: fresh.graph) }
    }

    /// The enumeration type with this qualified name; nil when there is none.
    package func enumType(named name: String) -> EnumType? {
        graph.enumeration(named: name).map { model[$0] }
    }

    /// The import or operation with this name; nil when there is none.
    package func dataMethod(named name: String) -> DataMethod? {
        model.imports.first { $0.name == name } ?? model.methods(named: name).first
    }
}

// MARK: - Maps

extension CSDLDocument {
    /// The entity sets by name.
    public var entitySets: EntitySetMap {
        EntitySetMap(
            entries: model.entitySets.filter { !$0.isSingleton }.map { ($0.localName, $0) })
    }

    /// The singletons by name.
    public var singletons: EntitySetMap {
        EntitySetMap(entries: model.entitySets.filter(\.isSingleton).map { ($0.localName, $0) })
    }

    /// The entity types by qualified name.
    public var entityTypes: EntityTypeMap {
        EntityTypeMap(
            entries: model.structures.compactMap { type in
                (type as? EntityType).map { ($0.qualifiedName, $0) }
            })
    }

    /// The complex types by qualified name.
    public var complexTypes: ComplexTypeMap {
        ComplexTypeMap(
            entries: model.structures.compactMap { type in
                (type as? ComplexType).map { ($0.qualifiedName, $0) }
            })
    }

    /// The enumeration types by qualified name (CSDL 4.01, section 10).
    public var enumTypes: EnumTypeMap {
        EnumTypeMap(entries: model.enumTypes.map { ($0.qualifiedName, $0) })
    }

    /// The type definitions by qualified name (CSDL 4.01, section 11).
    public var simpleTypes: SimpleTypeMap {
        SimpleTypeMap(entries: model.simpleTypes.map { ($0.qualifiedName, $0) })
    }

    /// The imports by name and the operations by qualified name; the first of overloads (CSDL 4.01, section 12).
    public var dataMethods: DataMethodMap {
        let map = DataMethodMap()
        for method in model.imports + model.methods where !map.has(method.name) {
            map.set(method.name, method)
        }
        return map
    }

    /// The schemas by namespace (CSDL 4.01, section 5).
    public var schemas: DataSchemaMap {
        DataSchemaMap(entries: model.schemas.map { ($0.namespace, $0) })
    }

    /// The entity containers by qualified name (CSDL 4.01, section 13).
    public var entityContainers: EntityContainerMap {
        EntityContainerMap(entries: model.containers.map { ($0.qualifiedName, $0) })
    }

    /// The terms by qualified name (CSDL 4.01, section 14.1).
    public var annotationTerms: AnnotationTermMap {
        AnnotationTermMap(entries: model.terms.map { ($0.qualifiedName, $0) })
    }

    /// Gives an entity its entity set when only one set has its type, sets of local drafts aside.
    ///
    /// - Throws: when several sets have the type, or none.
    public func resolveEntity(_ entity: EntityValue) throws {
        guard entity.entitySet === EntitySet.undefined else { return }
        let type = entity.entityType
        let all = model.entitySets.filter { type.isA($0.entityType) }
        // A set of drafts has the type of the set that they are drafts of; only the app can mean it.
        let served = all.filter { !graph.isClientOnly($0.id) }
        let candidates = served.isEmpty ? all : served
        guard let set = candidates.first, candidates.count == 1 else {
            throw ODataError(
                .usage,
                "Expected one entity set for \(type.qualifiedName), found \(candidates.count).")
        }
        entity.entitySet = set
    }
}
