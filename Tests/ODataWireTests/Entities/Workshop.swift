import ODataModel
import ODataText

/// The model of the examples: a workshop that lends tools.
enum Workshop {
    static let v4 = make(.v4)
    static let v2 = make(.v2)

    static let size = StructureID(0)
    static let tool = StructureID(1)
    static let powerTool = StructureID(2)
    static let member = StructureID(3)
    static let loan = StructureID(4)
    static let note = StructureID(5)
    static let tools = EntitySetID(0)
    static let members = EntitySetID(1)
    static let loans = EntitySetID(2)
    static let notes = EntitySetID(3)
    static let colour = EnumerationID(0)

    /// The slot of a property.
    static func slot(_ name: String, of type: StructureID = tool) -> Int {
        v4[type].slot(named: name) ?? -1
    }

    private static func make(_ version: ODataVersion) -> MetadataGraph {
        var graph = MetadataGraph(version: version)
        graph.schemas = [MetadataGraph.Schema(namespace: "Ws", alias: "Self")]
        graph.containers = [MetadataGraph.Container(qualifiedName: "Ws.C")]
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "Ws", name: "Colour", isFlags: true,
                members: [
                    .init(name: "None", value: 0), .init(name: "Red", value: 1),
                    .init(name: "Blue", value: 2), .init(name: "Purple", value: 3),
                    .init(name: "Green", value: 4),
                ])
        ]
        graph.structures = [
            StructureDefinition(
                kind: .complex, namespace: "Ws", name: "Size",
                properties: [property("Height", .int32), property("Width", .decimal)]),
            toolType(version),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "PowerTool", baseType: "Ws.Tool",
                properties: [property("Watts", .double)]),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Member",
                properties: [property("Id", .int32, isNullable: false), property("Name", .string)],
                key: [KeyProperty(path: "Id")]),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Loan",
                properties: [
                    property("Id", .int32, isNullable: false), property("Open", .boolean),
                    navigation("Tool", tool), navigation("Member", member),
                ], key: [KeyProperty(path: "Id")]),
            StructureDefinition(
                kind: .entity, namespace: "Ws", name: "Note", isOpen: true,
                properties: [property("Key", .string, isNullable: false)],
                key: [KeyProperty(path: "Key")]),
        ]
        graph.entitySets = [
            EntitySetDefinition(
                name: "Tools", container: "Ws.C", type: tool,
                bindings: [
                    NavigationBinding(path: "Owner", target: "Members"),
                    NavigationBinding(path: "Loans", target: "Loans"),
                ]),
            EntitySetDefinition(name: "Members", container: "Ws.C", type: member),
            EntitySetDefinition(name: "Loans", container: "Ws.C", type: loan),
            EntitySetDefinition(name: "Notes", container: "Ws.C", type: note),
        ]
        do { try graph.freeze() } catch { return MetadataGraph(version: version) }
        return graph
    }

    private static func toolType(_ version: ODataVersion) -> StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Ws", name: "Tool",
            properties: [
                property("Id", .int32, isNullable: false), property("Title", .string),
                property("Price", .decimal), property("Stock", .int64),
                property("Weight", .double), property("Ratio", .single),
                property("Lent", .boolean), property("Serial", .guid),
                property("Added", version < .v4 ? .dateTime : .date),
                property("Changed", .dateTimeOffset),
                property("Opens", version < .v4 ? .time : .timeOfDay),
                property("Span", .duration), property("Icon", .binary),
                property("Place", .geographyPoint),
                PropertyDefinition(name: "Colour", type: TypeReference(.enumeration(colour))),
                PropertyDefinition(name: "Size", type: TypeReference(.structure(size))),
                PropertyDefinition(
                    name: "Tags", type: TypeReference(.primitive(.string), isCollection: true)),
                PropertyDefinition(
                    name: "Sizes", type: TypeReference(.structure(size), isCollection: true)),
                property("Photo", .stream),
                navigation("Owner", member), navigation("Loans", loan, isCollection: true),
                navigation("Parts", tool, isCollection: true),
            ], key: [KeyProperty(path: "Id")])
    }

    private static func property(
        _ name: String, _ type: PrimitiveType, isNullable: Bool = true
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name, type: TypeReference(.primitive(type), isNullable: isNullable))
    }

    private static func navigation(
        _ name: String, _ target: StructureID, isCollection: Bool = false
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name, type: TypeReference(.structure(target), isCollection: isCollection),
            navigation: NavigationDefinition())
    }
}

extension StructureValue {
    /// The value of a property of the workshop's types; nil when it was never set.
    subscript(name: String) -> ODataValue? {
        Workshop.v4[type].slot(named: name).flatMap { slots[$0] }
    }

    /// The canonical text of a scalar property.
    func text(_ name: String) -> String? {
        guard case .scalar(let scalar) = self[name] else { return nil }
        return Lexical.text(scalar)
    }
}
