import ODataModel
import ODataText

/// Writes a graph as a CSDL XML document of V4; what is written reads back as an equal graph.
///
/// V2 graphs are written with the V4 types that their types became (`Edm.DateTime` → `Edm.DateTimeOffset`), with
/// concurrency tokens as `Core.OptimisticConcurrency`.
package enum CSDLWriter {
    /// The document as text.
    package static func xml(_ graph: MetadataGraph) -> String {
        var writer = CSDLXMLWriter(graph: graph)
        writer.write()
        return writer.output.text
    }

    /// The name of a type in a V4 document.
    static func typeName(_ type: TypeReference, in graph: MetadataGraph) -> String {
        guard graph.version < .v4, type.typeDefinition == nil else { return graph.typeName(type) }
        let item: String
        switch type.primitive {
        case .dateTime: item = "Edm.DateTimeOffset"
        case .time: item = "Edm.TimeOfDay"
        default: return graph.typeName(type)
        }
        return type.isCollection ? "Collection(\(item))" : item
    }

    static func versionText(_ graph: MetadataGraph) -> String {
        graph.version == .v401 ? "4.01" : "4.0"
    }

    /// The key that the type itself declares.
    static func ownKey(_ type: StructureDefinition, in graph: MetadataGraph) -> [KeyProperty] {
        guard let base = type.baseID, graph[base].key == type.key else { return type.key }
        return []
    }

    /// Annotations of a set, with the concurrency tokens that are marked on properties only.
    static func annotations(
        of set: EntitySetDefinition, in graph: MetadataGraph
    ) -> [AnnotationDefinition] {
        let term = "Org.OData.Core.V1.OptimisticConcurrency"
        let tokens = graph[set.type].properties.filter(\.isConcurrencyToken)
        guard !tokens.isEmpty, graph[set.type].annotations.first(term: term) == nil,
            !graph.entitySets.contains(where: {
                $0.annotations.first(term: term) != nil && isRelated($0.type, set.type, graph)
            })
        else { return set.annotations }
        let paths = tokens.map { AnnotationExpression.path(kind: "PropertyPath", text: $0.name) }
        return set.annotations + [AnnotationDefinition(term: term, value: .collection(paths))]
    }

    private static func isRelated(
        _ type: StructureID, _ other: StructureID, _ graph: MetadataGraph
    ) -> Bool {
        graph.isA(type, other) || graph.isA(other, type)
    }

    /// Schemas in order, those that only elements name included.
    static func namespaces(of graph: MetadataGraph) -> [MetadataGraph.Schema] {
        var schemas = graph.schemas
        var known = Set(schemas.map(\.namespace))
        let used =
            graph.structures.map(\.namespace) + graph.enumerations.map(\.namespace)
            + graph.typeDefinitions.map(\.namespace) + graph.operations.map(\.namespace)
            + graph.containers.map { containerNamespace($0.qualifiedName) }
        for namespace in used where known.insert(namespace).inserted {
            schemas.append(.init(namespace: namespace))
        }
        return schemas
    }

    static func containerNamespace(_ name: String) -> String {
        name.split(separator: ".").dropLast().joined(separator: ".")
    }

    static func localName(_ name: String) -> String {
        String(name.split(separator: ".").last ?? "")
    }
}

struct CSDLXMLWriter {
    let graph: MetadataGraph
    var output = XMLWriter()

    init(graph: MetadataGraph) { self.graph = graph }

    mutating func write() {
        output.start("edmx:Edmx")
        output.attribute("xmlns:edmx", CSDLBuilder.edmxNamespaces[0])
        for (prefix, namespace) in graph.attributeNamespaces.sorted(by: { $0.key < $1.key }) {
            output.attribute("xmlns:\(prefix)", namespace)
        }
        output.attribute("Version", CSDLWriter.versionText(graph))
        for reference in graph.references {
            output.element("edmx:Reference", ["Uri": reference.uri]) { output in
                for include in reference.includes {
                    output.element(
                        "edmx:Include", ["Namespace": include.namespace, "Alias": include.alias])
                }
                for include in reference.annotationIncludes {
                    output.element(
                        "edmx:IncludeAnnotations",
                        [
                            "TermNamespace": include.termNamespace, "Qualifier": include.qualifier,
                            "TargetNamespace": include.targetNamespace,
                        ])
                }
            }
        }
        output.start("edmx:DataServices")
        let schemas = CSDLWriter.namespaces(of: graph)
        for (position, schema) in schemas.enumerated() {
            write(schema, isLast: position == schemas.count - 1)
        }
        output.end()
        output.end()
    }

