/// The result of a query, again each time it changes: by local writes, downloads, and other processes.
///
/// Nothing is kept for a slow loop: what changes while it is busy comes together in the next result. A loop ends when its
/// task is cancelled, and throws when the store is closed or the service no longer has what the query asks for. A failed
/// synchronisation is no error of a query; see ``OfflineStore/status``.
public struct LiveQuery<Result: Sendable>: AsyncSequence, Sendable {
    /// What a loop gets.
    public typealias Element = Rows<Result>
    /// What a loop throws.
    public typealias Failure = ODataError

    private let begin: @Sendable () -> LiveSession<Result>

    init(_ begin: @escaping @Sendable () -> LiveSession<Result>) { self.begin = begin }

    /// Begins to follow.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session: begin()) }

    /// Gets one result after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let session: LiveSession<Result>

        /// The next result; nil once the task is cancelled.
        ///
        /// - Throws: ``ODataError``: `storeClosed`, `unknownName` or `invalidQuery` for a query that does not fit the
        ///   service, `notLoaded` for links that were never downloaded.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ODataError) -> Rows<Result>? {
            try await session.next().get()
        }

        /// As ``next(isolation:)``.
        ///
        /// - Throws: As that.
        public mutating func next() async throws(ODataError) -> Rows<Result>? {
            try await session.next().get()
        }
    }
}

extension OfflineStore {
    /// Follows a query: what it finds now, and again whenever that changes.
    ///
    /// ```swift
    /// for try await orders in store.live(WorkOrder.all.order(by: \.title)) {
    ///     show(Array(orders), isLoading: !orders.isComplete)
    /// }
    /// ```
    ///
    /// The store stays open as long as somebody follows it.
    public func live<E, Result>(_ query: Query<E, Result>) -> LiveQuery<Result> {
        let core = core
        return LiveQuery { LiveSession(core, query) }
    }
}
