// What CSDL can spell in two ways, spelled in one: the XML and the JSON form of a document do not tell these apart.

extension MetadataGraph {
    /// The same model with a missing decimal scale as 0, a missing annotation value as true, the maximum length `max`
    /// and Unicode as not limited, all static model paths and all numbers of annotations of one kind, annotations in
    /// order of their terms, bindings in order of their paths, parameters without modes, and what is referred to at one place as one reference.
    package var canonical: MetadataGraph {
        var graph = self
        for index in graph.schemas.indices { graph.schemas[index].annotations.canonicalise() }
        for index in graph.containers.indices { graph.containers[index].annotations.canonicalise() }
        for index in graph.entitySets.indices {
            graph.entitySets[index].annotations.canonicalise()
            // Bindings have no order that anyone could rely on.
            graph.entitySets[index].bindings.sort { ($0.path, $0.target) < ($1.path, $1.target) }
        }
        for index in graph.operationImports.indices {
            graph.operationImports[index].annotations.canonicalise()
        }
        for index in graph.structures.indices { graph.structures[index].canonicalise() }
        for index in graph.enumerations.indices {
            graph.enumerations[index].annotations.canonicalise()
            for member in graph.enumerations[index].members.indices {
                graph.enumerations[index].members[member].annotations.canonicalise()
            }
        }
        for index in graph.typeDefinitions.indices {
            graph.typeDefinitions[index].annotations.canonicalise()
            graph.typeDefinitions[index].facets.canonicalise(
                isDecimal: graph.typeDefinitions[index].underlyingType == .decimal)
        }
        for index in graph.operations.indices { graph.canonicaliseOperation(index) }
        graph.mergeReferences()
        for index in graph.references.indices { graph.references[index].canonicalise() }
        for index in graph.terms.indices {
            graph.terms[index].annotations.canonicalise()
            graph.terms[index].type.canonicalise()
        }
        for index in graph.targetedAnnotations.indices {
            graph.targetedAnnotations[index].annotations.canonicalise()
        }
        return graph
    }

    private mutating func canonicaliseOperation(_ index: Int) {
        operations[index].canonicalise()
        // Whether the entities of a collection may be null is not for the document to say.
        let isOfEntities = { (graph: MetadataGraph, type: TypeReference?) in
            guard let type, type.isCollection, let id = type.structure else { return false }
            return graph[id].kind == .entity
        }
        if isOfEntities(self, operations[index].returnType) {
            operations[index].returnType?.isNullable = true
        }
        for parameter in operations[index].parameters.indices
        where isOfEntities(self, operations[index].parameters[parameter].type) {
            operations[index].parameters[parameter].type.isNullable = true
        }
    }

    /// The references, those to one place as one.
    package var canonicalReferences: [Reference] {
        var graph = self
        graph.mergeReferences()
        return graph.references
    }

    private mutating func mergeReferences() {
        var merged: [Reference] = []
        for reference in references {
            guard let index = merged.firstIndex(where: { $0.uri == reference.uri }) else {
                merged.append(reference)
                continue
            }
            merged[index].includes += reference.includes
            merged[index].annotationIncludes += reference.annotationIncludes
            merged[index].annotations += reference.annotations
        }
        references = merged
    }
}

extension StructureDefinition {
    fileprivate mutating func canonicalise() {
        annotations.canonicalise()
        for index in properties.indices {
            properties[index].annotations.canonicalise()
            properties[index].type.canonicalise()
            properties[index].navigation?.canonicalise()
        }
    }
}

extension NavigationDefinition {
    fileprivate mutating func canonicalise() {
        onDeleteAnnotations.canonicalise()
        for index in referentialConstraints.indices {
            referentialConstraints[index].annotations.canonicalise()
        }
    }
}

extension MetadataGraph.Reference {
    fileprivate mutating func canonicalise() {
        annotations.canonicalise()
        for index in includes.indices { includes[index].annotations.canonicalise() }
    }
}

extension OperationDefinition {
    fileprivate mutating func canonicalise() {
        annotations.canonicalise()
        returnAnnotations.canonicalise()
        returnType?.canonicalise()
        for index in parameters.indices {
            parameters[index].annotations.canonicalise()
            parameters[index].type.canonicalise()
            // JSON has no place for it.
            parameters[index].mode = .input
        }
    }
}

extension TypeReference {
    fileprivate mutating func canonicalise() {
        facets.canonicalise(isDecimal: primitive == .decimal)
    }
}

extension TypeFacetValues {
    fileprivate mutating func canonicalise(isDecimal: Bool) {
        if maxLength == .max { maxLength = nil }
        if isUnicode == true { isUnicode = nil }
        if isFixedLength == false { isFixedLength = nil }
        if isDecimal, scale == nil { scale = .fixed(0) }
    }
}

extension [AnnotationDefinition] {
    fileprivate mutating func canonicalise() {
        // A term stands once with each qualifier; of two the second counts, as in JSON.
        var last: [String: Int] = [:]
        for index in indices { last["\(self[index].term)#\(self[index].qualifier ?? "")"] = index }
        self = last.sorted { $0.key < $1.key }.map { self[$0.value].canonical }
    }
}

extension AnnotationDefinition {
    fileprivate var canonical: AnnotationDefinition {
        var copy = self
        copy.value = value.canonical
        copy.annotations.canonicalise()
        return copy
    }
}

extension AnnotationExpression {
    fileprivate var canonical: AnnotationExpression {
        switch self {
        case .none: .boolean(true)
        case .integer(let value): .constant(kind: "Decimal", text: String(value))
        case .constant("Float", let text): .constant(kind: "Decimal", text: text)
        case .path(let kind, let text) where kind != "Path": .path(kind: "PropertyPath", text: text)
        case .collection(let items): .collection(items.map(\.canonical))
        case .record(let type, let properties):
            .record(
                type: type,
                properties: properties.map(\.canonical).sorted {
                    ($0.term, $0.qualifier ?? "") < ($1.term, $1.qualifier ?? "")
                })
        case .dynamic(let name, let attributes, let operands):
            .dynamic(name: name, attributes: attributes, operands: operands.map(\.canonical))
        default: self
        }
    }
}
