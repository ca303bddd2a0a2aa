import ODataClasses
import ODataModel
import ODataText

/// The entity sets that an offline store has beside those of its service (offline reference, 8.8), as an extension of
/// the service's metadata: every id and slot of the service keeps its value.
enum BuiltInModel {
    static let namespace = "OfflineOData"
    /// The most UTF-16 code units of an event's details.
    static let maximumDetails = 2048

    /// The sets by name, each with the name of its type.
    enum Set: String, CaseIterable {
        case errorArchive = "ErrorArchive"
        case requestQueue = "RequestQueue"
        case eventLog = "EventLog"

        var typeName: String {
            switch self {
            case .errorArchive: "ErrorArchiveEntity"
            case .requestQueue: "Request"
            case .eventLog: "Event"
            }
        }

        var qualifiedTypeName: String { "\(BuiltInModel.namespace).\(typeName)" }
    }

    static let header = "\(namespace).CustomHeader"

    /// True when the document has the sets already.
    static func isPart(of graph: MetadataGraph) -> Bool { graph.structure(named: header) != nil }

    /// The service's metadata with the sets of the store; a set whose name the service uses itself is left out.
    static func extended(_ graph: MetadataGraph) throws -> MetadataGraph {
        guard !isPart(of: graph) else { return graph }
        let first = graph.structures.count
        let ids = Ids(
            entity: StructureID(first), header: StructureID(first + 1),
            errorArchive: StructureID(first + 2), request: StructureID(first + 3),
            event: StructureID(first + 4))
        let container = "\(namespace).Local"
        let types: [(Set, StructureID)] = [
            (.errorArchive, ids.errorArchive), (.requestQueue, ids.request),
            (.eventLog, ids.event),
        ]
        let sets = types.filter { graph.entitySet(named: $0.0.rawValue) == nil }.map {
            EntitySetDefinition(
                name: $0.0.rawValue, container: container, type: $0.1,
                isIncludedInServiceDocument: false)
        }
        return try graph.appending(
            structures: structures(ids), entitySets: sets,
            schema: MetadataGraph.Schema(namespace: namespace),
            container: MetadataGraph.Container(qualifiedName: container, isDefault: false))
    }

    /// Adds the sets to a document, unless it has them: their entities are objects of this library's classes.
    static func extend(_ document: CSDLDocument) throws {
        try document.extend { isPart(of: $0) ? nil : try extended($0) }
        for (name, factory) in factories {
            guard let type = document.structureType(named: name) as? EntityType,
                type.objectFactory == nil
            else { continue }
            type.registerFactory(factory)
        }
    }

    /// What makes the objects of each type; they belong to the type of the store's document as soon as they are filled.
    private static let factories: [String: ObjectFactory] = [
        Set.eventLog.qualifiedTypeName: .with(create: { OfflineODataEvent(withDefaults: false) }),
        Set.errorArchive.qualifiedTypeName: .with(create: {
            OfflineODataErrorArchiveEntity(withDefaults: false)
        }),
        Set.requestQueue.qualifiedTypeName: .with(create: {
            OfflineODataRequest(withDefaults: false)
        }),
        header: .with(create: { OfflineODataCustomHeader(withDefaults: false) }),
    ]

    private struct Ids {
        var entity, header, errorArchive, request, event: StructureID
    }

    private static func structures(_ ids: Ids) -> [StructureDefinition] {
        [
            StructureDefinition(
                kind: .entity, namespace: "Edm", name: "EntityType", isAbstract: true),
            structure(
                "CustomHeader", key: "HeaderID",
                [
                    property("HeaderID", .int64, isNullable: false), property("Name", .string),
                    property("Value", .string),
                ]),
            structure(
                Set.errorArchive.typeName, key: "RequestID",
                [
                    property("RequestID", .int64, isNullable: false),
                    property("CustomTag", .string), property("HTTPStatusCode", .int32),
                    property("Code", .string), property("Message", .string),
                    property("InnerError", .string), property("Domain", .string),
                    property("RequestMethod", .string), property("RequestURL", .string),
                    property("RequestBody", .string), navigation("AffectedEntity", ids.entity),
                    navigation("CustomHeaders", ids.header, isCollection: true),
                ]),
            structure(
                Set.requestQueue.typeName, key: "RequestID",
                [
                    property("RequestID", .int64, isNullable: false), property("Status", .string),
                    property("Method", .string), property("URL", .string),
                    property("Body", .string), property("CustomTag", .string),
                    navigation("AffectedEntity", ids.entity),
                    navigation("DependentRequests", ids.request, isCollection: true),
                    navigation("CustomHeaders", ids.header, isCollection: true),
                ]),
            structure(
                Set.eventLog.typeName, key: "ID",
                [
                    property("ID", .int64, isNullable: false),
                    property("Type", .string, isNullable: false, maxLength: 128),
                    property("Time", .dateTimeOffset),
                    property("Details", .string, maxLength: maximumDetails),
                ]),
        ]
    }

    private static func structure(
        _ name: String, key: String, _ properties: [PropertyDefinition]
    ) -> StructureDefinition {
        StructureDefinition(
            kind: .entity, namespace: namespace, name: name, properties: properties,
            key: [KeyProperty(path: key)])
    }

    private static func property(
        _ name: String, _ type: PrimitiveType, isNullable: Bool = true, maxLength: Int? = nil
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name,
            type: TypeReference(
                .primitive(type), isNullable: isNullable,
                facets: TypeFacetValues(maxLength: maxLength)))
    }

    private static func navigation(
        _ name: String, _ target: StructureID, isCollection: Bool = false
    ) -> PropertyDefinition {
        PropertyDefinition(
            name: name, type: TypeReference(.structure(target), isCollection: isCollection),
            navigation: NavigationDefinition())
    }
}
