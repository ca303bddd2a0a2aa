// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class Ledger: OfflineDataServiceAsync, @unchecked Sendable {
    // Set once, while the service is made.
    private final var companion: Ledger?

    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: any DataSyncProvider) {
        super.init(provider: provider)
        provider.metadata = LedgerMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: LedgerMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self] in
            if let service { LedgerMetadataChanges.merge(metadata: service.metadata) }
        }
        guard !ProxyInternal.isOnlineSetupActive(provider: provider) else { return }
        ProxyInternal.onlineSetupStarting(provider: provider)
        let online = Ledger(provider: provider)
        ProxyInternal.enableOnlineMode(service: online)
        companion = online
        ProxyInternal.onlineSetupFinished(provider: provider)
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { LedgerMetadata.lock }

    /// The same service, asked past the store.
    public final var online: Ledger { companion ?? self }

    /// The entity set `Accounts`.
    open class var accounts: EntitySet {
        get { LedgerMetadata.EntitySets.accounts }
        set(value) { LedgerMetadata.EntitySets.accounts = value }
    }

    /// The entity set `Entries`.
    open class var entries: EntitySet {
        get { LedgerMetadata.EntitySets.entries }
        set(value) { LedgerMetadata.EntitySets.entries = value }
    }

    /// The entities of `Accounts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [LedgerAccounts] {
        let call = DataQuery.newIfNull(query: query).fromDefault(LedgerMetadata.EntitySets.accounts)
        let result = try await executeQuery(call, headers: headers, options: options)
        return LedgerAccounts.array(from: try result.entityList())
    }

    /// The one entity of `Accounts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> LedgerAccounts {
        let call = query.fromDefault(LedgerMetadata.EntitySets.accounts)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<LedgerAccounts>.from(try result.requiredEntity())
    }

    /// The entity of `Accounts` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts1WithKey(region: String?, number: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> LedgerAccounts {
        let call = DataQuery.newIfNull(query: query).fromDefault(LedgerMetadata.EntitySets.accounts).withKey(LedgerAccounts.key(region: region, number: number))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<LedgerAccounts>.from(try result.requiredEntity())
    }

    /// The entities of `Entries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [LedgerEntries] {
        let call = DataQuery.newIfNull(query: query).fromDefault(LedgerMetadata.EntitySets.entries)
        let result = try await executeQuery(call, headers: headers, options: options)
        return LedgerEntries.array(from: try result.entityList())
    }

    /// The one entity of `Entries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> LedgerEntries {
        let call = query.fromDefault(LedgerMetadata.EntitySets.entries)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<LedgerEntries>.from(try result.requiredEntity())
    }

    /// The entity of `Entries` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries1WithKey(region: String?, number: Int64?, line: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> LedgerEntries {
        let call = DataQuery.newIfNull(query: query).fromDefault(LedgerMetadata.EntitySets.entries).withKey(LedgerEntries.key(region: region, number: number, line: line))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<LedgerEntries>.from(try result.requiredEntity())
    }
}
