import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension OnlineCall {
    /// Creates an entity; what the service answers becomes its state.
    ///
    /// - Parameter isNamed: The options name the request by which the service knows it again; not those of an entity that
    ///   goes along with another.
    func create(_ entity: EntityValue, isNamed: Bool = true) throws {
        let model = entity.entityType.model
        let links = service.supportsBind ? [] : entity.wantedLinks
        let message = repeatable(
            try writer(model).create(entity, options), options, isNamed: isNamed)
        let answer = try exchange(message, dialect(model))
        try record(answer, created: entity)
        try put(links, of: entity)
    }

    /// Makes links one by one, for services that take none inside the entity.
    private func put(_ links: [(Property, EntityValue)], of entity: EntityValue) throws {
        let model = entity.entityType.model
        for (property, target) in links {
            _ = try exchange(
                writer(model).putLink(entity, property, target), dialect(model))
        }
    }

    /// Updates an entity with what changed, and related entities that it holds and that are new or changed; nothing is
    /// sent when nothing did.
    ///
    /// Related entities go inside where the service says that it takes them there (`DeepUpdateSupport`), else each has
    /// a request of its own.
    func update(_ entity: EntityValue, isNamed: Bool = true) throws {
        let model = entity.entityType.model
        let writer = writer(model)
        let links = service.supportsBind ? [] : entity.wantedLinks
        let relatives = entity.changedRelatives()
        let isDeep = model.graph.takesDeepUpdates
        let unbinds = unbinds(of: entity)
        let message = try writer.update(
            entity, options, relatives: isDeep ? relatives : [], unbinds: unbinds.inside)
        if let message {
            let answer = try exchange(
                repeatable(message, options, isNamed: isNamed), dialect(model))
            try record(answer, updated: entity)
        }
        for (property, related) in relatives {
            for child in related {
                if isDeep {
                    settle(child)
                } else if child.isNew {
                    (child.parentEntity, child.parentProperty) = (entity, property)
                    try create(child, isNamed: false)
                } else {
                    try update(child, isNamed: false)
                }
            }
        }
        for unbind in unbinds.apart {
            _ = try exchange(try writer.unbind(entity, unbind), dialect(model))
        }
        try put(links, of: entity)
        entity.bindings = []
    }

    /// The links that an entity lets go: those that its update says, and those that have requests of their own.
    ///
    /// Inside is place for them where the service takes deep updates (Protocol 4.01, section 11.4.3.1) and unbinds.
    func unbinds(
        of entity: EntityValue
    ) -> (inside: [PendingBinding], apart: [PendingBinding]) {
        let all = entity.bindings.filter { !$0.isBind }
        guard service.supportsUnbind, entity.entityType.model.graph.takesDeepUpdates else {
            return ([], all)
        }
        let bound = Set(entity.bindings.lazy.filter(\.isBind).map(\.property.name))
        func fits(_ binding: PendingBinding) -> Bool {
            !binding.property.definition.type.isCollection
                || binding.target != nil && !bound.contains(binding.property.name)
        }
        return (all.filter(fits), all.filter { !fits($0) })
    }

    func delete(_ entity: EntityValue) throws {
        let model = entity.entityType.model
        let message = repeatable(try writer(model).delete(entity), options)
        _ = try exchange(message, dialect(model))
        entity.flags.subtract([.new, .local])
        entity.isDeleted = true
    }

    /// Deletes the entities that a query selects, one after the other.
    func delete(matching query: DataQuery) throws {
        let found = try execute(query).entityList()
        for entity in found.toArray() { try delete(entity) }
    }

    func putLink(_ source: EntityValue, _ property: Property, _ target: EntityValue) throws {
        let model = source.entityType.model
        let message = try writer(model).putLink(source, property, target)
        _ = try exchange(repeatable(message, options), dialect(model))
    }

    func deleteLink(_ source: EntityValue, _ property: Property, _ target: EntityValue) throws {
        let model = source.entityType.model
        let message = try writer(model).deleteLink(source, property, target)
        _ = try exchange(repeatable(message, options), dialect(model))
    }

    // MARK: Answers

    /// What the answer to a create says becomes the entity's state.
    func record(_ answer: ResponseMessage, created entity: EntityValue) throws {
        if try !take(answer, entity) {
            let location = answer.headers["OData-EntityId"] ?? answer.headers["Location"]
            entity.entityTag = answer.headers["ETag"]
            if let location {
                var value = entity.structureValue
                value.control.readLink = ServiceURL.relative(location, root: connection.root)
                reader(entity.entityType.model).setKey(of: &value, from: location)
                entity.load(.value(value))
            }
            settle(entity)
        }
        entity.isCreated = true
    }

    /// What the answer to an update says becomes the entity's state.
    func record(_ answer: ResponseMessage, updated entity: EntityValue) throws {
        let unbinds = entity.bindings.filter { !$0.isBind }
        if try !take(answer, entity) {
            entity.entityTag = answer.headers["ETag"]
            settle(entity)
        }
        entity.bindings = unbinds
        entity.isUpdated = true
    }

    private func take(_ answer: ResponseMessage, _ entity: EntityValue) throws -> Bool {
        guard answer.status != 204, !answer.body.isEmpty else { return false }
        let model = entity.entityType.model
        let value = try reader(model).structure(
            answer, entity.entityType.structureID, entity.knownSet)
        entity.takeOver(value, type: (model[value.type] as? EntityType) ?? entity.entityType)
        return true
    }

    func settle(_ entity: EntityValue) {
        entity.flags.subtract([.new, .deleted])
        entity.bindings = []
        entity.rememberOld()
    }

    /// The request with the identity by which the service knows it again, where the caller wants one.
    ///
    /// - Parameter isNamed: The identity is that of the options, and kept there; another request has one of its own.
    func repeatable(
        _ message: RequestMessage, _ options: RequestOptions, isNamed: Bool = true
    ) -> RequestMessage {
        guard options.repeatable else { return message }
        guard isNamed else { return identified(message) }
        if options.requestID == nil {
            let identifier = world.makeIdentifier()
            options.requestID = Guid(high: identifier.0, low: identifier.1).description
            options.repeatabilityCreation = GlobalDateTime.milliseconds(
                world.now().seconds * 1000)
        }
        var seconds = world.now().seconds
        if case .dateTimeOffset(let sent)? = options.repeatabilityCreation?.scalarValue() {
            seconds = sent.seconds
        }
        return identified(message, as: options.requestID, since: seconds)
    }

    private func identified(
        _ message: RequestMessage, as name: String? = nil, since seconds: Int64? = nil
    ) -> RequestMessage {
        var name = name
        if name == nil {
            let identifier = world.makeIdentifier()
            name = Guid(high: identifier.0, low: identifier.1).description
        }
        var request = message
        request.headers.merge(
            RepeatabilityHeaders(
                requestID: name ?? "", firstSentSeconds: seconds ?? world.now().seconds,
                clientID: service.clientID
            ).headers(.oasis))
        return request
    }
}

extension MetadataGraph {
    /// True when the service says that related entities may stand inside an update (`Capabilities.DeepUpdateSupport`).
    var takesDeepUpdates: Bool {
        guard version >= .v401,
            let annotation = defaultContainer?.annotations.first(
                term: "Org.OData.Capabilities.V1.DeepUpdateSupport")
        else { return false }
        guard case .record(_, let properties) = annotation.value else { return true }
        return properties.flag("Supported") ?? true
    }
}
