/// What the service has, by name: types, sets and operations.
struct RegistryWriter {
    let model: ProxyModel

    func write(_ writer: inout SourceWriter) {
        writer.line("/// The metadata of `\(model.service)` and its elements by name.")
        writer.block("\(model.visible)enum \(model.registry)") { writer in
            writer.line("private static let current = Mutex(\(model.parser).document)")
            writer.line()
            writer.line("/// Held where the classes exchange their metadata.")
            writer.line("\(model.visible)static let lock = MetadataLock()")
            writer.line()
            writer.line("/// The document that the objects of the registry belong to.")
            writer.block("\(model.visible)static var document: CSDLDocument") {
                $0.line("get { current.withLock { $0 } }")
                $0.line("set(value) { current.withLock { $0 = value } }")
            }
            writeTypes(&writer)
            writeSets(&writer)
            for place in ProxyOperation.Place.allCases { write(place, &writer) }
        }
        if model.structures.contains(where: \.hasSubtypes) { writeHierarchy(&writer) }
    }

    private func writeHierarchy(_ writer: inout SourceWriter) {
        writer.line()
        writer.line("/// What types have that others derive from.")
        writer.line("\(model.visible)protocol \(model.hierarchy) {}")
        for (base, list) in [
            ("EntityValue", "EntityValueList"), ("ComplexValue", "ComplexValueList"),
        ] {
            writer.line()
            writer.block("extension \(model.hierarchy) where Self: \(base)") {
                $0.line("/// The values of a list, which must be of this class.")
                $0.block("\(model.visible)static func array(from: \(list)) -> [Self]") {
                    $0.line("ArrayConverter.convert(from.toArray(), [Self]())")
                }
            }
        }
    }

    private struct Item {
        var member: SwiftName
        var sentence: String
        var type: String
        /// The lookup in the document.
        var lookup: String
    }

    private func space(_ name: String, _ items: [Item], _ writer: inout SourceWriter) {
        guard !items.isEmpty else { return }
        writer.line()
        writer.line("/// \(Self.titles[name] ?? name)")
        writer.block("\(model.visible)enum \(name)") { writer in
            write(items, &writer)
        }
    }

    private func write(_ items: [Item], _ writer: inout SourceWriter) {
        writer.block("private enum Kept") { writer in
            for item in items {
                writer.line(
                    "static let \(item.member.code) = Mutex(\(model.parser).document.\(item.lookup))"
                )
            }
        }
        for item in items {
            writer.line()
            writer.line("/// \(item.sentence)")
            writer.block("\(model.visible)static var \(item.member.code): \(item.type)") {
                $0.line("get { Kept.\(item.member.code).withLock { $0 } }")
                $0.line("set(value) { Kept.\(item.member.code).withLock { $0 = value } }")
            }
        }
    }

    private static let titles = [
        "EnumTypes": "The enumeration types.", "EnumValues": "The members of enumeration types.",
        "ComplexTypes": "The complex types.", "EntityTypes": "The entity types.",
        "EntitySets": "The entity sets.", "Singletons": "The singletons.",
        "Actions": "The actions.", "Functions": "The functions.",
        "BoundActions": "The actions that are bound to a value.",
        "BoundFunctions": "The functions that are bound to a value.",
        "ActionImports": "The actions of the service.",
        "FunctionImports": "The functions of the service.",
    ]

    private func item(
        _ member: SwiftName, _ name: String, _ type: String, _ lookup: String
    ) -> Item {
        Item(
            member: member, sentence: "`\(SwiftText.comment(name))`.", type: type,
            lookup: "\(lookup)(withName: \(SwiftText.literal(name)))")
    }

    private func writeTypes(_ writer: inout SourceWriter) {
        space(
            "EnumTypes",
            model.enumerations.map { item($0.member, $0.qualifiedName, "EnumType", "enumType") },
            &writer)
        writeEnumValues(&writer)
        space(
            "ComplexTypes",
            model.complexTypes.map {
                item($0.member, $0.qualifiedName, "ComplexType", "complexType")
            }, &writer)
        space(
            "EntityTypes",
            model.entities.map { item($0.member, $0.qualifiedName, "EntityType", "entityType") },
            &writer)
    }

    private func writeEnumValues(_ writer: inout SourceWriter) {
        let filled = model.enumerations.filter { !$0.members.isEmpty }
        guard !filled.isEmpty else { return }
        writer.line()
        writer.line("/// \(Self.titles["EnumValues"] ?? "")")
        writer.block("\(model.visible)enum EnumValues") { writer in
            for (index, enumeration) in filled.enumerated() {
                if index > 0 { writer.line() }
                writer.line("/// The members of `\(enumeration.typeName)`.")
                writer.block("\(model.visible)enum \(enumeration.typeName)") { writer in
                    let type = SwiftText.literal(enumeration.qualifiedName)
                    write(
                        enumeration.members.map { member in
                            Item(
                                member: member.member,
                                sentence: "`\(SwiftText.comment(member.name))`.",
                                type: "EnumValue",
                                lookup: "enumType(withName: \(type))"
                                    + ".member(name: \(SwiftText.literal(member.name)))")
                        }, &writer)
                }
            }
        }
    }

    private func writeSets(_ writer: inout SourceWriter) {
        space(
            "EntitySets",
            model.sets.filter { !$0.isSingleton }
                .map { item($0.member, $0.name, "EntitySet", "entitySet") }, &writer)
        space(
            "Singletons",
            model.sets.filter(\.isSingleton)
                .map { item($0.member, $0.name, "EntitySet", "singleton") }, &writer)
    }

    private func write(_ place: ProxyOperation.Place, _ writer: inout SourceWriter) {
        let items = model.operations.filter { $0.place == place && $0.isListed }
            .map { operation in
                var item = item(operation.member, operation.name, "DataMethod", "dataMethod")
                if let signature = operation.signature {
                    item.lookup +=
                        ".overloadMap.getRequired(\(SwiftText.literal(signature)))"
                }
                return item
            }
        space(place.rawValue, items, &writer)
    }
}
