import ODataModel
import ODataQuery
import ODataSQL

/// A small model with every way of storing properties and links.
package enum Shop {
    package static func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        graph.schemas = [MetadataGraph.Schema(namespace: "Shop")]
        graph.containers = [MetadataGraph.Container(qualifiedName: "Shop.Container")]
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "Shop", name: "Grade", isFlags: true,
                members: [
                    .init(name: "Bronze", value: 1), .init(name: "Silver", value: 2),
                    .init(name: "Gold", value: 4),
                ])
        ]
        graph.structures = [customer, order, item, label, place, address, vip]
        graph.entitySets = [
            set(
                "Customers", 0,
                [
                    NavigationBinding(path: "Orders", target: "Orders"),
                    NavigationBinding(path: "Address/Nearest", target: "Customers"),
                ]),
            set(
                "Orders", 1,
                [
                    NavigationBinding(path: "Customer", target: "Customers"),
                    NavigationBinding(path: "Labels", target: "Labels"),
                ]),
            set("Labels", 3, [NavigationBinding(path: "Orders", target: "Orders")]),
        ]
        graph.structures[1].annotations = [
            aggregate("Turnover", "Amount with sum"), aggregate("Odd", nil),
            aggregate(
                "Mean", "$these/aggregate(Amount with sum) divby $these/aggregate($count)"),
            aggregate("Loop", "Loop"),
        ]
        try graph.freeze()
        return graph
    }

    private static func aggregate(_ name: String, _ text: String?) -> AnnotationDefinition {
        AnnotationDefinition(
            term: "Org.OData.Aggregation.V1.CustomAggregate", qualifier: name,
            value: .string("Edm.Decimal"),
            annotations: text.map {
                [AnnotationDefinition(term: "OfflineOData.V1.Definition", value: .string($0))]
            } ?? [])
    }

    package static func mapping() throws -> SchemaMapping { SchemaMapping.local(for: try graph()) }

    package static func primitive(
        _ name: String, _ type: PrimitiveType, nullable: Bool = true,
        facets: TypeFacetValues = TypeFacetValues(), collection: Bool = false
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name,
            type: TypeReference(
                .primitive(type), isCollection: collection, isNullable: nullable, facets: facets))
    }

    private static func set(
        _ name: String, _ type: Int, _ bindings: [NavigationBinding]
    ) -> EntitySetDefinition {
        EntitySetDefinition(
            name: name, container: "Shop.Container", type: StructureID(type), bindings: bindings)
    }

    private static func navigation(
        _ name: String, _ type: Int, many: Bool = false, partner: String? = nil,
        contains: Bool = false, constraints: [ReferentialConstraint] = []
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name,
            type: TypeReference(.structure(StructureID(type)), isCollection: many),
            navigation: NavigationDefinition(
                partner: partner, containsTarget: contains, referentialConstraints: constraints))
    }

    private static let money = TypeFacetValues(precision: 12, scale: .fixed(2))

    private static var customer: StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Shop", name: "Customer",
            properties: [
                primitive("Id", .int32, nullable: false), primitive("Name", .string),
                primitive("Balance", .decimal, facets: money),
                primitive("Exact", .decimal, facets: TypeFacetValues(scale: .variable)),
                primitive("Score", .double), primitive("Since", .date),
                primitive("Changed", .dateTimeOffset), primitive("Wakes", .timeOfDay),
                primitive("Wait", .duration), primitive("Token", .guid),
                primitive("Active", .boolean),
                PropertyDefinition(
                    name: "Grade", type: TypeReference(.enumeration(EnumerationID(0)))),
                primitive("Photo", .binary),
                PropertyDefinition(
                    name: "Address", type: TypeReference(.structure(StructureID(5)))),
                primitive("Tags", .string, collection: true),
                navigation("Orders", 1, many: true, partner: "Customer"),
            ], key: [KeyProperty(path: "Id")])
    }

    private static var order: StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Shop", name: "Order",
            properties: [
                primitive("Id", .int64, nullable: false), primitive("CustomerId", .int32),
                primitive(
                    "Amount", .decimal, facets: TypeFacetValues(precision: 10, scale: .fixed(3))),
                primitive("Placed", .dateTimeOffset),
                navigation(
                    "Customer", 0, partner: "Orders",
                    constraints: [
                        ReferentialConstraint(property: "CustomerId", referencedProperty: "Id")
                    ]),
                navigation("Items", 2, many: true, contains: true),
                navigation("Labels", 3, many: true, partner: "Orders"),
            ], key: [KeyProperty(path: "Id")])
    }

    private static var item: StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Shop", name: "Item",
            properties: [
                primitive("Line", .int32, nullable: false), primitive("Product", .string),
                primitive("Quantity", .int32),
            ], key: [KeyProperty(path: "Line")])
    }

    private static var label: StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Shop", name: "Label",
            properties: [
                primitive("Code", .string, nullable: false),
                navigation("Orders", 1, many: true, partner: "Labels"),
            ], key: [KeyProperty(path: "Code")])
    }

    private static var place: StructureDefinition {
        StructureDefinition(
            kind: .complex, namespace: "Shop", name: "Place",
            properties: [
                primitive("Latitude", .double, nullable: false),
                primitive("Longitude", .double, nullable: false),
            ])
    }

    private static var address: StructureDefinition {
        StructureDefinition(
            kind: .complex, namespace: "Shop", name: "Address",
            properties: [
                primitive("City", .string), primitive("city", .string),
                PropertyDefinition(
                    name: "Place",
                    type: TypeReference(.structure(StructureID(4)), isNullable: false)),
                navigation("Nearest", 0),
            ])
    }

    private static var vip: StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Shop", name: "Vip", baseType: "Shop.Customer",
            properties: [primitive("Level", .int32)])
    }
}
