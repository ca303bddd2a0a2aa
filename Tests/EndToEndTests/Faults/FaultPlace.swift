import Foundation
import GRDB
import SAPOData
import ODataCommand
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataTransport
import Synchronization

/// A service in the test's process, a transport with faults in front of it, and a provider with a store.
final class FaultPlace {
    let folder: URL
    private(set) var service: ODataService
    let provider: CloudSyncProvider
    /// What else happens whenever the network has failed.
    var afterFailure: (FaultPlace) throws -> Void = { _ in }
    private let current: Current
    private let configuration: ServiceConfiguration

    /// The service that requests reach now.
    private final class Current: Sendable {
        let service: Mutex<ODataService>
        init(_ service: ODataService) { self.service = Mutex(service) }
    }

    static let root = "http://service.test/"

    init(
        scale: Int = 200, pageSize: Int = 15, _ wrap: (any HTTPTransport) -> any HTTPTransport
    ) throws {
        folder = try TestFolder.makeFast("odata-fault-")
        var configuration = ServiceConfiguration(
            databasePath: folder.appendingPathComponent("service.db").path,
            sample: ServiceConfiguration.Sample(scale: scale))
        configuration.defaultPageSize = pageSize
        self.configuration = configuration
        service = try ODataService(configuration)
        let current = Current(service)
        self.current = current
        let loopback = LoopbackTransport { request in
            let service = current.service.withLock { $0 }
            return try service.exchange(request)
        }
        let online = OnlineODataProvider(
            serviceName: "Fault", serviceRoot: Self.root, transport: wrap(loopback),
            world: ImpatientWorld())
        provider = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Fault",
                databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path))
        provider.throwUploadFailures = false
    }

    /// Another process of the service over the same file.
    func restartService() throws {
        try service.close()
        service = try ODataService(configuration)
        let service = service
        current.service.withLock { $0 = service }
    }

    func close() throws {
        try provider.close()
        try service.close()
        try FileManager.default.removeItem(at: folder)
    }

    // MARK: Work

    /// Does it again until the network lets it, at most thirty times; says how often that was.
    @discardableResult
    func persist(_ body: () throws -> Void) throws -> Int {
        for attempt in 1...30 {
            do {
                try body()
                return attempt
            } catch is DataNetworkError where attempt < 30 {
                try afterFailure(self)
            }
        }
        return 30
    }

    func set(_ name: String) -> EntitySet { provider.metadata.entitySet(withName: name) }

    /// The entities of a set by a property in order.
    func entities(_ name: String, by property: String) throws -> EntityValueList {
        try provider.entities(
            DataQuery().from(set(name)).orderBy(
                set(name).entityType.property(withName: property)))
    }

    func set(_ property: String, _ text: String, of entity: EntityValue) {
        entity.entityType.property(withName: property).setStringValue(in: entity, to: text)
    }

    func setTitle(_ title: String, of order: EntityValue) { set("Title", title, of: order) }

    func newOrder(_ number: String, like other: EntityValue) -> EntityValue {
        let order = newEntity(like: other)
        set("Number", number, of: order)
        return order
    }

    /// A copy for the same set, without the key but for the named parts of it.
    func newEntity(
        like other: EntityValue, keeping parts: Set<String> = [],
        leavingOut others: Set<String> = []
    ) -> EntityValue {
        let entity = EntityValue.ofType(other.entityType).inSet(other.entitySet)
        for property in other.entityType.propertyList
        where property.isStructural && (!property.isKey || parts.contains(property.name))
            && !others.contains(property.name)
        {
            entity.setDataValue(for: property, to: other.optionalValue(for: property))
        }
        return entity
    }

    /// A change that somebody else makes at the service.
    func changeAtService(_ sql: String) throws {
        try DatabaseQueue(path: configuration.databasePath).write { try $0.execute(sql: sql) }
    }

    /// Answers past the network.
    func respond(to request: RequestMessage) -> ResponseMessage { service.respond(to: request) }

    /// A change of the store's file behind the back of the provider.
    func changeInStore(_ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: folder.appendingPathComponent("store.db").path)
        try queue.write(body)
        try queue.close()
    }

    // MARK: What is there

    func serviceRows(_ sql: String) throws -> [[DatabaseValue]] {
        try Self.rows(configuration.databasePath, sql)
    }

    func storeRows(_ sql: String) throws -> [[DatabaseValue]] {
        try Self.rows(folder.appendingPathComponent("store.db").path, sql)
    }

    private static func rows(_ path: String, _ sql: String) throws -> [[DatabaseValue]] {
        try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) }
        }
    }

    func comparison() throws -> RowComparison {
        try RowComparison(
            service: configuration.databasePath,
            store: folder.appendingPathComponent("store.db").path)
    }
}
