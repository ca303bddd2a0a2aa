import ODataModel
import ODataWire

/// Joins an app's own metadata with the service's into one document, and says when a later version of it cannot keep the
/// data of an earlier one (offline reference, 16.6).
package enum ClientMetadata {
    /// The service's document with the schemas and references of the client's added.
    ///
    /// The client's schemas may use the service's types, so they make sense only together.
    ///
    /// - Throws: `invalidMetadata` when one of the texts has no `DataServices` element.
    package static func combined(service: String, client: String) throws -> String {
        try CombinedMetadata.text(service: service, client: client)
    }

    /// The part of an app's document that only the device knows, as a document: the schemas that hold something so marked
    /// and that the service does not have. Nil where there is none.
    package static func text(in app: MetadataGraph, besides service: MetadataGraph) -> String? {
        let own = app.clientOnlyNamespaces.subtracting(service.schemas.map(\.namespace))
        return own.isEmpty ? nil : CSDLWriter.xml(app, namespaces: own)
    }

    /// What keeps data of the old client-only sets from being kept under the new metadata; nil when all can stay.
    ///
    /// Types, sets and nullable properties may be added; everything else needs the data gone.
    package static func obstacle(
        from old: MetadataGraph, to new: MetadataGraph
    ) -> MetadataDifference.Change? {
        let names = names(of: old)
        guard !names.isEmpty else { return nil }
        return MetadataDifference(from: old, to: new).changes.first { change in
            let subject = change.path.split(separator: "/").first.map(String.init) ?? ""
            guard names.contains(subject) else { return false }
            switch change.effect {
            case .removed, .incompatible: return true
            case .added: return isRequired(change.path, in: new)
            case .compatible: return false
            }
        }
    }

    /// The client-only sets and types, and whatever their values are made of, marked or not: enumeration types, type definitions
    /// and complex types. What is the service's does not change here.
    private static func names(of graph: MetadataGraph) -> Set<String> {
        var names = graph.clientOnlySets
        var open = graph.structures.indices.map { StructureID($0) }.filter(graph.isClientOnly)
        for set in graph.entitySets.indices.map({ EntitySetID($0) })
        where graph.isClientOnly(set) && !graph.isLocalDraft(set) {
            open.append(graph[set].type)
        }
        var seen: Set<StructureID> = []
        while let id = open.popLast() {
            guard seen.insert(id).inserted else { continue }
            names.insert(graph[id].qualifiedName)
            if let base = graph[id].baseID { open.append(base) }
            for property in graph[id].properties where !property.isNavigation {
                if let name = property.type.typeDefinition { names.insert(name) }
                if let type = property.type.enumeration { names.insert(graph[type].qualifiedName) }
                if let type = property.type.structure { open.append(type) }
            }
        }
        return names
    }

    private static func isRequired(_ path: String, in graph: MetadataGraph) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2, let type = graph.structure(named: parts[0]),
            let slot = graph[type].slot(named: parts[1])
        else { return false }
        let property = graph[type].properties[slot]
        return !property.type.isNullable && !property.isNavigation && !property.type.isCollection
    }
}
