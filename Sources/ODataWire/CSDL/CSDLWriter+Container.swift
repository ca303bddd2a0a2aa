import ODataModel
import ODataText

// Operations, terms, containers and annotations of the XML form.

extension CSDLXMLWriter {
    mutating func write(_ operation: OperationDefinition) {
        let isAction = isOld ? operation.isAction : CSDLWriter.isAction(operation)
        output.start(isAction ? "Action" : "Function")
        if isOld { output.attribute("xmlns", CSDLBuilder.edmNamespaces[0]) }
        output.attribute("Name", operation.name)
        if operation.isBound { output.attribute("IsBound", "true") }
        if operation.isComposable { output.attribute("IsComposable", "true") }
        output.attribute("EntitySetPath", operation.entitySetPath)
        foreignAttributes(operation.annotations)
        for parameter in operation.parameters {
            output.start("Parameter")
            output.attribute("Name", parameter.name)
            typeAttributes(parameter.type)
            foreignAttributes(parameter.annotations)
            write(parameter.annotations)
            output.end()
        }
        if let type = operation.returnType {
            output.start("ReturnType")
            typeAttributes(type)
            write(operation.returnAnnotations)
            output.end()
        }
        write(operation.annotations)
        output.end()
    }

    mutating func write(_ term: TermDefinition) {
        output.start("Term")
        output.attribute("Name", term.name)
        typeAttributes(term.type)
        output.attribute("BaseTerm", term.baseTerm)
        output.attribute("DefaultValue", term.defaultValue)
        if !term.appliesTo.isEmpty {
            output.attribute("AppliesTo", term.appliesTo.joined(separator: " "))
        }
        write(term.annotations)
        output.end()
    }

    mutating func write(_ container: MetadataGraph.Container) {
        output.start("EntityContainer")
        output.attribute("Name", CSDLWriter.localName(container.qualifiedName))
        output.attribute("Extends", container.extends)
        if isOld { output.attribute("m:IsDefaultEntityContainer", String(container.isDefault)) }
        foreignAttributes(container.annotations)
        let own = annotations(
            container.annotations, butFor: implied?.containers[container.qualifiedName])
        let said = documentation(own)
        for set in graph.entitySets where set.container == container.qualifiedName { write(set) }
        for set in graph.undefinedSets where set.container == container.qualifiedName {
            output.element(
                set.isSingleton ? "Singleton" : "EntitySet",
                ["Name": set.name, (set.isSingleton ? "Type" : "EntityType"): set.type])
        }
        for definition in graph.operationImports
        where definition.container == container.qualifiedName {
            if isOld, let operation = imported(definition) {
                write(operation, importedAs: definition)
                continue
            }
            let isAction = isOld ? definition.isAction : CSDLWriter.isAction(definition, in: graph)
            let kind = isAction ? "Action" : "Function"
            output.start("\(kind)Import")
            output.attribute("Name", definition.name)
            output.attribute(kind, definition.operation)
            output.attribute("EntitySet", definition.entitySet)
            if definition.isIncludedInServiceDocument {
                output.attribute("IncludeInServiceDocument", "true")
            }
            foreignAttributes(definition.annotations)
            write(definition.annotations)
            output.end()
        }
        for set in associations.sets where set.container == container.qualifiedName { write(set) }
        write(own.filter { !said.contains($0) })
        output.end()
    }

    private mutating func write(_ set: EntitySetDefinition) {
        output.start(set.isSingleton ? "Singleton" : "EntitySet")
        output.attribute("Name", set.name)
        output.attribute(
            set.isSingleton ? "Type" : "EntityType", graph[set.type].qualifiedName)
        if set.isNullable { output.attribute("Nullable", "true") }
        if !set.isIncludedInServiceDocument {
            output.attribute("IncludeInServiceDocument", "false")
        }
        let annotations = isOld ? set.annotations : CSDLWriter.annotations(of: set, in: graph)
        foreignAttributes(annotations)
        let own = self.annotations(annotations, butFor: implied?.sets[set.qualifiedName])
        let said = documentation(own)
        for binding in set.bindings where !associations.says(binding, of: set) {
            output.element(
                "NavigationPropertyBinding", ["Path": binding.path, "Target": binding.target])
        }
        write(own.filter { !said.contains($0) })
        output.end()
    }

