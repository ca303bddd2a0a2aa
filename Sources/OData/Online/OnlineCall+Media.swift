import Foundation
import ODataModel
import ODataQuery
import ODataText
import ODataTransport
import ODataWire

extension OnlineCall {
    /// Creates a media entity from its content, then sets what else the app gave it (Protocol 4.01, section 11.4.7.1).
    func createMedia(_ entity: EntityValue, _ content: StreamBase) throws {
        let model = entity.entityType.model
        let wanted = entity.structureValue
        let address = writer(model).address
        var message = try upload("POST", to: "", content)
        message.url =
            if let parent = entity.parentEntity, let property = entity.parentProperty {
                try address.text(parent, property)
            } else {
                PercentCoding.encode(entity.entitySet.localName, for: .path)
            }
        message.headers["Slug"] = content.fileName.map { PercentCoding.encode($0, for: .path) }
        try record(exchange(message, dialect(model)), created: entity)
        try applyRest(wanted, to: entity)
    }

    /// Sends the properties that the service could not know from the content.
    private func applyRest(_ wanted: StructureValue, to entity: EntityValue) throws {
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
        guard !entity.changedSlots.isEmpty else { return }
        try update(entity)
        entity.isCreated = true
    }

    /// Replaces the content of a media entity or a stream property.
    func upload(_ content: StreamBase, of entity: EntityValue, _ link: StreamLink?) throws {
        let model = entity.entityType.model
        let place = link ?? entity.mediaStream
        var message = try upload("PUT", to: try streamURL(entity, link, changes: true), content)
        message.headers["If-Match"] = place.entityTag
        let answer = try exchange(message, dialect(model))
        place.entityTag = answer.headers["ETag"]
        place.mediaType = content.mediaType ?? place.mediaType
    }

    /// The content of a media entity or a stream property, pulled while it is read.
    func download(_ entity: EntityValue, _ link: StreamLink?) throws -> ByteStream {
        let dialect = dialect(entity.entityType.model)
        let message = complete(
            RequestMessage(
                method: "GET", url: try streamURL(entity, link, changes: false),
                headers: ["Accept": "*/*"]), dialect)
        let answer = try connection.send(message, cancellation: cancellation)
        guard (200..<300).contains(answer.status) else {
            throw DataServiceError.of(try answer.readAll())
        }
        let stream = ByteStream(
            source: { try Self.next(of: answer) }, onClose: { answer.close() })
        stream.mediaType = answer.headers["Content-Type"]
        stream.entityTag = answer.headers["ETag"]
        return stream
    }

    /// Removes the content of a stream property.
    func deleteStream(_ entity: EntityValue, _ link: StreamLink) throws {
        var message = RequestMessage(
            method: "DELETE", url: try streamURL(entity, link, changes: true))
        message.headers["If-Match"] = link.entityTag
        _ = try exchange(message, dialect(entity.entityType.model))
        link.isDeleted = true
    }

    private static func next(of answer: any HTTPAnswer) throws -> [UInt8]? {
        let size = 256 << 10
        let part = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = try answer.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return part.isEmpty ? nil : part
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

    private func upload(
        _ method: String, to url: String, _ content: StreamBase
    ) throws -> RequestMessage {
        defer { try? content.close() }
        let bytes: [UInt8]
        if let stream = content as? ByteStream {
            bytes = [UInt8](try stream.readAndClose())
        } else if let stream = content as? CharStream {
            bytes = Array(try stream.readAndClose().utf8)
        } else {
            throw ODataError(.usage, "Expected a stream of bytes or characters.")
        }
        return RequestMessage(
            method: method, url: url,
            headers: ["Content-Type": content.mediaType ?? "application/octet-stream"], body: bytes)
    }
}
