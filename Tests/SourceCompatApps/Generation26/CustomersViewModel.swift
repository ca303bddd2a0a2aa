// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPOData

/// What the list and the detail view of customers do.
@MainActor
public final class CustomersViewModel {
    private let shop: Shop
    public private(set) var customers: [Customer] = []

    public init(shop: Shop) {
        self.shop = shop
    }

    public func load() async throws {
        self.customers = try await self.shop.fetchCustomers(matching: DataQuery().orderBy(Customer.keyID))
    }

    public var rows: [String] {
        return self.customers.map { "\($0.keyID ?? 0) \($0.name ?? "") \($0.description ?? "-")" }
    }

    public func create(id: Int64, name: String) async throws {
        let customer = Customer()
        customer.keyID = id
        customer.name = name
        customer.balance = BigDecimal("2.50")
        try await self.shop.createEntity(customer)
    }

    public func rename(id: Int64, to name: String) async throws {
        let customer = try await self.shop.fetchCustomerWithKey(id: id)
        customer.name = name
        try await self.shop.updateEntity(customer)
    }

    public func orders(of id: Int64) async throws -> [Order] {
        let customer = try await self.shop.fetchCustomerWithKey(id: id)
        try await self.shop.loadProperty(Customer.orders, into: customer)
        return customer.orders
    }
}
