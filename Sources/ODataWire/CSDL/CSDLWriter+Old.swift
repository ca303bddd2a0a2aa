import ODataModel
import ODataText

// What V2 and V3 documents say otherwise than V4 (CSDL 2.0 and 3.0): associations, association sets, function imports.

extension CSDLXMLWriter {
    /// The namespace of schemas: that of V3 where the document is of V3.
    var oldNamespace: String {
        graph.version == .v3
            ? "http://schemas.microsoft.com/ado/2009/11/edm"
            : "http://schemas.microsoft.com/ado/2008/09/edm"
    }

    /// Writes the descriptions that `Documentation` holds, which stands in front of all else, and tells which those are.
    mutating func documentation(_ annotations: [AnnotationDefinition]) -> [AnnotationDefinition] {
        guard isOld else { return [] }
        let said = annotations.filter { annotation in
            guard case .string(let text) = annotation.value, !text.isEmpty else { return false }
            return Self.documented.contains { $0.term == annotation.term }
                && annotation.qualifier == nil && annotation.annotations.isEmpty
                && text == text.trimmed
        }
        guard !said.isEmpty else { return [] }
        output.start("Documentation")
        for (element, term) in Self.documented {
            guard case .string(let text)? = said.first(term: term)?.value else { continue }
            output.start(element)
            output.text(text)
            output.end()
        }
        output.end()
        return said
    }

    private static let documented = [
        (element: "Summary", term: "Org.OData.Core.V1.Description"),
        (element: "LongDescription", term: "Org.OData.Core.V1.LongDescription"),
    ]

    /// A navigation property by the association that it follows.
    mutating func writeRelationship(
        _ property: PropertyDefinition, _ navigation: NavigationDefinition,
        of type: StructureDefinition, butFor known: [AnnotationDefinition]?
    ) {
        guard let place = associations.place(of: property.name, in: type) else { return }
        let association = associations.associations[place.association]
        output.start("NavigationProperty")
        output.attribute("Name", property.name)
        output.attribute("Relationship", "\(association.namespace).\(association.name)")
        output.attribute("FromRole", association.ends[place.end].role)
        output.attribute("ToRole", association.ends[1 - place.end].role)
        if navigation.containsTarget { output.attribute("ContainsTarget", "true") }
        foreignAttributes(property.annotations)
        let own = annotations(property.annotations, butFor: known)
        let said = documentation(own)
        write(own.filter { !said.contains($0) })
        output.end()
    }

    mutating func write(_ association: AssociationPlan.Association) {
        output.start("Association")
        output.attribute("Name", association.name)
        for end in association.ends {
            output.start("End")
            output.attribute("Type", graph[end.type].qualifiedName)
            output.attribute("Role", end.role)
            output.attribute("Multiplicity", end.multiplicity)
            if let action = end.onDelete {
                output.element("OnDelete", ["Action": action.rawValue])
            }
            output.end()
        }
        if let dependent = association.dependent {
            output.start("ReferentialConstraint")
            let sides = [
                ("Principal", 1 - dependent, association.constraints.map(\.referencedProperty)),
                ("Dependent", dependent, association.constraints.map(\.property)),
            ]
            for (name, end, properties) in sides {
                output.start(name)
                output.attribute("Role", association.ends[end].role)
                for property in properties { output.element("PropertyRef", ["Name": property]) }
                output.end()
            }
            output.end()
        }
        output.end()
    }

    mutating func write(_ set: AssociationPlan.AssociationSet) {
        let association = associations.associations[set.association]
        output.start("AssociationSet")
        output.attribute("Name", set.name)
        output.attribute("Association", "\(association.namespace).\(association.name)")
        for (end, name) in zip(association.ends, set.sets) {
            output.element("End", ["Role": end.role, "EntitySet": name])
        }
        output.end()
    }

    // MARK: - Function imports

    /// The operation behind an import where the two are one thing, as in V2; nil where they have to be told apart.
    func imported(_ definition: OperationImportDefinition) -> OperationDefinition? {
        let namespace = CSDLWriter.containerNamespace(definition.container)
        let candidates = graph.operations.filter { $0.qualifiedName == definition.operation }
        guard candidates.count == 1, definition.name == candidates[0].name,
            candidates[0].namespace == namespace, definition.annotations.isEmpty,
            candidates[0].entitySetPath == nil
        else { return nil }
        return candidates[0]
    }

    func isImportedAsItIs(_ operation: OperationDefinition) -> Bool {
        graph.operationImports.contains {
            $0.operation == operation.qualifiedName && imported($0) != nil
        }
    }

    mutating func write(
        _ operation: OperationDefinition, importedAs definition: OperationImportDefinition
    ) {
        output.start("FunctionImport")
        output.attribute("Name", operation.name)
        let result = operation.returnType
        let isPlain =
            result.map { $0.isNullable && $0.facets == TypeFacetValues() } ?? true
            && operation.returnAnnotations.isEmpty
        if isPlain { output.attribute("ReturnType", result.map { graph.typeName($0) }) }
        output.attribute("EntitySet", definition.entitySet)
        if operation.isBound { output.attribute("IsBindable", "true") }
        if graph.version == .v3, operation.httpMethod == nil, !operation.isAction {
            output.attribute("IsSideEffecting", "false")
        }
        if operation.isComposable { output.attribute("IsComposable", "true") }
        output.attribute("m:HttpMethod", operation.httpMethod)
        foreignAttributes(operation.annotations)
        let own = annotations(
            operation.annotations, butFor: implied?.operations[operation.qualifiedName])
        let said = documentation(own)
        if !isPlain, let result {
            output.start("ReturnType")
            typeAttributes(result)
            write(operation.returnAnnotations)
            output.end()
        }
        for parameter in operation.parameters {
            output.start("Parameter")
            output.attribute("Name", parameter.name)
            typeAttributes(parameter.type)
            output.attribute("Mode", parameter.mode.attribute)
            foreignAttributes(parameter.annotations)
            let own = annotations(
                parameter.annotations,
                butFor: implied?.operations["\(operation.qualifiedName)/\(parameter.name)"])
            let said = documentation(own)
            write(own.filter { !said.contains($0) })
            output.end()
        }
        write(own.filter { !said.contains($0) })
        output.end()
    }
}
