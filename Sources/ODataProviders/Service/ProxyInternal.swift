import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataWire
import Synchronization

/// What generated service classes call; the names are a contract with generated code.
public enum ProxyInternal {
    /// Sets what decides about documents that the provider's metadata refers to.
    public static func setCsdlFetcher(provider: any DataServiceProvider, fetcher: CSDLFetcher?) {
        let online = provider as? OnlineODataProvider
        (online ?? (provider as? any OnlineBacked)?.onlineProvider)?.serviceOptions.csdlFetcher =
            fetcher
    }

    /// Sets the parser options for metadata that the provider reads.
    public static func setCsdlOptions(provider: any DataServiceProvider, options: Int) {
        let online = provider as? OnlineODataProvider
        (online ?? (provider as? any OnlineBacked)?.onlineProvider)?.serviceOptions.csdlOptions =
            options
    }

    /// Says what to do after the metadata of the provider was exchanged.
    @preconcurrency
    public static func setMergeAction(
        provider: any DataServiceProvider, action: @escaping @Sendable () -> Void
    ) {
        MergeActions.set(action, for: provider)
    }

    /// Reads metadata afresh and puts it in the place of what the service uses.
    ///
    /// - Throws: `DataNetworkError` when no answer comes, `DataServiceError` when the service
    ///   refuses, `CSDLError` for a document that cannot be read.
    public static func refreshMetadata(
        service: BlockingDataService, fetcher: CSDLFetcher?, options: Int
    ) throws {
        setCsdlOptions(provider: service.anyProvider, options: options)
        setCsdlFetcher(provider: service.anyProvider, fetcher: fetcher)
        try service.replaceMetadata()
    }

    /// As ``refreshMetadata(service:fetcher:options:)-(BlockingDataService,_,_)``, the merge made while the lock of the classes is held.
    @preconcurrency
    public static func refreshMetadataWithLock(
        service: BlockingDataService, fetcher: CSDLFetcher?, options: Int,
        mergeAction: @escaping @Sendable () -> Void
    ) throws {
        try refreshMetadata(service: service, fetcher: fetcher, options: options)
        MergeActions.lock.lock()
        defer { MergeActions.lock.unlock() }
        mergeAction()
    }

    /// As ``refreshMetadataWithLock(service:fetcher:options:mergeAction:)-(BlockingDataService,_,_,_)``.
    @preconcurrency
    public static func refreshMetadata(
        generic service: BlockingDataService, fetcher: CSDLFetcher?, options: Int,
        mergeAction: @escaping @Sendable () -> Void
    ) throws {
        try refreshMetadataWithLock(
            service: service, fetcher: fetcher, options: options, mergeAction: mergeAction)
    }

    /// As ``refreshMetadata(service:fetcher:options:)-(BlockingDataService,_,_)``; blocks, so it is called on a thread of the service
    /// only.
    ///
    /// - Throws: As the form for services whose calls block.
    public static func refreshMetadata(
        service: DataServiceAsync, fetcher: CSDLFetcher?, options: Int
    ) throws {
        try refreshMetadata(service: service.blocking, fetcher: fetcher, options: options)
    }

    /// As the form for services whose calls block; blocks, so it is called on a thread of the service only.
    ///
    /// - Throws: As ``refreshMetadata(service:fetcher:options:)-(DataServiceAsync,_,_)``.
    @preconcurrency
    public static func refreshMetadataWithLock(
        service: DataServiceAsync, fetcher: CSDLFetcher?, options: Int,
        mergeAction: @escaping @Sendable () -> Void
    ) throws {
        try refreshMetadataWithLock(
            service: service.blocking, fetcher: fetcher, options: options,
            mergeAction: mergeAction)
    }

    /// Answers a query; blocks.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public static func executeQuery(
        service: BlockingDataService, query: DataQuery, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> QueryResult {
        try service.executeQuery(query, headers: headers, options: options)
    }

    /// Answers a query; blocks, so it is called on a thread of the service only.
    ///
    /// - Throws: `DataQueryError` for a query that does not fit the model. Over a service
    ///   `DataNetworkError` when no answer comes and `DataServiceError` when the service refuses;
    ///   over a store `UsageError` while the store is closed and `DataStorageError` when its file
    ///   fails.
    public static func executeQuery(
        service: DataServiceAsync, query: DataQuery, headers: HTTPHeaders? = nil,
        options: RequestOptions? = nil
    ) throws -> QueryResult {
        try service.blocking.executeQuery(query, headers: headers, options: options)
    }

    // MARK: The online companion of an offline service

    /// True while the companion of a service over this provider is being made.
    public static func isOnlineSetupActive(provider: any DataServiceProvider) -> Bool {
        (provider as? any OnlineCompanion)?.onlineSetup ?? false
    }

    /// Begins to make the companion.
    public static func onlineSetupStarting(provider: any DataServiceProvider) {
        (provider as? any OnlineCompanion)?.onlineSetup = true
    }

    /// The companion is made.
    public static func onlineSetupFinished(provider: any DataServiceProvider) {
        (provider as? any OnlineCompanion)?.onlineSetup = false
    }

    /// Sends the calls of the companion straight to the service.
    public static func enableOnlineMode(service: BlockingDataService) { service.goOnline() }

    /// Sends the calls of the companion straight to the service.
    public static func enableOnlineMode(service: DataServiceAsync) { service.blocking.goOnline() }
}

/// A provider that knows that the companion of a service over it is being made.
package protocol OnlineCompanion: AnyObject {
    var onlineSetup: Bool { get set }
}

/// What generated classes want done after metadata was exchanged, by provider.
package enum MergeActions {
    /// Held while classes exchange their metadata.
    static let lock = NSRecursiveLock()
    private static let actions = Mutex<[ObjectIdentifier: Entry]>([:])

    private struct Entry: Sendable {
        let isAlive: @Sendable () -> Bool
        let action: @Sendable () -> Void
    }

    static func set(
        _ action: @escaping @Sendable () -> Void, for provider: any DataServiceProvider
    ) {
        let reference = WeakProvider(provider)
        actions.withLock { actions in
            actions = actions.filter { $0.value.isAlive() }
            actions[ObjectIdentifier(provider)] = Entry(
                isAlive: { reference.isAlive }, action: action)
        }
    }

    /// Does what the classes over the provider want done.
    package static func run(for provider: any DataServiceProvider) {
        guard let entry = actions.withLock({ $0[ObjectIdentifier(provider)] }), entry.isAlive()
        else { return }
        lock.lock()
        defer { lock.unlock() }
        entry.action()
    }
}

/// Only asks whether the provider lives; weak references may be read on any thread.
private final class WeakProvider: @unchecked Sendable {
    private weak var provider: (any DataServiceProvider)?

    init(_ provider: any DataServiceProvider) { self.provider = provider }

    var isAlive: Bool { provider != nil }
}
