import ODataModel

/// Gives every element of a document its name in Swift.
struct ProxyModelBuilder {
    let graph: MetadataGraph
    let options: GenerationOptions
    private(set) var notes: [String] = []
    private var model: ProxyModel
    /// Class or enumeration names by position in the graph.
    private var structureNames: [StructureID: String] = [:]
    private var enumerationNames: [EnumerationID: String] = [:]
    /// All property names in Swift of a type, inherited ones included.
    private var memberNames: [StructureID: Set<String>] = [:]
    private var keys: [StructureID: [ProxyParameter]] = [:]
    /// Types whose names members might have.
    private var uncased: Set<String> = []

    init(graph: MetadataGraph, options: GenerationOptions) {
        self.graph = graph
        self.options = options
        model = ProxyModel(options: options)
    }

    mutating func build() -> ProxyModel {
        nameTypes()
        for id in ordered() { addStructure(id) }
        model.structures.sort { $0.id.index < $1.id.index }
        model.converters = Dictionary(
            model.enumerations.map { ($0.typeName, $0.converter) },
            uniquingKeysWith: { first, _ in first })
        addSets()
        addOperations()
        return model
    }

    // MARK: Types

    private mutating func nameTypes() {
        let own = [
            model.service, model.registry, model.factory, model.text, model.parser, model.changes,
            model.hierarchy,
        ]
        var types = NameScope(reserved: ReservedNames.types.union(own), ignoresCase: true)
        for (index, type) in graph.structures.enumerated() where type.namespace != "Edm" {
            let name = types.give(SwiftName.type(type.name, prefix: options.typePrefix))
            structureNames[StructureID(index)] = name.text
        }
        var converters: [String] = []
        for (index, type) in graph.enumerations.enumerated() {
            let name = types.give(SwiftName.type(type.name, prefix: options.typePrefix)).text
            enumerationNames[EnumerationID(index)] = name
            converters.append(types.give(name + "Convert").text)
        }
        uncased = ReservedNames.uncased(
            own + Array(structureNames.values) + Array(enumerationNames.values) + converters)
        var members = scope()
        for (index, type) in graph.enumerations.enumerated() {
            let name = enumerationNames[EnumerationID(index)] ?? "EnumValue"
            model.enumerations.append(
                enumeration(
                    type, name, converters[index], members.give(SwiftName.member(type.name)))
            )
        }
        entityMembers = scope()
        complexMembers = scope()
        calls = scope(
            ReservedNames.serviceMembers.union(ReservedNames.ownServiceMembers))
    }

    /// Names of members; those of types that are spelled alike would hide them.
    private func scope(_ reserved: Set<String> = ["self"]) -> NameScope {
        NameScope(reserved: reserved.union(uncased))
    }

    private func enumeration(
        _ type: EnumerationDefinition, _ name: String, _ converter: String, _ member: SwiftName
    ) -> ProxyEnumeration {
        let members = EnumerationMember.all(of: type, scope(ReservedNames.enumerationMembers))
        return ProxyEnumeration(
            qualifiedName: type.qualifiedName, typeName: name, converter: converter, member: member,
            isOptionSet: type.isFlags || members.isEmpty, members: members,
            note: note(type.annotations))
    }

    /// Base types come before those that derive from them.
    private func ordered() -> [StructureID] {
        let ids = graph.structures.indices.map { StructureID($0) }
        let depths = ids.map { id in
            sequence(first: id) { graph[$0].baseID }.reduce(0) { count, _ in count + 1 }
        }
        return ids.sorted { (depths[$0.index], $0.index) < (depths[$1.index], $1.index) }
    }

    private var entityMembers = NameScope()
    private var complexMembers = NameScope()

