import Foundation
import GRDB
import OData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing

/// Runs `body` on a thread of its own, because the API blocks.
func onOwnThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
        thread.stackSize = 8 << 20
        thread.start()
    }
}

/// A service over loopback HTTP, a store, and a provider between them, in a folder that goes with the test.
final class Workplace {
    let folder: URL
    let service: ODataService
    let provider: CloudSyncProvider
    var sync: CloudSyncProvider { provider }

    init(scale: Int = 400) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = ServiceConfiguration(
            databasePath: folder.appendingPathComponent("service.db").path,
            sample: ServiceConfiguration.Sample(scale: scale))
        configuration.defaultPageSize = 50
        service = try ODataService(configuration)
        try service.start()
        provider = Self.provider(service.url ?? "", folder)
    }

    static func provider(_ url: String, _ folder: URL) -> CloudSyncProvider {
        let online = OnlineODataProvider(serviceName: "FieldService", serviceRoot: url)
        let store = SQLDatabaseProvider(
            serviceName: "FieldService",
            databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path)
        return CloudSyncProvider(onlineProvider: online, offlineStore: store)
    }

    func close() throws {
        try provider.close()
        try service.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// What stock SQLite reads in the service's file.
    func serviceRows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: folder.appendingPathComponent("service.db").path)
            .read { try Row.fetchAll($0, sql: sql) }
    }

    func storeRows(_ sql: String) throws -> [Row] {
        try DatabaseQueue(path: folder.appendingPathComponent("store.db").path)
            .read { try Row.fetchAll($0, sql: sql) }
    }
}

@Suite struct FirstLightTests {
    static let sets = ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"]

    /// CSP-009, CSP-132, CSP-133
    @Test func aFirstDownloadBringsEveryRow() async throws {
        try await onOwnThread {
            let place = try Workplace()
            #expect(throws: (any Error).self) { try place.sync.hasInitialData() }
            try place.sync.open()
            #expect(try !place.sync.hasInitialData())
            try place.sync.download()
            #expect(try place.sync.hasInitialData())
            for set in Self.sets {
                let count = "SELECT count(*) FROM \"\(set)\""
                let there: Int = try place.serviceRows(count)[0][0]
                let here: Int = try place.storeRows(count)[0][0]
                #expect(there == here && there > 0, "\(set)")
            }
            let pages = place.service.observer.requests.filter { $0.url.contains("$skiptoken") }
            #expect(pages.count >= 4)
            try place.close()
        }
    }

    /// CSP-073, CSP-076, CSP-145
    @Test func changesMadeOfflineReachTheService() async throws {
        try await onOwnThread {
            let place = try Workplace()
            try place.sync.open()
            try place.sync.download()
            place.service.stop()
            let orders = place.sync.metadata.entitySet(withName: "WorkOrders")
            let type = orders.entityType
            let title = type.property(withName: "Title")
            let all = try place.sync.entities(
                DataQuery().from(orders).orderBy(type.property(withName: "Id"))
            )
            let changed = all[0]
            title.setStringValue(in: changed, to: "changed offline")
            try place.sync.update(changed)
            let new = EntityValue.ofType(type).inSet(orders)
            for property in type.propertyList where property.isStructural && !property.isKey {
                new.setDataValue(for: property, to: all[1].optionalValue(for: property))
            }
            type.property(withName: "Number").setStringValue(in: new, to: "NEW-1")
            try place.sync.create(new)
            #expect(try place.sync.queued().length == 2)
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(try place.sync.queued().length == 2)
            try place.service.start()
            let online = Workplace.provider(place.service.url ?? "", place.folder)
            try place.provider.close()
            try online.open()
            try online.upload()
            #expect(
                try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Number = 'NEW-1'").count == 1)
            #expect(
                try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Title = 'changed offline'")
                    .count
                    == 1)
            #expect(try online.queued().length == 0)
            try online.download()
            let here: Int = try place.storeRows("SELECT count(*) FROM WorkOrders")[0][0]
            let there: Int = try place.serviceRows("SELECT count(*) FROM WorkOrders")[0][0]
            #expect(here == there)
            try online.close()
            try place.service.close()
        }
    }
}

/// The calls of an app, without the arguments that are mostly not given.
extension CloudSyncProvider {
    func download(_ groups: StringList = []) throws {
        try download(groups: groups, options: SyncOptions.none)
    }

    func upload(_ groups: StringList = []) throws {
        try upload(groups: groups, options: SyncOptions.none)
    }

    func entities(_ query: DataQuery) throws -> EntityValueList {
        try executeQuery(query, headers: HTTPHeaders(), options: RequestOptions()).entityList()
    }

    func create(_ entity: EntityValue) throws {
        try createEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func update(_ entity: EntityValue) throws {
        try updateEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func delete(_ entity: EntityValue) throws {
        try deleteEntity(entity, headers: HTTPHeaders(), options: RequestOptions())
    }

    func queued() throws -> PendingRequestList {
        try queuedRequests(matching: nil, headers: nil, options: nil)
    }

    func failed() throws -> PendingRequestList {
        try failedRequests(matching: nil, headers: nil, options: nil)
    }
}
