// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPFoundation
import SAPOData
import SAPOfflineOData

/// A provider that looks at what passes through it, as an app that embeds the SDK did.
public class ShopProvider: OnlineODataProvider {
    private let log = Logger.shared(named: "ShopProvider")
    public private(set) var calls: [String] = []

    override open func loadMetadata() throws {
        calls.append("loadMetadata")
        try super.loadMetadata()
    }

    override open func loadEntity(_ entity: EntityValue, query: DataQuery?) throws {
        calls.append("loadEntity")
        try super.loadEntity(entity, query: query)
    }

    override open func executeQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws -> QueryResult {
        calls.append(query.entitySet?.localName ?? "?")
        return try super.executeQuery(query, headers: headers, options: options)
    }

    override open func updateEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {
        calls.append("update \(entity.entityType.localName)")
        try super.updateEntity(entity, headers: headers, options: options)
    }
}

/// What the app's only screen does.
public class ShopModel {
    private let shop: Shop<ShopProvider>

    public init(provider: ShopProvider) {
        provider.serviceOptions.checkVersion = false
        provider.networkOptions.tunneledMethods.append("MERGE")
        self.shop = Shop(provider: provider)
    }

    public func names() throws -> [String] {
        try self.shop.loadMetadata()
        return try self.shop.customers(query: DataQuery().orderBy(Customer.name, SortOrder.descending)).map { "\($0.id) \($0.name ?? "")" }
    }

    public func describe(id: Int64, as text: String) throws {
        let customer = try self.shop.customer(query: DataQuery().withKey(Customer.key(id: id)).expand(Customer.orders))
        customer.description = text + " with \(customer.orders.count) orders"
        try self.shop.updateEntity(customer)
        try self.shop.provider.loadEntity(customer, query: nil)
    }

    public func new(id: Int64, name: String) throws -> String {
        let customer = Customer()
        customer.id = id
        customer.name = name
        try self.shop.createEntity(customer)
        return customer.copy().toString()
    }
}

/// The same screen over a local store.
public func storedNames(_ provider: OfflineODataProvider) throws -> [String] {
    let shop = Shop(provider: provider)
    return try shop.customers().map { $0.name ?? "" }.sorted()
}

/// The provider for a URL, by an initialiser that its class inherits.
public func makeProvider(_ url: URL) -> ShopProvider {
    return ShopProvider(serviceName: "Shop", serviceRoot: url)
}
