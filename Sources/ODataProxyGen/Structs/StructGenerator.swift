import ODataModel
import ODataText
import ODataWire

/// Makes the structs of a service from its metadata document, for programs over `OData`: text in, files out, the same files
/// for the same text.
package enum StructGenerator {
    /// - Throws: As `ProxyGenerator.generate`; `usage` for a set that is asked for and not there.
    package static func generate(
        metadata: [UInt8], options: GenerationOptions
    ) throws -> ProxyGenerator.Output {
        guard options.serviceName.isEmpty || SwiftName.isPlain(options.serviceName) else {
            throw ODataError(.usage, "Expected a service name of ASCII letters and digits.")
        }
        let (_, graph) = try ProxyGenerator.document(metadata, options: options)
        var options = options
        if options.serviceName.isEmpty { options.serviceName = serviceName(of: graph) }
        var builder = try StructModelBuilder(graph: graph, options: options)
        let model = try builder.build()
        var files: [GeneratedFile] = []
        for declaration in model.structures {
            let types = declaration.properties.map(\.type)
            files.append(
                file(declaration.typeName, options, types.contains(where: \.needsFoundation)) {
                    StructWriter(model: model, declaration: declaration).write(&$0)
                })
        }
        for declaration in model.enumerations {
            files.append(
                file(declaration.typeName, options, false) {
                    OpenEnumWriter(model: model, declaration: declaration).write(&$0)
                })
        }
        for declaration in model.operations {
            let types = declaration.parameters.map(\.type) + declaration.results
            files.append(
                file(declaration.typeName, options, types.contains(where: \.needsFoundation)) {
                    OperationStructWriter(model: model, declaration: declaration).write(&$0)
                })
        }
        return ProxyGenerator.Output(
            serviceName: options.serviceName, files: files.sorted { $0.name < $1.name },
            notes: graph.diagnostics + builder.notes)
    }

    /// What the files are marked with where the app says nothing: the container's name with its namespace, because the files
    /// of an earlier run with the same mark are deleted, and many services have a container of the same short name.
    private static func serviceName(of graph: MetadataGraph) -> String {
        let name = SwiftText.comment(graph.defaultContainer?.qualifiedName ?? "")
        return name.isEmpty ? "Service" : name
    }

    private static func file(
        _ name: String, _ options: GenerationOptions, _ needsFoundation: Bool,
        _ write: (inout SourceWriter) -> Void
    ) -> GeneratedFile {
        GeneratedFile(
            name, of: options.serviceName,
            imports: (needsFoundation ? ["Foundation"] : []) + ["OData"], write)
    }
}

extension OperationDeclaration {
    fileprivate var results: [StructType] {
        if case .value(let type) = result { [type] } else { [] }
    }
}
