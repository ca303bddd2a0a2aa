import ODataModel
import ODataQuery
import ODataText

/// A small lending library of tools: keys of both shapes, inheritance, a complex property, an enumeration, operations.
package enum ToolModel {
    private static let (tool, loan, member) = (StructureID(0), StructureID(1), StructureID(2))
    private static let size = StructureID(3)

    private static func property(_ name: String, _ type: PrimitiveType, nullable: Bool = true)
        -> PropertyDefinition
    {
        PropertyDefinition(
            name: name, type: TypeReference(.primitive(type), isNullable: nullable))
    }
    private static func navigation(_ name: String, _ type: StructureID, isCollection: Bool)
        -> PropertyDefinition
    {
        PropertyDefinition(
            name: name, type: TypeReference(.structure(type), isCollection: isCollection),
            navigation: NavigationDefinition())
    }

    private static var structures: [StructureDefinition] {
        [
            StructureDefinition(
                kind: .entity, namespace: "Ns", name: "Tool",
                properties: [
                    property("Id", .int32, nullable: false), property("Title", .string),
                    property("Price", .decimal), property("Weight", .double),
                    property("Made", .dateTimeOffset), property("Span", .duration),
                    PropertyDefinition(
                        name: "Colour", type: TypeReference(.enumeration(EnumerationID(0)))),
                    PropertyDefinition(name: "Size", type: TypeReference(.structure(size))),
                    PropertyDefinition(
                        name: "Tags",
                        type: TypeReference(.primitive(.string), isCollection: true)),
                    navigation("Owner", member, isCollection: false),
                    navigation("Loans", loan, isCollection: true),
                ], key: [KeyProperty(path: "Id")]),
            StructureDefinition(
                kind: .entity, namespace: "Ns", name: "Loan",
                properties: [
                    property("ToolId", .int32, nullable: false),
                    property("Day", .date, nullable: false), property("Open", .boolean),
                    navigation("Member", member, isCollection: false),
                ], key: [KeyProperty(path: "ToolId"), KeyProperty(path: "Day")]),
            StructureDefinition(
                kind: .entity, namespace: "Ns", name: "Member",
                properties: [property("Id", .int64, nullable: false), property("Name", .string)],
                key: [KeyProperty(path: "Id")]),
            StructureDefinition(
                kind: .complex, namespace: "Ns", name: "Size",
                properties: [property("Height", .int32)]),
            StructureDefinition(
                kind: .entity, namespace: "Ns", name: "PowerTool", baseType: "Ns.Tool",
                properties: [property("Watts", .int32)]),
        ]
    }

    package static func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        graph.schemas = [.init(namespace: "Ns", alias: "Self")]
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "Ns", name: "Colour", isFlags: true,
                members: [.init(name: "Red", value: 1), .init(name: "Blue", value: 2)])
        ]
        graph.structures = structures
        graph.entitySets = [
            EntitySetDefinition(
                name: "Tools", container: "Ns.C", type: tool,
                bindings: [
                    NavigationBinding(path: "Owner", target: "Members"),
                    NavigationBinding(path: "Loans", target: "Loans"),
                ]),
            EntitySetDefinition(name: "Loans", container: "Ns.C", type: loan),
            EntitySetDefinition(name: "Members", container: "Ns.C", type: member),
            EntitySetDefinition(name: "Me", container: "Ns.C", type: member, isSingleton: true),
        ]
        graph.operations = [
            OperationDefinition(
                namespace: "Ns", name: "Reserve", isAction: true, isBound: true,
                parameters: [.init(name: "tool", type: TypeReference(.structure(tool)))]),
            OperationDefinition(
                namespace: "Ns", name: "Best", isAction: false,
                parameters: [.init(name: "limit", type: TypeReference(.primitive(.int64)))],
                returnType: TypeReference(.structure(tool), isCollection: true)),
        ]
        graph.operationImports = [
            OperationImportDefinition(
                name: "Best", container: "Ns.C", operation: "Ns.Best", isAction: false,
                entitySet: "Tools")
        ]
        try graph.freeze()
        return graph
    }

    /// A tool with the values that are given; navigation stays unread.
    package static func tool(_ values: [String: Scalar], in graph: MetadataGraph) -> StructureValue
    {
        var value = StructureValue(type: StructureID(0), in: graph)
        for (name, scalar) in values {
            if let slot = graph[StructureID(0)].slot(named: name) {
                value.slots[slot] = .scalar(scalar)
            }
        }
        return value
    }
}