    private mutating func addStructure(_ id: StructureID) {
        guard let name = structureNames[id] else { return }
        let type = graph[id]
        let isEntity = type.kind == .entity
        let member = SwiftName.member(type.name)
        var structure = ProxyStructure(
            id: id, isEntity: isEntity, qualifiedName: type.qualifiedName, typeName: name,
            member: isEntity ? entityMembers.give(member) : complexMembers.give(member),
            base: type.baseID.flatMap { structureNames[$0] },
            hasSubtypes: !type.derivedIDs.isEmpty, note: note(type.annotations))
        let inherited = type.baseID.flatMap { memberNames[$0] } ?? []
        var scope = scope(
            ReservedNames.structureMembers.union(ReservedNames.ownMembers).union(inherited))
        for property in type.properties.dropFirst(type.inheritedCount) {
            var own = SwiftName.member(property.name)
            // `id` belongs to `Identifiable`.
            if isEntity, own == "id" { own = "keyID" }
            structure.properties.append(
                ProxyProperty(
                    name: property.name, member: scope.give(own), type: proxyType(property.type),
                    note: note(property.annotations)))
        }
        memberNames[id] = inherited.union(structure.properties.map(\.member.text))
        if isEntity {
            let key = keyParameters(type)
            keys[id] = key
            let isInherited = type.baseID.map { graph[$0].key == type.key } ?? false
            structure.key =
                isInherited && type.baseID.flatMap { structureNames[$0] } != nil ? [] : key
        }
        model.structures.append(structure)
    }

    private func keyParameters(_ type: StructureDefinition) -> [ProxyParameter] {
        var scope = scope(ReservedNames.parameters)
        var parameters: [ProxyParameter] = []
        for part in type.key {
            guard let found = propertyType(at: part.path, of: type), !found.isCollection,
                found.structure == nil
            else { return [] }
            var key = proxyType(found)
            key.isNullable = true
            parameters.append(
                ProxyParameter(
                    name: part.name, member: scope.give(SwiftName.member(part.name)), type: key))
        }
        return parameters
    }

    /// The type at the end of a path such as `Size/Id`.
    private func propertyType(at path: String, of type: StructureDefinition) -> TypeReference? {
        var current = type
        let names = path.split(separator: "/").map(String.init)
        for (index, name) in names.enumerated() {
            guard let slot = current.slot(named: name) else { return nil }
            let found = current.properties[slot].type
            if index == names.count - 1 { return found }
            guard let next = found.structure else { return nil }
            current = graph[next]
        }
        return nil
    }

    private func proxyType(_ type: TypeReference) -> ProxyType {
        let shape: ValueShape
        switch type.kind {
        case .primitive(let primitive): shape = ValueShape(primitive, type.facets)
        case .enumeration(let id): shape = .enumeration(enumerationNames[id] ?? "EnumValue")
        case .structure(let id):
            let isEntity = graph[id].kind == .entity
            let name = structureNames[id] ?? (isEntity ? "EntityValue" : "ComplexValue")
            shape = isEntity ? .entity(name) : .complex(name)
        }
        return ProxyType(
            shape: shape, isCollection: type.isCollection, isNullable: type.isNullable)
    }

    /// A service may answer with a member that the generated code does not know.
    private func resultType(_ type: TypeReference) -> ProxyType {
        var result = proxyType(type)
        if case .enumeration = result.shape { result.isNullable = true }
        return result
    }

    private func note(_ annotations: [AnnotationDefinition]) -> String {
        DocumentNote.text(annotations)
    }

    // MARK: Sets

    /// Names of calls; the plain ones first, so that they keep theirs where others want the same.
    private var calls = NameScope()

    private mutating func addSets() {
        var members = scope()
        for (index, set) in graph.entitySets.enumerated() {
            model.sets.append(
                ProxySet(
                    name: graph.pathName(of: EntitySetID(index)),
                    member: members.give(SwiftName.member(set.name)),
                    isSingleton: set.isSingleton,
                    typeName: structureNames[set.type] ?? "EntityValue",
                    fetchName: calls.give("fetch" + SwiftName.type(set.name)),
                    key: set.isSingleton ? [] : keys[set.type] ?? [], note: note(set.annotations)))
        }
        for (index, set) in graph.entitySets.enumerated() where !set.isSingleton {
            let name = calls.give("fetch" + SwiftName.type(graph[set.type].name))
            model.sets[index].fetchOneName = name
            if !model.sets[index].key.isEmpty {
                model.sets[index].fetchKeyName = calls.give(name.text + "WithKey")
            }
        }
    }

