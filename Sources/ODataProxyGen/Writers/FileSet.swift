/// All files of a service, in the order of their names.
struct FileSet {
    let model: ProxyModel
    let metadata: String

    var files: [GeneratedFile] {
        let parts = ServiceParts(of: model)
        let service = ServiceWriter(model: model, parts: parts)
        var files = [
            file(model.service) { service.write(&$0) },
            file(model.registry) { RegistryWriter(model: model).write(&$0) },
            file(model.factory) { FactoryWriter(model: model).write(&$0) },
            file(model.parser) { ParserWriter(model: model).write(&$0) },
            file(model.changes) { ChangesWriter(model: model).write(&$0) },
            file(model.text) { TextWriter(model: model, metadata: metadata).write(&$0) },
        ]
        if parts.isDivided {
            for number in 1...parts.bodies.count {
                files.append(file(parts.name(number)) { service.writePart(number, &$0) })
            }
        }
        for structure in model.structures {
            files.append(
                file(structure.typeName) {
                    StructureWriter(model: model, structure: structure).write(&$0)
                })
        }
        for enumeration in model.enumerations {
            files.append(
                file(enumeration.typeName) {
                    EnumerationWriter(model: model, enumeration: enumeration).write(&$0)
                })
            files.append(
                file(enumeration.converter) {
                    EnumerationWriter(model: model, enumeration: enumeration).writeConverter(&$0)
                })
        }
        return files.sorted { $0.name < $1.name }
    }

    private func file(_ name: String, _ write: (inout SourceWriter) -> Void) -> GeneratedFile {
        GeneratedFile(
            name, of: model.service, imports: ["Foundation", "SAPOData", "Synchronization"], write)
    }
}
