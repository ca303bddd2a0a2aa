// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Shop<Provider: DataServiceProvider>: LegacyDataService<Provider> {
    override public init(provider: Provider) {
        super.init(provider: provider)
        self.provider.metadata = ShopMetadata.document
        ProxyInternal.setCsdlFetcher(provider: self.provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: self.provider, options: ShopMetadataParser.options)
    }

    open func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Customer {
        return try CastRequired<Customer>.from(self.executeQuery(query.fromDefault(ShopMetadata.EntitySets.customers), headers: headers, options: options).requiredEntity())
    }

    open func fetchCustomerWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Customer {
        let query = DataQuery.newIfNull(query: query)
        return try self.fetchCustomer(matching: query.withKey(Customer.key(id: id)), headers: headers, options: options)
    }

    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Customer] {
        let query = DataQuery.newIfNull(query: query)
        return try Customer.array(from: self.executeQuery(query.fromDefault(ShopMetadata.EntitySets.customers), headers: headers, options: options).entityList())
    }

    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping ([Customer]?, Error?) -> Void) {
        self.asyncFunction {
            do {
                try self.checkIfCancelled(options?.cancelToken)
                let result = try self.fetchCustomers(matching: query, headers: headers, options: options)
                self.completionQueue.addOperation {
                    completionHandler(result, nil)
                }
            } catch {
                self.completionQueue.addOperation {
                    completionHandler(nil, error)
                }
            }
        }
    }

    open func fetchOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Order {
        return try CastRequired<Order>.from(self.executeQuery(query.fromDefault(ShopMetadata.EntitySets.orders), headers: headers, options: options).requiredEntity())
    }

    open func fetchOrderWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Order {
        let query = DataQuery.newIfNull(query: query)
        return try self.fetchOrder(matching: query.withKey(Order.key(id: id)), headers: headers, options: options)
    }

    open func fetchOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Order] {
        let query = DataQuery.newIfNull(query: query)
        return try Order.array(from: self.executeQuery(query.fromDefault(ShopMetadata.EntitySets.orders), headers: headers, options: options).entityList())
    }

    open func fetchOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping ([Order]?, Error?) -> Void) {
        self.asyncFunction {
            do {
                try self.checkIfCancelled(options?.cancelToken)
                let result = try self.fetchOrders(matching: query, headers: headers, options: options)
                self.completionQueue.addOperation {
                    completionHandler(result, nil)
                }
            } catch {
                self.completionQueue.addOperation {
                    completionHandler(nil, error)
                }
            }
        }
    }

    override open var metadataLock: MetadataLock {
        return ShopMetadata.lock
    }

    override open func refreshMetadata() throws {
        objc_sync_enter(self)
        defer { objc_sync_exit(self) }
        do {
            try ProxyInternal.refreshMetadataWithLock(service: self, fetcher: nil, options: ShopMetadataParser.options, mergeAction: { ShopMetadataChanges.merge(metadata: self.metadata) })
        }
    }
}
