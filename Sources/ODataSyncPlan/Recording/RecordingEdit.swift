import ODataSQL

/// One change that recording an answer makes in the store; the store carries a list of them out in order, in one transaction.
package enum RecordingEdit: Sendable, Hashable {
    case update(QueuedRequest)
    case remove(request: Int64)
    /// What the service has of a row now.
    case image(RowReference, StoredImage)
    /// The row goes for good, and what hangs on it.
    case forget(RowReference)
    /// Nobody can tell what the service has of the row: the next download reads its set as a whole.
    case doubt(RowReference)
    /// Two rows turned out to be one entity: links, contents, contained rows and aliases of the first belong to the second.
    case join(RowReference, into: RowReference)
    /// The URL under which the service knows a row that was created here.
    case alias(RowReference, url: String)
    /// What the service has of a link now.
    case baseLink(LinkReference, isPresent: Bool, request: Int64)
    /// The content that a request brought is the one that the service has.
    case content(request: Int64, etag: String?)
}
