import ODataModel
import ODataSyncPlan

/// The model of what the library itself lists: queued requests and events, so that queries can filter and sort them.
enum SyncMetadata {
    static let document: CSDLDocument = {
        do {
            return CSDLDocument(graph: try makeGraph())
        } catch {
            preconditionFailure("The built-in model is not valid: \(error)")
        }
    }()

    static let pendingRequest = "Sync.PendingRequest"
    static let syncEvent = "Sync.SyncEvent"

    private static func makeGraph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        graph.schemas = [.init(namespace: "Sync")]
        graph.containers = [.init(qualifiedName: "Sync.Container")]
        graph.structures = [
            structure(
                "PendingRequest", key: "requestID",
                [
                    ("requestID", .int64), ("httpMethod", .string), ("requestURL", .string),
                    ("httpStatus", .int32), ("firstSent", .dateTimeOffset),
                    ("changeSet", .string), ("customTag", .string), ("uploadGroup", .string),
                ]),
            structure(
                "SyncEvent", key: "eventID",
                [
                    ("eventID", .int64), ("type", .string), ("time", .dateTimeOffset),
                    ("details", .string),
                ]),
        ]
        try graph.freeze()
        return graph
    }

    private static func structure(
        _ name: String, key: String, _ properties: [(String, PrimitiveType)]
    ) -> StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: "Sync", name: name,
            properties: properties.map { name, type in
                PropertyDefinition(name: name, type: TypeReference(.primitive(type)))
            }, key: [KeyProperty(path: key)])
    }

    /// A property of one of the two types.
    static func property(_ name: String, of type: String) -> Property {
        guard let property = document.structureType(named: type)?.property(named: name) else {
            preconditionFailure("The built-in model has no property \(type)/\(name).")
        }
        return property
    }

    /// A value of one of the two types, slots in the order above.
    static func value(_ type: String, _ scalars: [Scalar?]) -> StructureValue {
        guard let id = document.graph.structure(named: type) else {
            preconditionFailure("The built-in model has no type \(type).")
        }
        return StructureValue(type: id, slots: scalars.map { .scalar($0 ?? .null) })
    }
}
