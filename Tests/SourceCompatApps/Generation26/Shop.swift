// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Shop: OfflineDataServiceAsync, @unchecked Sendable {
    private var online_: Shop?

    override public init(provider: DataSyncProvider) {
        super.init(provider: provider)
        provider.metadata = ShopMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: ShopMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider, action: { ShopMetadataChanges.merge(metadata: provider.metadata) })
        if !ProxyInternal.isOnlineSetupActive(provider: provider) {
            ProxyInternal.onlineSetupStarting(provider: provider)
            let online = Shop(provider: provider)
            ProxyInternal.enableOnlineMode(service: online)
            self.online_ = online
            ProxyInternal.onlineSetupFinished(provider: provider)
        }
    }

    open var online: Shop {
        return self.online_ ?? self
    }

    open class var customers: EntitySet {
        get { return ShopMetadata.EntitySets.customers }
        set(value) { ShopMetadata.EntitySets.customers = value }
    }

    private func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Customer {
        return try CastRequired<Customer>.from(ProxyInternal.executeQuery(service: self, query: query.fromDefault(ShopMetadata.EntitySets.customers), headers: headers, options: options).requiredEntity())
    }

    open func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> Customer {
        return try await asyncFunction {
            try self.checkIfCancelled(options?.cancelToken)
            return try self.fetchCustomer(matching: query, headers: headers, options: options)
        }
    }

    open func fetchCustomerWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> Customer {
        let query = DataQuery.newIfNull(query: query)
        return try await self.fetchCustomer(matching: query.withKey(Customer.key(id: id)), headers: headers, options: options)
    }

    private func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Customer] {
        let query = DataQuery.newIfNull(query: query)
        return try Customer.array(from: ProxyInternal.executeQuery(service: self, query: query.fromDefault(ShopMetadata.EntitySets.customers), headers: headers, options: options).entityList())
    }

    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [Customer] {
        return try await asyncFunction {
            try self.checkIfCancelled(options?.cancelToken)
            return try self.fetchCustomers(matching: query, headers: headers, options: options)
        }
    }

    open class var orders: EntitySet {
        get { return ShopMetadata.EntitySets.orders }
        set(value) { ShopMetadata.EntitySets.orders = value }
    }

    private func fetchOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Order {
        return try CastRequired<Order>.from(ProxyInternal.executeQuery(service: self, query: query.fromDefault(ShopMetadata.EntitySets.orders), headers: headers, options: options).requiredEntity())
    }

    open func fetchOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> Order {
        return try await asyncFunction {
            try self.checkIfCancelled(options?.cancelToken)
            return try self.fetchOrder(matching: query, headers: headers, options: options)
        }
    }

    open func fetchOrderWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> Order {
        let query = DataQuery.newIfNull(query: query)
        return try await self.fetchOrder(matching: query.withKey(Order.key(id: id)), headers: headers, options: options)
    }

    private func fetchOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Order] {
        let query = DataQuery.newIfNull(query: query)
        return try Order.array(from: ProxyInternal.executeQuery(service: self, query: query.fromDefault(ShopMetadata.EntitySets.orders), headers: headers, options: options).entityList())
    }

    open func fetchOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [Order] {
        return try await asyncFunction {
            try self.checkIfCancelled(options?.cancelToken)
            return try self.fetchOrders(matching: query, headers: headers, options: options)
        }
    }

    override open var metadataLock: MetadataLock {
        return ShopMetadata.lock
    }
}
