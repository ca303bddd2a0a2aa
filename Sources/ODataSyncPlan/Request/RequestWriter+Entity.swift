import ODataModel
import ODataQuery
import ODataText

/// The requests of a caller's entities.
extension RequestWriter {
    /// The message of a step; nil when there is nothing to say.
    package func message(
        of step: ChangeStep, _ options: ChangeOptions, _ address: EntityAddress
    ) throws -> RequestMessage? {
        switch step.request {
        case .create(let entity):
            try MediaCreation.refuseWithoutContent(entity.values.type, in: graph)
            let (url, declared) = try address.collection(entity.place)
            return create(
                try value(entity, nil, includesNew: true, address), at: url, declared: declared,
                isMinimal: options.prefersNoContent)
        case .createMedia(let entity, let content):
            return createMedia(
                content, at: try address.collection(entity.place).url,
                isMinimal: options.prefersNoContent)
        case .update(let entity, let unbinds):
            return try update(entity, unbinds, options, address)
        case .complete(let entity, let unbinds):
            var options = options
            options.sendsEmptyUpdate = false
            return try update(entity, unbinds, options, address)
        case .delete(let place, let tag):
            return delete(at: try address.text(place), entityTag: tag)
        case .putLink(let source, let property, let target):
            return putLink(
                property.name, isCollection: property.type.isCollection,
                of: try address.text(source), to: try address.text(target))
        case .deleteLink(let source, let property, let target):
            return try deleteLink(source, property, target, address)
        case .action(let call): return try message(of: call)
        case .finish: return nil
        }
    }

    private func deleteLink(
        _ source: EntityPlace, _ property: PropertyDefinition, _ target: EntityPlace?,
        _ address: EntityAddress
    ) throws -> RequestMessage {
        let isCollection = property.type.isCollection
        guard !isCollection || target != nil else {
            throw ODataError(
                .usage, "Expected the entity whose link leaves the collection.",
                at: .path(property.name))
        }
        return deleteLink(
            property.name, isCollection: isCollection, of: try address.text(source),
            to: isCollection ? try target.map(address.text) : nil)
    }

    /// `PATCH` with what changed, or `PUT` with everything; nil when there is nothing to say.
    ///
    /// - Parameter unbinds: links that are let go inside: null for one entity, a removed one for those of a collection.
    private func update(
        _ entity: RequestEntity, _ unbinds: [RequestEntity.Binding], _ options: ChangeOptions,
        _ address: EntityAddress
    ) throws -> RequestMessage? {
        let mode = mode(options.updateMode)
        let slots =
            mode == .replace
            ? Set(entity.values.slots.indices) : entity.changedSlots.subtracting(entity.keySlots)
        var value = try value(entity, slots, includesNew: false, address)
        if mode == .merge, !entity.hasChangedDynamics { value.dynamicValues = [:] }
        let properties = entity.definition.properties
        var deltas: Set<String> = []
        for relatives in entity.relatives {
            let property = properties[relatives.slot]
            let inside = try relatives.entities.map {
                ODataValue.structure(try relative($0, address))
            }
            value.slots[relatives.slot] =
                property.type.isCollection ? .list(inside) : inside.first
            if property.type.isCollection { deltas.insert(property.name) }
        }
        var removals: [String: [String]] = [:]
        for unbind in unbinds {
            let property = unbind.property
            if let target = unbind.target, property.type.isCollection {
                removals[property.name, default: []].append(try address.text(target))
            } else if value.control.bindings[property.name] == nil,
                let slot = entity.definition.slot(named: property.name)
            {
                value.slots[slot] = .null
            }
        }
        let isEmpty =
            removals.isEmpty && value.slots.allSatisfy { $0 == nil }
            && value.control.bindings.isEmpty && value.dynamicValues.isEmpty
        guard !isEmpty || options.sendsEmptyUpdate else { return nil }
        var message = update(
            value, at: try address.text(entity.place), declared: entity.values.type, mode: mode,
            entityTag: entity.entityTag, isMinimal: options.prefersNoContent, deltas: deltas,
            removals: removals)
        if !entity.relatives.isEmpty || !unbinds.isEmpty {
            message.headers["OData-Version"] = "4.01"
        }
        return message
    }

    /// A related entity inside an update: whole when it is new, else by its key with what changed.
    private func relative(
        _ entity: RequestEntity, _ address: EntityAddress
    ) throws -> StructureValue {
        entity.isNew
            ? try value(entity, nil, includesNew: true, address)
            : try value(
                entity, entity.changedSlots.union(entity.keySlots), includesNew: false, address)
    }

    /// The entity as a request says it: chosen slots, links to entities that exist, and new entities inside.
    private func value(
        _ entity: RequestEntity, _ slots: Set<Int>?, includesNew: Bool, _ address: EntityAddress
    ) throws -> StructureValue {
        var value = entity.values
        if let slots {
            for slot in value.slots.indices where !slots.contains(slot) { value.slots[slot] = nil }
        }
        let properties = entity.definition.properties
        for relation in entity.related where includesNew {
            let property = properties[relation.slot]
            for place in relation.bound {
                value.control.bindings[property.name, default: []].append(try address.text(place))
            }
            let inside = try relation.inside.map {
                ODataValue.structure(try self.value($0, nil, includesNew: true, address))
            }
            guard !inside.isEmpty else { continue }
            value.slots[relation.slot] =
                property.type.isCollection ? .list(inside) : inside[0]
        }
        for binding in entity.bindings where binding.isBind && settings.supportsBind {
            guard let target = binding.target else { continue }
            value.control.bindings[binding.property.name, default: []]
                .append(try address.text(target))
        }
        return value
    }
}
