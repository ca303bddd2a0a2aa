import Foundation
import ODataTesting
import SAPOfflineOData
import Testing

/// What apps call at a service over an offline provider, whichever family the service is of.
@Suite struct LegacyOfflineTests {
    @Test func theGenericServiceRunsTheStore() async throws {
        try await SchoolService.run { school in
            let service = LegacyDataService(provider: try school.provider([]))
            try service.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "T", query: "Teachers", automaticallyRetrievesStreams: false))
            #expect(throws: OfflineODataError.self) { try service.requestQueueIsEmpty() }
            #expect(SchoolService.wait { service.open(completionHandler: $0) } == nil)
            #expect(try service.requestQueueIsEmpty() && !service.hasPendingUpload())
            let teachers = service.entitySet(withName: "Teachers")
            let name = teachers.entityType.property(withName: "NAME")
            let ada = try service.executeQuery(DataQuery().from(teachers).top(1)).requiredEntity()
            name.setStringValue(in: ada, to: "Ada L.")
            try service.updateEntity(ada)
            #expect(try !service.requestQueueIsEmpty())
            #expect(SchoolService.wait { service.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["Ada L."]])
            try school.change("UPDATE Teachers SET NAME = 'Bea' WHERE ID = 2")
            #expect(SchoolService.wait { service.download(completionHandler: $0) } == nil)
            #expect(try school.storeRows("SELECT NAME FROM Teachers WHERE ID = 2") == [["Bea"]])
            #expect(try !service.hasPendingDownload())
            try service.close()
            try service.clear()
            #expect(
                !FileManager.default.fileExists(
                    atPath: school.folder.appendingPathComponent("store.db").path))
        }
    }

    @Test func operationsNeedTheService() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("operations-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = SQLDatabaseProvider(
            serviceName: "S", databaseURL: "sqlite:\(folder.path)/s.db")
        store.metadata = try APIModel.document()
        try store.open()
        let service = DataService(provider: store)
        let error = #expect(throws: DataServiceError.self) {
            try service.executeQuery(DataQuery().invoke(service.dataMethod(withName: "Reset")))
        }
        #expect(error?.status == 501 && error?.message?.contains("`online`") == true)
        try store.close()
    }

    @Test func queriesAreObservedThroughEveryService() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let teachers = provider.metadata.entitySet(withName: "Teachers")
            let query = DataQuery().from(teachers)
            let plain = DataServiceAsync(provider: provider)
            try AppShop.await_ {
                for try await update in try plain.updates(of: query) {
                    #expect(update.isFirst && update.inserted.count == 3)
                    break
                }
            }
            let online = OnlineODataProvider(serviceName: "S", serviceRoot: school.url)
            let error = #expect(throws: DataServiceError.self) {
                try OnlineDataServiceAsync(provider: online).updates(of: query)
            }
            #expect(error?.status == 501)
            try provider.close()
        }
    }

    @Test func aStoreThatIsNotOpenHasMetadataWithoutContent() {
        let store = SQLDatabaseProvider(serviceName: "S", databaseURL: "sqlite:/nowhere/s.db")
        #expect(!store.hasMetadata && store.metadata.entitySets.isEmpty)
        let sync = CloudSyncProvider(
            onlineProvider: OnlineODataProvider(serviceName: "S", serviceRoot: "http://h/"),
            offlineStore: store)
        #expect(!OfflineDataService(provider: sync).hasMetadata)
        #expect(OfflineDataService(provider: sync).metadata.entitySets.isEmpty)
    }

    @Test func errorsOfStoresAndAppsAreOneKind() {
        struct Own: SAPError { var errorDescription: String? { "own" } }
        let errors: [any SAPError] = [
            Own(), OfflineODataError.notFound(code: 5, message: "nothing"),
        ]
        #expect(errors.map(\.localizedDescription) == ["own", "nothing"])
        #expect("\(errors[0])" == "own" && "\(errors[1])" == "notFound (5): nothing")
        #expect(String(reflecting: errors[0]) == "own")
    }
}
