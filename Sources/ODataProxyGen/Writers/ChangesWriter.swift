/// What puts the elements of fresh metadata in the place of those before.
///
/// What the fresh document lacks stays as it was, so that reads of it give nothing in place of a trap.
struct ChangesWriter {
    let model: ProxyModel

    func write(_ writer: inout SourceWriter) {
        writer.line("/// Puts the elements of fresh metadata in the place of those before.")
        writer.block("enum \(model.changes)") { writer in
            writer.line("/// What the document lacks stays as it was.")
            writer.block("static func merge(metadata: CSDLDocument)") { writer in
                writer.line("metadata.hasGeneratedProxies = true")
                writer.line("\(model.factory).registerAll(in: metadata)")
                writer.line("\(model.registry).document = metadata")
                for part in parts {
                    writer.line("\(part.name)(metadata.\(part.map))")
                }
            }
            for part in parts {
                writer.line()
                writer.block("private static func \(part.name)(_ elements: \(part.type))") {
                    for line in part.lines { $0.line(line) }
                }
            }
            for structure in model.structures { write(structure, &writer) }
        }
    }

    private struct Part {
        var name: String
        var map: String
        var type: String
        var lines: [String]
    }

    private var parts: [Part] {
        [
            Part(
                name: "mergeEnumTypes", map: "enumTypes", type: "EnumTypeMap",
                lines: model.enumerations.flatMap(lines)),
            Part(
                name: "mergeComplexTypes", map: "complexTypes", type: "ComplexTypeMap",
                lines: model.complexTypes.map { "merge\($0.typeName)(elements)" }),
            Part(
                name: "mergeEntityTypes", map: "entityTypes", type: "EntityTypeMap",
                lines: model.entities.map { "merge\($0.typeName)(elements)" }),
            Part(
                name: "mergeEntitySets", map: "entitySets", type: "EntitySetMap",
                lines: model.sets.filter { !$0.isSingleton }.map { line($0, "EntitySets") }),
            Part(
                name: "mergeSingletons", map: "singletons", type: "EntitySetMap",
                lines: model.sets.filter(\.isSingleton).map { line($0, "Singletons") }),
            Part(
                name: "mergeMethods", map: "dataMethods", type: "DataMethodMap",
                lines: model.operations.filter(\.isListed).map(line)),
        ].filter { !$0.lines.isEmpty }
    }

    private func line(_ set: ProxySet, _ space: String) -> String {
        assignment(
            "elements.get(\(SwiftText.literal(set.name)))", "\(space).\(set.member.code)")
    }

    private func line(_ operation: ProxyOperation) -> String {
        var found = "elements.get(\(SwiftText.literal(operation.name)))"
        if let signature = operation.signature {
            found += "?.overloadMap.get(\(SwiftText.literal(signature)))"
        }
        return assignment(found, "\(operation.place.rawValue).\(operation.member.code)")
    }

    private func assignment(_ found: String, _ place: String) -> String {
        "if let element = \(found) { \(model.registry).\(place) = element }"
    }

    private func lines(_ enumeration: ProxyEnumeration) -> [String] {
        let found = "elements.get(\(SwiftText.literal(enumeration.qualifiedName)))"
        guard !enumeration.members.isEmpty else {
            return [assignment(found, "EnumTypes.\(enumeration.member.code)")]
        }
        return ["if let type = \(found) {"]
            + ["    \(model.registry).EnumTypes.\(enumeration.member.code) = type"]
            + enumeration.members.map { member in
                "    "
                    + assignment(
                        "type.findMember(\(SwiftText.literal(member.name)))",
                        "EnumValues.\(enumeration.typeName).\(member.member.code)")
            } + ["}"]
    }

    private func write(_ structure: ProxyStructure, _ writer: inout SourceWriter) {
        let (map, space) =
            structure.isEntity
            ? ("EntityTypeMap", "EntityTypes") : ("ComplexTypeMap", "ComplexTypes")
        writer.line()
        writer.block(
            "private static func merge\(structure.typeName)(_ elements: \(map))"
        ) { writer in
            let name = SwiftText.literal(structure.qualifiedName)
            writer.line("guard let type = elements.get(\(name)) else { return }")
            writer.line("\(model.registry).\(space).\(structure.member.code) = type")
            guard !structure.properties.isEmpty else { return }
            writer.line("let properties = type.propertyMap")
            for property in structure.properties {
                writer.line(
                    "if let property = properties.get(\(SwiftText.literal(property.name)))"
                        + " { \(structure.typeName).\(property.member.code) = property }")
            }
        }
    }
}
