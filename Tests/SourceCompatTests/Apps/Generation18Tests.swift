import Foundation
import Generation18
import ODataTesting
import SAPOfflineOData
import Testing

/// An app of the years 2018 to 2020: generic service, handlers of value and error, statics behind locks.
@Suite(.serialized) struct Generation18Tests {
    private func controller(_ school: SchoolService) throws -> OfflineController {
        let controller = OfflineController()
        try controller.configure(
            url: school.url, folder: school.folder, urlSession: SAPURLSession())
        try AppShop.wait { controller.open(completionHandler: $0) }
        return controller
    }

    @Test func theAppReadsChangesAndSynchronises() async throws {
        try await AppShop.run { school in
            let controller = try controller(school)
            let model = CustomersViewModel(shop: controller.service)
            try AppShop.wait { model.requestEntities(completionHandler: $0) }
            #expect(model.rows() == ["1 Ann first 12.5", "2 Bo - 0.0"])
            try AppShop.wait {
                model.createDefaultEntity(id: 3, name: "Cy", completionHandler: $0)
            }
            try AppShop.wait { model.rename(model.entities[0], to: "Anna", completionHandler: $0) }
            try AppShop.wait { model.delete(model.entities[1], completionHandler: $0) }
            #expect(try !controller.service.requestQueueIsEmpty())
            try AppShop.wait { controller.synchronize(completionHandler: $0) }
            #expect(try school.customers() == ["Anna", "Cy"])
            #expect(
                try school.storeRows(
                    "SELECT Name, Description FROM Customers ORDER BY ID", store: "shop18")
                    == [["Anna", "first"], ["Cy", "made by hand"]])
            #expect(try controller.service.requestQueueIsEmpty())
            let ann = try controller.service.fetchCustomerWithKey(id: 1)
            #expect(ann.old.name == "Anna" && ann.description == "first")
            let orders = Orders()
            try AppShop.wait { done in
                model.loadOrders(of: ann) { found, error in
                    orders.titles = found.map { $0.title ?? "" }
                    done(error)
                }
            }
            #expect(orders.titles.sorted() == ["Drill", "Saw"])
            try controller.close()
        }
    }

    /// Written by a handler before the thread that waits for it goes on.
    private final class Orders: @unchecked Sendable {
        var titles: [String] = []
    }

    @Test func aRefusedChangeIsArchivedAndMended() async throws {
        try await AppShop.run { school in
            let controller = try controller(school)
            let model = CustomersViewModel(shop: controller.service)
            try AppShop.wait { model.requestEntities(completionHandler: $0) }
            try AppShop.wait {
                model.rename(model.entities[0], to: "refused", completionHandler: $0)
            }
            try AppShop.wait { controller.synchronize(completionHandler: $0) }
            #expect(controller.failed.map(\.requestHTTPMethod) == ["PATCH"])
            let error = try #require(try controller.errors().first)
            #expect(!error.message.isEmpty && error.body.contains("refused"))
            let customer = try #require(error.customer)
            #expect(customer.id == 1 && customer.inErrorState)
            try AppShop.wait { model.rename(customer, to: "Anne", completionHandler: $0) }
            try AppShop.wait { controller.synchronize(completionHandler: $0) }
            #expect(try controller.errors().isEmpty)
            #expect(try school.customers() == ["Anne", "Bo"])
            try controller.close()
        }
    }

    @Test func theBodyOfARefusedDeletionIsReadable() async throws {
        try await AppShop.run { school in
            let controller = try controller(school)
            try school.change(
                "CREATE TRIGGER keep BEFORE DELETE ON Customers BEGIN SELECT RAISE(ABORT, 'kept'); END"
            )
            try controller.service.deleteEntity(controller.service.fetchCustomerWithKey(id: 2))
            try AppShop.wait { controller.synchronize(completionHandler: $0) }
            #expect(try controller.errors().map(\.body) == [""])
            try controller.close()
        }
    }

    @Test("an app's own offline provider has initialisers and overrides of its own")
    func anOwnProviderSeesItsCalls() async throws {
        try await AppShop.run { school in
            let url = school.url
            let own = try ShopOfflineProvider(url: url, folder: school.folder, device: "d1")
            #expect(own.device == "d1" && openAndWait(own) == nil)
            let shop = Shop(provider: own)
            let ann = try shop.fetchCustomer(
                matching: DataQuery().withKey(Customer.key(id: 1)))
            ann.name = "Anna"
            try shop.updateEntity(ann)
            try renameFirst(own, to: "Annie")
            #expect(
                own.calls == [
                    "open", "read Customers", "update Customers", "read Customers",
                    "update Customers",
                ])
            #expect(
                try school.storeRows("SELECT Name FROM Customers WHERE ID = 1", store: "own")
                    == [["Annie"]])
            try own.close()
        }
    }

    @Test("the delegate of an own provider is told")
    func anOwnProviderHasADelegate() async throws {
        try await AppShop.run { school in
            let (url, delegate) = (school.url, OfflineController())
            let own = try ShopOfflineProvider(url: url, folder: school.folder, delegate: delegate)
            #expect(openAndWait(own) == nil)
            let shop = Shop(provider: own)
            let ann = try shop.fetchCustomer(
                matching: DataQuery().withKey(Customer.key(id: 1)))
            ann.name = "refused"
            try shop.updateEntity(ann)
            try AppShop.wait { done in own.upload { done($0) } }
            #expect(delegate.failed.map(\.requestHTTPMethod) == ["PATCH"])
            #expect(try own.fetchErrorArchive().map(\.requestMethod) == ["PATCH"])
            #expect(try own.fetchRequestQueue().map(\.status) == ["failed"])
            try own.close()
        }
    }

    @Test func valuesSurviveCodableInTheirClass() async throws {
        let customer = Customer()
        customer.name = "Ann"
        customer.description = "first"
        let decoder = JSONDecoder()
        decoder.userInfo[CSDLDocument.csdlInfoKey] = ShopMetadata.document
        let again = try decoder.decode(Customer.self, from: JSONEncoder().encode(customer))
        #expect(again.name == "Ann" && again.description == "first")
        let order = Order()
        order.customer = again
        #expect(order.customer === again && "\(again)".contains("first"))
    }
}

