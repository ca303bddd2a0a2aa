extension MetadataGraph {
    /// The name of a type as `Type` attributes spell it: `Edm.String`, `Collection(Schema.Type)`.
    package func typeName(_ type: TypeReference) -> String {
        let item: String
        switch type.kind {
        case .primitive(let primitive): item = type.typeDefinition ?? "Edm.\(primitive.name)"
        case .enumeration(let id): item = self[id].qualifiedName
        case .structure(let id): item = self[id].qualifiedName
        }
        return type.isCollection ? "Collection(\(item))" : item
    }

    /// The overloads of an action or function by qualified or alias-qualified name.
    package func operations(named name: String) -> [OperationDefinition] {
        let qualified = unaliased(name)
        return operations.filter { $0.qualifiedName == name || $0.qualifiedName == qualified }
    }

    /// The action import or function import with this name; nil when there is none.
    package func operationImport(named name: String) -> OperationImportDefinition? {
        operationImports.first { $0.name == name }
    }

    /// The container that unqualified names belong to; nil when the document has none.
    package var defaultContainer: Container? {
        containers.first(where: \.isDefault) ?? containers.first
    }
}
