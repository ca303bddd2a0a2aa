import ODataModel

/// A schema of a document: a namespace and what it declares (CSDL 4.01, section 5).
open class DataSchema: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let model: MetadataModel
    package final let definition: MetadataGraph.Schema

    package init(_ model: MetadataModel, _ definition: MetadataGraph.Schema) {
        self.model = model
        self.definition = definition
        super.init()
    }

    /// The namespace in front of the schema's names.
    open var namespace: String { definition.namespace }

    /// A short name for the namespace; nil when none is declared.
    open var alias: String? { definition.alias }

    /// The entity types by qualified name.
    open var entityTypes: EntityTypeMap {
        EntityTypeMap(entries: structures { $0 as? EntityType })
    }

    /// The complex types by qualified name.
    open var complexTypes: ComplexTypeMap {
        ComplexTypeMap(entries: structures { $0 as? ComplexType })
    }

    private func structures<Target>(_ cast: (StructureType) -> Target?) -> [(String, Target)] {
        model.structures.filter { $0.definition.namespace == namespace }
            .compactMap { type in cast(type).map { (type.qualifiedName, $0) } }
    }

    /// The enumeration types by qualified name.
    open var enumTypes: EnumTypeMap {
        EnumTypeMap(
            entries: model.enumTypes.filter { $0.definition.namespace == namespace }
                .map { ($0.qualifiedName, $0) })
    }

    /// The type definitions by qualified name.
    open var simpleTypes: SimpleTypeMap {
        SimpleTypeMap(
            entries: model.simpleTypes.filter { $0.definition.namespace == namespace }
                .map { ($0.qualifiedName, $0) })
    }

    /// The entity containers by qualified name.
    open var entityContainers: EntityContainerMap {
        EntityContainerMap(
            entries: model.containers.filter { $0.namespace == namespace }
                .map { ($0.qualifiedName, $0) })
    }

    /// The entity sets of the schema's containers by unqualified name.
    open var entitySets: EntitySetMap { sets(isSingleton: false) }

    /// The singletons of the schema's containers by unqualified name.
    open var singletons: EntitySetMap { sets(isSingleton: true) }

    private func sets(isSingleton: Bool) -> EntitySetMap {
        let names = Set(model.containers.filter { $0.namespace == namespace }.map(\.qualifiedName))
        return EntitySetMap(
            entries: model.entitySets.filter {
                $0.isSingleton == isSingleton && names.contains($0.definition.container)
            }.map { ($0.localName, $0) })
    }

    /// The actions and functions by qualified name; the first of overloads.
    open var dataMethods: DataMethodMap {
        let map = DataMethodMap()
        for method in model.methods
        where method.operation.namespace == namespace && !map.has(method.name) {
            map.set(method.name, method)
        }
        return map
    }

    /// The terms by qualified name.
    open var annotationTerms: AnnotationTermMap {
        AnnotationTermMap(
            entries: model.terms.filter { $0.definition.namespace == namespace }
                .map { ($0.qualifiedName, $0) })
    }

    /// The annotations of the schema by term.
    open var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The namespace.
    open override func toString() -> String { namespace }
}

/// An entity container: what a service exposes (CSDL 4.01, section 13).
open class EntityContainer: ObjectBase, @unchecked Sendable {
    // Constant.
    package final let model: MetadataModel
    package final let definition: MetadataGraph.Container

    package init(_ model: MetadataModel, _ definition: MetadataGraph.Container) {
        self.model = model
        self.definition = definition
        super.init()
    }

    final var namespace: String {
        definition.qualifiedName.split(separator: ".").dropLast().joined(separator: ".")
    }

    /// The name without its schema.
    open var localName: String {
        definition.qualifiedName.split(separator: ".").last.map(String.init) ?? ""
    }

    /// The name with its schema.
    open var qualifiedName: String { definition.qualifiedName }

    /// The name with its schema.
    open var name: String { qualifiedName }

    /// True for the container that unqualified names belong to.
    open var isDefault: Bool { definition.isDefault }

    /// The container that this one extends; nil when it extends none of the document.
    open var baseContainer: EntityContainer? {
        model.containers.first { $0.qualifiedName == definition.extends }
    }

    /// The entity sets by unqualified name.
    open var entitySets: EntitySetMap { sets(isSingleton: false) }

    /// The singletons by unqualified name.
    open var singletons: EntitySetMap { sets(isSingleton: true) }

    private func sets(isSingleton: Bool) -> EntitySetMap {
        EntitySetMap(
            entries: model.entitySets.filter {
                $0.isSingleton == isSingleton && $0.definition.container == qualifiedName
            }.map { ($0.localName, $0) })
    }

    /// The imports by unqualified name.
    open var dataMethods: DataMethodMap {
        DataMethodMap(
            entries: model.imports.filter { $0.importDefinition?.container == qualifiedName }
                .map { ($0.name, $0) })
    }

    /// The annotations of the container by term.
    open var annotations: AnnotationMap { .of(definition.annotations, model) }

    /// The qualified name.
    open override func toString() -> String { qualifiedName }
}