/// Typed calls give objects of the app's classes whatever was done first.
@Suite(.serialized) struct Generation18OrderTests {
    enum Order: CaseIterable, Sendable { case openLast, openFirst, refreshed, twice, unloaded }

    private func provider(_ school: SchoolService) throws -> OfflineODataProvider {
        try school.provider([("Customers", "Customers"), ("Orders", "Orders")])
    }

    private func open(_ provider: OfflineODataProvider) throws {
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
    }

    @Test(arguments: Order.allCases) func offline(_ order: Order) async throws {
        try await AppShop.run { school in
            var provider = try provider(school)
            var shop: Shop<OfflineODataProvider>
            switch order {
            case .openLast:
                shop = Shop(provider: provider)
                try open(provider)
            case .openFirst:
                try open(provider)
                shop = Shop(provider: provider)
            case .refreshed:
                try open(provider)
                shop = Shop(provider: provider)
                try shop.refreshMetadata()
            case .twice:
                shop = Shop(provider: provider)
                try open(provider)
                try provider.close()
                provider = try self.provider(school)
                try open(provider)
                shop = Shop(provider: provider)
            case .unloaded:
                shop = Shop(provider: provider)
                try open(provider)
                try shop.unloadMetadata()
                try shop.loadMetadata()
            }
            #expect(
                try shop.fetchCustomers(matching: DataQuery().orderBy(Customer.id)).map(\.name)
                    == ["Ann", "Bo"])
            let ann = try shop.fetchCustomer(
                matching: DataQuery().withKey(Customer.key(id: 1)).expand(Customer.orders))
            #expect(ann.orders.map { $0.title ?? "" }.sorted() == ["Drill", "Saw"])
            ann.name = "Anna"
            try shop.updateEntity(ann)
            #expect(try school.storeRows("SELECT Name FROM Customers WHERE ID = 1") == [["Anna"]])
            try provider.close()
        }
    }

    @Test(arguments: Order.allCases) func online(_ order: Order) async throws {
        try await AppShop.run { school in
            let provider = OnlineODataProvider(serviceName: "Shop", serviceRoot: school.url)
            if order == .openFirst { try provider.loadMetadata() }
            let shop = Shop(provider: provider)
            switch order {
            case .openLast, .openFirst: try shop.loadMetadata()
            case .refreshed: try shop.refreshMetadata()
            case .twice: _ = Shop(provider: OnlineODataProvider(serviceRoot: school.url))
            case .unloaded: try shop.unloadMetadata()
            }
            #expect(
                try shop.fetchCustomers(matching: DataQuery().orderBy(Customer.id)).map(\.name)
                    == ["Ann", "Bo"])
            let ann = try shop.fetchCustomer(
                matching: DataQuery().withKey(Customer.key(id: 1)).expand(Customer.orders))
            #expect(ann.orders.map { $0.title ?? "" }.sorted() == ["Drill", "Saw"])
            ann.name = "Anna"
            try shop.updateEntity(ann)
            #expect(try school.customers() == ["Anna", "Bo"])
        }
    }
}
