import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// The requests of the queue, addressed as their rows are known at the moment.
extension RequestWriter {
    /// - Parameters:
    ///   - isPart: The message goes into a batch.
    ///   - address: the URL of a row relative to the service root, or `$1` for a row that another member of the same
    ///     change set creates.
    package func message(
        for request: QueuedRequest, isPart: Bool = false, address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        if let misfit = request.misfit {
            throw ODataError(.unknownName, misfit, at: .path(request.target.table))
        }
        var message = try self.request(request, address)
        if sendsRepeatability, let sent = request.identity.firstSent {
            let identity = RepeatabilityHeaders(
                requestID: request.identity.id, firstSentSeconds: sent / 1000,
                clientID: settings.clientID)
            for style in repeatabilityStyles { message.headers.merge(identity.headers(style)) }
        }
        var headers = request.headers
        // The tag follows the row, and the type the content; what the app gave may be older.
        if message.headers["If-Match"] != nil { headers["If-Match"] = nil }
        if request.bringsStream { headers["Content-Type"] = nil }
        return isPart ? inside(message, headers: headers) : alone(message, headers: headers)
    }

    /// What a request asks for that cannot be written: method, address as far as it is known, and the body as it is stored.
    /// For people and exports, not for sending.
    package func outline(
        of request: QueuedRequest, address: (RowReference) throws -> String
    ) -> RequestMessage {
        let isStored = graph.declaredType(ofTable: request.target.table) != nil
        var url = request.target.table
        if request.operation != .create, isStored, let known = try? address(request.target) {
            url = known
        }
        if let navigation = request.navigation, request.operation != .create {
            url += "/" + navigation.property
        }
        let method =
            switch request.operation {
            case .create, .createLink: "POST"
            case .update(let mode): mode == .merge ? "PATCH" : "PUT"
            case .updateLink, .putStream: "PUT"
            case .delete, .deleteLink, .deleteStream: "DELETE"
            }
        return RequestMessage(
            method: method, url: url, body: Array((request.storedBody ?? "").utf8))
    }

    /// True for an update that says what changed and has to say everything.
    package func replaces(_ request: QueuedRequest) -> Bool {
        request.operation == .update(.merge) && mode(.merge) == .replace
    }

    private func request(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        let isMinimal = request.flags.contains(.minimalAnswer)
        switch request.operation {
        case .create:
            let url = try collection(of: request, address)
            guard !request.bringsStream else {
                return createMedia(streams[request.id], at: url, isMinimal: isMinimal)
            }
            let value = try value(request, address)
            try MediaCreation.refuseWithoutContent(value.type, in: graph)
            return create(
                value, at: url, declared: try declaredType(request),
                isMinimal: isMinimal)
        case .update(let wanted):
            let mode = mode(wanted)
            return update(
                try value(request, address, isWhole: replaces(request)),
                at: try address(request.target), declared: try declaredType(request), mode: mode,
                entityTag: request.ifMatch, isMinimal: isMinimal)
        case .delete: return delete(at: try address(request.target), entityTag: request.ifMatch)
        case .putStream:
            return putStream(
                streams[request.id], at: try streamURL(of: request, address),
                entityTag: request.ifMatch)
        case .deleteStream:
            return delete(at: try streamURL(of: request, address), entityTag: request.ifMatch)
        case .createLink, .updateLink:
            let (navigation, isCollection) = try link(request)
            guard let target = navigation.row else {
                throw ODataError(
                    .usage, "Expected a target for the link.", at: .path(navigation.property))
            }
            return putLink(
                navigation.property,
                isCollection: isCollection ?? (request.operation == .createLink),
                of: try address(request.target), to: try address(target))
        case .deleteLink:
            let (navigation, isCollection) = try link(request)
            return deleteLink(
                navigation.property, isCollection: isCollection ?? (navigation.row != nil),
                of: try address(request.target), to: try navigation.row.map(address))
        }
    }

    /// Where the content is that a request replaces or removes (Protocol 4.01, sections 11.4.7 and 11.4.8).
    package func streamURL(
        of request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> String {
        let property = request.navigation.map { PercentCoding.encode($0.property, for: .path) }
        return try address(request.target) + "/" + (property ?? "$value")
    }

    /// Where a create is posted: the set, or the parent's navigation property.
    private func collection(
        of request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> String {
        guard let navigation = request.navigation, let parent = navigation.row else {
            return PercentCoding.encode(
                graph.address(ofSetNamed: request.target.table), for: .path)
        }
        return try address(parent) + "/" + PercentCoding.encode(navigation.property, for: .path)
    }

    /// The body as one value; the whole row where that is known and asked for.
    private func value(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String, isWhole: Bool = false
    ) throws -> StructureValue {
        guard let body = request.body else {
            throw ODataError(
                .usage, "Expected a body for a create or update.",
                at: .path(request.target.table))
        }
        try requireKeys(of: request, body, address)
        var value = try structure(body, address)
        guard isWhole, let row = wholeRows[request.id], row.type == value.type else { return value }
        // What changed of a complex value is a part of it, too.
        let whole = StructureMerge.merge(value, over: row)
        for (slot, property) in graph[value.type].properties.enumerated()
        where !property.isNavigation && slot < min(whole.slots.count, value.slots.count) {
            value.slots[slot] = whole.slots[slot]
        }
        value.dynamicValues = whole.dynamicValues
        return value
    }

    /// A foreign key that the app took from a row made here is one of ours until the service has told that row's key, and none
    /// that may be sent.
    ///
    /// - Throws: `conflict` where nobody has told the key, and nothing is on its way that will.
    private func requireKeys(
        of request: QueuedRequest, _ body: RequestBody, _ address: (RowReference) throws -> String
    ) throws {
        for case .values(request.target, let values, let principal?) in request.effects
        where principal.id < 0 && body.values.type == values.type {
            let isSent = zip(values.slots, body.values.slots).contains { $0 != nil && $0 == $1 }
            guard isSent, (try? address(principal)) == nil else { continue }
            throw ODataError(
                .conflict,
                "Expected a reference to an entity whose key the service has told, found one to an"
                    + " entity that it made without telling it: refer to another, or take this back.",
                at: .path(principal.table))
        }
    }

    /// Inline entities in their navigation slots, binds as control information.
    private func structure(
        _ body: RequestBody, _ address: (RowReference) throws -> String
    ) throws -> StructureValue {
        var value = body.values
        for bind in body.binds {
            value.control.bindings[bind.navigation] = try bind.targets.map(address)
        }
        for child in body.inline {
            guard let slot = graph[value.type].slot(named: child.navigation) else { continue }
            let nested = ODataValue.structure(try structure(child.body, address))
            if graph[value.type].properties[slot].type.isCollection {
                value.slots[slot] = .list((value.slots[slot]?.list ?? []) + [nested])
            } else {
                value.slots[slot] = nested
            }
        }
        return value
    }

    private func declaredType(_ request: QueuedRequest) throws -> StructureID {
        guard let type = graph.declaredType(ofTable: request.target.table) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found an unknown name.",
                at: .path(request.target.table))
        }
        return type
    }

    /// The property of a link, and whether it leads to many; nil where a derived type declares it.
    private func link(
        _ request: QueuedRequest
    ) throws -> (navigation: QueuedRequest.Navigation, isCollection: Bool?) {
        guard let navigation = request.navigation else {
            throw ODataError(
                .usage, "Expected a navigation property for a link.",
                at: .path(request.target.table))
        }
        let type = graph[try declaredType(request)]
        let slot = type.slot(named: navigation.property)
        return (navigation, slot.map { type.properties[$0].type.isCollection })
    }
}
