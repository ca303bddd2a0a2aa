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
        var members = [member("$Kind", .string(operation.isAction ? "Action" : "Function"))]
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
            members.append(member("$ReturnType", object(type(returnType))))
        }
        return object(members + annotations(operation.annotations))
    }

    func term(_ term: TermDefinition) -> Member {
        var members = [member("$Kind", .string("Term"))] + type(term.type)
        if let base = term.baseTerm { members.append(member("$BaseTerm", .string(base))) }
        if let value = term.defaultValue {
            members.append(member("$DefaultValue", .string(value)))
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
        for definition in graph.operationImports
        where definition.container == container.qualifiedName {
            var parts = [
                member(definition.isAction ? "$Action" : "$Function", .string(definition.operation))
            ]
            if let set = definition.entitySet { parts.append(member("$EntitySet", .string(set))) }
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
            members.append(member(name, value(annotation.value)))
            members += self.annotations(annotation.annotations, of: name)
        }
        return members
    }

    private func value(_ expression: AnnotationExpression) -> JSONValue {
        switch expression {
        case .none: .boolean(true)
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .number(String(value))
        case .constant(let kind, let text): constant(kind, text)
        case .string(let text): .string(text)
        case .enumMember(let text):
            .string(
                text.split(separator: " ").map {
                    $0.split(separator: "/").last.map(String.init) ?? ""
                }
                .joined(separator: ","))
        case .path(let kind, let text):
            kind == "Path" ? object([member("$Path", .string(text))]) : .string(text)
        case .collection(let items): .array(items.map(value))
        case .record(let type, let properties): record(type, properties)
        case .dynamic(let name, let attributes, let operands): dynamic(name, attributes, operands)
        }
    }

    private func constant(_ kind: String, _ text: String) -> JSONValue {
        guard kind == "Decimal" || kind == "Float",
            (try? JSONValue(parsing: text))?.number != nil
        else { return .string(text) }
        return .number(text)
    }

    private func record(_ type: String?, _ properties: [AnnotationDefinition]) -> JSONValue {
        var members: [Member] = []
        if let type { members.append(member("@type", .string("#\(type)"))) }
        for property in properties {
            members.append(member(property.term, value(property.value)))
            members += annotations(property.annotations, of: property.term)
        }
        return object(members)
    }

    private func dynamic(
        _ name: String, _ attributes: [String: String], _ operands: [AnnotationExpression]
    ) -> JSONValue {
        let single = ["UrlRef", "Cast", "IsOf", "Not", "Neg", "LabeledElement"].contains(name)
        let content =
            single && operands.count == 1 ? value(operands[0]) : .array(operands.map(value))
        var members = [member("$\(name)", content)]
        for (key, text) in attributes.sorted(by: { $0.key < $1.key }) {
            members.append(member("$\(key)", .string(text)))
        }
        return object(members)
    }
}
