import ODataModel
import ODataQuery

/// Entities of an answer one by one, so that an answer of any size needs the memory of one.
///
/// Links become known once the last entity was read or the stream was closed.
open class EntityStream: DataValue, @unchecked Sendable {
    // Confined: one thread at a time reads a stream, as callers promise.
    private final var source: (() throws -> EntityValue?)?
    private final var onClose: (() -> Void)?
    private final var pending: EntityValue?
    /// Where the next page is; nil on the last.
    public final package(set) var nextLink: String?
    /// Where later changes are read; nil where the service gave none.
    public final package(set) var deltaLink: String?
    /// Where the entities were read from.
    public final package(set) var readLink: String?

    /// A stream that pulls its entities: each call of `source` gives the next, nil at the end.
    package init(
        source: @escaping () throws -> EntityValue?, onClose: @escaping () -> Void = {}
    ) {
        self.source = source
        self.onClose = onClose
        super.init()
    }

    /// A stream of the entities of a list.
    public convenience init(_ list: EntityValueList) {
        var index = 0
        self.init(source: {
            guard index < list.length else { return nil }
            defer { index += 1 }
            return list[index]
        })
        nextLink = list.nextLink
        deltaLink = list.deltaLink
        readLink = list.readLink
    }

    /// True when there is another entity; reads ahead to know.
    ///
    /// - Throws: `DataNetworkError`, `DataServiceError` or `DataFormatError` when the next page
    ///   cannot be had.
    open func hasNext() throws -> Bool {
        if pending == nil { pending = try source?() }
        if pending == nil { close() }
        return pending != nil
    }

    /// The next entity. Reading behind the end throws.
    ///
    /// - Throws: `DataStreamError` behind the end; `DataNetworkError`, `DataServiceError` or
    ///   `DataFormatError` when the next page cannot be had.
    open func next() throws -> EntityValue {
        guard try hasNext(), let entity = pending else {
            throw DataStreamError(message: "Expected another entity; the stream is at its end.")
        }
        pending = nil
        return entity
    }

    /// Gives up what the stream holds; closing twice does nothing more.
    open func close() {
        let action = onClose
        (source, onClose) = (nil, nil)
        action?()
    }

    /// Gives up what the stream holds without reading to the end.
    open func abort() {
        pending = nil
        close()
    }
}

/// Changes of a delta answer one by one: entities and links in the order of the answer (Protocol 4.01, section 11.3).
open class DeltaStream: DataValue, @unchecked Sendable {
    // Confined: one thread at a time reads a stream, as callers promise.

    /// One change.
    package enum Change {
        case entity(EntityValue)
        case link(ChangedLink)
    }

    private final var source: (() throws -> Change?)?
    private final var onClose: (() -> Void)?
    private final var current: Change?
    /// Where the next page is; nil on the last.
    public final package(set) var nextLink: String?
    /// Where later changes are read; nil where the service gave none.
    public final package(set) var deltaLink: String?
    /// Where the changes were read from.
    public final package(set) var readLink: String?

    /// A stream that pulls its changes: each call of `source` gives the next, nil at the end.
    package init(source: @escaping () throws -> Change?, onClose: @escaping () -> Void = {}) {
        self.source = source
        self.onClose = onClose
        super.init()
    }

    /// A stream of the changes of a list: its entities, then its links.
    public convenience init(_ list: EntityValueList) {
        let links = list.changedLinks
        var index = 0
        self.init(source: {
            defer { index += 1 }
            if index < list.length { return .entity(list[index]) }
            let position = index - list.length
            return position < links.length ? .link(links[position]) : nil
        })
        nextLink = list.nextLink
        deltaLink = list.deltaLink
        readLink = list.readLink
    }

    /// Moves to the next change; false at the end.
    ///
    /// - Throws: `DataStreamError` behind the end; `DataNetworkError`, `DataServiceError` or
    ///   `DataFormatError` when the next page cannot be had.
    open func next() throws -> Bool {
        current = try source?()
        if current == nil { close() }
        return current != nil
    }

    /// True when the stream stands on a changed entity.
    open func hasEntity() -> Bool {
        if case .entity = current { true } else { false }
    }

    /// True when the stream stands on a changed link.
    open func hasLink() -> Bool {
        if case .link = current { true } else { false }
    }

    /// The changed entity that the stream stands on. Another place throws.
    ///
    /// - Throws: `DataStreamError` when the stream stands elsewhere.
    open func entity() throws -> EntityValue {
        guard case .entity(let entity)? = current else {
            throw DataStreamError(message: "Expected the stream to stand on an entity.")
        }
        return entity
    }

    /// The changed link that the stream stands on. Another place throws.
    ///
    /// - Throws: `DataStreamError` when the stream stands elsewhere.
    open func link() throws -> ChangedLink {
        guard case .link(let link)? = current else {
            throw DataStreamError(message: "Expected the stream to stand on a link.")
        }
        return link
    }

    /// Gives up what the stream holds; closing twice does nothing more.
    open func close() {
        let action = onClose
        (source, onClose) = (nil, nil)
        action?()
    }

    /// Gives up what the stream holds without reading to the end.
    open func abort() {
        current = nil
        close()
    }
}
