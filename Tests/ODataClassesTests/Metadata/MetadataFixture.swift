import ODataClasses
@testable import ODataModel

/// A model of orders: two entity types that lead to each other, a complex type, an enumeration, operations.
enum MetadataFixture {
    static func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        graph.schemas = [.init(namespace: "N", alias: "Self")]
        graph.structures = [order, item, address, special]
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "N", name: "State", isFlags: true,
                members: [.init(name: "New", value: 1), .init(name: "Paid", value: 2)])
        ]
        graph.typeDefinitions = [
            TypeDefinitionDefinition(
                namespace: "N", name: "Money", underlyingType: .decimal,
                facets: TypeFacetValues(precision: 12, scale: .fixed(2)))
        ]
        graph.containers = [.init(qualifiedName: "N.C")]
        graph.entitySets = [
            EntitySetDefinition(
                name: "Orders", container: "N.C", type: StructureID(0),
                bindings: [NavigationBinding(path: "Items", target: "Items")],
                annotations: [
                    AnnotationDefinition(term: "sap:pageable", value: .string("false"))
                ]),
            EntitySetDefinition(name: "Items", container: "N.C", type: StructureID(1)),
            EntitySetDefinition(
                name: "Best", container: "N.C", type: StructureID(3), isSingleton: true),
        ]
        graph.operations = [
            OperationDefinition(
                namespace: "N", name: "Pay", isAction: true, isBound: true,
                parameters: [
                    .init(name: "order", type: TypeReference(.structure(StructureID(0)))),
                    .init(name: "sum", type: TypeReference(.primitive(.int32))),
                ]),
            OperationDefinition(
                namespace: "N", name: "Top", isAction: false,
                returnType: TypeReference(.structure(StructureID(0)), isCollection: true)),
        ]
        graph.operationImports = [
            OperationImportDefinition(
                name: "TopOrders", container: "N.C", operation: "N.Top", isAction: false,
                entitySet: "Orders")
        ]
        graph.terms = [
            TermDefinition(
                namespace: "N", name: "Rank", type: TypeReference(.primitive(.int32)),
                defaultValue: "5")
        ]
        try graph.freeze()
        return graph
    }

    static func document() throws -> CSDLDocument { CSDLDocument(graph: try graph()) }

    private static func property(
        _ name: String, _ type: TypeReference, _ navigation: NavigationDefinition? = nil
    ) -> PropertyDefinition {
        PropertyDefinition(name: name, type: type, navigation: navigation)
    }

    private static let order = StructureDefinition(
        kind: .entity, namespace: "N", name: "Order",
        properties: [
            property("Id", TypeReference(.primitive(.int64), isNullable: false)),
            PropertyDefinition(
                name: "Title",
                type: TypeReference(.primitive(.string), facets: TypeFacetValues(maxLength: 40)),
                defaultValue: "none", isConcurrencyToken: true,
                annotations: [
                    AnnotationDefinition(term: "N.Rank"),
                    AnnotationDefinition(
                        term: "N.Rank", qualifier: "Tablet", value: .integer(3)),
                ]),
            property("Price", TypeReference(.primitive(.decimal), typeDefinition: "N.Money")),
            property("State", TypeReference(.enumeration(EnumerationID(0)))),
            property("Address", TypeReference(.structure(StructureID(2)))),
            property("Tags", TypeReference(.primitive(.string), isCollection: true)),
            property("Photo", TypeReference(.primitive(.stream))),
            property(
                "Items", TypeReference(.structure(StructureID(1)), isCollection: true),
                NavigationDefinition(partner: "Order", containsTarget: false, onDelete: .cascade)),
        ], key: [KeyProperty(path: "Id")])

    private static let item = StructureDefinition(
        kind: .entity, namespace: "N", name: "Item",
        properties: [
            property("OrderId", TypeReference(.primitive(.int64), isNullable: false)),
            property("Pos", TypeReference(.primitive(.int32), isNullable: false)),
            property(
                "Order", TypeReference(.structure(StructureID(0)), isNullable: false),
                NavigationDefinition(
                    partner: "Items",
                    referentialConstraints: [
                        ReferentialConstraint(property: "OrderId", referencedProperty: "Id")
                    ])),
        ], key: [KeyProperty(path: "OrderId"), KeyProperty(path: "Pos")])

    private static let address = StructureDefinition(
        kind: .complex, namespace: "N", name: "Address", isOpen: true,
        properties: [property("City", TypeReference(.primitive(.string)))])

    private static let special = StructureDefinition(
        kind: .entity, namespace: "N", name: "Special", baseType: "N.Order", hasStream: true,
        properties: [property("Gift", TypeReference(.primitive(.boolean)))])
}
