// odata-generate: OldLedger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class OldLedger<Provider: DataServiceProvider>: LegacyDataService<Provider>, @unchecked Sendable {
    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: Provider) {
        super.init(provider: provider)
        provider.metadata = OldLedgerMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: OldLedgerMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self as BlockingDataService] in
            if let service { OldLedgerMetadataChanges.merge(metadata: service.metadata) }
        }
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { OldLedgerMetadata.lock }

    /// The entities of `Accounts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldLedgerAccounts] {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.accounts)
        let result = try executeQuery(call, headers: headers, options: options)
        return OldLedgerAccounts.array(from: try result.entityList())
    }

    /// The entities of `Accounts` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchAccounts(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldLedgerAccounts]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.accounts)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldLedgerAccounts.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The one entity of `Accounts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldLedgerAccounts {
        let call = query.fromDefault(OldLedgerMetadata.EntitySets.accounts)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldLedgerAccounts>.from(try result.requiredEntity())
    }

    /// The one entity of `Accounts` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchAccounts1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldLedgerAccounts?, (any Error)?) -> Void) {
        let call = query.fromDefault(OldLedgerMetadata.EntitySets.accounts)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldLedgerAccounts>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entity of `Accounts` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchAccounts1WithKey(region: String?, number: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldLedgerAccounts {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.accounts).withKey(OldLedgerAccounts.key(region: region, number: number))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldLedgerAccounts>.from(try result.requiredEntity())
    }

    /// The entity of `Accounts` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchAccounts1WithKey(region: String?, number: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldLedgerAccounts?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.accounts).withKey(OldLedgerAccounts.key(region: region, number: number))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldLedgerAccounts>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entities of `Entries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldLedgerEntries] {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.entries)
        let result = try executeQuery(call, headers: headers, options: options)
        return OldLedgerEntries.array(from: try result.entityList())
    }

    /// The entities of `Entries` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldLedgerEntries]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.entries)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldLedgerEntries.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The one entity of `Entries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldLedgerEntries {
        let call = query.fromDefault(OldLedgerMetadata.EntitySets.entries)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldLedgerEntries>.from(try result.requiredEntity())
    }

    /// The one entity of `Entries` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEntries1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldLedgerEntries?, (any Error)?) -> Void) {
        let call = query.fromDefault(OldLedgerMetadata.EntitySets.entries)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldLedgerEntries>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entity of `Entries` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEntries1WithKey(region: String?, number: Int64?, line: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldLedgerEntries {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.entries).withKey(OldLedgerEntries.key(region: region, number: number, line: line))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldLedgerEntries>.from(try result.requiredEntity())
    }

    /// The entity of `Entries` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEntries1WithKey(region: String?, number: Int64?, line: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldLedgerEntries?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldLedgerMetadata.EntitySets.entries).withKey(OldLedgerEntries.key(region: region, number: number, line: line))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldLedgerEntries>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }
}
