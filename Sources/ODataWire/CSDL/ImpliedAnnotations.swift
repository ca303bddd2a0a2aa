import ODataModel

/// The annotations that a reader of a V2 or V3 document makes of its attributes, by what they are about: a writer leaves
/// them out, because the attributes are there.
struct ImpliedAnnotations {
    /// By namespace.
    private(set) var schemas: [String: [AnnotationDefinition]] = [:]
    private(set) var types: [String: [AnnotationDefinition]] = [:]
    /// By `Schema.Type/Property`.
    private(set) var properties: [String: [AnnotationDefinition]] = [:]
    private(set) var sets: [String: [AnnotationDefinition]] = [:]
    private(set) var containers: [String: [AnnotationDefinition]] = [:]
    /// Operations, and their parameters by `Schema.Operation/Parameter`.
    private(set) var operations: [String: [AnnotationDefinition]] = [:]

    init(_ graph: MetadataGraph) {
        let attributes = Self.withAttributesOnly(graph)
        // A reader looks at the attributes before it knows which properties are inherited, at tokens afterwards.
        var declared = CSDLBuilder(options: CSDLReader.Options())
        declared.graph = attributes
        for index in declared.graph.structures.indices {
            declared.graph.structures[index].properties.removeFirst(
                attributes.structures[index].inheritedCount)
        }
        declared.mapServiceAttributes()
        var tokens = CSDLBuilder(options: CSDLReader.Options())
        tokens.graph = attributes
        tokens.annotateConcurrencyTokens()
        collect(declared.graph)
        for set in tokens.graph.entitySets {
            sets[set.qualifiedName, default: []] += set.annotations.filter {
                !$0.term.contains(":")
            }
        }
    }

    private static func withAttributesOnly(_ graph: MetadataGraph) -> MetadataGraph {
        var graph = graph
        let isOther = { (annotation: AnnotationDefinition) in !annotation.term.contains(":") }
        for index in graph.schemas.indices {
            graph.schemas[index].annotations.removeAll(where: isOther)
        }
        for index in graph.containers.indices {
            graph.containers[index].annotations.removeAll(where: isOther)
        }
        for index in graph.entitySets.indices {
            graph.entitySets[index].annotations.removeAll(where: isOther)
        }
        for index in graph.structures.indices {
            graph.structures[index].annotations.removeAll(where: isOther)
            for slot in graph.structures[index].properties.indices {
                graph.structures[index].properties[slot].annotations.removeAll(where: isOther)
            }
        }
        for index in graph.operations.indices {
            graph.operations[index].annotations.removeAll(where: isOther)
            for parameter in graph.operations[index].parameters.indices {
                graph.operations[index].parameters[parameter].annotations.removeAll(where: isOther)
            }
        }
        return graph
    }

    private mutating func collect(_ graph: MetadataGraph) {
        for schema in graph.schemas { schemas[schema.namespace] = schema.annotations }
        for container in graph.containers {
            containers[container.qualifiedName] = container.annotations
        }
        for set in graph.entitySets { sets[set.qualifiedName] = set.annotations }
        for type in graph.structures {
            types[type.qualifiedName] = type.annotations
            for property in type.properties {
                properties["\(type.qualifiedName)/\(property.name)"] = property.annotations
            }
        }
        for operation in graph.operations {
            operations[operation.qualifiedName] = operation.annotations
            for parameter in operation.parameters {
                operations["\(operation.qualifiedName)/\(parameter.name)"] = parameter.annotations
            }
        }
    }
}
