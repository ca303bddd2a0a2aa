import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import ODataText
import ODataWorld

/// Registers the client as an entity of the service.
struct ClientRegistration {
    private let provider: OnlineODataProvider
    private let file: RegistrationFile

    init(_ provider: OnlineODataProvider) {
        self.provider = provider
        file = RegistrationFile(provider.folder, service: provider.serviceName)
    }

    /// The registration that was made before; nil when there is none.
    func stored() throws -> RegistrationFile.Registration? { try file.read() }

    func register(_ client: EntityValue?) throws {
        if let known = try stored() {
            provider.serviceOptions.clientInstanceID = known.guid
            return
        }
        try provider.loadMetadata()
        let (set, id, guid) = try model()
        let entity = client ?? EntityValue.ofType(set.entityType)
        entity.entitySet = set
        if entity.optionalValue(for: guid) == nil {
            let identifier = provider.world.makeIdentifier()
            entity.setDataValue(
                for: guid,
                to: GuidValue(guid: Guid(high: identifier.0, low: identifier.1)))
        }
        try provider.createEntity(entity)
        guard case .integer(let number)? = entity.optionalValue(for: id)?.scalarValue(),
            let name = entity.optionalValue(for: guid)?.toString()
        else {
            throw ODataError(
                .invalidPayload, "Expected ClientID and ClientGUID of the registered client.")
        }
        try file.write(RegistrationFile.Registration(id: number, guid: name))
        provider.serviceOptions.clientInstanceID = name
    }

    /// The local part happens also when the service refuses its part, which is then thrown.
    func unregister(deletesFromServer: Bool) throws {
        let known = try stored()
        defer { provider.serviceOptions.clientInstanceID = nil }
        defer { try? file.remove() }
        guard deletesFromServer, let known else { return }
        try provider.loadMetadata()
        let (set, id, _) = try model()
        let entity = EntityValue.ofType(set.entityType)
        entity.entitySet = set
        entity.setDataValue(for: id, to: LongValue(known.id))
        try provider.deleteEntity(entity)
    }

    private func model() throws -> (set: EntitySet, id: Property, guid: Property) {
        let model = provider.metadata.model
        let places = try RegistrationModel(model.graph)
        let set = model[places.set]
        let properties = set.entityType.properties
        return (set, properties[places.id], properties[places.guid])
    }
}
