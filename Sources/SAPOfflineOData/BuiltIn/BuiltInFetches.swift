import Foundation
import ODataClasses
import ODataProviders

// The store's own sets as typed entities, wherever apps ask for them: at the provider, and at services of every family.

extension OfflineODataProvider {
    /// The entries of the `ErrorArchive`: the changes that the service refused.
    ///
    /// - Parameters:
    ///   - query: Filters, orders and pages them; its set need not be given.
    ///   - headers: Ignored: the entries are the store's own.
    ///   - options: Those of a read of a store.
    /// - Throws: `preconditionFailed` while the store is closed, `DataQueryError` for a query that does not fit.
    public func fetchErrorArchive(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataErrorArchiveEntity] {
        try opened {
            try ODataProviders.DataService(provider: self)
                .fetchErrorArchive(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `EventLog`: the newest hundred successful synchronisations.
    ///
    /// - Parameters:
    ///   - query: Filters, orders and pages them; its set need not be given.
    ///   - headers: Ignored: the entries are the store's own.
    ///   - options: Those of a read of a store.
    /// - Throws: `preconditionFailed` while the store is closed, `DataQueryError` for a query that does not fit.
    public func fetchEventLog(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataEvent] {
        try opened {
            try ODataProviders.DataService(provider: self)
                .fetchEventLog(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `RequestQueue`: the changes that wait to be sent.
    ///
    /// - Parameters:
    ///   - query: Filters, orders and pages them; its set need not be given.
    ///   - headers: Ignored: the entries are the store's own.
    ///   - options: Those of a read of a store.
    /// - Throws: `preconditionFailed` while the store is closed, `DataQueryError` for a query that does not fit.
    public func fetchRequestQueue(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> [OfflineODataRequest] {
        try opened {
            try ODataProviders.DataService(provider: self)
                .fetchRequestQueue(matching: query, headers: headers, options: options)
        }
    }
}

extension DataServiceAsync {
    /// The entries of the `ErrorArchive` of an offline store: the changes that the service refused.
    ///
    /// - Throws: `DataServiceError` over a provider that has no such set, `preconditionFailed` while its store is closed.
    public func fetchErrorArchive(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> [OfflineODataErrorArchiveEntity] {
        try await asyncFunction { [blocking] in
            try blocking.fetchErrorArchive(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `EventLog` of an offline store: the newest hundred successful synchronisations.
    ///
    /// - Throws: `DataServiceError` over a provider that has no such set, `preconditionFailed` while its store is closed.
    public func fetchEventLog(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> [OfflineODataEvent] {
        try await asyncFunction { [blocking] in
            try blocking.fetchEventLog(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `RequestQueue` of an offline store: the changes that wait to be sent.
    ///
    /// - Throws: `DataServiceError` over a provider that has no such set, `preconditionFailed` while its store is closed.
    public func fetchRequestQueue(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) async throws -> [OfflineODataRequest] {
        try await asyncFunction { [blocking] in
            try blocking.fetchRequestQueue(matching: query, headers: headers, options: options)
        }
    }
}

extension ODataProviders.DataService {
    /// The entries of the `ErrorArchive` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchErrorArchive(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler:
            @escaping @Sendable (Result<[OfflineODataErrorArchiveEntity], any Error>) -> Void
    ) {
        fetch(completionHandler) {
            try $0.fetchErrorArchive(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `EventLog` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchEventLog(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<[OfflineODataEvent], any Error>) -> Void
    ) {
        fetch(completionHandler) {
            try $0.fetchEventLog(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `RequestQueue` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchRequestQueue(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable (Result<[OfflineODataRequest], any Error>) -> Void
    ) {
        fetch(completionHandler) {
            try $0.fetchRequestQueue(matching: query, headers: headers, options: options)
        }
    }
}

extension LegacyServiceCalls {
    /// The entries of the `ErrorArchive` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchErrorArchive(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler:
            @escaping @Sendable ([OfflineODataErrorArchiveEntity]?, (any Error)?) -> Void
    ) {
        fetch({ LegacyResult.pass($0, to: completionHandler) }) {
            try $0.fetchErrorArchive(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `EventLog` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchEventLog(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ([OfflineODataEvent]?, (any Error)?) -> Void
    ) {
        fetch({ LegacyResult.pass($0, to: completionHandler) }) {
            try $0.fetchEventLog(matching: query, headers: headers, options: options)
        }
    }

    /// The entries of the `RequestQueue` of an offline store. The handler is called on `completionQueue`.
    @preconcurrency
    public func fetchRequestQueue(
        matching query: DataQuery = DataQuery(), headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil,
        completionHandler: @escaping @Sendable ([OfflineODataRequest]?, (any Error)?) -> Void
    ) {
        fetch({ LegacyResult.pass($0, to: completionHandler) }) {
            try $0.fetchRequestQueue(matching: query, headers: headers, options: options)
        }
    }
}

extension BlockingDataService {
    /// Runs a call on a thread of the service, and its handler on the completion queue.
    fileprivate func fetch<Value: Sendable>(
        _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
        _ work: @escaping @Sendable (BlockingDataService) throws -> Value
    ) {
        inBackground({ [self] in try work(self) }, completion)
    }
}
