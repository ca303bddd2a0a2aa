// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPOData
import SAPOfflineOData

/// What the list and the detail view of customers do.
public class CustomersViewModel {
    private let shop: Shop<OfflineODataProvider>
    private let logger = Logger.shared(named: "CustomersViewModel")
    public private(set) var entities: [Customer] = [Customer]()

    public init(shop: Shop<OfflineODataProvider>) {
        self.shop = shop
    }

    public func requestEntities(completionHandler: @escaping (Error?) -> Void) {
        let query = DataQuery().selectAll().orderBy(Customer.id).top(20)
        self.shop.fetchCustomers(matching: query) { customers, error in
            guard let customers = customers else {
                completionHandler(error!)
                return
            }
            self.entities = customers
            completionHandler(nil)
        }
    }

    public func rows() -> [String] {
        return self.entities.map { customer in
            "\(customer.id!) \(customer.name ?? "") \(customer.description ?? "-") \(customer.balance?.doubleValue() ?? 0)"
        }
    }

    public func createDefaultEntity(id: Int64, name: String, completionHandler: @escaping (Error?) -> Void) {
        let newEntity = Customer(withDefaults: false)
        newEntity.id = id
        newEntity.name = name
        newEntity.description = "made by hand"
        if newEntity.isNew {
            self.shop.createEntity(newEntity) { error in
                if let error = error {
                    self.logger.error("Create entry failed.", error: error)
                }
                completionHandler(error)
            }
        }
    }

    public func rename(_ customer: Customer, to name: String, completionHandler: @escaping (Error?) -> Void) {
        let copy = customer.copy()
        copy.name = name
        self.shop.updateEntity(copy) { error in
            completionHandler(error)
        }
    }

    public func delete(_ customer: Customer, completionHandler: @escaping (Error?) -> Void) {
        self.shop.deleteEntity(customer) { error in
            completionHandler(error)
        }
    }

    public func loadOrders(of customer: Customer, completionHandler: @escaping ([Order], Error?) -> Void) {
        self.shop.loadProperty(Customer.orders, into: customer) { error in
            completionHandler(customer.orders, error)
        }
    }
}
