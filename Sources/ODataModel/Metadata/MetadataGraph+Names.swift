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

    /// The name by which a set is addressed: in V2, sets outside of the default container go by their container's name, too
    /// (V2 URI conventions, section 3.1).
    package func address(of set: EntitySetDefinition) -> String {
        guard version < .v4, let container = defaultContainer,
            set.container != container.qualifiedName
        else { return set.name }
        return Self.containerName(set) + "." + set.name
    }

    /// As ``address(of:)``, for a set by its name; the name itself where there is no such set.
    package func address(ofSetNamed name: String) -> String {
        entitySet(named: name).map { address(of: self[$0]) } ?? name
    }

    /// The unqualified name of the container that holds a set.
    static func containerName(_ set: EntitySetDefinition) -> String {
        set.container.split(separator: ".").last.map(String.init) ?? set.container
    }

    /// The container that unqualified names belong to; nil when the document has none.
    package var defaultContainer: Container? {
        containers.first(where: \.isDefault) ?? containers.first
    }
}
