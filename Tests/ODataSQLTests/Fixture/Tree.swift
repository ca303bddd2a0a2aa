import ODataModel
import ShopFixture

/// A small model of what ``Shop`` has not: a hierarchy, an open type, shapes and a singleton.
enum Tree {
    static func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v401)
        graph.schemas = [MetadataGraph.Schema(namespace: "Tree")]
        graph.containers = [MetadataGraph.Container(qualifiedName: "Tree.Container")]
        graph.structures = [node, sale]
        graph.entitySets = [
            EntitySetDefinition(
                name: "Nodes", container: "Tree.Container", type: StructureID(0),
                bindings: [
                    NavigationBinding(path: "Above", target: "Nodes"),
                    NavigationBinding(path: "Below", target: "Nodes"),
                    NavigationBinding(path: "Sales", target: "Sales"),
                ]),
            EntitySetDefinition(
                name: "Sales", container: "Tree.Container", type: StructureID(1),
                bindings: [NavigationBinding(path: "Node", target: "Nodes")]),
        ]
        try graph.freeze()
        return graph
    }

    private static let node = StructureDefinition(
        kind: .entity, namespace: "Tree", name: "Node", isOpen: true,
        properties: [
            Shop.primitive("ID", .string, nullable: false), Shop.primitive("AboveID", .string),
            Shop.primitive("Spot", .geographyPoint), Shop.primitive("Plan", .geometryPolygon),
            navigation(
                "Above", 0, partner: "Below",
                by: ReferentialConstraint(property: "AboveID", referencedProperty: "ID")),
            navigation("Below", 0, many: true, partner: "Above"),
            navigation("Sales", 1, many: true, partner: "Node"),
        ], key: [KeyProperty(path: "ID")],
        annotations: [
            AnnotationDefinition(
                term: "Org.OData.Aggregation.V1.RecursiveHierarchy", qualifier: "H",
                value: .record(
                    type: nil,
                    properties: [
                        AnnotationDefinition(
                            term: "NodeProperty", value: .path(kind: "PropertyPath", text: "ID")),
                        AnnotationDefinition(
                            term: "ParentNavigationProperty",
                            value: .path(kind: "NavigationPropertyPath", text: "Above")),
                    ]))
        ])

    private static let sale = StructureDefinition(
        kind: .entity, namespace: "Tree", name: "Sale",
        properties: [
            Shop.primitive("ID", .int64, nullable: false), Shop.primitive("Amount", .int32),
            Shop.primitive("NodeID", .string),
            navigation(
                "Node", 0, partner: "Sales",
                by: ReferentialConstraint(property: "NodeID", referencedProperty: "ID")),
        ], key: [KeyProperty(path: "ID")])

    private static func navigation(
        _ name: String, _ type: Int, many: Bool = false, partner: String,
        by constraint: ReferentialConstraint? = nil
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name, type: TypeReference(.structure(StructureID(type)), isCollection: many),
            navigation: NavigationDefinition(
                partner: partner, referentialConstraints: constraint.map { [$0] } ?? []))
    }
}
