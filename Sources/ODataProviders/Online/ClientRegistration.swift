import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataText
import ODataWorld

/// The registration of a client with its service, kept in `~/ClientRegistration/<service>.json`.
struct ClientRegistration {
    private let provider: OnlineODataProvider

    /// What the file says.
    struct Stored: Equatable {
        var id: Int64
        var guid: String
    }

    init(_ provider: OnlineODataProvider) {
        self.provider = provider
    }

    private var file: String { "~/ClientRegistration/\(provider.serviceName).json" }

    /// The registration that was made before; nil when there is none.
    func stored() throws -> Stored? {
        guard let bytes = try provider.folder.read(file) else { return nil }
        let json = try JSONValue(parsing: bytes)
        guard let id = json["ClientID"]?.number.flatMap({ Int64($0) }),
            let guid = json["ClientGUID"]?.string
        else {
            throw ODataError(
                .invalidPayload, "Expected ClientID and ClientGUID in the registration file.")
        }
        return Stored(id: id, guid: guid)
    }

    func register(_ client: EntityValue?) throws {
        if let known = try stored() {
            provider.serviceOptions.clientInstanceID = known.guid
            return
        }
        try provider.loadMetadata()
        let model = try model()
        let entity = client ?? EntityValue.ofType(model.set.entityType)
        entity.entitySet = model.set
        if entity.optionalValue(for: model.guid) == nil {
            let identifier = provider.world.makeIdentifier()
            entity.setDataValue(
                for: model.guid,
                to: GuidValue(guid: Guid(high: identifier.0, low: identifier.1)))
        }
        try provider.createEntity(entity)
        guard case .integer(let id)? = entity.optionalValue(for: model.id)?.scalarValue(),
            let guid = entity.optionalValue(for: model.guid)?.toString()
        else {
            throw ODataError(
                .invalidPayload, "Expected ClientID and ClientGUID of the registered client.")
        }
        try store(Stored(id: id, guid: guid))
        provider.serviceOptions.clientInstanceID = guid
    }

    /// The local part happens also when the service refuses its part, which is then thrown.
    func unregister(deletesFromServer: Bool) throws {
        let known = try stored()
        defer { provider.serviceOptions.clientInstanceID = nil }
        defer { try? provider.folder.remove(file) }
        guard deletesFromServer, let known else { return }
        try provider.loadMetadata()
        let model = try model()
        let entity = EntityValue.ofType(model.set.entityType)
        entity.entitySet = model.set
        entity.setDataValue(for: model.id, to: LongValue(known.id))
        try provider.deleteEntity(entity)
    }

    private func store(_ registration: Stored) throws {
        let object = JSONObject([
            JSONObject.Member(name: "ClientID", value: .number("\(registration.id)")),
            JSONObject.Member(name: "ClientGUID", value: .string(registration.guid)),
        ])
        try provider.folder.write(JSONValue.object(object).bytes, to: file)
    }

    private func model() throws -> (set: EntitySet, id: Property, guid: Property) {
        guard let set = provider.metadata.entitySet(named: "ClientRegistrationSet"),
            let id = set.entityType.property(named: "ClientID"),
            let guid = set.entityType.property(named: "ClientGUID"),
            id.definition.type.primitive == .int64, guid.definition.type.primitive == .guid
        else {
            throw ODataError(
                .unknownName,
                "Expected ClientRegistrationSet with ClientID (Edm.Int64) and ClientGUID (Edm.Guid).",
                at: .path("ClientRegistrationSet"))
        }
        return (set, id, guid)
    }
}
