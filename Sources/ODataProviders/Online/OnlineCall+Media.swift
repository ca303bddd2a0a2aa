import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension OnlineCall {
    /// Creates a media entity from its content, then sets what else the app gave it (Protocol 4.01, section 11.4.7.1).
    func createMedia(_ entity: EntityValue, _ content: StreamBase) throws {
        defer { try? content.close() }
        let model = entity.entityType.model
        let wanted = entity.structureValue
        let message = try mediaRequest(entity, content, writer(model).address)
        let answer = try send(message, content, dialect(model))
        try record(answer, createdMedia: entity)
        restore(wanted, to: entity)
        guard !entity.changedSlots.isEmpty else { return }
        try update(entity)
        entity.isCreated = true
    }

    /// The `POST` that creates a media entity, without its body.
    func mediaRequest(
        _ entity: EntityValue, _ content: StreamBase, _ address: OnlineAddress
    ) throws -> RequestMessage {
        let url =
            if let parent = entity.parentEntity, let property = entity.parentProperty {
                try address.text(parent, property)
            } else {
                PercentCoding.encode(entity.entitySet.localName, for: .path)
            }
        var message = upload("POST", to: url, content)
        message.headers["Slug"] = content.fileName.map { PercentCoding.encode($0, for: .path) }
        return message
    }

    /// What the answer to the content says becomes the entity's state; without one the entity stays as it was.
    func record(_ answer: ResponseMessage, createdMedia entity: EntityValue) throws {
        let wanted = entity.structureValue
        // The service knows nothing yet of what the app gave the entity; only what it answers is its state.
        var bare = wanted
        for (slot, property) in entity.entityType.definition.properties.enumerated()
        where slot < bare.slots.count && !property.isNavigation {
            bare.slots[slot] = nil
        }
        entity.structureValue = bare
        do {
            try record(answer, created: entity)
        } catch {
            entity.structureValue = wanted
            throw error
        }
    }

    /// Puts back the properties that the service could not know from the content.
    func restore(_ wanted: StructureValue, to entity: EntityValue) {
        let definition = entity.entityType.definition
        let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
        var value = entity.structureValue
        for slot in wanted.slots.indices where slot < value.slots.count && !keys.contains(slot) {
            guard let content = wanted.slots[slot], !definition.properties[slot].isNavigation else {
                continue
            }
            value.slots[slot] = content
        }
        entity.structureValue = value
    }

    /// Replaces the content of a media entity or a stream property.
    func upload(_ content: StreamBase, of entity: EntityValue, _ link: StreamLink?) throws {
        defer { try? content.close() }
        let model = entity.entityType.model
        let place = link ?? entity.mediaStream
        var message = upload("PUT", to: try streamURL(entity, link, changes: true), content)
        message.headers["If-Match"] = place.entityTag
        let answer = try send(message, content, dialect(model))
        place.entityTag = answer.headers["ETag"]
        place.mediaType = content.mediaType ?? place.mediaType
        place.isDeleted = false
    }

    /// The content of a media entity or a stream property, pulled while it is read.
    func download(_ entity: EntityValue, _ link: StreamLink?) throws -> ByteStream {
        let dialect = dialect(entity.entityType.model)
        // Encoded bytes could not be counted, which going on after a break needs.
        let message = complete(
            RequestMessage(
                method: "GET", url: try streamURL(entity, link, changes: false),
                headers: ["Accept": "*/*", "Accept-Encoding": "identity"]), dialect)
        let source = try begin(message)
        let stream = ByteStream(
            length: source.length, source: { try ErrorBase.translating { try source.next() } },
            onClose: { source.close() })
        stream.mediaType = source.headers["Content-Type"]
        stream.entityTag = source.headers["ETag"]
        guard streamsDownloads else {
            let whole = ByteStream.fromBinary(data: try stream.readAndClose())
            (whole.mediaType, whole.entityTag) = (stream.mediaType, stream.entityTag)
            return whole
        }
        return stream
    }

    /// Sends the request and waits for what comes before the content.
    ///
    /// It stays a function of its own: inlined, it makes the optimiser of Swift 6.3.1 fail.
    @inline(never)
    private func begin(_ message: RequestMessage) throws -> ResumingRead {
        let started = world.uptime()
        do {
            let source = try ResumingRead(connection, message, cancellation: cancellation)
            guard (200..<300).contains(source.status) else {
                throw DataServiceError.of(try source.readAll(), to: message.url)
            }
            let answer = ResponseMessage(status: 200, headers: source.headers)
            trace.answered(message, answer, after: world.uptime() - started)
            return source
        } catch {
            trace.failed(message, error)
            throw error
        }
    }

    /// Removes the content of a stream property.
    func deleteStream(_ entity: EntityValue, _ link: StreamLink) throws {
        var message = RequestMessage(
            method: "DELETE", url: try streamURL(entity, link, changes: true))
        message.headers["If-Match"] = link.entityTag
        _ = try exchange(message, dialect(entity.entityType.model))
        link.isDeleted = true
    }

    private func streamURL(
        _ entity: EntityValue, _ link: StreamLink?, changes: Bool
    ) throws -> String {
        let place = link ?? entity.mediaStream
        let known = changes ? place.editLink : place.readLink ?? place.editLink
        if let known { return ServiceURL.relative(known, root: connection.root) }
        let address = writer(entity.entityType.model).address
        guard let link else { return try address.text(entity) + "/$value" }
        guard let property = link.streamProperty else {
            throw ODataError(.usage, "Expected the link of a stream property.")
        }
        return try address.text(entity, property)
    }

    private func upload(_ method: String, to url: String, _ content: StreamBase) -> RequestMessage {
        RequestMessage(
            method: method, url: url,
            headers: ["Content-Type": content.mediaType ?? Self.defaultType(content)])
    }

    private static func defaultType(_ content: StreamBase) -> String {
        content is CharStream ? "text/plain;charset=utf-8" : "application/octet-stream"
    }

    /// Sends a request whose body is a stream, read while it is sent.
    private func send(
        _ message: RequestMessage, _ content: StreamBase, _ dialect: Dialect
    ) throws -> ResponseMessage {
        let body = try StreamContent(content)
        guard streamsUploads else {
            var whole = message
            whole.body = try body.readAll(limit: Self.answerLimit)
            return try exchange(whole, dialect)
        }
        return try exchange(message, dialect, content: body)
    }
}
