import Foundation
import Generation17
import ODataTesting
import SAPOfflineOData
import Testing

/// An app of 2017: constant statics, classes that know nothing of decoders, a provider class of its own.
@Suite(.serialized) struct Generation17Tests {
    @Test func theAppReadsAndChangesThroughItsProvider() async throws {
        try await AppShop.run { school in
            let provider = makeProvider(school.url)
            let model = ShopModel(provider: provider)
            #expect(try model.names() == ["2 Bo", "1 Ann"])
            try model.describe(id: 1, as: "known")
            #expect(
                try school.serviceRows("SELECT Description FROM Customers WHERE ID = 1")
                    == [["known with 2 orders"]])
            #expect(try model.new(id: 3, name: "Cy").contains("Cy"))
            #expect(try school.customers() == ["Ann", "Bo", "Cy"])
            #expect(
                provider.calls == [
                    "loadMetadata", "Customers", "Customers", "update Customers", "loadEntity",
                ])
        }
    }

    @Test func theSameClassesReadAStore() async throws {
        try await AppShop.run { school in
            let provider = try school.provider([("C", "Customers")])
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(try storedNames(provider) == ["Ann", "Bo"])
            try provider.close()
        }
    }
}
