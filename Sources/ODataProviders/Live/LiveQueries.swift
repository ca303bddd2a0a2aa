import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataText
import ODataWorld

extension SQLDatabaseProvider {
    /// Calls the listener with the first result of a query, and then with what changed after local writes and
    /// downloads, on a thread of the library and never while the store is in use.
    ///
    /// Only commits that touch the tables of the query make it run again; where one table decides, only the rows that
    /// were touched are read. Commits of other processes are looked for four times a second, as long as anything is
    /// observed.
    ///
    /// - Parameters:
    ///   - query: What is read, of one entity set.
    ///   - failure: Called once, when the query cannot go on: the store was closed, or the metadata no longer has what
    ///     it asks for.
    ///   - listener: Called with each result.
    /// - Returns: A token that the app keeps as long as it listens.
    /// - Throws: `DataQueryError` for a query that does not fit the metadata; `DataServiceError` with status 501 for one
    ///   that does not ask for entities.
    public func observe(
        _ query: DataQuery, failure: (@Sendable (any Error) -> Void)? = nil,
        _ listener: @escaping @Sendable (LiveQueryUpdate) -> Void
    ) throws -> LiveQueryToken {
        let session = try liveSession(query, isWanted: { true }) { result in
            switch result {
            case .success(let update): listener(update)
            case .failure(let error): failure?(error)
            }
            return true
        }
        session.wake()
        return LiveQueryToken(session)
    }

    /// The first result of a query and what changes afterwards, as a sequence; see ``observe(_:failure:_:)``.
    ///
    /// - Throws: `DataServiceError` with status 501 over a provider that has no local store,
    ///   `UsageError` while the store is closed, `DataQueryError` for a query that does not ask for
    ///   entities.
    public func updates(of query: DataQuery) throws -> LiveQueryUpdates {
        let mailbox = LiveQueryMailbox()
        let session = try liveSession(
            query, isWanted: { [weak mailbox] in mailbox?.isWaiting ?? false }
        ) { [weak mailbox] in mailbox?.put($0) ?? false }
        mailbox.begin(session)
        return LiveQueryUpdates(mailbox)
    }

    private func liveSession(
        _ query: DataQuery, isWanted: @escaping @Sendable () -> Bool,
        _ delivery: @escaping LiveQuerySession.Delivery
    ) throws -> LiveQuerySession {
        try ErrorBase.translating {
            let store = try store()
            if query.model == nil { query.target.model = try document().model }
            return try LiveQuerySession(
                store: store, query: query, queue: WorkQueue("OData.Live", width: 1, world: world),
                results: { [weak self] in
                    guard let self else {
                        throw ODataError(.usage, "Expected an open store, found a closed one.")
                    }
                    return LocalResults(store: store, document: try document())
                }, isWanted: isWanted, delivery: delivery)
        }
    }
}

extension BlockingDataService {
    /// Observes a query of the local store behind this service; see
    /// ``SQLDatabaseProvider/observe(_:failure:_:)``.
    ///
    /// - Throws: `DataServiceError` with status 501 over a provider that has no local store.
    public func observe(
        _ query: DataQuery, failure: (@Sendable (any Error) -> Void)? = nil,
        _ listener: @escaping @Sendable (LiveQueryUpdate) -> Void
    ) throws -> LiveQueryToken {
        try localStore().observe(query, failure: failure, listener)
    }

    /// The updates of a query of the local store behind this service, as a sequence.
    ///
    /// - Throws: `DataServiceError` with status 501 over a provider that has no local store,
    ///   `UsageError` while the store is closed, `DataQueryError` for a query that does not ask for
    ///   entities.
    public func updates(of query: DataQuery) throws -> LiveQueryUpdates {
        try localStore().updates(of: query)
    }

    private func localStore() throws -> SQLDatabaseProvider {
        if let store = anyProvider as? SQLDatabaseProvider { return store }
        if let backed = anyProvider as? any LocalStoreBacked { return backed.offlineStore }
        throw ErrorBase.from(
            any: ODataError(
                .notImplemented, "Expected a provider with a local store to observe.", status: 501))
    }
}

extension DataServiceAsync {
    /// Observes a query of the local store behind this service; see
    /// ``SQLDatabaseProvider/observe(_:failure:_:)``.
    ///
    /// - Throws: `DataServiceError` with status 501 over a provider that has no local store.
    public func observe(
        _ query: DataQuery, failure: (@Sendable (any Error) -> Void)? = nil,
        _ listener: @escaping @Sendable (LiveQueryUpdate) -> Void
    ) throws -> LiveQueryToken {
        try blocking.observe(query, failure: failure, listener)
    }

    /// The updates of a query of the local store behind this service, as a sequence.
    ///
    /// - Throws: As that of the blocking services.
    public func updates(of query: DataQuery) throws -> LiveQueryUpdates {
        try blocking.updates(of: query)
    }
}

/// A provider over a local store.
package protocol LocalStoreBacked: AnyObject {
    var offlineStore: SQLDatabaseProvider { get }
}

extension CloudSyncProvider: LocalStoreBacked {}
