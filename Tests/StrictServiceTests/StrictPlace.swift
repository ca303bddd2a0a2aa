import Foundation
import GRDB
import ODataClasses
import ODataProviders
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import StrictService

/// A strict service, an online provider of it, and a store beside it.
final class StrictPlace {
    let service: StrictService
    let online: OnlineODataProvider
    let sync: CloudSyncProvider
    let file: String
    private let folder: URL

    init(_ face: StrictService.Face) throws {
        service = try StrictService(face)
        folder = try TestFolder.makeFast("strict")
        online = OnlineODataProvider(
            serviceName: "Workshop", serviceRoot: service.root,
            transport: StandardTransport.shared,
            folder: PrivateFolder(path: folder.path))
        file = folder.appendingPathComponent("store.db").path
        sync = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Workshop", databaseURL: "sqlite:" + file))
    }

    /// Runs a test on a thread of its own, because calls block.
    static func run(
        _ face: StrictService.Face, _ body: @escaping @Sendable (StrictPlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let place = try StrictPlace(face)
            defer {
                try? place.sync.close()
                try? FileManager.default.removeItem(at: place.folder)
            }
            try body(place)
        }
    }

    func data() throws -> DataService {
        let service = DataService(provider: online)
        try service.loadMetadata()
        return service
    }

    func set(_ name: String) -> EntitySet { online.metadata.entitySet(withName: name) }

    func entity(_ set: String, _ id: Int) throws -> EntityValue {
        try online.executeQuery(
            DataQuery().from(self.set(set)).withKey(
                EntityKey().with(name: "Id", value: IntValue(id)))
        ).requiredEntity()
    }

    func text(_ entity: EntityValue, _ property: String) -> String? {
        entity.optionalValue(for: entity.entityType.property(withName: property))?.toString()
    }

    /// What the store holds, read beside the product: the first column of each row.
    func rows(_ sql: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: file, configuration: configuration).read {
            try String.fetchAll($0, sql: sql)
        }
    }
}
