import Foundation
import Generation18
import ODataTesting
import SAPOfflineOData
import Testing

/// Classes of an app's own do what they say, and the store's own sets are typed wherever they are asked for.
@Suite(.serialized) struct OwnClassTests {
    /// A store of the school with one change that the service refuses.
    private func refused(
        _ school: SchoolService, _ delegate: (any OfflineODataDelegate)? = nil,
        adjust: (OfflineODataProvider) -> Void = { _ in }
    ) throws -> OfflineODataProvider {
        let provider = try school.provider([("Customers", "Customers")], delegate: delegate)
        adjust(provider)
        try AppShop.wait { done in provider.open { done($0) } }
        let shop = Shop(provider: provider)
        let ann = try shop.fetchCustomer(matching: DataQuery().withKey(Customer.key(id: 1)))
        ann.name = "refused"
        try shop.updateEntity(ann)
        try AppShop.wait { done in provider.upload { done($0) } }
        return provider
    }

    @Test func oneClassMayBeBothDelegates() async throws {
        try await AppShop.run { school in
            let delegate = OwnDelegate()
            let provider = try refused(school, delegate)
            #expect(delegate.failed == 1)
            try provider.close()
        }
    }

    @Test func serviceOptionsOfAnOfflineProviderCountForItsUploads() async throws {
        try await AppShop.run { school in
            let provider = try refused(school) { $0.serviceOptions.supportsPatch = false }
            #expect(!provider.serviceOptions.supportsPatch)
            #expect(provider.serviceOptions.supportsBatch && provider.serviceOptions.checkVersion)
            #expect(try provider.fetchErrorArchive().map(\.requestMethod) == ["PUT"])
            try provider.close()
        }
    }

    @Test func theStoresOwnSetsAreTypedInEveryFamily() async throws {
        try await AppShop.run { school in
            let provider = try refused(school)
            #expect(try provider.fetchErrorArchive().map(\.requestMethod) == ["PATCH"])
            #expect(try provider.fetchRequestQueue().map(\.status) == ["failed"])
            #expect(try provider.fetchEventLog().map(\.eventType).contains("Download"))

            let service = BaseDataService(provider: provider)
            service.completionQueue = OperationQueue()
            try AppShop.wait { done in
                service.fetchErrorArchive { result in
                    #expect((try? result.get())?.map(\.requestMethod) == ["PATCH"])
                    done(nil)
                }
            }
            let legacy = Shop(provider: provider)
            legacy.completionQueue = OperationQueue()
            try AppShop.wait { done in
                legacy.fetchRequestQueue { requests, error in
                    #expect(requests?.map(\.status) == ["failed"])
                    done(error)
                }
            }
            try AppShop.wait { done in legacy.unloadMetadata { done($0) } }
            let later = OfflineDataServiceAsync(provider: provider.syncProvider)
            try AppShop.await_ {
                #expect(try await later.fetchErrorArchive().map(\.requestMethod) == ["PATCH"])
                let downloads = try await later.fetchEventLog(
                    matching: DataQuery().filter(OfflineODataEvent.eventType.equal("Download")))
                #expect(downloads.count == 1)
                #expect(try await later.fetchRequestQueue().count == 1)
            }
            try provider.close()
            #expect(throws: OfflineODataError.self) { try provider.fetchErrorArchive() }
        }
    }

    @Test func ownProvidersAndHeadersAreUsed() throws {
        let memory = MemoryProvider()
        let shop = Shop(provider: memory)
        let customer = Customer()
        customer.name = "Ann"
        try shop.createEntity(customer)
        #expect(try shop.fetchCustomers().map(\.name) == ["Ann"] && memory.rows.count == 1)
        #expect(OwnHeaders(tenant: "t").header(withName: "x-tenant") == "t")
        #expect(OwnOptions().customTag == "own")
        #expect(
            dependents(of: Order.customer) == ["CustomerID=ID", "CustomerID=ID"])
    }
}
