import ODataModel
import Synchronization

/// The metadata objects of one document over its frozen graph: one object per element, made once.
///
/// Everything but ``removed`` and ``classes`` is filled in `init` and never changed afterwards, so it is shared between threads without
/// a lock; those have their own. The
/// model and its elements keep each other alive: an element that an app holds stays whole after its document was
/// replaced. Documents are few and usually live as long as the process.
package final class MetadataModel: @unchecked Sendable {
    package let graph: MetadataGraph
    /// The model that this one extends: its elements are part of this one, too.
    private let base: MetadataModel?
    /// The classes of the app for the types.
    package let classes: ClassRegistry
    @exclusivity(unchecked) package private(set) var structures: [StructureType] = []
    package private(set) var enumTypes: [EnumType] = []
    package private(set) var simpleTypes: [SimpleType] = []
    package private(set) var entitySets: [EntitySet] = []
    package private(set) var schemas: [DataSchema] = []
    package private(set) var containers: [EntityContainer] = []
    /// Actions and functions, overloads in order.
    package private(set) var methods: [DataMethod] = []
    /// Action imports and function imports.
    package private(set) var imports: [DataMethod] = []
    package private(set) var terms: [AnnotationTerm] = []
    private var simpleTypeByName: [String: SimpleType] = [:]
    /// Paths of what a refresh of metadata found gone.
    private let removed = Mutex<Set<String>>([])

    package init(_ graph: MetadataGraph) {
        self.graph = graph
        base = nil
        classes = ClassRegistry()
        fill()
    }

    /// The model of a graph that has everything of another at the same place, and more behind it. What both have are the
    /// same objects.
    init(_ graph: MetadataGraph, extending base: MetadataModel) {
        self.graph = graph
        self.base = base
        classes = base.classes
        structures = base.structures
        enumTypes = base.enumTypes
        simpleTypes = base.simpleTypes
        simpleTypeByName = base.simpleTypeByName
        entitySets = base.entitySets
        schemas = base.schemas
        containers = base.containers
        methods = base.methods
        imports = base.imports
        terms = base.terms
        fill()
    }

    /// The first model of those that extend each other.
    package var root: MetadataModel { base?.root ?? self }

    /// Makes the elements that are not there yet.
    private func fill() {
        let newTypes = graph.enumerations.indices.dropFirst(enumTypes.count).map {
            EnumType(self, EnumerationID($0))
        }
        enumTypes += newTypes
        for type in newTypes { type.link() }
        let newSimple = graph.typeDefinitions.dropFirst(simpleTypes.count).map {
            SimpleType($0, in: self)
        }
        simpleTypes += newSimple
        for type in newSimple { simpleTypeByName[type.qualifiedName] = type }
        var linked = Set(structures.indices)
        structures += graph.structures.enumerated().dropFirst(structures.count).map {
            position, definition in
            switch definition.kind {
            case .entity: EntityType(self, StructureID(position))
            case .complex: ComplexType(self, StructureID(position))
            }
        }
        for position in structures.indices { link(position, &linked) }
        entitySets += graph.entitySets.indices.dropFirst(entitySets.count).map {
            EntitySet(self, EntitySetID($0))
        }
        schemas += graph.schemas.dropFirst(schemas.count).map { DataSchema(self, $0) }
        containers += graph.containers.dropFirst(containers.count).map {
            EntityContainer(self, $0)
        }
        guard base == nil else { return }
        methods = graph.operations.map { DataMethod(self, $0, nil) }
        imports = graph.operationImports.compactMap { definition in
            let operations = graph.operations(named: definition.operation)
            return (operations.first { !$0.isBound } ?? operations.first)
                .map { DataMethod(self, $0, definition) }
        }
        terms = (graph.terms + graph.resolvedTerms).map {
            AnnotationTerm($0, type: dataType(of: $0.type))
        }
    }

    /// Gives a type its properties, after its base type, whose property objects it shares.
    private func link(_ position: Int, _ linked: inout Set<Int>) {
        guard linked.insert(position).inserted else { return }
        let definition = graph.structures[position]
        var properties: [Property] = []
        if let base = definition.baseID {
            link(base.index, &linked)
            properties = structures[base.index].properties
        }
        for slot in properties.count..<max(properties.count, definition.properties.count) {
            properties.append(
                Property.make(definition.properties[slot], slot: slot, owner: structures[position]))
        }
        structures[position].link(properties)
    }

    package subscript(id: StructureID) -> StructureType { structures[id.index] }
    package subscript(id: EnumerationID) -> EnumType { enumTypes[id.index] }
    package subscript(id: EntitySetID) -> EntitySet { entitySets[id.index] }

    /// True when a refresh found the element gone; the path is that of ``removeWhat(isNotIn:)``.
    package func isRemoved(_ path: String) -> Bool { removed.withLock { $0.contains(path) } }

    /// Marks sets, operations, types, their properties and members that another version of the document lacks; what an
    /// extension has added is no part of any version.
    package func removeWhat(isNotIn fresh: MetadataGraph) {
        if let base { return base.removeWhat(isNotIn: fresh) }
        var gone: Set<String> = []
        for set in graph.entitySets where fresh.entitySet(named: set.name) == nil {
            gone.insert("set " + set.name)
        }
        for type in graph.structures {
            let other = fresh.structure(named: type.qualifiedName).map { fresh[$0] }
            if other == nil { gone.insert("type " + type.qualifiedName) }
            for property in type.properties where other?.slot(named: property.name) == nil {
                gone.insert("property \(type.qualifiedName)/\(property.name)")
            }
        }
        for type in graph.enumerations {
            let other = fresh.enumeration(named: type.qualifiedName).map { fresh[$0] }
            if other == nil { gone.insert("type " + type.qualifiedName) }
            let names = Set(other?.members.map(\.name) ?? [])
            for member in type.members where !names.contains(member.name) {
                gone.insert("member \(type.qualifiedName)/\(member.name)")
            }
        }
        let operations = Set(fresh.operations.map(\.qualifiedName))
        for operation in graph.operations where !operations.contains(operation.qualifiedName) {
            gone.insert("method " + operation.qualifiedName)
        }
        let imports = Set(fresh.operationImports.map(\.name))
        for definition in graph.operationImports where !imports.contains(definition.name) {
            gone.insert("method " + definition.name)
        }
        removed.withLock { $0 = gone }
    }

    package func simpleType(named name: String) -> SimpleType? { simpleTypeByName[name] }

    /// The overloads of an action or function by qualified name.
    package func methods(named name: String) -> [DataMethod] {
        let qualified = graph.unaliased(name)
        return methods.filter { $0.qualifiedName == name || $0.qualifiedName == qualified }
    }

    /// The term with this name; one that the document does not declare is made up from its name.
    package func term(named name: String) -> AnnotationTerm {
        if let term = terms.first(where: { $0.qualifiedName == name }) { return term }
        let isAttribute = name.contains(":")
        let parts = isAttribute ? [name[...]] : name.split(separator: ".")
        let definition = TermDefinition(
            namespace: parts.dropLast().joined(separator: "."),
            name: parts.last.map(String.init) ?? name, type: TypeReference(.primitive(.untyped)))
        return AnnotationTerm(definition, type: BasicType.dataValue)
    }

    /// The class-side type of a type reference.
    package func dataType(of reference: TypeReference) -> DataType {
        let item: DataType
        switch reference.kind {
        case .structure(let id): item = self[id]
        case .enumeration(let id): item = self[id]
        case .primitive(let primitive):
            if let name = reference.typeDefinition, let simple = simpleType(named: name) {
                item = simple
            } else if reference.isBigInteger {
                item = BasicType.integer
            } else {
                item = BasicType.of(primitive)
            }
        }
        return reference.isCollection ? DataType.listOf(item) : item
    }

    /// A model whose only elements stand for "no type" and "no set".
    static let undefined: MetadataModel = {
        var graph = MetadataGraph(version: .v4)
        graph.structures = [
            StructureDefinition(kind: .entity, namespace: "undefined", name: "EntityType"),
            StructureDefinition(kind: .complex, namespace: "undefined", name: "ComplexType"),
            StructureDefinition(
                kind: .entity, namespace: "Edm", name: "EntityType", isAbstract: true),
            StructureDefinition(
                kind: .complex, namespace: "Edm", name: "ComplexType", isAbstract: true),
        ]
        graph.entitySets = [
            EntitySetDefinition(name: "undefined", container: "undefined", type: StructureID(0))
        ]
        return MetadataModel(graph)
    }()
}

extension TypeReference {
    /// True for decimals that are whole numbers beyond every integer type: explicit scale 0 and more than 18 digits.
    package var isBigInteger: Bool {
        primitive == .decimal && facets.scale == .fixed(0) && (facets.precision ?? 0) > 18
    }
}
