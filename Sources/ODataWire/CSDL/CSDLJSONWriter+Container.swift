import ODataModel
import ODataText

// Operations, terms, containers and annotations of the JSON form.

extension CSDLJSONTree {
    /// Overloads of one name stand in one array.
    func operations(_ namespace: String) -> [Member] {
        var order: [String] = []
        var overloads: [String: [JSONValue]] = [:]
        for operation in graph.operations where operation.namespace == namespace {
            if overloads[operation.name] == nil { order.append(operation.name) }
            overloads[operation.name, default: []].append(value(of: operation))
        }
        return order.map { member($0, .array(overloads[$0] ?? [])) }
    }

    private func value(of operation: OperationDefinition) -> JSONValue {
        let isAction = CSDLWriter.isAction(operation)
        var members = [member("$Kind", .string(isAction ? "Action" : "Function"))]
        if isAction != operation.isAction {
            members.append(member("@edm.IsSideEffecting", .boolean(false)))
        }
        if operation.isBound { members.append(member("$IsBound", .boolean(true))) }
        if operation.isComposable { members.append(member("$IsComposable", .boolean(true))) }
        if let path = operation.entitySetPath {
            members.append(member("$EntitySetPath", .string(path)))
        }
        if !operation.parameters.isEmpty {
            let parameters = operation.parameters.map { parameter in
                object(
                    [member("$Name", .string(parameter.name))] + type(parameter.type)
                        + annotations(parameter.annotations))
            }
            members.append(member("$Parameter", .array(parameters)))
        }
        if let returnType = operation.returnType {
            members.append(
                member(
                    "$ReturnType",
                    object(type(returnType) + annotations(operation.returnAnnotations))))
        }
        if let method = operation.httpMethod {
            members.append(member("@m.HttpMethod", .string(method)))
        }
        return object(members + annotations(operation.annotations))
    }

    func term(_ term: TermDefinition) -> Member {
        var members = [member("$Kind", .string("Term"))] + type(term.type)
        if let base = term.baseTerm { members.append(member("$BaseTerm", .string(base))) }
        if let value = term.defaultValue {
            members.append(member("$DefaultValue", defaultValue(value, of: term.type)))
        }
        if !term.appliesTo.isEmpty {
            members.append(member("$AppliesTo", .array(term.appliesTo.map(JSONValue.string))))
        }
        return member(term.name, object(members + annotations(term.annotations)))
    }

    func container(_ container: MetadataGraph.Container) -> Member {
        var members = [member("$Kind", .string("EntityContainer"))]
        if let base = container.extends { members.append(member("$Extends", .string(base))) }
        members += annotations(container.annotations)
        for set in graph.entitySets where set.container == container.qualifiedName {
            members.append(entitySet(set))
        }
        for set in graph.undefinedSets where set.container == container.qualifiedName {
            let kind = set.isSingleton ? [] : [member("$Collection", .boolean(true))]
            members.append(member(set.name, object(kind + [member("$Type", .string(set.type))])))
        }
        for definition in graph.operationImports
        where definition.container == container.qualifiedName {
            let isAction = CSDLWriter.isAction(definition, in: graph)
            var parts = [
                member(isAction ? "$Action" : "$Function", .string(definition.operation))
            ]
            if let set = definition.entitySet { parts.append(member("$EntitySet", .string(set))) }
            if definition.isIncludedInServiceDocument {
                parts.append(member("$IncludeInServiceDocument", .boolean(true)))
            }
            members.append(
                member(definition.name, object(parts + annotations(definition.annotations))))
        }
        return member(CSDLWriter.localName(container.qualifiedName), object(members))
    }

    private func entitySet(_ set: EntitySetDefinition) -> Member {
        var members: [Member] = []
        if !set.isSingleton { members.append(member("$Collection", .boolean(true))) }
        members.append(member("$Type", .string(graph[set.type].qualifiedName)))
        if set.isSingleton, set.isNullable { members.append(member("$Nullable", .boolean(true))) }
        if !set.isIncludedInServiceDocument {
            members.append(member("$IncludeInServiceDocument", .boolean(false)))
        }
        if !set.bindings.isEmpty {
            let bindings = set.bindings.map { member($0.path, .string($0.target)) }
            members.append(member("$NavigationPropertyBinding", object(bindings)))
        }
        return member(
            set.name, object(members + annotations(CSDLWriter.annotations(of: set, in: graph))))
    }

    // MARK: - Annotations

    /// `@Term#Qualifier` members, those of a member or nested annotations prefixed by what they annotate.
    func annotations(_ annotations: [AnnotationDefinition], of owner: String = "") -> [Member] {
        var members: [Member] = []
        for annotation in annotations {
            var name = "\(owner)@\(annotation.term.replacing(":", with: "."))"
            if let qualifier = annotation.qualifier { name += "#\(qualifier)" }
            members.append(
                member(name, value(annotation.value, types.type(ofTerm: annotation.term))))
            members += self.annotations(annotation.annotations, of: name)
        }
        return members
    }

    private func value(_ expression: AnnotationExpression, _ expected: String?) -> JSONValue {
        if let scalar = AnnotationScalar(expression) {
            return scalar.json
        }
        switch expression {
        case .null: return .null
        case .collection(let items):
            let item = AnnotationTypes.item(of: expected)
            return .array(items.map { value($0, item) })
        case .record(let type, let properties): return record(type, properties, expected)
        case .dynamic(let name, let attributes, let operands):
            return dynamic(name, attributes, operands)
        default: return .boolean(true)
        }
    }

    private func record(
        _ type: String?, _ properties: [AnnotationDefinition], _ expected: String?
    ) -> JSONValue {
        var members: [Member] = []
        if let type { members.append(member("@type", .string("#\(type)"))) }
        for property in properties {
            let expected =
                property.term.hasPrefix("@")
                ? types.type(ofTerm: String(property.term.dropFirst()))
                : types.type(of: property.term, in: type ?? expected)
            let name = property.qualifier.map { "\(property.term)#\($0)" } ?? property.term
            members.append(member(name, value(property.value, expected)))
            members += annotations(property.annotations, of: name)
        }
        return object(members)
    }

    private func dynamic(
        _ name: String, _ attributes: [String: String], _ operands: [AnnotationExpression]
    ) -> JSONValue {
        var members: [Member] = []
        if name == "LabeledElementReference", case .string(let text)? = operands.first {
            members = [member("$\(name)", .string(text))]
        } else {
            let isUnary = CSDLJSONTranslation.unary.contains(name) && operands.count == 1
            let content =
                isUnary ? value(operands[0], nil) : .array(operands.map { value($0, nil) })
            members = [member("$\(name)", content)]
        }
        for (key, text) in attributes.sorted(by: { $0.key < $1.key }) {
            if key == "Type", let item = AnnotationTypes.item(of: text) {
                members.append(member("$Type", .string(item)))
                members.append(member("$Collection", .boolean(true)))
            } else {
                // Lengths and digits are numbers (CSDL JSON 4.01, section 7.2); SRID is a string.
                let isNumber = key != "SRID" && key != "Name" && Int64(text) != nil
                members.append(member("$\(key)", isNumber ? .number(text) : .string(text)))
            }
        }
        return object(members)
    }
}
