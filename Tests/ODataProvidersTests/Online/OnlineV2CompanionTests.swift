import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Testing

/// Providers against the companion service as it speaks V2, over a real connection.
@Suite struct OnlineV2CompanionTests {
    private static func run(
        _ body: @escaping @Sendable (SchoolService) throws -> Void
    ) async throws {
        try await SchoolService.run(
            schema: """
                CREATE TABLE Members (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Since DATE);
                CREATE TABLE Tools (Id INTEGER PRIMARY KEY, Title TEXT NOT NULL,
                    Price DECIMAL(10,2), Content MEDIA, OwnerId INTEGER REFERENCES Members(Id));
                INSERT INTO Members VALUES (1, 'Mia', '2020-01-31'), (2, 'Noah', NULL);
                INSERT INTO Tools (Id, Title, Price, OwnerId) VALUES (1, 'Saw', 12.5, 1),
                    (2, 'Plane', 7, 1), (3, 'Hammer', NULL, 2);
                """, adjust: { $0.speaksV2 = true }, body)
    }

    private func provider(_ school: SchoolService) throws -> OnlineODataProvider {
        let provider = OnlineODataProvider(
            serviceName: "V2", serviceRoot: school.url.absoluteString)
        try provider.loadMetadata()
        return provider
    }

    @Test func whatIsWrittenIsReadAgain() async throws {
        try await Self.run { school in
            let provider = try provider(school)
            let members = provider.metadata.entitySet(withName: "Members")
            let tools = provider.metadata.entitySet(withName: "Tools")
            let title = tools.entityType.property(withName: "Title")
            let price = tools.entityType.property(withName: "Price")
            let owner = tools.entityType.property(withName: "Owner")
            let made = EntityValue.ofType(members.entityType).inSet(members)
            members.entityType.property(withName: "Name").setStringValue(in: made, to: "Ida")
            try provider.createEntity(made)
            #expect(made.entityTag != nil)
            let found = try provider.executeQuery(
                DataQuery().from(tools).filter(title.equal("Saw")).expand(owner)
            ).requiredEntity()
            #expect(price.decimalValue(from: found) == BigDecimal("12.5"))
            title.setStringValue(in: found, to: "Saw 2")
            try provider.updateEntity(found)
            let stale = found.copyEntity()
            title.setStringValue(in: found, to: "Saw 3")
            try provider.updateEntity(found)
            title.setStringValue(in: stale, to: "lost")
            let error = #expect(throws: DataServiceError.self) { try provider.updateEntity(stale) }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/School/Tools")
            #expect(error?.status == 412)
            try provider.updateLink(from: found, property: owner, to: made)
            let related = try provider.executeQuery(
                DataQuery().from(tools).filter(title.equal("Saw 3")).expand(owner)
            ).requiredEntity()
            let name = members.entityType.property(withName: "Name")
            #expect(name.stringValue(from: owner.entityValue(from: related)) == "Ida")
            try provider.deleteEntity(related)
            let rest = try provider.executeQuery(DataQuery().from(tools)).entityList()
            #expect(rest.length == 2)
            let requests = school.service.observer.requests
            #expect(requests.contains { $0.method == "MERGE" })
            #expect(requests.contains { $0.url.contains("/$links/Owner") })
            #expect(requests.allSatisfy { $0.headers["OData-Version"] == nil })
        }
    }

    @Test func mediaAndBatchesArrive() async throws {
        try await Self.run { school in
            let provider = try provider(school)
            let tools = provider.metadata.entitySet(withName: "Tools")
            let title = tools.entityType.property(withName: "Title")
            let query = DataQuery().from(tools).orderBy(tools.entityType.property(withName: "Id"))
            let saw = try provider.executeQuery(query).entityList()[0]
            let content = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 3) })
            try provider.uploadMedia(entity: saw, content: ByteStream.fromBinary(data: content))
            #expect(try provider.downloadMedia(entity: saw).readAndClose() == content)
            let list = try provider.executeQuery(query).entityList()
            let changes = ChangeSet()
            title.setStringValue(in: list[0], to: "A")
            changes.updateEntity(list[0])
            changes.deleteEntity(list[2])
            let batch = RequestBatch()
            batch.addChanges(changes)
            batch.addQuery(query)
            try provider.processBatch(batch)
            #expect(changes.error == nil)
            let left = try batch.queryResult(for: query).entityList()
            #expect(left.toArray().map { title.stringValue(from: $0) } == ["A", "Plane"])
        }
    }

    @Test func aStoreIsKeptInStepWithIt() async throws {
        try await Self.run { school in
            let online = try provider(school)
            let file = school.folder.appendingPathComponent("store.db").path
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(serviceName: "V2", databaseURL: "sqlite:" + file))
            try sync.open()
            defer { try? sync.close() }
            func rows() throws -> [String] {
                try DatabaseQueue(path: file).read {
                    try String.fetchAll($0, sql: "SELECT Id || ' ' || Title FROM Tools ORDER BY Id")
                }
            }
            try sync.download()
            #expect(try rows() == ["1 Saw", "2 Plane", "3 Hammer"])
            let queue = try DatabaseQueue(
                path: school.folder.appendingPathComponent("school.db").path)
            try queue.write {
                try $0.execute(
                    sql: "DELETE FROM Tools WHERE Id = 3; UPDATE Tools SET Title = 'X' WHERE Id = 2"
                )
            }
            school.service.observer.forget()
            try sync.download()
            #expect(try rows() == ["1 Saw", "2 X"])
            #expect(school.service.observer.requests.contains { $0.url.contains("deltatoken") })
            let tools = sync.metadata.entitySet(withName: "Tools")
            let title = tools.entityType.property(withName: "Title")
            let saw = try sync.executeQuery(
                DataQuery().from(tools).filter(title.equal("Saw")), headers: .empty, options: .none
            ).requiredEntity()
            title.setStringValue(in: saw, to: "Saw 2")
            try sync.updateEntity(saw, headers: .empty, options: .none)
            try sync.upload()
            #expect(try !sync.hasPendingUpload())
            let served = try queue.read {
                try String.fetchOne($0, sql: "SELECT Title FROM Tools WHERE Id = 1")
            }
            #expect(served == "Saw 2")
            try sync.download()
            #expect(try rows() == ["1 Saw 2", "2 X"])
        }
    }
}
