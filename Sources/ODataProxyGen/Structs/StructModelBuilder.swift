import ODataModel
import ODataText

/// Makes the structs of a document: places of entities, complex types, enumerations, operations.
struct StructModelBuilder {
    let graph: MetadataGraph
    let options: GenerationOptions
    private(set) var notes: [String] = []
    private var model: StructModel
    private var members: StructMemberBuilder
    private var operations: [(operation: ImportedOperation, name: String)] = []

    /// - Throws: As ``StructPlaces/init(_:)``.
    init(graph: MetadataGraph, options: GenerationOptions) throws(ODataError) {
        self.graph = graph
        self.options = options
        model = StructModel(access: options.access)
        members = StructMemberBuilder(graph: graph, places: try StructPlaces(graph))
    }

    /// - Throws: `usage` for a set that is asked for and not there.
    mutating func build() throws(ODataError) -> StructModel {
        nameTypes()
        members.chosen = try chosenSets()
        for place in members.places.all where members.chosen.contains(place.root) {
            add(members.entity(place))
        }
        for (operation, name) in operations {
            do throws(StructMemberBuilder.Omission) {
                model.operations.append(try members.operation(operation, named: name))
            } catch {
                note("\(operation.name): left out, \(error.why).")
            }
        }
        addWhatIsReached()
        return model
    }

    // MARK: Names

    /// Names are given to everything, so that they do not depend on what is chosen.
    private mutating func nameTypes() {
        var types = NameScope(reserved: StructNames.types, ignoresCase: true)
        var complex: [StructureID: String] = [:]
        members.places.giveNames(prefix: options.typePrefix, &types) { complex[$0] = $1 }
        members.complexNames = complex
        for (index, type) in graph.enumerations.enumerated() {
            let name = types.give(SwiftName.type(type.name, prefix: options.typePrefix)).text
            members.enumerationNames[EnumerationID(index)] = name
        }
        let imported = ImportedOverloads(graph)
        for item in graph.operationImports where imported[item].isEmpty {
            note(ImportedOverloads.note(undefined: item))
        }
        operations = ImportedOperation.all(of: graph, imported).map {
            ($0, types.give(SwiftName.type($0.shortName, prefix: options.typePrefix)).text)
        }
        let names =
            members.places.all.map(\.name) + Array(complex.values)
            + Array(members.enumerationNames.values) + operations.map(\.name)
        members.uncased = ReservedNames.uncased(names)
    }

    private mutating func chosenSets() throws(ODataError) -> Set<EntitySetID> {
        for set in graph.undefinedSets { note("\(set.name): left out, its type is not defined.") }
        guard !options.only.isEmpty else {
            return Set(graph.entitySets.indices.map { EntitySetID($0) })
        }
        var chosen: Set<EntitySetID> = []
        for name in options.only {
            guard let id = graph.entitySet(named: name) else {
                throw ODataError(
                    .usage, "Expected names of entity sets, found \(SwiftText.comment(name)).")
            }
            chosen.insert(id)
        }
        return chosen
    }

    private mutating func note(_ text: String) {
        if notes.count < 1_000 { notes.append(text) }
    }

    // MARK: Types

    private mutating func add(_ declaration: StructDeclaration) {
        for sentence in declaration.omissions { note("\(declaration.typeName): \(sentence)") }
        model.structures.append(declaration)
    }

    /// Complex types and enumerations that the sets use; all of them where nothing was chosen.
    private mutating func addWhatIsReached() {
        if options.only.isEmpty {
            for id in members.complexNames.keys { members.reach(id) }
            members.reachedEnumerations.formUnion(members.enumerationNames.keys)
        }
        var made: [StructureID: StructDeclaration] = [:]
        while let id = members.takeReached() {
            guard let name = members.complexNames[id] else { continue }
            made[id] = members.complex(id, named: name)
        }
        for (_, declaration) in made.sorted(by: { $0.key.index < $1.key.index }) {
            add(declaration)
        }
        for id in members.reachedEnumerations.sorted(by: { $0.index < $1.index }) {
            addEnumeration(id)
        }
    }

    private mutating func addEnumeration(_ id: EnumerationID) {
        guard let name = members.enumerationNames[id] else { return }
        let type = graph[id]
        let scope = members.scope(StructNames.enumerationMembers)
        model.enumerations.append(
            OpenEnumDeclaration(
                qualifiedName: type.qualifiedName, typeName: name, isFlags: type.isFlags,
                members: EnumerationMember.all(of: type, scope),
                note: DocumentNote.text(type.annotations)))
    }
}
