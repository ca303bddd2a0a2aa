import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// Writes the HTTP request of a queued change, addressed as its rows are known at the moment (pure).
///
/// Protocol 4.01, sections 11.4.2 to 11.4.6.
package struct RequestWriter: Sendable {
    package let graph: MetadataGraph
    package let dialect: Dialect
    /// The absolute service root, ending in `/`.
    package let root: String
    /// Whether requests carry repeatability headers.
    package var sendsRepeatability: Bool
    /// The spellings of those headers, for services that know one of several.
    package var repeatabilityStyles: [RepeatabilityHeaders.Style] = [.oasis]
    /// Whether methods other than POST go in `X-HTTP-Method` (MS-ODATA 2.2.5.8), for networks that let no others pass.
    package var tunnelsMethods = false
    /// What the requests with a stream for a body send, by request.
    package var streams: [Int64: StreamBody] = [:]

    /// The content of a stream as a request sends it.
    package struct StreamBody: Sendable, Hashable {
        package var mediaType: String?
        package var fileName: String?
        /// The bytes where they go into a batch; nil where they are read while they are sent.
        package var bytes: [UInt8]?

        package init(mediaType: String?, fileName: String?, bytes: [UInt8]?) {
            self.mediaType = mediaType
            self.fileName = fileName
            self.bytes = bytes
        }
    }

    package init(
        graph: MetadataGraph, dialect: Dialect, root: String, sendsRepeatability: Bool = true
    ) {
        self.graph = graph
        self.dialect = dialect
        self.root = root
        self.sendsRepeatability = sendsRepeatability
    }

    /// - Parameter address: the URL of a row relative to the service root, or `$1` for a row that another member of
    ///   the same change set creates.
    package func message(
        for request: QueuedRequest, address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        var message = try self.request(request, address)
        var headers = request.headers
        headers["Accept"] = headers["Accept"] ?? "application/json"
        if dialect.wrapsPayload {
            headers["DataServiceVersion"] = headers["DataServiceVersion"] ?? "2.0"
            headers["MaxDataServiceVersion"] = headers["MaxDataServiceVersion"] ?? "2.0"
        } else {
            headers["OData-Version"] = headers["OData-Version"] ?? "4.0"
            headers["OData-MaxVersion"] = headers["OData-MaxVersion"] ?? "4.01"
        }
        if !message.body.isEmpty { headers["Content-Type"] = "application/json" }
        if request.bringsStream {
            let stream = streams[request.id]
            headers["Content-Type"] = stream?.mediaType ?? "application/octet-stream"
            if request.operation == .create, let name = stream?.fileName {
                headers["Slug"] = PercentCoding.encode(name, for: .path)
            }
            message.body = stream?.bytes ?? []
        }
        if request.operation == .delete || request.operation.isStream {
        } else if !request.operation.isLink, !dialect.wrapsPayload, headers["Prefer"] == nil {
            headers["Prefer"] =
                request.flags.contains(.minimalAnswer)
                ? "return=minimal" : "return=representation"
        }
        if request.operation.isUpdate || request.operation == .delete || request.operation.isStream
        {
            headers["If-Match"] = request.ifMatch ?? headers["If-Match"]
        }
        if sendsRepeatability, let sent = request.identity.firstSent {
            let identity = RepeatabilityHeaders(
                requestID: request.identity.id, firstSentSeconds: sent / 1000)
            for style in repeatabilityStyles { headers.merge(identity.headers(style)) }
        }
        if tunnelsMethods, message.method != "POST" {
            headers["X-HTTP-Method"] = message.method
            message.method = "POST"
        }
        message.headers = headers
        return message
    }

    private func request(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        switch request.operation {
        case .create:
            return RequestMessage(
                method: "POST", url: try collection(of: request, address),
                body: request.bringsStream ? [] : try body(request, address))
        case .putStream, .deleteStream:
            return RequestMessage(
                method: request.operation == .putStream ? "PUT" : "DELETE",
                url: try streamURL(of: request, address))
        case .update(let mode):
            return RequestMessage(
                method: mode == .replace ? "PUT" : dialect.updatesWithPatch ? "PATCH" : "MERGE",
                url: try address(request.target),
                body: try body(request, address))
        case .delete:
            return RequestMessage(method: "DELETE", url: try address(request.target))
        case .createLink, .updateLink:
            return try writeLink(request, address)
        case .deleteLink:
            return try deleteLink(request, address)
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
            return PercentCoding.encode(request.target.table, for: .path)
        }
        return try address(parent) + "/" + navigation.property
    }

    private func body(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> [UInt8] {
        guard let body = request.body else { return [] }
        let value = try structure(body, address)
        return EntityJSONWriter(graph, dialect: dialect)
            .requestBody(value, declared: try declaredType(request))
    }

    /// The body as one value: inline entities in their navigation slots, binds as control information.
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
        let names = request.target.table.split(separator: "/").map(String.init)
        guard let first = names.first, let set = graph.entitySet(named: first) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found an unknown name.",
                at: .path(request.target.table))
        }
        var type = graph[set].type
        for name in names.dropFirst() {
            guard let slot = graph[type].slot(named: name),
                let next = graph[type].properties[slot].type.structure
            else { break }
            type = next
        }
        return type
    }

    // MARK: Links

    private func writeLink(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        let navigation = try link(request)
        guard let target = navigation.row else {
            throw ODataError(
                .usage, "Expected a target for the link.", at: .path(navigation.property))
        }
        let body = EntityJSONWriter(graph, dialect: dialect.wrapsPayload ? .v2 : .v4)
            .reference(try reference(target, address))
        return RequestMessage(
            method: request.operation == .createLink ? "POST" : "PUT",
            url: try links(of: request, navigation, address), body: body)
    }

    /// Where the links of a navigation property are: `Tools(7)/Owner/$ref`, V2 `Tools(7)/$links/Owner`.
    private func links(
        of request: QueuedRequest, _ navigation: QueuedRequest.Navigation,
        _ address: (RowReference) throws -> String
    ) throws -> String {
        let row = try address(request.target)
        return dialect.wrapsPayload
            ? "\(row)/$links/\(navigation.property)" : "\(row)/\(navigation.property)/$ref"
    }

    private func deleteLink(
        _ request: QueuedRequest, _ address: (RowReference) throws -> String
    ) throws -> RequestMessage {
        let navigation = try link(request)
        var url = try links(of: request, navigation, address)
        if let target = navigation.row, dialect.wrapsPayload {
            // V2 names the target by its key behind the property, where that leads to many.
            let target = try reference(target, address)
            if let key = target.firstIndex(of: "("), try isCollection(request, navigation) {
                url += target[key...]
            }
        } else if let target = navigation.row {
            url += "?$id=" + PercentCoding.encode(try reference(target, address), for: .query)
        }
        return RequestMessage(method: "DELETE", url: url)
    }

    private func isCollection(
        _ request: QueuedRequest, _ navigation: QueuedRequest.Navigation
    ) throws -> Bool {
        let type = graph[try declaredType(request)]
        return type.slot(named: navigation.property)
            .map { type.properties[$0].type.isCollection } ?? false
    }

    private func link(_ request: QueuedRequest) throws -> QueuedRequest.Navigation {
        guard let navigation = request.navigation else {
            throw ODataError(
                .usage, "Expected a navigation property for a link.",
                at: .path(request.target.table))
        }
        return navigation
    }

    /// A `$ref` resolves against the request's URL, so it is written in full, unless it names a Content-ID.
    private func reference(
        _ row: RowReference, _ address: (RowReference) throws -> String
    ) throws -> String {
        let url = try address(row)
        return url.hasPrefix("$") || url.contains("://") ? url : root + url
    }
}