    private mutating func write(_ schema: MetadataGraph.Schema, isLast: Bool) {
        output.start("Schema")
        output.attribute("xmlns", CSDLBuilder.edmNamespaces[0])
        output.attribute("Namespace", schema.namespace)
        output.attribute("Alias", schema.alias)
        foreignAttributes(schema.annotations)
        for type in graph.enumerations where type.namespace == schema.namespace { write(type) }
        for type in graph.typeDefinitions where type.namespace == schema.namespace { write(type) }
        for type in graph.structures where type.namespace == schema.namespace { write(type) }
        for operation in graph.operations where operation.namespace == schema.namespace {
            write(operation)
        }
        for term in graph.terms where term.namespace == schema.namespace { write(term) }
        for container in graph.containers
        where CSDLWriter.containerNamespace(container.qualifiedName) == schema.namespace {
            write(container)
        }
        if isLast {
            for target in graph.targetedAnnotations {
                output.start("Annotations")
                output.attribute("Target", target.target)
                write(target.annotations)
                output.end()
            }
        }
        write(schema.annotations)
        output.end()
    }

    // MARK: - Types

    private mutating func write(_ type: EnumerationDefinition) {
        output.start("EnumType")
        output.attribute("Name", type.name)
        output.attribute("UnderlyingType", "Edm.\(type.underlyingType.name)")
        if type.isFlags { output.attribute("IsFlags", "true") }
        foreignAttributes(type.annotations)
        for member in type.members {
            output.start("Member")
            output.attribute("Name", member.name)
            output.attribute("Value", String(member.value))
            write(member.annotations)
            output.end()
        }
        write(type.annotations)
        output.end()
    }

    private mutating func write(_ type: TypeDefinitionDefinition) {
        output.start("TypeDefinition")
        output.attribute("Name", type.name)
        output.attribute("UnderlyingType", "Edm.\(type.underlyingType.name)")
        facets(type.facets)
        foreignAttributes(type.annotations)
        write(type.annotations)
        output.end()
    }

    private mutating func write(_ type: StructureDefinition) {
        let base = type.baseID.map { graph[$0] }
        output.start(type.kind == .entity ? "EntityType" : "ComplexType")
        output.attribute("Name", type.name)
        output.attribute("BaseType", base?.qualifiedName)
        if type.isAbstract { output.attribute("Abstract", "true") }
        if type.isOpen, !(base?.isOpen ?? false) { output.attribute("OpenType", "true") }
        if type.hasStream, !(base?.hasStream ?? false) { output.attribute("HasStream", "true") }
        foreignAttributes(type.annotations)
        let key = CSDLWriter.ownKey(type, in: graph)
        if !key.isEmpty {
            output.start("Key")
            for property in key {
                output.element(
                    "PropertyRef", ["Name": property.path, "Alias": property.alias])
            }
            output.end()
        }
        for property in type.properties.dropFirst(type.inheritedCount) {
            if let navigation = property.navigation {
                write(property, navigation)
            } else {
                write(property)
            }
        }
        write(type.annotations)
        output.end()
    }

    private mutating func write(_ property: PropertyDefinition) {
        output.start("Property")
        output.attribute("Name", property.name)
        typeAttributes(property.type)
        output.attribute("DefaultValue", property.defaultValue)
        foreignAttributes(property.annotations)
        write(property.annotations)
        output.end()
    }

    private mutating func write(_ property: PropertyDefinition, _ navigation: NavigationDefinition)
    {
        output.start("NavigationProperty")
        output.attribute("Name", property.name)
        typeAttributes(property.type)
        output.attribute("Partner", navigation.partner)
        if navigation.containsTarget { output.attribute("ContainsTarget", "true") }
        foreignAttributes(property.annotations)
        for constraint in navigation.referentialConstraints {
            output.element(
                "ReferentialConstraint",
                [
                    "Property": constraint.property,
                    "ReferencedProperty": constraint.referencedProperty,
                ])
        }
        if let action = navigation.onDelete {
            output.element("OnDelete", ["Action": action.rawValue])
        }
        write(property.annotations)
        output.end()
    }

    mutating func typeAttributes(_ type: TypeReference) {
        output.attribute("Type", CSDLWriter.typeName(type, in: graph))
        if !type.isNullable { output.attribute("Nullable", "false") }
        facets(type.facets)
    }

    private mutating func facets(_ facets: TypeFacetValues) {
        output.attribute("MaxLength", facets.maxLength.map { $0 == .max ? "max" : String($0) })
        output.attribute("Precision", facets.precision.map(String.init))
        switch facets.scale {
        case .fixed(let digits): output.attribute("Scale", String(digits))
        case .variable: output.attribute("Scale", "variable")
        case .floating: output.attribute("Scale", "floating")
        case nil: break
        }
        output.attribute(
            "SRID",
            facets.srid.map { $0 == TypeFacetValues.variableSRID ? "variable" : String($0) })
        output.attribute("Unicode", facets.isUnicode.map(String.init))
        output.attribute("FixedLength", facets.isFixedLength.map(String.init))
    }
}
