import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import Testing

@Suite struct OnlineBatchTests {
    @Test func queriesAndChangesGoInOneRequest() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let saw = try fixture.fetchTool(1)
            fixture.tool("Title").setStringValue(in: saw, to: "Rip saw")
            let axe = fixture.newTool("Axe")
            let changes = ChangeSet()
            changes.updateEntity(saw)
            changes.createEntity(axe)
            let query = DataQuery().from(fixture.tools).orderBy(fixture.tool("Id"))
            let batch = RequestBatch()
            batch.addChanges(changes)
            batch.addQuery(query)
            let before = fixture.service.observer.requestCount
            try service.processBatch(batch)
            #expect(fixture.service.observer.requestCount == before + 1)
            #expect(batch.status == 200)
            #expect(changes.error == nil)
            #expect(fixture.tool("Id").longValue(from: axe) == 5)
            #expect(saw.changedSlots.isEmpty)
            #expect(
                fixture.titles(try batch.queryResult(for: query).entityList())
                    == ["Rip saw", "Plane", "Hammer", "Drill", "Axe"])
        }
    }

    @Test func membersOfAChangeSetMayReferToNewOnes() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let zoe = EntityValue.ofType(fixture.members.entityType).inSet(fixture.members)
            fixture.member("Name").setStringValue(in: zoe, to: "Zoe")
            let axe = fixture.newTool("Axe")
            axe.bindEntity(zoe, to: fixture.tool("Owner"))
            let changes = ChangeSet()
            changes.createEntity(zoe)
            changes.createEntity(axe)
            changes.createRelatedEntity(
                fixture.newTool("Adze"), in: zoe, property: fixture.member("Tools"))
            try service.applyChanges(changes)
            #expect(
                try fixture.value("SELECT group_concat(Title) FROM Tools WHERE OwnerId = 3")
                    == "Axe,Adze")
        }
    }

    @Test func aFailedChangeSetLeavesNothingAndSaysWhy() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let gone = try fixture.fetchTool(2)
            try service.deleteEntity(try fixture.fetchTool(2))
            let axe = fixture.newTool("Axe")
            let changes = ChangeSet()
            changes.createEntity(axe)
            changes.deleteEntity(gone)
            let query = DataQuery().from(fixture.tools).count()
            let batch = RequestBatch()
            batch.addChanges(changes)
            batch.addQuery(query)
            try service.processBatch(batch)
            #expect(changes.error?.status == 404)
            #expect(axe.isNew)
            #expect(try batch.queryResult(for: query).count() == 3)
            #expect(
                failure { try service.applyChanges(changes) }
                    == Failure(
                        DataServiceError.self, .service,
                        "Expected an entity with this key, found none.", status: 404))
        }
    }

    @Test func aFailedQueryDoesNotDisturbTheOthers() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let missing = DataQuery().from(fixture.tools).withKey(fixture.key(99))
            let found = DataQuery().from(fixture.tools).withKey(fixture.key(1))
            let batch = RequestBatch()
            batch.addQuery(missing)
            batch.addQuery(found)
            try service.processBatch(batch)
            let error = #expect(throws: DataServiceError.self) {
                try batch.queryResult(for: missing)
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/Tools")
            #expect(error?.status == 404)
            let saw = try batch.queryResult(for: found).requiredEntity()
            #expect(fixture.tool("Title").stringValue(from: saw) == "Saw")
        }
    }

    @Test func singleRequestsGoInBatchesWhereAskedTo() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let options = RequestOptions()
            options.useBatch = true
            try fixture.provider.createEntity(fixture.newTool("Axe"), options: options)
            let list = try fixture.provider.executeQuery(
                DataQuery().from(fixture.tools), options: options
            ).entityList()
            #expect(list.length == 5)
            let outside = fixture.service.observer.requests.filter { !$0.isInBatch }
            #expect(outside.map(\.url).suffix(2) == ["/$batch", "/$batch"])
        }
    }
}