    // MARK: - Annotations

    /// Annotations named `prefix:name` are attributes again.
    mutating func foreignAttributes(_ annotations: [AnnotationDefinition]) {
        for annotation in annotations where !isConverted && isAttribute(annotation) {
            if case .string(let text) = annotation.value { output.attribute(annotation.term, text) }
        }
    }

    private func isAttribute(_ annotation: AnnotationDefinition) -> Bool {
        guard let colon = annotation.term.firstIndex(of: ":") else { return false }
        return graph.attributeNamespaces[String(annotation.term[..<colon])] != nil
    }

    /// Annotations that no reader adds by itself.
    func annotations(
        _ annotations: [AnnotationDefinition], butFor known: [AnnotationDefinition]?
    ) -> [AnnotationDefinition] {
        guard let known, !known.isEmpty else { return annotations }
        return annotations.filter { !known.contains($0) }
    }

    mutating func write(
        _ annotations: [AnnotationDefinition], butFor known: [AnnotationDefinition]?
    ) {
        write(self.annotations(annotations, butFor: known))
    }

    /// Annotations inside an element of EDMX, which are of the namespace of schemas.
    mutating func writeOutside(_ annotations: [AnnotationDefinition]) {
        write(annotations, isOutside: true)
    }

    mutating func write(
        _ annotations: [AnnotationDefinition], isInside: Bool = false, isOutside: Bool = false
    ) {
        for annotation in annotations where !annotation.term.contains(":") {
            output.start("Annotation")
            if isOutside || isOld && !isInside {
                output.attribute("xmlns", CSDLBuilder.edmNamespaces[0])
            }
            output.attribute("Term", annotation.term)
            output.attribute("Qualifier", annotation.qualifier)
            writeContent(of: annotation)
            output.end()
        }
    }

    private mutating func writeContent(of annotation: AnnotationDefinition) {
        if let (name, text) = attributeForm(annotation.value) {
            output.attribute(name, text)
        } else {
            write(annotation.value)
        }
        write(annotation.annotations, isInside: true)
    }

    private func attributeForm(_ value: AnnotationExpression) -> (String, String)? {
        switch value {
        case .boolean(let value): ("Bool", String(value))
        case .integer(let value): ("Int", String(value))
        case .constant(let kind, let text): (kind, text)
        case .string(let text): ("String", text)
        case .enumMember(let text): ("EnumMember", text)
        case .path(let kind, let text): (kind, text)
        default: nil
        }
    }

    private mutating func write(_ value: AnnotationExpression) {
        if let (name, text) = attributeForm(value) {
            output.start(name)
            output.text(text)
            output.end()
            return
        }
        switch value {
        case .null: output.element("Null")
        case .collection(let items):
            output.start("Collection")
            for item in items { write(item) }
            output.end()
        case .record(let type, let properties):
            output.start("Record")
            output.attribute("Type", type)
            for property in properties {
                let isAnnotation = property.term.hasPrefix("@")
                output.start(isAnnotation ? "Annotation" : "PropertyValue")
                output.attribute(
                    isAnnotation ? "Term" : "Property",
                    isAnnotation ? String(property.term.dropFirst()) : property.term)
                output.attribute("Qualifier", property.qualifier)
                writeContent(of: property)
                output.end()
            }
            output.end()
        case .dynamic(let name, let attributes, let operands):
            output.start(name)
            for (key, text) in attributes.sorted(by: { $0.key < $1.key }) {
                output.attribute(key, text)
            }
            if name == "LabeledElementReference", case .string(let text)? = operands.first {
                output.text(text)
            } else {
                for operand in operands { write(operand) }
            }
            output.end()
        default: break
        }
    }
}
