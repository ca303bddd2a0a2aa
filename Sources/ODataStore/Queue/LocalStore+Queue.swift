import ODataModel
import ODataQuery
import ODataSyncPlan

/// Reads of the queue.
extension LocalStore {
    /// Which requests a caller asks for; unset members do not restrict.
    package struct RequestFilter: Sendable, Hashable {
        package var tables: Set<String> = []
        /// Each of these headers is carried with the same value.
        package var headers = HeaderFields()
        package var changeSet: String?
        package var customTag: String?
        package var uploadGroup: String?

        package init() {}

        func matches(_ request: QueuedRequest) -> Bool {
            (tables.isEmpty || tables.contains(request.target.table))
                && (changeSet == nil || request.changeSet == changeSet)
                && (customTag == nil || request.customTag == customTag)
                && (uploadGroup == nil || request.uploadGroup == uploadGroup)
                && headers.fields.allSatisfy { request.headers.values($0.name).contains($0.value) }
        }
    }

    /// The whole queue in queue order.
    package func allRequests() throws -> [QueuedRequest] {
        try reading { try $0.requests.all() }
    }

    /// Requests without an answer.
    package func queuedRequests(
        _ filter: RequestFilter = RequestFilter()
    ) throws -> [QueuedRequest] {
        try allRequests().filter { !$0.state.isFailure && filter.matches($0) }
    }

    /// Requests that were refused, blocked by a refusal, or whose fate is unknown.
    package func failedRequests(
        _ filter: RequestFilter = RequestFilter()
    ) throws -> [QueuedRequest] {
        try allRequests().filter { $0.state.isFailure && filter.matches($0) }
    }

    package func requests(_ ids: Set<Int64>) throws -> [QueuedRequest] {
        try reading { try $0.requests.requests(ids) }
    }

    /// Whether a request waits to be sent.
    package func hasWaitingRequests() throws -> Bool {
        try reading { try $0.requests.hasWaiting() }
    }

    /// Whether an update or a deletion waits that says nothing of the row it was made for.
    package func hasUntaggedRequests() throws -> Bool {
        try reading { try $0.requests.hasUntagged() }
    }

    package func isQueueEmpty() throws -> Bool {
        try reading { try $0.requests.isEmpty() }
    }

    /// The URL of a row that the service knows.
    ///
    /// - Parameter keys: how its keys are written; nil for what is known of the service.
    /// - Throws: `conflict` for one that it does not know yet.
    package func knownAddress(of row: RowReference, keys: KeyStyle? = nil) throws -> String {
        try reading { try $0.with(keys).address(of: row) }
    }

    /// The key of a row that the service knows, in key order; empty for a singleton.
    ///
    /// - Throws: `conflict` for one that it does not know yet.
    package func knownKey(of row: RowReference) throws -> [Scalar] {
        try reading { try $0.key(of: $0.knownRow(row), in: $0.table(row.table)) }
    }

    /// Method and URL of a request as they would be written now; the URL of a row that the service does not know
    /// yet is its local link.
    package func address(of row: RowReference, keys: KeyStyle? = nil) throws -> String {
        try reading { transaction in
            do {
                return try transaction.with(keys).address(of: row)
            } catch {
                return LocalLink.text(row)
            }
        }
    }
}
