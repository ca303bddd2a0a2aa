import ODataModel
import ODataText

// What is added to a model, or reported about it, once it is whole.

extension CSDLBuilder {
    /// In V2 and V3 an import is what its operation is, however a JSON document spells it.
    mutating func alignImports() {
        guard graph.version < .v4 else { return }
        for index in graph.operationImports.indices {
            let name = graph.operationImports[index].operation
            guard let operation = graph.operations.first(where: { $0.qualifiedName == name })
            else { continue }
            graph.operationImports[index].isAction = operation.isAction
        }
    }

    /// Sets whose type marks concurrency tokens on properties (V2) say so as V4 does, by `Core.OptimisticConcurrency`.
    mutating func annotateConcurrencyTokens() {
        guard !options.ignoresAnnotations else { return }
        for index in graph.entitySets.indices {
            graph.entitySets[index].annotations = CSDLWriter.annotations(
                of: graph.entitySets[index], in: graph)
        }
    }

    /// Gives navigation properties without a bound set one of their own, named after set and path, so that generated
    /// code has a set for every entity type it can meet.
    mutating func synthesizeTargetSets() {
        guard let container = graph.defaultContainer?.qualifiedName else { return }
        var names = Set(graph.entitySets.map(\.name))
        for index in graph.entitySets.indices {
            let set = graph.entitySets[index]
            for property in graph[set.type].properties {
                guard let navigation = property.navigation, !navigation.containsTarget,
                    let target = property.type.structure, set.target(of: property.name) == nil,
                    !graph.entitySets.contains(where: {
                        !$0.isSingleton && graph.isA(target, $0.type)
                    })
                else { continue }
                let name = graph[target].name + "Set"
                guard names.insert(name).inserted else { continue }
                graph.entitySets.append(
                    EntitySetDefinition(
                        name: name, container: container, type: target,
                        isIncludedInServiceDocument: false))
                graph.entitySets[index].bindings.append(
                    NavigationBinding(path: property.name, target: name))
            }
        }
        graph.reindexEntitySets()
    }

    /// Leaves out what only matters to whoever implements the service: documentation and authorisation terms.
    mutating func removeServerOnlyAnnotations() {
        let isServerOnly = { (annotation: AnnotationDefinition) in
            Self.serverOnlyTerms.contains(annotation.term)
                || annotation.term.hasPrefix("Org.OData.Authorization.")
        }
        for index in graph.structures.indices {
            graph.structures[index].annotations.removeAll(where: isServerOnly)
            for slot in graph.structures[index].properties.indices {
                graph.structures[index].properties[slot].annotations.removeAll(where: isServerOnly)
            }
        }
        for index in graph.entitySets.indices {
            graph.entitySets[index].annotations.removeAll(where: isServerOnly)
        }
        for index in graph.containers.indices {
            graph.containers[index].annotations.removeAll(where: isServerOnly)
        }
    }

    private static let serverOnlyTerms: Set<String> = [
        "Org.OData.Core.V1.LongDescription", "Org.OData.Core.V1.Revisions",
        "Org.OData.Core.V1.Links", "Org.OData.Core.V1.Example",
    ]

    // MARK: - Findings

    mutating func reportFindings() {
        if options.reportsUndefinedTerms { reportUndefinedTerms() }
        if options.facetFindings != .none, hasFacets { reportFacets() }
    }

    private mutating func reportUndefinedTerms() {
        for annotation in undefinedAnnotations
        where !annotation.term.hasPrefix("Org.OData.") && graph.diagnostics.count < 1000 {
            graph.diagnostics.append("Term \(annotation.term) is not declared.")
        }
    }

    /// Makes up the terms that nobody declares, each with the type that the vocabularies of OASIS give it or that its first
    /// value has, so that a document finds them like others.
    mutating func resolveUndefinedTerms() {
        graph.resolvedTerms = undefinedAnnotations.map { annotation in
            let parts = annotation.term.split(separator: ".")
            return TermDefinition(
                namespace: parts.dropLast().joined(separator: "."),
                name: parts.last.map(String.init) ?? annotation.term,
                type: TypeReference(.primitive(primitive(of: annotation))))
        }
    }

    private func primitive(of annotation: AnnotationDefinition) -> PrimitiveType {
        if let name = AnnotationTypes.standard.type(ofTerm: annotation.term) {
            return PrimitiveType(name: name) ?? .untyped
        }
        return switch annotation.value {
        case .none, .boolean: .boolean
        case .integer: .int64
        case .string: .string
        case .constant(let kind, _):
            PrimitiveType(name: kind == "Float" ? "Double" : kind) ?? .untyped
        default: .untyped
        }
    }

    /// The first annotation of each term that no document read here declares.
    private var undefinedAnnotations: [AnnotationDefinition] {
        let declared = Set(graph.terms.map { "\($0.namespace).\($0.name)" })
        var seen: Set<String> = []
        var used = graph.structures.flatMap { type in
            type.annotations + type.properties.dropFirst(type.inheritedCount).flatMap(\.annotations)
        }
        used += graph.entitySets.flatMap(\.annotations) + graph.containers.flatMap(\.annotations)
        used += graph.operations.flatMap { operation in
            operation.annotations + operation.parameters.flatMap(\.annotations)
        }
        return used.filter { annotation in
            !annotation.term.contains(":") && !declared.contains(annotation.term)
                && seen.insert(annotation.term).inserted
        }
    }

    /// Facets that cannot be: a scale larger than the precision; with `all`, facets of types that do not take them.
    private mutating func reportFacets() {
        for type in graph.structures {
            for slot in type.inheritedCount..<type.properties.count {
                // Properties are large: no copy is made of one with nothing to say about.
                guard let finding = finding(type.properties[slot].type),
                    graph.diagnostics.count < 1000
                else { continue }
                graph.diagnostics.append(
                    "\(type.qualifiedName)/\(type.properties[slot].name): \(finding)")
            }
        }
    }

    private func finding(_ type: TypeReference) -> String? {
        let facets = type.facets
        if case .fixed(let scale) = facets.scale, let precision = facets.precision,
            scale > precision, type.primitive == .decimal
        {
            return "The scale is larger than the precision."
        }
        guard options.facetFindings == .all, let primitive = type.primitive else { return nil }
        if facets.maxLength != nil, ![.string, .binary, .stream, .untyped].contains(primitive) {
            return "MaxLength does not apply to its type."
        }
        if facets.scale != nil, primitive != .decimal, primitive != .untyped {
            return "Scale does not apply to its type."
        }
        if facets.srid != nil, !primitive.isGeospatial { return "SRID does not apply to its type." }
        return nil
    }
}