    // MARK: Operations

    private var places: [ProxyOperation.Place: NameScope] = [:]
    /// Calls by name and labels; overloads share a name.
    private var signatures: Set<String> = []
    private var callNames: [String: SwiftName] = [:]

    private mutating func addOperations() {
        let imported = ImportedOverloads(graph)
        for item in graph.operationImports {
            let overloads = imported[item]
            let place: ProxyOperation.Place = item.isAction ? .actionImports : .functionImports
            let member = give(item.name, in: place)
            for (index, operation) in overloads.enumerated() {
                add(
                    operation, name: item.name, signature: nil, at: place, member: member,
                    call: item.name, isListed: index == 0)
            }
            if overloads.isEmpty { note(ImportedOverloads.note(undefined: item)) }
        }
        // V2 and V3 have imports only.
        guard graph.version >= .v4 else { return }
        let counts = Dictionary(graph.operations.map { ($0.qualifiedName, 1) }, uniquingKeysWith: +)
        for operation in graph.operations {
            let place: ProxyOperation.Place =
                operation.isBound
                ? operation.isAction ? .boundActions : .boundFunctions
                : operation.isAction ? .actions : .functions
            let signature =
                counts[operation.qualifiedName] == 1
                ? nil
                : operation.parameters.map { graph.typeName($0.type) }.joined(separator: ",")
            add(
                operation, name: operation.qualifiedName, signature: signature, at: place,
                member: give(operation.name, in: place),
                call: operation.isBound ? operation.name : nil)
        }
    }

    private mutating func note(_ text: String) {
        if notes.count < 1_000 { notes.append(text) }
    }

    private mutating func give(_ name: String, in place: ProxyOperation.Place) -> SwiftName {
        let fresh = scope()
        return places[place, default: fresh].give(SwiftName.member(name))
    }

    private mutating func add(
        _ operation: OperationDefinition, name: String, signature: String?,
        at place: ProxyOperation.Place, member: SwiftName, call: String?, isListed: Bool = true
    ) {
        var scope = scope(ReservedNames.parameters)
        let isBound = graph.isCalledOnSomething(operation)
        let parameters = operation.parameters.dropFirst(isBound ? 1 : 0).map {
            ProxyParameter(
                name: $0.name, member: scope.give(SwiftName.member($0.name)),
                type: proxyType($0.type))
        }
        var item = ProxyOperation(
            place: place, name: name, signature: signature, member: member,
            isAction: operation.isAction, isBound: isBound, parameters: parameters,
            result: operation.returnType.map { resultType($0) }, note: note(operation.annotations))
        item.isListed = isListed
        let hasStream = (parameters.map(\.type) + [item.result].compactMap { $0 })
            .contains { $0.shape == .stream }
        if hasStream, call != nil {
            note("\(name): the service class has no call for it, streams are no parameters.")
        } else if let call {
            item.callName = callName(call, item)
        }
        model.operations.append(item)
    }

    /// A leading `get` of functions goes; overloads share their name unless their labels are the same.
    private mutating func callName(_ name: String, _ operation: ProxyOperation) -> SwiftName {
        var own = SwiftName.member(name)
        if !operation.isAction, own.hasPrefix("get"), own.count > 3 {
            let rest = String(own.dropFirst(3))
            if rest.first?.isUppercase ?? false { own = SwiftName.member(rest) }
        }
        let labels =
            (operation.isBound ? ["in"] : []) + operation.parameters.map(\.member.text)
        if let given = callNames[own],
            signatures.insert(([given.text] + labels).joined(separator: ":")).inserted
        {
            return given
        }
        let fresh = calls.give(own)
        callNames[own] = callNames[own] ?? fresh
        signatures.insert(([fresh.text] + labels).joined(separator: ":"))
        return fresh
    }
}
