import Foundation
import Generation26
import ODataTesting
import SAPCommon
import SAPFoundation
import SAPOData
import Testing

/// An app of the present: `async` calls, Swift 6, an online companion of the offline service.
@Suite(.serialized) struct Generation26Tests {
    @Test func theAppReadsChangesAndSynchronises() async throws {
        try await AppShop.run { school in
            try AppShop.await_ {
                let controller = OfflineController(url: school.url, folder: school.folder)
                try await controller.open()
                let model = await CustomersViewModel(shop: controller.service)
                try await model.load()
                #expect(await model.rows == ["1 Ann first", "2 Bo -"])
                try await model.create(id: 3, name: "Cy")
                try await model.rename(id: 1, to: "Anna")
                #expect(try await model.orders(of: 1).count == 2)
                try await controller.synchronize()
                #expect(try school.customers() == ["Anna", "Bo", "Cy"])
                #expect(
                    try school.serviceRows(
                        "SELECT CAST(Balance AS TEXT) FROM Customers WHERE ID = 3")
                        == [["2.5"]])
                try await controller.service.close()
            }
        }
    }

    @Test func aRefusedChangeIsToldAndMended() async throws {
        try await AppShop.run { school in
            try AppShop.await_ {
                let controller = OfflineController(url: school.url, folder: school.folder)
                try await controller.open()
                let model = await CustomersViewModel(shop: controller.service)
                try await model.rename(id: 2, to: "refused")
                await #expect(throws: DataServiceError.self) { try await controller.synchronize() }
                #expect(try await controller.errors().count == 1)
                try await model.rename(id: 2, to: "Bob")
                try await controller.synchronize()
                #expect(try await controller.errors().isEmpty)
                #expect(try school.customers() == ["Ann", "Bob"])
                try await controller.service.close()
            }
        }
    }

    @Test func whatTheAppHangsOntoSessionAndLoggersIsCalled() async throws {
        try await AppShop.run { school in
            let (observer, delegate, log) = (ShopObserver(), ShopSessionDelegate(), ShopLog())
            let session = SAPURLSession(delegate: delegate)
            session.register(observer)
            #expect(session.isRegistered(observer) && session.delegate === delegate)
            let provider = OnlineODataProvider(
                serviceName: "Shop", serviceRoot: school.url, sapURLSession: session)
            try provider.loadMetadata()
            #expect(observer.seen == ["$metadata"] && delegate.asked == 0)
            session.unregister(observer)
            let logger = Logger.shared(named: "Shop26")
            logger.logLevel = .info
            logger.add(handler: log)
            logger.info("one")
            logger.remove(handler: log)
            logger.info("two")
            #expect(log.lines == ["info one"])
        }
    }

    @Test func theCompanionAsksTheService() async throws {
        try await AppShop.run { school in
            try AppShop.await_ {
                let controller = OfflineController(url: school.url, folder: school.folder)
                try await controller.open()
                try school.change("UPDATE Customers SET Name = 'changed' WHERE ID = 1")
                let shop = controller.service
                #expect(try await shop.fetchCustomerWithKey(id: 1).name == "Ann")
                #expect(try await shop.online.fetchCustomerWithKey(id: 1).name == "changed")
                #expect(Shop.customers.localName == "Customers")
                try await shop.close()
            }
        }
    }
}
