import ODataClasses
import ODataModel

/// A service over an online provider: every call asks the service.
///
/// ```swift
/// let provider = OnlineODataProvider(serviceName: "Field", serviceRoot: "https://example.org/field/")
/// let service = OnlineDataService(provider: provider)
/// try service.loadMetadata()
/// let sites = try service.executeQuery(DataQuery().from(service.entitySet(withName: "Sites")))
/// ```
///
/// Any thread may call it, several at once. There is nothing to open or to close.
///
/// A change that returns was made by the service, and one that throws `DataServiceError` was not. After a
/// `DataNetworkError` nobody knows: make changes repeatable (`RequestOptions.repeatable`) to send them again safely.
///
/// See ``DataService`` for the calls and ``OnlineODataProvider`` for the settings.
open class OnlineDataService: DataService, @unchecked Sendable {
    // As its base class says.
    private final let onlineTarget: OnlineODataProvider

    /// Creates a service over an online provider.
    public init(provider: OnlineODataProvider) {
        onlineTarget = provider
        super.init(provider: provider)
    }

    /// Asks the service for a fresh security token.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func acquireToken() throws { try onlineTarget.acquireToken() }

    /// True when the client was registered before; looks at the local file only.
    ///
    /// - Throws: What Foundation says when the file of the registration cannot be read.
    open func isClientRegistered() throws -> Bool { try onlineTarget.isClientRegistered() }

    /// Registers the client, or loads the registration that was made before.
    ///
    /// - Throws: `DataQueryError` when the model lacks what a registration needs, `DataFormatError`
    ///   for an answer without the identifiers, `DataNetworkError` or `DataServiceError` when the
    ///   service did not take it.
    open func registerClient(_ client: EntityValue? = nil) throws {
        try onlineTarget.registerClient(client)
    }

    /// Forgets the registration, and deletes it from the service where asked to.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError` when the service did not delete it; it is
    ///   forgotten here all the same.
    open func unregisterClient(deleteFromServer: Bool = true) throws {
        try onlineTarget.unregisterClient(deleteFromServer: deleteFromServer)
    }
}

/// A service over an online provider whose calls are `async`.
open class OnlineDataServiceAsync: DataServiceAsync, @unchecked Sendable {
    // Constant.
    private final let onlineService: OnlineDataService

    /// Creates a service over an online provider.
    public init(provider: OnlineODataProvider) {
        onlineService = OnlineDataService(provider: provider)
        super.init(blocking: onlineService)
    }

    /// Asks the service for a fresh security token.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `DataFormatError` for an answer that cannot be read.
    open func acquireToken() async throws {
        try await asyncAction { [onlineService] in try onlineService.acquireToken() }
    }

    /// True when the client was registered before; looks at the local file only.
    ///
    /// - Throws: What Foundation says when the file of the registration cannot be read.
    open func isClientRegistered() async throws -> Bool {
        try await asyncFunction { [onlineService] in try onlineService.isClientRegistered() }
    }

    /// Registers the client, or loads the registration that was made before.
    ///
    /// - Throws: `DataQueryError` when the model lacks what a registration needs, `DataFormatError`
    ///   for an answer without the identifiers, `DataNetworkError` or `DataServiceError` when the
    ///   service did not take it.
    open func registerClient(_ client: EntityValue? = nil) async throws {
        try await asyncAction { [onlineService] in try onlineService.registerClient(client) }
    }

    /// Forgets the registration, and deletes it from the service where asked to.
    ///
    /// - Throws: `DataNetworkError` or `DataServiceError` when the service did not delete it; it is
    ///   forgotten here all the same.
    open func unregisterClient(deleteFromServer: Bool = true) async throws {
        try await asyncAction { [onlineService] in
            try onlineService.unregisterClient(deleteFromServer: deleteFromServer)
        }
    }
}
