import ODataClasses
import ODataModel

/// A small model for tests of values: orders with items, a customer, an address, all kinds of scalars.
enum ShopModel {
    static func document() throws -> CSDLDocument {
        var graph = MetadataGraph(version: .v4)
        func scalar(
            _ name: String, _ type: PrimitiveType, nullable: Bool = true, _ text: String? = nil
        )
            -> PropertyDefinition
        {
            PropertyDefinition(
                name: name, type: TypeReference(.primitive(type), isNullable: nullable),
                defaultValue: text)
        }
        func navigation(_ name: String, _ id: Int, collection: Bool) -> PropertyDefinition {
            PropertyDefinition(
                name: name,
                type: TypeReference(.structure(StructureID(id)), isCollection: collection),
                navigation: NavigationDefinition())
        }
        let colour = TypeReference(.enumeration(EnumerationID(0)))
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "Shop", name: "Colour", isFlags: true,
                members: [
                    .init(name: "Red", value: 1), .init(name: "Green", value: 2),
                    .init(name: "Blue", value: 4), .init(name: "White", value: 7),
                ])
        ]
        graph.structures = [
            StructureDefinition(
                kind: .entity, namespace: "Shop", name: "Order",
                properties: [
                    scalar("ID", .int32, nullable: false), scalar("Note", .string),
                    scalar("Price", .decimal, nullable: false), scalar("Due", .date),
                    scalar("Count", .int16, nullable: false, "3"), scalar("Photo", .stream),
                    PropertyDefinition(name: "Colour", type: colour),
                    PropertyDefinition(
                        name: "Address", type: TypeReference(.structure(StructureID(2)))),
                    PropertyDefinition(
                        name: "Tags",
                        type: TypeReference(.primitive(.string), isCollection: true)),
                    navigation("Items", 1, collection: true),
                    navigation("Parent", 0, collection: false), scalar("Changed", .dateTimeOffset),
                    scalar("Token", .guid), scalar("Data", .binary),
                ], key: [KeyProperty(path: "ID")]),
            StructureDefinition(
                kind: .entity, namespace: "Shop", name: "Item",
                properties: [
                    scalar("OrderID", .int32, nullable: false),
                    scalar("Name", .string, nullable: false), scalar("Total", .int64),
                ], key: [KeyProperty(path: "OrderID"), KeyProperty(path: "Name")]),
            StructureDefinition(
                kind: .complex, namespace: "Shop", name: "Address", isOpen: true,
                properties: [scalar("City", .string), scalar("Zip", .string)]),
            StructureDefinition(
                kind: .entity, namespace: "Shop", name: "RushOrder", baseType: "Shop.Order",
                properties: [scalar("Hours", .duration)]),
        ]
        graph.entitySets = [
            EntitySetDefinition(name: "Orders", container: "Shop.All", type: StructureID(0)),
            EntitySetDefinition(name: "Items", container: "Shop.All", type: StructureID(1)),
        ]
        try graph.freeze()
        return CSDLDocument(graph: graph)
    }
}

extension CSDLDocument {
    func entity(_ index: Int) throws -> EntityType {
        guard let type = self[StructureID(index)] as? EntityType else { throw NoSuchType() }
        return type
    }

    struct NoSuchType: Error {}
}

/// Rows that count how often one was decoded whole.
final class CountingChunk: RowChunk {
    let values: [StructureValue]
    nonisolated(unsafe) var wholeRows = 0

    init(_ values: [StructureValue]) { self.values = values }

    func type(row: Int) -> StructureID { values[row].type }
    func value(row: Int, slot: Int) -> ODataValue? { values[row].slots[slot] }
    func isSet(row: Int, slot: Int) -> Bool { values[row].slots[slot] != nil }
    func control(row: Int) -> ControlInformation { values[row].control }
    func localID(row: Int) -> Int64? { Int64(row) + 100 }

    func structureValue(row: Int) -> StructureValue {
        wholeRows += 1
        return values[row]
    }
}
