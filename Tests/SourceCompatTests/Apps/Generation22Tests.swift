import Foundation
import Generation22
import ODataTesting
import SAPOfflineOData
import Testing

/// An app of the years 2021 and 2022: sparse objects, compressed metadata, statics that are kept for ever.
@Suite(.serialized) struct Generation22Tests {
    @Test func theAppReadsChangesAndSynchronises() async throws {
        try await AppShop.run { school in
            let controller = OfflineController()
            try controller.configure(url: school.url, folder: school.folder)
            try AppShop.wait { done in controller.open { done($0) } }
            let model = CustomersViewModel(shop: controller.service)
            try AppShop.wait { model.load(completionHandler: $0) }
            #expect(model.rows() == ["Ann 2", "Bo 0"])
            try model.create(id: 3, name: "Cy", title: "Nails")
            try model.rename(id: 1, to: "refused")
            #expect(try controller.hasUnsentChanges())
            try AppShop.wait { done in controller.upload { done($0) } }
            #expect(controller.failed.map(\.httpStatusCode).count == 1)
            #expect(try school.customers() == ["Ann", "Bo", "Cy"])
            #expect(
                try school.serviceRows("SELECT Title FROM Orders WHERE CustomerID = 3")
                    == [["Nails"]])
            let errors = try controller.errors()
            #expect(errors.map { ($0.affectedEntity as? Customer)?.name } == ["refused"])
            #expect(errors.map(\.requestMethod) == ["PATCH"])
            try controller.giveUp(errors[0])
            try AppShop.wait { done in controller.download { done($0) } }
            #expect(try controller.errors().isEmpty)
            #expect(try controller.service.fetchCustomerWithKey(id: 1).name == "Ann")
            try model.delete(id: 2)
            try AppShop.wait { done in controller.upload { done($0) } }
            #expect(try school.customers() == ["Ann", "Cy"])
            try controller.service.close()
        }
    }

    @Test func refreshingPointsTheStaticsToTheNewDocument() async throws {
        try await AppShop.run { school in
            let provider = OnlineODataProvider(serviceName: "Shop", serviceRoot: school.url)
            let shop = Shop(provider: provider)
            let before = ShopMetadata.document
            try shop.refreshMetadata()
            #expect(ShopMetadata.document !== before && ShopMetadata.document === shop.metadata)
            #expect(shop.metadataLock === ShopMetadata.lock)
            #expect(try shop.fetchCustomers().map { $0.name ?? "" }.sorted() == ["Ann", "Bo"])
            #expect(
                try shop.fetchOrders(matching: DataQuery().orderBy(Order.id)).map(\.id) == [10, 11])
        }
    }
}
