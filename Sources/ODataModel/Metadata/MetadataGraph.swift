import ODataText

/// The whole model of a service as one frozen value: what the pure layers read instead of the metadata classes.
///
/// Readers of CSDL fill the arrays and call ``freeze()`` once; afterwards every name resolves, inherited properties
/// stand in front of declared ones, and the graph is shared freely between threads.
package struct MetadataGraph: Sendable {
    package struct Schema: Sendable, Hashable {
        package var namespace: String
        package var alias: String?
        package var annotations: [AnnotationDefinition]

        package init(
            namespace: String, alias: String? = nil, annotations: [AnnotationDefinition] = []
        ) {
            self.namespace = namespace
            self.alias = alias
            self.annotations = annotations
        }
    }

    package struct Container: Sendable, Hashable {
        package var qualifiedName: String
        package var extends: String?
        package var isDefault: Bool
        package var annotations: [AnnotationDefinition]

        package init(
            qualifiedName: String, extends: String? = nil, isDefault: Bool = true,
            annotations: [AnnotationDefinition] = []
        ) {
            self.qualifiedName = qualifiedName
            self.extends = extends
            self.isDefault = isDefault
            self.annotations = annotations
        }
    }

    /// An `edmx:Reference`: noted here; whoever reads the document decides whether it is followed.
    package struct Reference: Sendable, Hashable {
        package struct Include: Sendable, Hashable {
            package var namespace: String
            package var alias: String?
            package var annotations: [AnnotationDefinition] = []

            package init(namespace: String, alias: String? = nil) {
                self.namespace = namespace
                self.alias = alias
            }
        }

        /// An `edmx:IncludeAnnotations` (CSDL 4.01, section 4.3).
        package struct AnnotationInclude: Sendable, Hashable {
            package var termNamespace: String
            package var targetNamespace: String?
            package var qualifier: String?

            package init(
                termNamespace: String, targetNamespace: String? = nil, qualifier: String? = nil
            ) {
                self.termNamespace = termNamespace
                self.targetNamespace = targetNamespace
                self.qualifier = qualifier
            }
        }

        package var uri: String
        package var includes: [Include]
        package var annotationIncludes: [AnnotationInclude] = []
        package var annotations: [AnnotationDefinition] = []

        package init(uri: String, includes: [Include] = []) {
            self.uri = uri
            self.includes = includes
        }
    }

    /// Annotations whose target is not an element that keeps its own, such as a path through a set.
    package struct TargetedAnnotations: Sendable, Hashable {
        package var target: String
        package var annotations: [AnnotationDefinition]

        package init(target: String, annotations: [AnnotationDefinition]) {
            self.target = target
            self.annotations = annotations
        }
    }

    /// An entity set or singleton whose type no document describes that was read: it is in the service and not in the model.
    package struct UndefinedSet: Sendable, Hashable {
        package var name: String
        /// The qualified name of its container.
        package var container: String
        /// The qualified name of the type that is not known.
        package var type: String
        package var isSingleton: Bool

        package init(name: String, container: String, type: String, isSingleton: Bool) {
            self.name = name
            self.container = container
            self.type = type
            self.isSingleton = isSingleton
        }
    }

    /// Everything the graph says, in a list of one: a copy of a graph counts one reference, where it would count one for each
    /// of its lists, and a change copies those only where others share them. Reading a row made dozens of copies.
    var shared: [Parts]

    package init(version: ODataVersion) {
        shared = [Parts(version: version)]
    }

    package subscript(id: StructureID) -> StructureDefinition { structures[id.index] }
    package subscript(id: EnumerationID) -> EnumerationDefinition { enumerations[id.index] }
    package subscript(id: EntitySetID) -> EntitySetDefinition { entitySets[id.index] }

    /// The structured type with this qualified name (alias-qualified names resolve too); nil when there is none.
    package func structure(named name: String) -> StructureID? {
        structureByName[name] ?? structureByName[unaliased(name)]
    }

    package func enumeration(named name: String) -> EnumerationID? {
        enumerationByName[name] ?? enumerationByName[unaliased(name)]
    }

    /// The entity set or singleton with this unqualified name; nil when there is none.
    package func entitySet(named name: String) -> EntitySetID? { entitySetByName[name] }

    /// Replaces a schema alias in front of `name` by the namespace it stands for.
    package func unaliased(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return name }
        let prefix = name[..<dot]
        guard let schema = schemas.first(where: { $0.alias.map { $0 == prefix } ?? false }) else {
            return name
        }
        return schema.namespace + name[dot...]
    }

    /// True when `derived` is `base` or inherits from it.
    package func isA(_ derived: StructureID, _ base: StructureID) -> Bool {
        var current: StructureID? = derived
        while let id = current {
            if id == base { return true }
            current = self[id].baseID
        }
        return self[base].isEntityBase && self[derived].kind == .entity
    }

    /// The set that a navigation property leads to from `source`, by binding, or by being the only set of the
    /// target type; nil when neither tells.
    package func targetSet(of slot: Int, in source: EntitySetID) -> EntitySetID? {
        let property = self[self[source].type].properties[slot]
        if let target = self[source].target(of: property.name) { return entitySet(named: target) }
        guard let type = property.type.structure, property.navigation?.containsTarget != true else {
            return nil
        }
        return onlySet(of: type)
    }

    /// The set or singleton that entities of a type must be in where nothing else is said; nil where there are several or none.
    package func onlySet(of type: StructureID) -> EntitySetID? {
        var only: EntitySetID?
        for index in entitySets.indices where isA(type, entitySets[index].type) {
            guard only == nil else { return nil }
            only = EntitySetID(index)
        }
        return only
    }

    /// By which a path finds the set: its name, or the qualified one where another container has the name, too.
    package func pathName(of id: EntitySetID) -> String {
        let set = self[id]
        return entitySet(named: set.name) == id ? set.name : set.qualifiedName
    }

    /// Resolves base types, puts inherited properties first and builds the name indexes.
    ///
    /// - Throws: `invalidMetadata` for a duplicate or unknown name and for an inheritance cycle.
    package mutating func freeze() throws {
        structureByName = try index(structures.map(\.qualifiedName), "type").mapValues(
            StructureID.init)
        enumerationByName = try index(enumerations.map(\.qualifiedName), "enumeration type")
            .mapValues(EnumerationID.init)
        entitySetByName = try indexEntitySets()
        var resolved = Set<Int>()
        for position in structures.indices {
            try resolve(position, &resolved, depth: 0)
        }
        for position in structures.indices {
            let properties = structures[position].properties
            var slots = [String: Int](minimumCapacity: properties.count)
            for slot in properties.indices { slots[properties[slot].name] = slot }
            structures[position].slotByName = slots
        }
    }

    /// A frozen graph of this one and more types and sets behind its own, so that everything keeps its id and slot.
    /// Properties of the new types may name ids of the whole.
    ///
    /// - Parameter structures: Types without base types.
    /// - Throws: `invalidMetadata` for a name that is taken.
    package func appending(
        structures added: [StructureDefinition], entitySets: [EntitySetDefinition],
        schema: Schema, container: Container
    ) throws -> MetadataGraph {
        var graph = self
        graph.schemas.append(schema)
        graph.containers.append(container)
        graph.entitySets += entitySets
        for var structure in added {
            structure.slotByName = Dictionary(
                structure.properties.enumerated().map { ($1.name, $0) },
                uniquingKeysWith: { first, _ in first })
            graph.structures.append(structure)
        }
        graph.structureByName = try graph.index(graph.structures.map(\.qualifiedName), "type")
            .mapValues(StructureID.init)
        graph.entitySetByName = try graph.indexEntitySets()
        return graph
    }

    /// Sets by unqualified name; where two containers use one name, the first stands for it, and each set is also
    /// found as `Schema.Container/Set` and, in V2, as `Container.Set`.
    private func indexEntitySets() throws -> [String: EntitySetID] {
        var map = try index(entitySets.map(\.qualifiedName), "entity set")
            .mapValues(EntitySetID.init)
        for (position, set) in entitySets.enumerated() where map[set.name] == nil {
            map[set.name] = EntitySetID(position)
        }
        guard version < .v4 else { return map }
        for (position, set) in entitySets.enumerated() {
            let name = Self.containerName(set) + "." + set.name
            if map[name] == nil { map[name] = EntitySetID(position) }
        }
        return map
    }

    /// Makes sets known that were added behind those of a frozen graph; names must be new.
    package mutating func reindexEntitySets() {
        if let map = try? indexEntitySets() { entitySetByName = map }
    }

    private func index(_ names: [String], _ what: String) throws -> [String: Int] {
        var map = [String: Int](minimumCapacity: names.count)
        for (position, name) in names.enumerated() {
            guard map.updateValue(position, forKey: name) == nil else {
                throw ODataError(
                    .invalidMetadata, "Expected one \(what) of this name, found two.",
                    at: .path(name))
            }
        }
        return map
    }

    private mutating func resolve(
        _ position: Int, _ resolved: inout Set<Int>, depth: Int
    ) throws {
        guard !resolved.contains(position) else { return }
        let definition = structures[position]
        guard depth <= Self.maximumInheritanceDepth else {
            throw ODataError(
                .invalidMetadata,
                "Expected base types without a cycle, found more than "
                    + "\(Self.maximumInheritanceDepth) levels.", at: .path(definition.qualifiedName)
            )
        }
        defer { resolved.insert(position) }
        guard let baseName = definition.baseType, unaliased(baseName) != "Edm.EntityType",
            unaliased(baseName) != "Edm.ComplexType"
        else { return }
        guard let baseID = structure(named: baseName) else {
            throw ODataError(
                .invalidMetadata, "Expected a defined base type, found \(baseName).",
                at: .path(definition.qualifiedName))
        }
        try resolve(baseID.index, &resolved, depth: depth + 1)
        let base = structures[baseID.index]
        let inherited = Set(base.properties.map(\.name))
        for property in definition.properties where inherited.contains(property.name) {
            diagnostics.append(
                "\(definition.qualifiedName): \(property.name) is inherited; its redeclaration is ignored."
            )
        }
        structures[position].properties.removeAll { inherited.contains($0.name) }
        structures[baseID.index].derivedIDs.append(StructureID(position))
        structures[position].baseID = baseID
        structures[position].inheritedCount = base.properties.count
        structures[position].properties.insert(contentsOf: base.properties, at: 0)
        structures[position].isOpen = definition.isOpen || base.isOpen
        structures[position].hasStream = definition.hasStream || base.hasStream
        if definition.key.isEmpty { structures[position].key = base.key }
    }

    private static let maximumInheritanceDepth = 64
}

