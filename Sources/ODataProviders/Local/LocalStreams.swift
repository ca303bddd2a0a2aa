import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

/// Media entities and stream properties in the store, as the API has them.
struct LocalStreams {
    let writes: EntityWrites

    private var store: LocalStore { writes.store }

    // MARK: Media entities

    /// Creates a media entity of its content; what else the app set follows as an update, as it will at the service.
    func create(_ entity: EntityValue, _ content: StreamBase, _ options: WriteOptions) throws {
        guard entity.entityType.definition.hasStream else {
            throw Self.noMedia(entity)
        }
        let number = try keep(content)
        let row = try givingUp(number) {
            try store.performTogether { perform in
                try create(entity, of: number, options) { try perform($0, $1) }
            }
        }
        try writes.refresh(entity, from: row)
        entity.isCreated = true
        note(content, entity.mediaStream)
    }

    /// The creation of a media entity of kept content, inside a transaction of the caller.
    func create(
        _ entity: EntityValue, of content: Int64, _ options: WriteOptions,
        _ perform: (LocalWrite, WriteOptions) throws -> RowReference
    ) throws -> RowReference {
        let (creation, rest, binds) = divided(try writes.create(entity))
        var first = options
        first.flags.formUnion([.media, .unmodifiable])
        first.stream = content
        let row = try perform(creation, first)
        if let rest {
            _ = try perform(.update(row, changes: rest, binds: binds, mode: .merge), options)
        }
        return row
    }

    /// Keeps the content of a media entity for ``create(_:of:_:_:)``; gives it up when `body` throws.
    func keeping<Result>(
        _ contents: [(entity: EntityValue, content: StreamBase)],
        _ body: ([ObjectIdentifier: Int64]) throws -> Result
    ) throws -> Result {
        defer { for (_, content) in contents { try? content.close() } }
        var numbers: [ObjectIdentifier: Int64] = [:]
        do {
            for (entity, content) in contents {
                guard entity.entityType.definition.hasStream else { throw Self.noMedia(entity) }
                numbers[ObjectIdentifier(entity)] = try keep(content)
            }
            return try body(numbers)
        } catch {
            for number in numbers.values { try? store.giveUp(content: number) }
            throw error
        }
    }

    private static func noMedia(_ entity: EntityValue) -> ODataError {
        ODataError(
            .usage, "Expected a media entity, found one of a type without a media stream.",
            at: .path(entity.entityType.qualifiedName))
    }

    /// The creation with nothing but the key, and the update that brings everything else.
    private func divided(
        _ write: LocalWrite
    ) -> (creation: LocalWrite, rest: StructureValue?, binds: [RequestBody.Bind]) {
        let graph = writes.document.graph
        func split(_ value: StructureValue) -> (key: StructureValue, rest: StructureValue?) {
            let definition = graph[value.type]
            let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
            var (key, rest) = (value, value)
            for slot in value.slots.indices {
                if keys.contains(slot) { rest.slots[slot] = nil } else { key.slots[slot] = nil }
                if definition.properties[slot].isNavigation { rest.slots[slot] = nil }
            }
            key.dynamicValues = [:]
            let isEmpty = rest.slots.allSatisfy { $0 == nil } && rest.dynamicValues.isEmpty
            return (key, isEmpty ? nil : rest)
        }
        switch write {
        case .create(let table, let value, let binds):
            let (key, rest) = split(value)
            return (
                .create(table: table, value: key, binds: []), binds.isEmpty ? rest : rest ?? key,
                binds
            )
        case .createRelated(let parent, let navigation, let value, let binds):
            let (key, rest) = split(value)
            return (
                .createRelated(parent: parent, navigation: navigation, value: key, binds: []),
                binds.isEmpty ? rest : rest ?? key, binds
            )
        default: return (write, nil, [])
        }
    }

    // MARK: Contents

    /// Replaces the content of an entity that is there, and queues that.
    func upload(
        _ entity: EntityValue, _ link: StreamLink?, _ content: StreamBase, _ options: WriteOptions
    ) throws {
        let property = try streamProperty(entity, link)
        let row = try writes.row(of: entity)
        guard try store.entity(row)?.values != nil else {
            throw ODataError(
                .notFound, "Expected an entity for the content, found none.", at: .path(row.table),
                status: 404)
        }
        let number = try keep(content)
        var options = options
        options.stream = number
        try givingUp(number) {
            _ = try store.perform(.putStream(row, property: property), options: options)
        }
        try writes.noteState(entity, of: row)
        note(content, link ?? entity.mediaStream)
    }

    /// The content as it is here.
    ///
    /// - Throws: `notLoaded` when it was never downloaded, `notFound` when it was deleted.
    func download(_ entity: EntityValue, _ link: StreamLink?) throws -> ByteStream {
        let property = try streamProperty(entity, link)
        let row = try writes.row(of: entity)
        guard let found = try store.stream(row, property) else {
            throw ODataError(
                .notLoaded, "Expected content that was downloaded, found none in the store.",
                at: .path(row.table))
        }
        guard !found.isGone else {
            throw ODataError(
                .notFound, "Expected content, found that it was deleted.", at: .path(row.table),
                status: 404)
        }
        let reader = ContentReader(store, found)
        let stream = ByteStream(
            length: found.length, source: { try ErrorBase.translating { try reader.next() } },
            restart: { reader.rewind() })
        stream.mediaType = found.mediaType
        stream.fileName = found.fileName
        stream.entityTag = found.etag
        let place = link ?? entity.mediaStream
        place.isOffline = true
        return stream
    }

    /// Removes the content of a stream property, and queues that.
    func delete(_ entity: EntityValue, _ link: StreamLink, _ options: WriteOptions) throws {
        let property = try streamProperty(entity, link)
        let row = try writes.row(of: entity)
        try store.perform(.deleteStream(row, property: property), options: options)
        try store.sweepStreams()
        try writes.noteState(entity, of: row)
        link.isDeleted = true
        link.isOffline = false
    }

    private func streamProperty(_ entity: EntityValue, _ link: StreamLink?) throws -> String? {
        if let property = link?.streamProperty {
            guard property.definition.type.primitive == .stream else {
                throw ODataError(
                    .usage, "Expected a stream property.", at: .path(property.qualifiedName))
            }
            return property.name
        }
        guard entity.entityType.definition.hasStream else {
            throw Self.noMedia(entity)
        }
        return nil
    }

    private func keep(_ content: StreamBase) throws -> Int64 {
        let stream: ByteStream
        var mediaType = content.mediaType
        if let bytes = content as? ByteStream {
            stream = bytes
        } else if let characters = content as? CharStream {
            stream = ByteStream.fromBytes(Array(try characters.readAndClose().utf8))
            mediaType = mediaType ?? "text/plain;charset=utf-8"
        } else {
            throw ODataError(.usage, "Expected a stream of bytes or characters.")
        }
        return try store.storeContent(mediaType: mediaType, fileName: content.fileName) {
            try stream.read(256 << 10)
        }
    }

    private func givingUp<Result>(_ content: Int64, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            try? store.giveUp(content: content)
            throw error
        }
    }

    func note(_ content: StreamBase, _ link: StreamLink) {
        link.mediaType = content.mediaType ?? link.mediaType
        link.isOffline = true
        link.isDeleted = false
    }
}
