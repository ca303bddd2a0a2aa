import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport

extension OnlineOperation {
    /// Replaces the content of a media entity or a stream property.
    func upload(_ content: StreamBase, of entity: EntityValue, _ link: StreamLink?) throws {
        defer { try? content.close() }
        let place = link ?? entity.mediaStream
        place.entityTag = try call.upload(
            try StreamContent(content), RequestWriter.StreamBody(content),
            to: try stream(entity, link, known: place.editLink))
        place.mediaType = content.mediaType ?? place.mediaType
        place.isDeleted = false
    }

    /// The content of a media entity or a stream property, pulled while it is read.
    func download(_ entity: EntityValue, _ link: StreamLink?) throws -> ByteStream {
        let place = link ?? entity.mediaStream
        let source = try call.download(
            try stream(entity, link, known: place.readLink ?? place.editLink))
        let stream = ByteStream(
            length: source.length, source: { try ErrorBase.translating { try source.next() } },
            onClose: { source.close() })
        stream.mediaType = source.headers["Content-Type"]
        stream.entityTag = source.headers["ETag"]
        guard call.streamsDownloads else {
            let whole = ByteStream.fromBinary(data: try stream.readAndClose())
            (whole.mediaType, whole.entityTag) = (stream.mediaType, stream.entityTag)
            return whole
        }
        return stream
    }

    /// Removes the content of a stream property.
    func deleteStream(_ entity: EntityValue, _ link: StreamLink) throws {
        try call.deleteStream(try stream(entity, link, known: link.editLink))
        link.isDeleted = true
    }

    private func stream(
        _ entity: EntityValue, _ link: StreamLink?, known: String?
    ) throws -> StreamPlace {
        guard link == nil || link?.streamProperty != nil || known != nil else {
            throw ODataError(.usage, "Expected the link of a stream property.")
        }
        let place = link ?? entity.mediaStream
        var entities = EntityInput()
        return StreamPlace(
            entity: entities.place(entity), property: link?.streamProperty?.definition,
            readLink: place.readLink, editLink: place.editLink, entityTag: place.entityTag)
    }

    // MARK: Results that are read while they are used

    /// The entities of a query; the next page is asked for when the last entity of the one before was taken.
    func entityStream(_ query: DataQuery) throws -> EntityStream {
        let pages = try OnlinePages(self, query)
        var index = 0
        let stream = EntityStream(
            source: {
                while index == pages.list.length {
                    guard try pages.turn() else { return nil }
                    index = 0
                }
                defer { index += 1 }
                return pages.list[index]
            }, onClose: { pages.close() })
        pages.onEnd = { [weak stream] list in
            stream?.nextLink = list.nextLink
            stream?.deltaLink = list.deltaLink
        }
        stream.readLink = pages.readLink
        return stream
    }

    /// The changes that a delta link leads to, entities and links of a page in turn.
    func deltaStream(_ query: DataQuery) throws -> DeltaStream {
        let pages = try OnlinePages(self, query)
        var index = 0
        let stream = DeltaStream(
            source: {
                while index == pages.list.length + pages.list.changedLinks.length {
                    guard try pages.turn() else { return nil }
                    index = 0
                }
                defer { index += 1 }
                return index < pages.list.length
                    ? .entity(pages.list[index])
                    : .link(pages.list.changedLinks[index - pages.list.length])
            }, onClose: { pages.close() })
        pages.onEnd = { [weak stream] list in
            stream?.nextLink = list.nextLink
            stream?.deltaLink = list.deltaLink
        }
        stream.readLink = pages.readLink
        return stream
    }
}

/// One page at a time as a list. Used by one thread at a time, as the stream over it is.
private final class OnlinePages {
    private let results: OnlineResults
    private let token: CancelToken?
    private var walk: PageWalk
    private(set) var list: EntityValueList
    /// Told of the last page that was read.
    var onEnd: (EntityValueList) -> Void = { _ in }

    init(_ operation: OnlineOperation, _ query: DataQuery) throws {
        let plan = try operation.call.plan(operation.input(query))
        guard plan.resource.kind == .entities else {
            throw DataStreamError(message: "Expected a query for entities to read one by one.")
        }
        results = operation.results(query)
        token = operation.options.cancelToken
        walk = try PageWalk(operation.call, plan)
        list = results.list(walk.page)
    }

    var readLink: String { walk.plan.message.url }

    /// Moves to the next page; false when there is none to read.
    func turn() throws -> Bool {
        guard walk.next != nil else { return false }
        try CancelCheck.throwIfCancelled(token)
        guard try ErrorBase.translating({ try walk.turn() }) else { return false }
        list = results.list(walk.page)
        return true
    }

    func close() { onEnd(list) }
}
