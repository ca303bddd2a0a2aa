import ODataModel
import ODataText

/// Writes a graph as a CSDL XML document; what is written in the graph's own version reads back as an equal graph.
///
/// V2 and V3 graphs are written with associations, association sets and function imports, `sap:` and `m:` attributes
/// as they were. Asked for V4, they are written with the V4 types that their types became (`Edm.DateTime` →
/// `Edm.DateTimeOffset`), with concurrency tokens as `Core.OptimisticConcurrency`, and without the attributes of other
/// namespaces, which V4 does not know; what these mean is in the annotations that were made of them.
package enum CSDLWriter {
    /// The document as text.
    ///
    /// - Parameter version: The version of the document; nil for that of the graph. V4 graphs are written as V4 only.
    package static func xml(_ graph: MetadataGraph, version: ODataVersion? = nil) -> String {
        var writer = CSDLXMLWriter(
            graph: graph, isOld: graph.version < .v4 && (version ?? graph.version) < .v4)
        writer.write()
        return writer.output.text
    }

    /// A document of the schemas with these namespaces alone. What they name of others is not in it, so it makes sense
    /// only beside those.
    package static func xml(_ graph: MetadataGraph, namespaces: Set<String>) -> String {
        var part = graph
        // References and annotations from outside stay with the rest.
        part.references = []
        part.targetedAnnotations = []
        var writer = CSDLXMLWriter(graph: part, isOld: graph.version < .v4)
        writer.namespaces = namespaces
        writer.write()
        return writer.output.text
    }

    /// Whether V4 has to call an operation an action: V2 has functions that return nothing, V4 has none.
    static func isAction(_ operation: OperationDefinition) -> Bool {
        operation.isAction || operation.returnType == nil
    }

    static func isAction(
        _ definition: OperationImportDefinition, in graph: MetadataGraph
    ) -> Bool {
        graph.operations.first { $0.qualifiedName == definition.operation }
            .map { isAction($0) } ?? definition.isAction
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
    /// The document is one of V2 or V3.
    let isOld: Bool
    /// What a reader adds to an old document by itself, which is not written; nil in V4.
    let implied: ImpliedAnnotations?
    /// How an old document says what navigation properties lead to.
    let associations: AssociationPlan
    /// The schemas to write; nil for all.
    var namespaces: Set<String>?
    var output = XMLWriter()

    /// What is of V2 or V3 is said in V4, which has no attributes of other namespaces.
    var isConverted: Bool { graph.version < .v4 && !isOld }

    init(graph: MetadataGraph, isOld: Bool = false) {
        self.graph = graph
        self.isOld = isOld
        implied = isOld ? ImpliedAnnotations(graph) : nil
        associations = isOld ? AssociationPlan(graph) : AssociationPlan()
    }

    mutating func write() {
        output.start("edmx:Edmx")
        output.attribute("xmlns:edmx", CSDLBuilder.edmxNamespaces[isOld ? 1 : 0])
        var prefixes = graph.attributeNamespaces
        if isOld { prefixes["m"] = CSDLBuilder.metadataNamespace }
        for (prefix, namespace) in prefixes.sorted(by: { $0.key < $1.key })
        where !isConverted {
            output.attribute("xmlns:\(prefix)", namespace)
        }
        output.attribute("Version", isOld ? "1.0" : CSDLWriter.versionText(graph))
        for reference in graph.references { write(reference) }
        output.start("edmx:DataServices")
        if isOld {
            output.attribute("m:DataServiceVersion", graph.version == .v3 ? "3.0" : "2.0")
        }
        let schemas = CSDLWriter.namespaces(of: graph)
            .filter { namespaces?.contains($0.namespace) ?? true }
        for (position, schema) in schemas.enumerated() {
            write(schema, isLast: position == schemas.count - 1)
        }
        output.end()
        output.end()
    }

    private mutating func write(_ reference: MetadataGraph.Reference) {
        output.start("edmx:Reference")
        output.attribute("Uri", reference.uri)
        for include in reference.includes {
            output.start("edmx:Include")
            output.attribute("Namespace", include.namespace)
            output.attribute("Alias", include.alias)
            writeOutside(include.annotations)
            output.end()
        }
        for include in reference.annotationIncludes {
            output.element(
                "edmx:IncludeAnnotations",
                [
                    "TermNamespace": include.termNamespace, "Qualifier": include.qualifier,
                    "TargetNamespace": include.targetNamespace,
                ])
        }
        writeOutside(reference.annotations)
        output.end()
    }

    private mutating func write(_ schema: MetadataGraph.Schema, isLast: Bool) {
        output.start("Schema")
        output.attribute("xmlns", isOld ? oldNamespace : CSDLBuilder.edmNamespaces[0])
        output.attribute("Namespace", schema.namespace)
        output.attribute("Alias", schema.alias)
        foreignAttributes(schema.annotations)
        for type in graph.enumerations where type.namespace == schema.namespace { write(type) }
        for type in graph.typeDefinitions where type.namespace == schema.namespace { write(type) }
        for type in graph.structures where type.namespace == schema.namespace { write(type) }
        for association in associations.associations
        where association.namespace == schema.namespace {
            write(association)
        }
        for operation in graph.operations
        where operation.namespace == schema.namespace
            && !(isOld && isImportedAsItIs(operation))
        {
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
                if isOld { output.attribute("xmlns", CSDLBuilder.edmNamespaces[0]) }
                output.attribute("Target", target.target)
                write(target.annotations)
                output.end()
            }
        }
        write(schema.annotations, butFor: implied?.schemas[schema.namespace])
        output.end()
    }

    // MARK: - Types

    private mutating func write(_ type: EnumerationDefinition) {
        output.start("EnumType")
        output.attribute("Name", type.name)
        output.attribute("UnderlyingType", "Edm.\(type.underlyingType.name)")
        if type.isFlags { output.attribute("IsFlags", "true") }
        foreignAttributes(type.annotations)
        let said = documentation(type.annotations)
        for member in type.members {
            output.start("Member")
            output.attribute("Name", member.name)
            output.attribute("Value", String(member.value))
            write(member.annotations)
            output.end()
        }
        write(type.annotations.filter { !said.contains($0) })
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
        if type.hasStream, !(base?.hasStream ?? false) {
            output.attribute(isOld ? "m:HasStream" : "HasStream", "true")
        }
        foreignAttributes(type.annotations)
        let own = annotations(type.annotations, butFor: implied?.types[type.qualifiedName])
        let said = documentation(own)
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
            let known = implied?.properties["\(type.qualifiedName)/\(property.name)"]
            if let navigation = property.navigation {
                if isOld {
                    writeRelationship(property, navigation, of: type, butFor: known)
                } else {
                    write(property, navigation)
                }
            } else {
                write(property, butFor: known)
            }
        }
        write(own.filter { !said.contains($0) })
        output.end()
    }

    private mutating func write(
        _ property: PropertyDefinition, butFor known: [AnnotationDefinition]?
    ) {
        output.start("Property")
        output.attribute("Name", property.name)
        var type = property.type
        if isOld, property.annotations.flag("sap:variable-scale") == true {
            type.facets.scale = nil
        }
        typeAttributes(type)
        output.attribute("DefaultValue", property.defaultValue)
        if isOld, property.isConcurrencyToken { output.attribute("ConcurrencyMode", "Fixed") }
        foreignAttributes(property.annotations)
        let own = annotations(property.annotations, butFor: known)
        let said = documentation(own)
        write(own.filter { !said.contains($0) })
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
            output.start("ReferentialConstraint")
            output.attribute("Property", constraint.property)
            output.attribute("ReferencedProperty", constraint.referencedProperty)
            write(constraint.annotations)
            output.end()
        }
        if let action = navigation.onDelete {
            output.start("OnDelete")
            output.attribute("Action", action.rawValue)
            write(navigation.onDeleteAnnotations)
            output.end()
        }
        write(property.annotations)
        output.end()
    }

    mutating func typeAttributes(_ type: TypeReference) {
        output.attribute(
            "Type", isOld ? graph.typeName(type) : CSDLWriter.typeName(type, in: graph))
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
        if !isConverted {
            output.attribute("FixedLength", facets.isFixedLength.map(String.init))
        }
    }
}
