// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

open class Shop<Provider: DataServiceProvider>: DataService<Provider> {
    public override init(provider: Provider) {
        super.init(provider: provider)
        self.provider.metadata = ShopMetadata.document
    }

    open func customers(query: DataQuery = DataQuery()) throws -> [Customer] {
        return Customer.list(from: try self.executeQuery(query.from(ShopMetadata.EntitySets.customers)).entityList())
    }

    open func customers(query: DataQuery = DataQuery(), completionHandler: @escaping ([Customer]?, Error?) -> Void) {
        self.addBackgroundOperation {
            do {
                let result = try self.customers(query: query)
                OperationQueue.main.addOperation {
                    completionHandler(result, nil)
                }
            } catch let error {
                OperationQueue.main.addOperation {
                    completionHandler(nil, error)
                }
            }
        }
    }

    open func customer(query: DataQuery) throws -> Customer {
        return CastRequired<Customer>.from(try self.executeQuery(query.from(ShopMetadata.EntitySets.customers)).requiredEntity())
    }

    open func orders(query: DataQuery = DataQuery()) throws -> [Order] {
        return Order.list(from: try self.executeQuery(query.from(ShopMetadata.EntitySets.orders)).entityList())
    }

    open func orders(query: DataQuery = DataQuery(), completionHandler: @escaping ([Order]?, Error?) -> Void) {
        self.addBackgroundOperation {
            do {
                let result = try self.orders(query: query)
                OperationQueue.main.addOperation {
                    completionHandler(result, nil)
                }
            } catch let error {
                OperationQueue.main.addOperation {
                    completionHandler(nil, error)
                }
            }
        }
    }

    open func order(query: DataQuery) throws -> Order {
        return CastRequired<Order>.from(try self.executeQuery(query.from(ShopMetadata.EntitySets.orders)).requiredEntity())
    }
}
