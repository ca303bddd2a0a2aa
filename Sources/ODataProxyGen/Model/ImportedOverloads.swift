import ODataModel

/// The operations of a document by what its imports name.
struct ImportedOverloads: Sendable {
    private let byName: [String: [OperationDefinition]]

    init(_ graph: MetadataGraph) {
        // Before V4 what is bound is imported, too.
        let all = graph.operations.filter { !$0.isBound || graph.version < .v4 }
        byName = Dictionary(grouping: all, by: \.qualifiedName)
    }

    /// In the order of the document; none where the import names nothing that is defined.
    subscript(item: OperationImportDefinition) -> [OperationDefinition] {
        byName[item.operation] ?? []
    }

    /// What is said of an import without any.
    static func note(undefined item: OperationImportDefinition) -> String {
        "\(item.name): left out, its operation is not defined."
    }
}

extension MetadataGraph {
    /// Whether a call names what the operation is called on; V2 and V3 have imports only.
    func isCalledOnSomething(_ operation: OperationDefinition) -> Bool {
        operation.isBound && version >= .v4
    }
}
