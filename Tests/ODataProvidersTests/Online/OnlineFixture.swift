import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataTransport
import ODataWorld
import SAPOData
import Synchronization

/// A companion service that listens on a port, and a provider that speaks to it over HTTP.
final class OnlineFixture: Sendable {
    static let schema = """
        CREATE TABLE Members (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Since DATE);
        CREATE TABLE Tools (
            Id INTEGER PRIMARY KEY,
            Title TEXT NOT NULL,
            Price DECIMAL(10,2),
            Lent BOOLEAN NOT NULL DEFAULT 0,
            OwnerId INTEGER REFERENCES Members(Id)
        );
        CREATE TABLE ClientRegistrationSet (
            ClientID INTEGER PRIMARY KEY, ClientGUID UUID, Device TEXT);
        INSERT INTO Members VALUES (1, 'Mia', '2020-01-31'), (2, 'Noah', NULL);
        INSERT INTO Tools VALUES (1, 'Saw', 12.5, 0, 1), (2, 'Plane', 7, 1, 1),
            (3, 'Hammer', NULL, 0, 2), (4, 'Drill', 99.99, 0, NULL);
        """

    let directory: String
    let service: ODataService
    let provider: OnlineODataProvider

    init(schema: String = OnlineFixture.schema, pageSize: Int = 1_000) throws {
        directory = try Self.makeDirectory()
        let path = directory + "/tools.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: schema) }
        try queue.close()
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.namespace = "Ws"
        configuration.defaultPageSize = pageSize
        service = try ODataService(configuration)
        let port = try service.start()
        provider = OnlineODataProvider(
            serviceName: "Tools", serviceRoot: "http://127.0.0.1:\(port)",
            transport: StandardTransport.shared, folder: PrivateFolder(path: directory))
    }

    deinit {
        try? service.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Another provider of the same service and folder, as after a restart of the app.
    func makeProvider() -> OnlineODataProvider {
        OnlineODataProvider(
            serviceName: "Tools", serviceRoot: provider.serviceRoot,
            transport: StandardTransport.shared, folder: PrivateFolder(path: directory))
    }

    static func makeDirectory() throws -> String {
        let path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-online-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Runs `body` with a fixture on a thread of its own, because calls block.
    static func run<Result: Sendable>(
        schema: String = OnlineFixture.schema, pageSize: Int = 1_000,
        _ body: @escaping @Sendable (OnlineFixture) throws -> Result
    ) async throws -> Result {
        try await onThread {
            try body(OnlineFixture(schema: schema, pageSize: pageSize))
        }
    }

    static func onThread<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// The requests so far, as `METHOD url`, metadata left aside.
    var requests: [String] {
        service.observer.requests.map { "\($0.method) \($0.url)" }.filter {
            !$0.hasSuffix("$metadata")
        }
    }

    // MARK: The model

    var document: CSDLDocument { provider.metadata }
    var tools: EntitySet { document.entitySet(withName: "Tools") }
    var members: EntitySet { document.entitySet(withName: "Members") }

    func tool(_ name: String) -> Property { tools.entityType.property(withName: name) }
    func member(_ name: String) -> Property { members.entityType.property(withName: name) }

    func newTool(_ title: String) -> EntityValue {
        let entity = EntityValue.ofType(tools.entityType).inSet(tools)
        tool("Title").setStringValue(in: entity, to: title)
        return entity
    }

    func fetchTool(_ id: Int64) throws -> EntityValue {
        try provider.executeQuery(DataQuery().from(tools).withKey(key(id))).requiredEntity()
    }

    func fetchMember(_ id: Int64) throws -> EntityValue {
        try provider.executeQuery(DataQuery().from(members).withKey(key(id))).requiredEntity()
    }

    func key(_ id: Int64) -> EntityKey { EntityKey().with(name: "Id", value: LongValue(id)) }

    func titles(_ list: EntityValueList) -> [String] {
        list.toArray().map { tool("Title").stringValue(from: $0) }
    }

    /// The single text that a query on the service's database gives.
    func value(_ sql: String) throws -> String? {
        let queue = try DatabaseQueue(path: directory + "/tools.sqlite")
        defer { try? queue.close() }
        return try queue.read { try String.fetchOne($0, sql: sql) }
    }
}

/// A provider over a function that answers, for exchanges written by hand.
final class ScriptedService: Sendable {
    private let seen = Mutex<[RequestMessage]>([])
    private let answer: @Sendable (RequestMessage) throws -> ResponseMessage

    init(_ answer: @escaping @Sendable (RequestMessage) throws -> ResponseMessage) {
        self.answer = answer
    }

    /// The requests so far, metadata left aside.
    var requests: [RequestMessage] { seen.withLock { $0 } }

    func respond(_ request: RequestMessage) throws -> ResponseMessage {
        seen.withLock { $0.append(request) }
        return try answer(request)
    }

    func makeProvider(_ metadata: String, folder: String = "/nowhere") -> OnlineODataProvider {
        let provider = OnlineODataProvider(
            serviceName: "Script", serviceRoot: "http://h/s",
            transport: LoopbackTransport { [self] request in
                try respond(request)
            }, folder: PrivateFolder(path: folder))
        provider.serviceOptions.metadataText = metadata
        return provider
    }
}

extension ResponseMessage {
    static func json(
        _ text: String, status: Int = 200, _ headers: HeaderFields = HeaderFields()
    ) -> ResponseMessage {
        var fields = headers
        fields["Content-Type"] = "application/json"
        return ResponseMessage(status: status, headers: fields, body: Array(text.utf8))
    }
}

extension RequestMessage {
    /// Method and URL.
    var line: String { "\(method) \(url)" }
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Tests that make entities without asking a service for them.
protocol EntityMaking {}

extension EntityMaking {
    func set(_ provider: OnlineODataProvider, _ name: String) throws -> EntitySet {
        try provider.loadMetadata()
        return provider.metadata.entitySet(withName: name)
    }

    func entity(
        _ provider: OnlineODataProvider, _ name: String, _ id: Int, isNew: Bool = false
    ) throws -> EntityValue {
        let set = try set(provider, name)
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: id)
        if !isNew {
            entity.isNew = false
            entity.rememberOld()
        }
        return entity
    }

    /// An order with items of which one was changed, one is new and one is as it was.
    func order(_ provider: OnlineODataProvider) throws -> EntityValue {
        let order = try entity(provider, "Orders", 7)
        let changed = try entity(provider, "Items", 1)
        let new = try entity(provider, "Items", 2, isNew: true)
        let same = try entity(provider, "Items", 3)
        order.entityType.property(withName: "Items").setEntityList(
            in: order, to: EntityValueList.fromArray([changed, new, same]))
        changed.entityType.property(withName: "Text").setStringValue(in: changed, to: "t")
        return order
    }
}
