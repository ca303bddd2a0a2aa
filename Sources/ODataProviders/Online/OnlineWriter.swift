import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import ODataWorld

/// Writes the requests of an online provider (Protocol 4.01, section 11.4; V2 operations).
struct OnlineWriter {
    let dialect: Dialect
    let address: OnlineAddress
    let service: ServiceOptions.Fields

    private static let maximumDepth = 16

    /// `POST` to the set, or to the navigation property under which the entity is created.
    func create(_ entity: EntityValue, _ options: RequestOptions) throws -> RequestMessage {
        let url: String
        let declared: StructureID
        if let parent = entity.parentEntity, let property = entity.parentProperty {
            url = try address.text(parent, property)
            declared = property.definition.type.structure ?? entity.entityType.structureID
        } else {
            try resolve(entity)
            url = PercentCoding.encode(entity.entitySet.localName, for: .path)
            declared = entity.entitySet.definition.type
        }
        let value = try structure(entity, slots: nil, includesNew: true, depth: 0)
        return RequestMessage(
            method: "POST", url: url,
            headers: headers(options, returnsContent: service.createReturnsContent),
            body: body(value, declared: declared, entity))
    }

    /// `PATCH` with what changed, or `PUT` with everything; nil when there is nothing to say.
    ///
    /// - Parameters:
    ///   - relatives: Related entities that are new or changed and go inside (Protocol 4.01, section 11.4.3.1).
    ///   - unbinds: Links that are let go inside: null for one entity, a removed one for those of a collection.
    func update(
        _ entity: EntityValue, _ options: RequestOptions,
        relatives: [(property: Property, entities: [EntityValue])] = [],
        unbinds: [PendingBinding] = []
    ) throws -> RequestMessage? {
        let replaces = options.updateMode == .replace || !service.supportsPatch
        let properties = entity.entityType.properties
        let keys = Set(
            entity.entityType.definition.key.compactMap {
                entity.entityType.definition.slot(named: $0.path)
            })
        let slots =
            replaces
            ? Set(properties.indices.filter { !properties[$0].isNavigation })
            : Set(entity.changedSlots).subtracting(keys)
        var value = try structure(entity, slots: slots, includesNew: false, depth: 0)
        if !replaces, value.dynamicValues == entity.snapshot?.structureValue.dynamicValues {
            value.dynamicValues = [:]
        }
        for (property, related) in relatives {
            let inside = try related.map { ODataValue.structure(try relative($0)) }
            value.slots[property.slot] =
                property.definition.type.isCollection ? .list(inside) : inside.first
        }
        var removals: [String: [String]] = [:]
        for unbind in unbinds {
            if let target = unbind.target, unbind.property.definition.type.isCollection {
                removals[unbind.property.name, default: []].append(try address.text(target))
            } else if value.control.bindings[unbind.property.name] == nil {
                value.setSlot(unbind.property.slot, .null)
            }
        }
        let isEmpty =
            removals.isEmpty && value.slots.allSatisfy { $0 == nil }
            && value.control.bindings.isEmpty
            && value.dynamicValues.isEmpty
        guard !isEmpty || options.sendEmptyUpdate else { return nil }
        var fields = headers(options, returnsContent: service.updateReturnsContent)
        fields["If-Match"] = entity.entityTag
        if !relatives.isEmpty || !unbinds.isEmpty { fields["OData-Version"] = "4.01" }
        return RequestMessage(
            method: replaces ? "PUT" : dialect.updatesWithPatch ? "PATCH" : "MERGE",
            url: try address.text(entity), headers: fields,
            body: body(
                value, declared: entity.entityType.structureID, entity,
                deltas: Set(
                    relatives.lazy.filter { $0.property.definition.type.isCollection }
                        .map(\.property.name)), removals: removals))
    }

    /// A related entity inside an update: whole when it is new, else by its key with what changed.
    private func relative(_ entity: EntityValue) throws -> StructureValue {
        guard !entity.isNew else {
            return try structure(entity, slots: nil, includesNew: true, depth: 1)
        }
        let keys = entity.entityType.definition.key.compactMap {
            entity.entityType.definition.slot(named: $0.path)
        }
        return try structure(
            entity, slots: Set(entity.changedSlots + keys), includesNew: false, depth: 1)
    }

    func delete(_ entity: EntityValue) throws -> RequestMessage {
        var message = RequestMessage(method: "DELETE", url: try address.text(entity))
        message.headers["If-Match"] = entity.entityTag
        return message
    }

    // MARK: Links

    /// `POST` adds to a collection, `PUT` sets a single-valued link.
    func putLink(
        _ source: EntityValue, _ property: Property, _ target: EntityValue
    ) throws -> RequestMessage {
        let graph = source.entityType.model.graph
        return RequestMessage(
            method: property.definition.type.isCollection ? "POST" : "PUT",
            url: try address.links(source, property),
            headers: ["Content-Type": "application/json"],
            // 4.0 services read only the long name of the control information.
            body: EntityJSONWriter(graph, dialect: dialect.wrapsPayload ? .v2 : .v4)
                .reference(try address.reference(target)))
    }