extension MetadataGraph: Equatable {
    /// Graphs are equal when they say the same, however it was spelled (see ``canonical``); diagnostics are about a
    /// text, not part of the model.
    package static func == (left: MetadataGraph, right: MetadataGraph) -> Bool {
        let left = left.canonical
        let right = right.canonical
        return left.saysTheSame(as: right)
    }

    private func saysTheSame(as right: MetadataGraph) -> Bool {
        let left = self
        return left.version == right.version && left.references == right.references
            && left.schemas == right.schemas && left.structures == right.structures
            && left.enumerations == right.enumerations
            && left.typeDefinitions == right.typeDefinitions
            && left.containers == right.containers && left.entitySets == right.entitySets
            && left.undefinedSets == right.undefinedSets
            && left.operations == right.operations
            && left.operationImports == right.operationImports && left.terms == right.terms
            && left.targetedAnnotations == right.targetedAnnotations
    }
}

/// A term (CSDL 4.01, section 14.1).
package struct TermDefinition: Sendable, Hashable {
    package var namespace: String
    package var name: String
    package var type: TypeReference
    package var baseTerm: String?
    package var defaultValue: String?
    package var appliesTo: [String]
    package var annotations: [AnnotationDefinition]

    package init(
        namespace: String, name: String, type: TypeReference, baseTerm: String? = nil,
        defaultValue: String? = nil, appliesTo: [String] = [],
        annotations: [AnnotationDefinition] = []
    ) {
        self.namespace = namespace
        self.name = name
        self.type = type
        self.baseTerm = baseTerm
        self.defaultValue = defaultValue
        self.appliesTo = appliesTo
        self.annotations = annotations
    }
}

/// The protocol versions that metadata and payloads come in.
package enum ODataVersion: Int, Sendable, Hashable, Comparable {
    case v1 = 100
    case v2 = 200
    case v3 = 300
    case v4 = 400
    case v401 = 401

    package static func < (left: ODataVersion, right: ODataVersion) -> Bool {
        left.rawValue < right.rawValue
    }
}
