import ODataModel

/// Makes the columns of one table of a local store.
struct ColumnBuilder {
    let graph: MetadataGraph
    let tablePath: String
    var record: MappingRecord
    let dialect: SQLDialect
    private(set) var columns: [ColumnMapping] = []
    private var names = NameSpace()

    init(
        graph: MetadataGraph, tablePath: String, record: MappingRecord, dialect: SQLDialect
    ) {
        self.graph = graph
        self.tablePath = tablePath
        self.record = record
        self.dialect = dialect
    }

    /// Adds the columns of the declared type, then those that each derived type declares itself.
    mutating func build(types: [StructureID]) {
        for (position, type) in types.enumerated() {
            let definition = graph[type]
            let first = position == 0 ? 0 : definition.inheritedCount
            for slot in first..<max(first, definition.properties.count) {
                add(definition.properties[slot], slots: [slot], prefix: "", owner: type, within: [])
            }
        }
    }

    private mutating func add(
        _ property: PropertyDefinition, slots: [Int], prefix: String, owner: StructureID,
        within: [StructureID]
    ) {
        guard !property.isNavigation, property.type.primitive != .stream else { return }
        let path = prefix + property.name
        if let complex = flattened(property.type, within: within) {
            if property.type.isNullable {
                append(path: path, slots: slots, owner: owner, property.type, .presence)
            }
            for (slot, member) in graph[complex].properties.enumerated() {
                add(
                    member, slots: slots + [slot], prefix: path + "/", owner: owner,
                    within: within + [complex])
            }
            return
        }
        let widened = record.widened.contains(recordKey(path))
        append(
            path: path, slots: slots, owner: owner, property.type,
            .local(for: property.type, widened: widened))
    }

    private mutating func append(
        path: String, slots: [Int], owner: StructureID, _ type: TypeReference,
        _ encoding: ColumnEncoding
    ) {
        let key = recordKey(path)
        // Two derived types may declare the same name: the owner keeps their records apart.
        let recordName = columns.contains { $0.path == path } ? "\(key)|\(owner.index)" : key
        let name = record.names[recordName] ?? names.uniqueName(for: path)
        names.claim(name)
        if name != path { record.names[recordName] = name }
        var column = ColumnMapping(
            path: path, slots: slots, owner: owner, type: type, encoding: encoding, name: name)
        if column.orderColumn != nil, dialect.hasNumeric {
            (column.orderColumn, column.isSelfOrdered) = (nil, true)
        }
        columns.append(column)
    }

    private func recordKey(_ path: String) -> String { "\(tablePath)|\(path)" }

    /// The complex type to flatten; nil for everything that is one column: collections, and complex types that are
    /// open, derived from, or contain themselves.
    private func flattened(_ type: TypeReference, within: [StructureID]) -> StructureID? {
        guard !type.isCollection, let id = type.structure, within.count < Self.maximumDepth,
            !within.contains(id)
        else { return nil }
        let definition = graph[id]
        guard definition.kind == .complex, !definition.isOpen, definition.derivedIDs.isEmpty,
            !contains(id, itself: id, depth: 0)
        else { return nil }
        return id
    }

    private func contains(_ id: StructureID, itself target: StructureID, depth: Int) -> Bool {
        guard depth < Self.maximumDepth else { return true }
        return graph[id].properties.contains { property in
            guard !property.isNavigation, !property.type.isCollection,
                let member = property.type.structure
            else { return false }
            return member == target || contains(member, itself: target, depth: depth + 1)
        }
    }

    private static let maximumDepth = 8
}