    func deleteLink(
        _ source: EntityValue, _ property: Property, _ target: EntityValue
    ) throws -> RequestMessage {
        RequestMessage(
            method: "DELETE", url: try address.link(source, property, to: target))
    }

    /// The request that removes a link that an entity lets go.
    func unbind(_ entity: EntityValue, _ binding: PendingBinding) throws -> RequestMessage {
        try deleteLink(
            entity, binding.property, binding.target ?? EntityValue(type: entity.entityType))
    }

    // MARK: Operations

    /// `POST` of an action; V2 has the arguments in the URL.
    func action(_ query: DataQuery, _ call: DataMethodCall) throws -> RequestMessage {
        let graph = call.method.model.graph
        var wanted = try query.checkedQuery()
        guard dialect.wrapsPayload else {
            let url = try URLWriter.text(wanted, graph: graph, dialect: dialect)
            var arguments: [String: ODataValue] = [:]
            for parameter in call.parameters {
                arguments[parameter.name] = parameter.value?.odataValue() ?? .null
            }
            return RequestMessage(
                method: "POST", url: url, headers: ["Content-Type": "application/json"],
                body: try EntityJSONWriter(graph, dialect: .v4)
                    .argumentsBody(arguments, of: call.method.operation))
        }
        let arguments = call.parameters.map {
            NamedArgument(name: $0.name, value: DataValue.queryExpression($0.value))
        }
        wanted.path = ResourcePath([.operation(call.method.name, arguments)])
        try QueryChecker.check(&wanted, graph: graph)
        return RequestMessage(
            method: call.method.httpMethod ?? "POST",
            url: try URLWriter.text(wanted, graph: graph, dialect: dialect))
    }

    // MARK: Bodies

    private func headers(_ options: RequestOptions, returnsContent: Bool) -> HeaderFields {
        var fields: HeaderFields = ["Content-Type": "application/json"]
        if !dialect.wrapsPayload {
            fields["Prefer"] =
                options.preferNoContent || !returnsContent
                ? "return=minimal" : "return=representation"
        }
        return fields
    }

    private func body(
        _ value: StructureValue, declared: StructureID, _ entity: EntityValue,
        deltas: Set<String> = [], removals: [String: [String]] = [:]
    ) -> [UInt8] {
        let graph = entity.entityType.model.graph
        // Requests keep the long names of control information, which every V4 service reads.
        let writer = EntityJSONWriter(graph, dialect: dialect.wrapsPayload ? .v2 : .v4)
        let named = service.requiresType ? StructureID(-1) : declared
        return writer.requestBody(value, declared: named, deltas: deltas, removals: removals)
    }

    private func resolve(_ entity: EntityValue) throws {
        guard entity.entitySet === EntitySet.undefined else { return }
        let type = entity.entityType
        throw ODataError(
            .usage,
            "Expected an entity set for the entity, found none or more than one of its type.",
            at: .path(type.qualifiedName))
    }

    /// The entity as a request says it: chosen slots, links to entities that exist, and new entities inside.
    private func structure(
        _ entity: EntityValue, slots: Set<Int>?, includesNew: Bool, depth: Int
    ) throws -> StructureValue {
        guard depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels of related entities.",
                at: .path(entity.entityType.qualifiedName))
        }
        var value = entity.structureValue
        value.control = ControlInformation()
        for property in entity.entityType.properties where property.slot < value.slots.count {
            if property.isNavigation {
                try relate(
                    entity, property, &value, includesNew: includesNew, depth: depth)
            } else if slots?.contains(property.slot) == false {
                value.slots[property.slot] = nil
            }
        }
        for binding in entity.bindings where binding.isBind && service.supportsBind {
            guard let target = binding.target else { continue }
            value.control.bindings[binding.property.name, default: []]
                .append(try address.text(target))
        }
        return value
    }

    /// New related entities go inside, those that exist are bound.
    private func relate(
        _ entity: EntityValue, _ property: Property, _ value: inout StructureValue,
        includesNew: Bool, depth: Int
    ) throws {
        let isSet = value.slots[property.slot] != nil
        value.slots[property.slot] = nil
        guard includesNew, isSet else { return }
        let found = entity.optionalValue(for: property)
        let related = (found as? EntityValueList)?.toArray() ?? (found as? EntityValue).map { [$0] }
        var inside: [ODataValue] = []
        for child in related ?? [] {
            if child.isNew {
                inside.append(
                    .structure(
                        try structure(child, slots: nil, includesNew: true, depth: depth + 1)))
            } else {
                value.control.bindings[property.name, default: []]
                    .append(try address.text(child))
            }
        }
        guard !inside.isEmpty else { return }
        value.slots[property.slot] =
            property.definition.type.isCollection ? .list(inside) : inside[0]
    }
}
