/// What makes objects of the classes for values of their types.
struct FactoryWriter {
    let model: ProxyModel

    func write(_ writer: inout SourceWriter) {
        writer.line("/// Makes the classes known to a document.")
        writer.block("enum \(model.factory)") { writer in
            writer.block("static func registerAll(in document: CSDLDocument)") { writer in
                writer.line("let entityTypes = document.entityTypes")
                writer.line("let complexTypes = document.complexTypes")
                for structure in model.structures {
                    writer.line("register\(structure.typeName)(\(Self.types(structure)))")
                }
                if model.entities.isEmpty { writer.line("_ = entityTypes") }
                if model.complexTypes.isEmpty { writer.line("_ = complexTypes") }
            }
            for structure in model.structures {
                writer.line()
                write(structure, &writer)
            }
        }
    }

    private static func types(_ structure: ProxyStructure) -> String {
        structure.isEntity ? "entityTypes" : "complexTypes"
    }

    private func write(_ structure: ProxyStructure, _ writer: inout SourceWriter) {
        let map = structure.isEntity ? "EntityTypeMap" : "ComplexTypeMap"
        let name = structure.typeName
        writer.block("private static func register\(name)(_ types: \(map))") { writer in
            writer.line(
                "types.get(\(SwiftText.literal(structure.qualifiedName)))?.registerFactory(")
            writer.line("    ObjectFactory.with(")
            writer.line("        create: { \(name)(withDefaults: false) },")
            writer.line("        sparse: { \(name)(withDefaults: false, withIndexMap: $0) },")
            writer.line("        decode: { try \(name)(from: $0) }))")
        }
    }
}
