import ODataClasses
import ODataModel
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText

/// Contents of the app's media entities and stream properties.
extension LocalCall {
    func createMedia(
        _ entity: EntityValue, _ content: StreamBase, _ options: WriteOptions
    ) throws {
        let made = try LocalStreams(writes: writes).create(
            creation(of: entity), stream(of: entity, nil), LocalContent(content), options,
            in: document.graph)
        try refresh(entity, made)
        entity.isCreated = true
        entity.mediaStream.note(content)
    }

    /// - Parameter link: Nil for the media stream.
    func upload(
        _ entity: EntityValue, _ link: StreamLink?, _ content: StreamBase, _ options: WriteOptions
    ) throws {
        let outcome = try LocalStreams(writes: writes).upload(
            stream(of: entity, link?.streamProperty), LocalContent(content), options)
        noteState(entity, outcome)
        (link ?? entity.mediaStream).note(content)
    }

    /// - Parameter link: Nil for the media stream.
    func download(_ entity: EntityValue, _ link: StreamLink?) throws -> ByteStream {
        let reader = try LocalStreams(writes: writes).download(
            stream(of: entity, link?.streamProperty))
        let found = reader.stream
        let content = ByteStream(
            length: found.length, source: { try ErrorBase.translating { try reader.next() } },
            restart: { reader.rewind() })
        content.mediaType = found.mediaType
        content.fileName = found.fileName
        content.entityTag = found.etag
        (link ?? entity.mediaStream).isOffline = true
        return content
    }

    func deleteStream(
        _ entity: EntityValue, _ link: StreamLink, _ options: WriteOptions
    ) throws {
        let outcome = try LocalStreams(writes: writes).delete(
            stream(of: entity, link.streamProperty), options)
        noteState(entity, outcome)
        link.isDeleted = true
        link.isOffline = false
    }
}

extension LocalContent {
    /// The content of a stream of the app, which is opened with the first read.
    init(_ content: StreamBase) throws {
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
        self.init(mediaType: mediaType, fileName: content.fileName) {
            try stream.read(Self.partSize)
        }
    }

    /// Bytes asked for at a time.
    private static let partSize = 256 << 10
}

extension StreamLink {
    /// The content is in the store now.
    func note(_ content: StreamBase) {
        mediaType = content.mediaType ?? mediaType
        isOffline = true
        isDeleted = false
    }
}
