// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData
import SAPOfflineOData

/// What the list and the detail view of customers do.
public class CustomersViewModel {
    private let shop: Shop<OfflineODataProvider>
    public private(set) var customers: [Customer] = []

    public init(shop: Shop<OfflineODataProvider>) {
        self.shop = shop
    }

    public func load(completionHandler: @escaping (Error?) -> Void) {
        let query = DataQuery().filter(Customer.name.notEqual("nobody")).orderBy(Customer.name).expand(Customer.orders)
        self.shop.fetchCustomers(matching: query) { customers, error in
            self.customers = customers ?? []
            completionHandler(error)
        }
    }

    public func rows() -> [String] {
        return self.customers.map { "\($0.name ?? "") \($0.orders.count)" }
    }

    /// Creates a customer with an order, both or neither.
    public func create(id: Int64, name: String, title: String) throws {
        let customer = Customer()
        customer.id = id
        customer.name = name
        let order = Order()
        order.id = id * 10
        order.title = title
        order.customerID = id
        let changes = ChangeSet()
        changes.createEntity(customer)
        changes.createEntity(order)
        try self.shop.applyChanges(changes)
    }

    public func rename(id: Int64, to name: String) throws {
        let customer = try self.shop.fetchCustomerWithKey(id: id)
        customer.name = name
        try self.shop.updateEntity(customer, options: RequestOptions.noneIfNull(options: nil))
    }

    public func delete(id: Int64) throws {
        try self.shop.deleteEntity(self.shop.fetchCustomerWithKey(id: id))
    }
}
