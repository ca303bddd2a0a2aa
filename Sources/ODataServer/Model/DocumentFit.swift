import ODataModel
import ODataSQL
import ODataText

extension ServiceCode {
    /// The document says something that the service has no place for.
    static let unhostable = ODataError.Code("unhostable")
}

/// Finds what a service cannot host of a CSDL document, before anything is made of it.
struct DocumentFit {
    let graph: MetadataGraph

    init(_ graph: MetadataGraph) {
        self.graph = graph
    }

    /// - Throws: `unhostable` with the qualified name of the first element that has no place.
    func check() throws {
        guard graph.version >= .v4 else {
            throw Self.unhostable("a document of V4", "one of V2 or V3", at: "edmx:Edmx")
        }
        guard graph.containers.count == 1 else {
            throw Self.unhostable(
                "one entity container", "\(graph.containers.count)", at: "EntityContainer")
        }
        guard !graph.entitySets.isEmpty, graph.undefinedSets.isEmpty else {
            throw Self.unhostable(
                "entity sets of types in the document", "none or others",
                at: graph.undefinedSets.first?.name ?? graph.containers[0].qualifiedName)
        }
        for set in graph.entitySets where !set.isSingleton && graph[set.type].key.isEmpty {
            throw Self.unhostable("an entity type with a key", "none", at: set.name)
        }
        for type in graph.structures { try check(type) }
    }

    private func check(_ type: StructureDefinition) throws {
        for property in type.properties.dropFirst(type.inheritedCount) {
            let name = "\(type.qualifiedName)/\(property.name)"
            if property.isNavigation, type.kind == .complex {
                throw Self.unhostable(
                    "navigation properties of entity types", "one of a complex type", at: name)
            }
            if property.type.primitive == .stream,
                type.kind == .complex || type.baseType != nil
                    || property.type.isCollection
            {
                throw Self.unhostable(
                    "streams of entity types without base type", "another one", at: name)
            }
            if let misfit = ValueLimits.misfit(in: property) {
                throw Self.unhostable(misfit.expected, misfit.found, at: name)
            }
            if property.name.hasPrefix("_odata_") {
                throw Self.unhostable("another name", "one that begins with _odata_", at: name)
            }
        }
        if type.hasStream, let base = type.baseID, !graph[base].hasStream {
            throw Self.unhostable(
                "HasStream at the type that others derive from", "it at a derived type",
                at: type.qualifiedName)
        }
    }

    /// - Throws: `unhostable` for keys and links that the tables cannot hold.
    func check(_ mapping: SchemaMapping) throws {
        for table in mapping.tables {
            guard table.keyColumns.count == graph[table.structure].key.count else {
                throw Self.unhostable("a key of properties of the type", "another", at: table.path)
            }
            for key in table.keys {
                guard key.slots.count == 1, Self.isUsable(key.encoding) else {
                    throw Self.unhostable(
                        "a key of numbers, texts, GUIDs, dates or times", "a type that is none",
                        at: "\(graph[table.structure].qualifiedName)/\(key.path)")
                }
            }
            guard table.parent == nil || isContained(table, in: mapping) else {
                throw Self.unhostable(
                    "an entity set for the target of a navigation property", "none", at: table.path)
            }
            for (slot, property) in graph[table.structure].properties.enumerated()
            where property.isNavigation {
                let isStored = table.navigations.contains { $0.slots == [slot] }
                guard isStored else {
                    throw Self.unhostable(
                        "containment of at most 4 levels", "more",
                        at: "\(table.path)/\(property.name)")
                }
            }
        }
    }

    private func isContained(_ table: TableMapping, in mapping: SchemaMapping) -> Bool {
        guard let parent = table.parent else { return true }
        return mapping[parent].navigations.contains { $0.target == table.id && $0.containsTarget }
    }

    /// What compares exactly and is written in one way.
    private static func isUsable(_ encoding: ColumnEncoding) -> Bool {
        switch encoding {
        case .integer, .string, .guid, .date, .timeOfDay, .utcDateTime, .boolean, .scaledDecimal:
            true
        default: false
        }
    }

    private static func unhostable(_ expected: String, _ found: String, at name: String)
        -> ODataError
    {
        ODataError(
            ServiceCode.unhostable,
            "The service cannot host the document: expected \(expected), found \(found).",
            at: .path(name))
    }
}
