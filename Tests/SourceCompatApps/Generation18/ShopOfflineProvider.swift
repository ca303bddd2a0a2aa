// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPFoundation
import SAPOData
import SAPOfflineOData

/// An app's own offline provider: it knows its settings and looks at what passes through it.
public class ShopOfflineProvider: OfflineODataProvider {
    public let device: String
    public private(set) var calls: [String] = []

    public init(url: URL, folder: URL, device: String) throws {
        self.device = device
        let parameters = OfflineODataParameters()
        parameters.storePath = folder
        parameters.storeName = "own"
        try super.init(serviceRoot: url, parameters: parameters, sapURLSession: SAPURLSession())
        try self.add(definingQuery: OfflineODataDefiningQuery(name: "Customers", query: "/Customers", automaticallyRetrievesStreams: false))
    }

    public init(url: URL, folder: URL, delegate: OfflineODataDelegate) throws {
        self.device = "watched"
        let parameters = OfflineODataParameters()
        parameters.storePath = folder
        parameters.storeName = "watched"
        try super.init(serviceRoot: url, parameters: parameters, sapURLSession: SAPURLSession(), delegate: delegate)
        try self.add(definingQuery: OfflineODataDefiningQuery(name: "Customers", query: "/Customers", automaticallyRetrievesStreams: false))
    }

    override open func open(completionHandler: @escaping (OfflineODataError?) -> Void) {
        calls.append("open")
        super.open(completionHandler: completionHandler)
    }

    override open func executeQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws -> QueryResult {
        calls.append("read \(query.entitySet?.localName ?? "?")")
        return try super.executeQuery(query, headers: headers, options: options)
    }

    override open func updateEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {
        calls.append("update \(entity.entityType.localName)")
        try super.updateEntity(entity, headers: headers, options: options)
    }
}

/// Opens the app's own provider and waits for it, as apps did before `async`.
public func openAndWait(_ provider: ShopOfflineProvider) -> OfflineODataError? {
    let semaphore = DispatchSemaphore(value: 0)
    var failure: OfflineODataError?
    provider.open { error in
        failure = error
        semaphore.signal()
    }
    semaphore.wait()
    return failure
}

/// The same screen over the engine of the provider.
public func renameFirst(_ provider: ShopOfflineProvider, to name: String) throws {
    let service = OfflineDataService(provider: provider.syncProvider)
    let customers = service.entitySet(withName: "Customers")
    let customer = try service.executeQuery(DataQuery().from(customers).orderBy(Customer.id).top(1)).requiredEntity()
    customers.entityType.property(withName: "Name").setStringValue(in: customer, to: name)
    try service.updateEntity(customer)
}
