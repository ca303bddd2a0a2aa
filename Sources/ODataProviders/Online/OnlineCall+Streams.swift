import ODataClasses
import ODataModel
import ODataQuery
import ODataTransport

// Results that are read while they are used, a page at a time (Protocol 4.01, sections 11.2.6.7 and 11.3).

extension OnlineCall {
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
        stream.readLink = pages.read.message.url
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
        stream.readLink = pages.read.message.url
        return stream
    }
}

/// One page at a time of a collection. Used by one thread at a time, as the stream over it is.
private final class OnlinePages {
    let read: OnlineRead
    private let call: OnlineCall
    private let followsPages: Bool
    private var seen: Set<String> = []
    private(set) var list = EntityValueList()
    /// Told of the last page that was read.
    var onEnd: (EntityValueList) -> Void = { _ in }

    init(_ call: OnlineCall, _ query: DataQuery) throws {
        self.call = call
        read = try call.plan(query, call.headers)
        followsPages = read.followsPages
        guard read.resource.kind == .entities else {
            throw DataStreamError(message: "Expected a query for entities to read one by one.")
        }
        list = try page(read.message)
    }

    private func page(_ message: RequestMessage) throws -> EntityValueList {
        let reader = call.reader(read.model, isSelective: read.isSelective)
        return try reader.list(call.exchange(message, read.dialect), read.resource)
    }

    /// Moves to the next page; false when there is none to read.
    func turn() throws -> Bool {
        guard followsPages, let next = list.nextLink else { return false }
        guard seen.insert(next).inserted else {
            throw DataFormatError(
                message: "Expected next links that come to an end, found none that do.")
        }
        try CancelCheck.throwIfCancelled(call.options.cancelToken)
        list = try ErrorBase.translating {
            try page(RequestMessage(method: "GET", url: next))
        }
        return true
    }

    func close() { onEnd(list) }
}
