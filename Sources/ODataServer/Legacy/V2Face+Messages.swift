import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension V2Face {
    // MARK: Requests

    /// The request as the service takes it.
    func inV4(
        _ request: RequestMessage, _ plan: V2Plan, _ address: ServiceAddress
    ) throws -> RequestMessage {
        var result = request
        result.url = address.root + plan.url
        result.method = Self.method(of: request)
        if result.method == "MERGE" { result.method = "PATCH" }
        if result.method == "HEAD" { result.method = "GET" }
        for name in Self.methodHeaders + ["DataServiceVersion", "MaxDataServiceVersion"] {
            result.headers[name] = nil
        }
        result.headers["OData-MaxVersion"] = "4.0"
        if plan.callsOperation, result.method == "POST" {
            result.body = JSONValue.object(plan.arguments).bytes
            result.headers["Content-Type"] = "application/json"
        }
        guard isJSON(plan) else { return result }
        try V2Rules.require("application/json", request, address)
        result.headers["Accept-Charset"] = nil
        result.headers["Accept"] = "application/json"
        if plan.resource.kind == .entities, result.method == "GET" {
            let wanted = request.headers["Prefer"].map { $0 + ", " } ?? ""
            result.headers["Prefer"] = wanted + "odata.track-changes"
        }
        guard !request.body.isEmpty, result.method != "DELETE", !plan.callsOperation else {
            return result
        }
        // Content of a media entity that is being made.
        if let type = MediaType(parsing: request.headers["Content-Type"] ?? ""), !type.isJSON {
            return result
        }
        try V2Rules.requireJSONBody(request)
        result.body = try body(request.body, plan, address)
        result.headers["Content-Type"] = "application/json"
        return result
    }

    /// What is asked for: a POST may stand for another method.
    static func method(of request: RequestMessage) -> String {
        guard request.method == "POST" else { return request.method }
        return methodHeaders.compactMap { request.headers[$0] }.last?.uppercased() ?? "POST"
    }

    private static let methodHeaders = ["X-HTTP-Method", "X-HTTP-Method-Override"]

    /// Whether bodies are of OData's own format, and not counts, values or streams.
    private func isJSON(_ plan: V2Plan) -> Bool {
        guard plan.resource.form == .whole || plan.resource.form == .reference else { return false }
        switch plan.resource.kind {
        case .entities, .entity, .value: return true
        default: return false
        }
    }

    private func body(
        _ bytes: [UInt8], _ plan: V2Plan, _ address: ServiceAddress
    ) throws -> [UInt8] {
        let reader = EntityJSONReader(model.graph, dialect: .v2, isRequest: true)
        let writer = EntityJSONWriter(graph, dialect: .v4)
        let reference = { try addresses.inV4($0, address, rootPath: rootPath) }
        if plan.resource.form == .reference {
            return writer.reference(try reference(try reader.reference(bytes)))
        }
        if plan.resource.kind == .value, let type = plan.resource.type {
            let value = try reader.property(bytes, as: oldType(type))
            return writer.property(
                try V2Model.converted(value, as: type, in: graph, reference),
                named: plan.property, as: type)
        }
        guard let type = plan.type else { return bytes }
        let value = try reader.entity(bytes, of: type, in: plan.set)
        return writer.requestBody(
            try V2Model.converted(value, to: graph, reference: reference), declared: type)
    }

    /// The type that a property of V4 has in V2.
    private func oldType(_ type: TypeReference) -> TypeReference {
        guard case .primitive(let primitive) = type.kind, let old = V2Model.replaced[primitive]
        else { return type }
        var result = type
        result.kind = .primitive(old)
        return result
    }

    // MARK: Answers

    /// The answer to the request of V4 as a V2 client reads it.
    func inV2(
        _ answer: ResponseMessage, _ plan: V2Plan, _ address: ServiceAddress,
        _ request: RequestMessage
    ) throws -> ResponseMessage {
        guard answer.status < 400 else { return Self.inV2(error: answer) }
        var result = answer
        Self.removeHeaders(&result)
        if answer.status == 204, RequestKind(request.method) == .read, !plan.callsOperation {
            return try nothing(result, plan)
        }
        if let location = answer.headers["Location"] {
            result.headers["Location"] =
                addresses.inV2(location, address, rootPath: rootPath) ?? location
        }
        guard isJSON(plan), !answer.body.isEmpty, answer.status != 304,
            answer.headers["Content-Type"]?.hasPrefix("application/json") == true
        else { return result }
        result.headers["Content-Type"] = "application/json"
        result.body = try content(answer.body, plan, address, isCreate: request.method == "POST")
        return result
    }

    /// Nothing as V2 says it: a property that is null is written, a link or value that is not there is 404.
    private func nothing(_ answer: ResponseMessage, _ plan: V2Plan) throws -> ResponseMessage {
        guard plan.resource.kind == .value, plan.resource.form == .whole,
            let type = plan.resource.type
        else {
            throw ODataError(.notFound, "Expected a value or an entity, found none.", status: 404)
        }
        var result = answer
        result.status = 200
        result.headers["Content-Type"] = "application/json"
        result.body = EntityJSONWriter(model.graph, dialect: .v2).property(
            .null, named: plan.property, as: oldType(type))
        return result
    }

    static func inV2(error answer: ResponseMessage) -> ResponseMessage {
        var result = answer
        removeHeaders(&result)
        result.headers["Content-Type"] = "application/json"
        result.body = ErrorPayload(answer).json(isV2: true)
        return result
    }

    private static func removeHeaders(_ answer: inout ResponseMessage) {
        for name in ["OData-Version", "OData-EntityId", "Preference-Applied", "Vary"] {
            answer.headers[name] = nil
        }
    }

    private func content(
        _ bytes: [UInt8], _ plan: V2Plan, _ address: ServiceAddress, isCreate: Bool
    ) throws -> [UInt8] {
        let reader = EntityJSONReader(graph, dialect: .v4)
        let writer = EntityJSONWriter(model.graph, dialect: .v2)
        if plan.resource.form == .reference {
            let old = { addresses.inV2($0, address, rootPath: rootPath) ?? $0 }
            guard plan.resource.kind == .entities else {
                return writer.wrappedReference(old(try reader.reference(bytes)))
            }
            return writer.references(try reader.references(bytes).ids.map(old))
        }
        if plan.resource.kind == .value, let type = plan.resource.type {
            let value = try reader.property(bytes, as: type)
            let old = oldType(type)
            return writer.property(
                V2Model.converted(value, as: old, in: model.graph) { $0 },
                named: plan.property, as: old)
        }
        guard let type = plan.type else { return bytes }
        if plan.resource.kind == .entity || isCreate && !plan.callsOperation {
            let value = try reader.entity(bytes, of: type, in: plan.set)
            return writer.entity(entity(value, plan.set, address), declared: type)
        }
        var page = try reader.page(bytes, of: type, in: plan.set)
        page.items = page.items.map { item in
            switch item {
            case .entity(let value, let own):
                return .entity(entity(value, own ?? plan.set, address), own)
            case .removed(var removed):
                if case .id(let id) = removed.reference {
                    let old = addresses.inV2(id, address, rootPath: rootPath) ?? id
                    removed.reference = .id(old)
                }
                return .removed(removed)
            default: return item
            }
        }
        page.nextLink = page.nextLink.map {
            V2Addresses.wrapped($0, root: address.root, isDelta: false)
        }
        page.deltaLink = page.deltaLink.map {
            V2Addresses.wrapped($0, root: address.root, isDelta: true)
        }
        return try writer.page(page, of: type, in: plan.set)
    }

    /// An entity with the links that V2 always says, and related ones alike.
    private func entity(
        _ value: StructureValue, _ set: EntitySetID?, _ address: ServiceAddress
    ) -> StructureValue {
        var result = V2Model.converted(value, to: model.graph) { $0 }
        let definition = model.graph[value.type]
        for slot in result.slots.indices where definition.properties[slot].isNavigation {
            let target = set.flatMap { owner in
                graph.isA(value.type, graph[owner].type)
                    ? graph.targetSet(of: slot, in: owner) : nil
            }
            switch result.slots[slot] {
            case .structure(let inner)?:
                result.slots[slot] = .structure(entity(inner, target, address))
            case .list(let items)?:
                result.slots[slot] = .list(
                    items.map { item in
                        item.structure.map { .structure(entity($0, target, address)) } ?? item
                    })
            default: continue
            }
        }
        guard let set,
            let id = try? EntityID.text(of: result, in: set, of: model.graph, dialect: .v2)
        else { return result }
        result.control.id = address.root + id
        result.control.editLink = address.root + id
        if definition.hasStream {
            result.control.mediaReadLink = address.root + id + "/$value"
            result.control.mediaEditLink = address.root + id + "/$value"
            result.control.mediaContentType =
                value.control.mediaContentType ?? "application/octet-stream"
        }
        return result
    }
}
