import ODataModel
import ODataText

// Actions, functions, V2 function imports and terms (CSDL 4.01, sections 12 and 14.1).

extension CSDLBuilder {
    mutating func readOperation(
        _ element: XMLNode, _ namespace: String, isAction: Bool
    ) throws {
        var operation = OperationDefinition(
            namespace: namespace, name: try identifier(element), isAction: isAction,
            isBound: try boolean("IsBound", of: element, default: false),
            isComposable: try boolean("IsComposable", of: element, default: false),
            entitySetPath: element.attribute("EntitySetPath").map { unaliasedPath($0) },
            httpMethod: element.attribute("HttpMethod", in: Self.metadataNamespace))
        try readSignature(element, into: &operation)
        graph.operations.append(operation)
    }

    private mutating func readSignature(
        _ element: XMLNode, into operation: inout OperationDefinition
    ) throws {
        var names: Set<String> = []
        for child in element.children {
            switch child.name.localName {
            case "Parameter":
                let parameter = try readParameter(child)
                guard names.insert(parameter.name).inserted else {
                    guard graph.version < .v4 else {
                        throw error(
                            "Expected one parameter named \(parameter.name), found two.", child)
                    }
                    diagnose("Parameter \(parameter.name) is given twice.", child)
                    continue
                }
                operation.parameters.append(parameter)
            case "ReturnType":
                if child.attribute("Type") != nil { operation.returnType = try readType(child) }
                for nested in child.children("Annotation") {
                    try readAnnotation(nested, into: &operation.returnAnnotations)
                }
            case "Annotation": try readAnnotation(child, into: &operation.annotations)
            case "Documentation": readDocumentation(child, into: &operation.annotations)
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        keepForeignAttributes(of: element, in: &operation.annotations)
    }

    private mutating func readParameter(
        _ element: XMLNode
    ) throws -> OperationDefinition.Parameter {
        var parameter = OperationDefinition.Parameter(
            name: try identifier(element), type: try readType(element))
        if let mode = element.attribute("Mode"), mode.lowercased() != "in" {
            if let known = OperationDefinition.Parameter.Mode(attribute: mode),
                graph.version < .v4
            {
                parameter.mode = known
            } else {
                diagnose("Parameter mode \(mode) is read as In.", element)
            }
        }
        for child in element.children("Annotation") {
            try readAnnotation(child, into: &parameter.annotations)
        }
        for child in element.children("Documentation") {
            readDocumentation(child, into: &parameter.annotations)
        }
        keepForeignAttributes(of: element, in: &parameter.annotations)
        return parameter
    }

    /// A V2 or V3 function import: operation and import in one.
    mutating func readServiceOperation(
        _ element: XMLNode, _ namespace: String, _ container: String
    ) throws {
        let name = try identifier(element)
        let method = element.attribute("HttpMethod", in: Self.metadataNamespace)
        let hasSideEffects = try boolean("IsSideEffecting", of: element, default: method == nil)
        let isAction =
            method.map { $0 != "GET" } ?? (graph.version == .v3 ? hasSideEffects : false)
        var operation = OperationDefinition(
            namespace: namespace, name: name, isAction: isAction,
            isBound: try boolean("IsBindable", of: element, default: false),
            isComposable: try boolean("IsComposable", of: element, default: false),
            httpMethod: method)
        try readSignature(element, into: &operation)
        if let type = element.attribute("ReturnType") {
            let resolved = try resolveType(type, element)
            operation.returnType = TypeReference(
                resolved.kind, isCollection: resolved.isCollection,
                facets: try readFacets(element, over: resolved.facets),
                typeDefinition: resolved.typeDefinition)
        }
        graph.operations.append(operation)
        graph.operationImports.append(
            OperationImportDefinition(
                name: name, container: container, operation: operation.qualifiedName,
                isAction: isAction, entitySet: element.attribute("EntitySet")))
    }

    mutating func readTerm(_ element: XMLNode, _ namespace: String) throws {
        let name = try identifier(element)
        let type: TypeReference
        do {
            type = try readType(element)
        } catch let error as ODataError where element.attribute("Type") != nil {
            diagnose("Term \(name): \(error.message) Its values are untyped.", element)
            type = TypeReference(.primitive(.untyped))
        }
        var term = TermDefinition(
            namespace: namespace, name: name, type: type,
            baseTerm: element.attribute("BaseTerm").map { unaliased($0) },
            defaultValue: element.attribute("DefaultValue"),
            appliesTo: element.attribute("AppliesTo")?.split(whereSeparator: \.isWhitespace)
                .map(String.init) ?? [])
        for child in element.children("Annotation") {
            try readAnnotation(child, into: &term.annotations)
        }
        graph.terms.append(term)
    }
}

extension OperationDefinition.Parameter.Mode {
    /// The mode that V2 and V3 spell like this; nil for other text.
    init?(attribute: String) {
        switch attribute.lowercased() {
        case "in": self = .input
        case "out": self = .output
        case "inout": self = .both
        default: return nil
        }
    }

    /// The attribute of V2 and V3.
    var attribute: String {
        switch self {
        case .input: "In"
        case .output: "Out"
        case .both: "InOut"
        }
    }
}
