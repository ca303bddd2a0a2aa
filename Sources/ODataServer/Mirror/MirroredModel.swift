import ODataModel
import ODataSQL
import ODataText

/// Another service's data as this one offers it: the same names, types and keys, and tables that are filled from a local
/// store of that service.
package struct MirroredModel: Sendable {
    package let mapping: SchemaMapping
    /// The other service's own metadata where it is one of V2, some of whose types V4 does not have.
    let original: MetadataGraph?
    /// The other service's own metadata, whose types and properties have the places that they have in what is offered.
    package let origin: MetadataGraph
    /// What is not offered, and why.
    package let notes: [String]

    /// - Parameters:
    ///   - store: the mapping of the local store that the tables are filled from.
    ///   - unreadable: why sets cannot be read, by name.
    ///   - takesChanges: changes are passed on to the other service.
    package init(
        of store: SchemaMapping, unreadable: [String: String] = [:], takesChanges: Bool = false
    ) {
        let origin = store.graph
        self.origin = origin
        let graph = Self.offered(origin, unreadable: unreadable, takesChanges: takesChanges)
        var mapping = SchemaMapping.local(for: graph, record: store.record)
        for position in mapping.tables.indices {
            let table = mapping.tables[position]
            var system = table.system
            // What these say of the other service's rows does not hold for what is offered here.
            (system.etag, system.sources, system.state, system.control) = (nil, nil, nil, nil)
            mapping.tables[position].system = system
            mapping.tables[position].isWritable = Self.isTracked(table)
            mapping.tables[position].hasStream = false
        }
        self.mapping = mapping
        original = origin.version < .v4 ? origin : nil
        notes = Self.notes(origin, unreadable)
    }

    /// Rows inside others are part of these, and a singleton is one row: neither has changes of its own to ask for.
    static func isTracked(_ table: TableMapping) -> Bool {
        table.parent == nil && !table.keyColumns.isEmpty
    }

    private static func notes(_ origin: MetadataGraph, _ unreadable: [String: String]) -> [String] {
        var notes = unreadable.sorted { $0.key < $1.key }.map {
            "\($0.key) is not offered: \($0.value)"
        }
        if !origin.operationImports.isEmpty {
            notes.append("\(origin.operationImports.count) functions and actions are not offered.")
        }
        let streams = origin.structures.filter { type in
            type.hasStream || type.properties.contains { $0.type.primitive == .stream }
        }
        if !streams.isEmpty {
            notes.append(
                "The streams of \(streams.map(\.name).joined(separator: ", ")) are not offered.")
        }
        return notes
    }

    // MARK: Metadata

    /// The metadata in V4, with what this service says of itself in the place of what the other one does.
    private static func offered(
        _ origin: MetadataGraph, unreadable: [String: String], takesChanges: Bool
    ) -> MetadataGraph {
        var graph = origin
        let isOld = origin.version < .v4
        graph.version = .v4
        (graph.operations, graph.operationImports, graph.references) = ([], [], [])
        (graph.targetedAnnotations, graph.attributeNamespaces) = ([], [:])
        for schema in graph.schemas.indices {
            graph.schemas[schema].annotations = kept(graph.schemas[schema].annotations)
        }
        for type in graph.structures.indices {
            graph.structures[type].hasStream = false
            graph.structures[type].annotations = kept(graph.structures[type].annotations)
            for slot in graph.structures[type].properties.indices {
                let property = graph.structures[type].properties[slot]
                graph.structures[type].properties[slot].annotations = kept(property.annotations)
                if isOld { modernize(&graph.structures[type].properties[slot].type) }
            }
        }
        for container in graph.containers.indices {
            graph.containers[container].annotations =
                kept(graph.containers[container].annotations)
                + (container == 0 ? ServiceAnnotations.container(takesChanges: takesChanges) : [])
        }
        for position in graph.entitySets.indices {
            let set = graph.entitySets[position]
            var annotations = kept(set.annotations)
            if unreadable[set.name] != nil {
                annotations.append(ServiceAnnotations.unreadable)
            } else if !set.isSingleton {
                annotations += ServiceAnnotations.set(
                    isTracked: true, takesChanges: takesChanges,
                    refusing: takesChanges ? refused(set.annotations) : [])
            }
            graph.entitySets[position].annotations = annotations
        }
        return graph
    }

    /// The types that V4 has in the place of those of V2, with facets that leave out nothing.
    private static func modernize(_ type: inout TypeReference) {
        guard case .primitive(let primitive) = type.kind else { return }
        switch primitive {
        case .dateTime: type.kind = .primitive(.dateTimeOffset)
        case .time: type.kind = .primitive(.timeOfDay)
        default: break
        }
        switch primitive {
        case .dateTime, .time, .dateTimeOffset:
            if type.facets.precision == nil { type.facets.precision = 7 }
        case .decimal:
            if type.facets.scale == nil { type.facets.scale = .variable }
        default: break
        }
    }

    /// The kinds of changes that the other service says it does not take of a set.
    private static func refused(
        _ annotations: [AnnotationDefinition]
    ) -> Set<ServiceAnnotations.Change> {
        Set(
            ServiceAnnotations.Change.allCases.filter { change in
                let term = Terms.capabilities + change.restrictions
                if case .record(_, let members)? = annotations.first(term: term)?.value,
                    members.flag(change.word) == false
                {
                    return true
                }
                return annotations.flag(change.attribute) == false
            })
    }

    /// What is said of the data and not of the service.
    private static func kept(_ annotations: [AnnotationDefinition]) -> [AnnotationDefinition] {
        annotations.filter { annotation in
            annotation.term.hasPrefix("Org.OData.")
                && !["Org.OData.Capabilities.", "Org.OData.Repeatability."].contains {
                    annotation.term.hasPrefix($0)
                } && annotation.term != Terms.optimisticConcurrency
        }
    }
}
