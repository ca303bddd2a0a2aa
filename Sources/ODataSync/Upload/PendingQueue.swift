import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

/// The changes that the service has not accepted yet, and what the app may decide about them.
package struct PendingQueue {
    /// A request with the message that it was sent as, or would be sent as now.
    package struct Entry: Sendable {
        package var request: QueuedRequest
        package var preview: RequestMessage?
        /// Nil while it was never sent.
        package var sending: SendingRecord?
    }

    let scope: SyncScope

    package init(_ scope: SyncScope) { self.scope = scope }

    /// What waits, or what was refused or depends on it.
    package func entries(isFailed: Bool) throws -> [Entry] {
        let store = scope.store
        let found = try isFailed ? store.failedRequests() : store.queuedRequests()
        let graph = try store.graph()
        let writer = scope.requestWriter(graph)
        let sendings = try store.sendings()
        return found.map { request in
            Entry(
                request: request,
                preview: Self.preview(of: request, writer) { try store.address(of: $0) },
                sending: sendings[request.id])
        }
    }

    /// The request as it would be written; one that cannot be is shown as it is stored.
    private static func preview(
        of request: QueuedRequest, _ writer: RequestWriter,
        address: (RowReference) throws -> String
    ) -> RequestMessage {
        do {
            return try writer.message(for: request, address: address)
        } catch {
            return writer.outline(of: request, address: address)
        }
    }

    /// Lets the next upload send a failed request again: as a new one, or as the same one while a sending of it is open.
    ///
    /// - Throws: `conflict` for a request that has not failed, or was cancelled.
    package func retry(_ request: Int64) throws {
        guard let failed = try scope.store.requests([request]).first, failed.state.isFailure else {
            throw ODataError(.conflict, "Expected a failed request to send again.")
        }
        guard !failed.isCancelled else { throw RequestRetry.cancelled }
        try scope.store.retry([request])
    }

    /// Records that the service carried a request out, as its present state there shows.
    ///
    /// - Parameter values: the entity that a create made, by its key; not needed for other requests.
    /// - Throws: `usage` when nothing tells where the entity is, what the service answers when it has none.
    package func confirm(_ request: QueuedRequest, as values: StructureValue?) throws {
        let writer = scope.requestWriter(try scope.store.graph())
        var url = ""
        if let values {
            let probe = EffectProbe(
                graph: writer.graph, dialect: writer.dialect, keys: writer.settings.keyStyle)
            url = probe.url(of: values, for: request) ?? ""
        } else if request.operation != .create {
            url = try scope.store.address(of: request.target)
        }
        guard !url.isEmpty else {
            throw ODataError(.usage, "Expected an entity with a key that the request made.")
        }
        var answer = try scope.connection.exchange(
            writer.alone(RequestMessage(method: "GET", url: url)))
        // Nobody else may settle what was sent.
        let marks = ServiceMarks(sendsVersion: scope.connection.hasSeenVersion)
        guard marks.origin(of: answer, to: .data) == .service else {
            throw ForeignAnswer.error(answer, of: scope.connection.absolute(url))
        }
        let isGone = request.operation == .delete && [404, 410].contains(answer.status)
        guard answer.isSuccess || isGone else {
            throw ErrorPayload(answer).error(status: answer.status)
        }
        // What the service shows may not fit the metadata that is here; where the entity is tells its key in any case.
        if request.operation == .create { answer.headers["OData-EntityId"] = url }
        try scope.store.confirm(request.id, with: answer)
    }
}
