import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataText
import Testing

/// What updates inside change sets take along, and what single ones do; media entities in change sets.
@Suite struct OnlineChangeSetTests: EntityMaking {
    /// Refuses everything, so that only what is sent matters.
    private func refusing() -> ScriptedService {
        ScriptedService { _ in ResponseMessage(status: 400) }
    }

    private func items(_ order: EntityValue) -> EntityValueList {
        order.entityType.property(withName: "Items").entityList(from: order)
    }

    /// The request lines inside the batch that carrying out the set sends.
    private func lines(
        _ provider: OnlineODataProvider, _ script: ScriptedService, _ changes: ChangeSet
    ) throws -> [String] {
        #expect(
            failure {
                try DataService(provider: provider).applyChanges(changes)
            } == Failure(DataServiceError.self, .service, at: "h/s/$batch", status: 400))
        let batch = try #require(script.requests.last).text
        return batch.split(whereSeparator: \.isNewline).map(String.init).filter {
            $0.hasSuffix(" HTTP/1.1")
        }.map { String($0.dropLast(9)) }
    }

    @Test func relatedEntitiesFollowAnUpdateInTheSameSet() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model())
        let changes = ChangeSet()
        changes.updateEntity(try order(provider))
        #expect(
            try lines(provider, script, changes) == ["PATCH Items(1)", "POST Orders(7)/Items"])
    }

    @Test func relatedEntitiesGoInsideWhereTheServiceTakesThem() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model("4.01", deepUpdates: true))
        let changes = ChangeSet()
        changes.updateEntity(try order(provider))
        #expect(try lines(provider, script, changes) == ["PATCH Orders(7)"])
        #expect(
            script.requests.last?.text.contains(
                #"{"Items@delta":[{"Id":1,"Text":"t"},{"Id":2}]}"#) == true)
    }

    @Test func aV2ServiceIsAskedOneByOne() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineV2Tests.model)
        let changes = ChangeSet()
        changes.updateEntity(try order(provider))
        #expect(
            try lines(provider, script, changes) == ["MERGE Items(1)", "POST Orders(7)/Items"])
    }

    @Test func membersOfTheSetAreNotTakenAlong() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model())
        let order = try order(provider)
        let changes = ChangeSet()
        changes.updateEntity(order)
        changes.createRelatedEntity(
            items(order)[1], in: order, property: order.entityType.property(withName: "Items"))
        changes.updateEntity(items(order)[0])
        #expect(
            try lines(provider, script, changes) == ["POST Orders(7)/Items", "PATCH Items(1)"])
    }

    @Test func entitiesThatHoldEachOtherAreSentOnce() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model())
        let order = try order(provider)
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "n")
        let item = items(order)[0]
        item.entityType.property(withName: "Order").setEntityValue(in: item, to: order)
        let changes = ChangeSet()
        changes.updateEntity(order)
        #expect(
            try lines(provider, script, changes)
                == ["PATCH Orders(7)", "PATCH Items(1)", "POST Orders(7)/Items"])
    }

    @Test func linksHaveRequestsWhereTheServiceTakesNoneInside() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model())
        provider.serviceOptions.supportsBind = false
        let item = try entity(provider, "Items", 9, isNew: true)
        item.bindEntity(
            try entity(provider, "Orders", 7), to: item.entityType.property(withName: "Order"))
        let changes = ChangeSet()
        changes.createEntity(item)
        #expect(try lines(provider, script, changes) == ["POST Items", "PUT $1/Order/$ref"])
    }

    @Test func whatASetBringsAlongIsThatOfTheService() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let mia = try service.executeQuery(
                DataQuery().from(fixture.members).withKey(fixture.key(1))
                    .expand(fixture.member("Tools"))
            ).requiredEntity()
            let tools = fixture.member("Tools").entityList(from: mia)
            fixture.tool("Title").setStringValue(in: tools[0], to: "Rip saw")
            let axe = fixture.newTool("Axe")
            tools.append(axe)
            let changes = ChangeSet()
            changes.updateEntity(mia)
            try service.applyChanges(changes)
            #expect(
                try fixture.value(
                    "SELECT group_concat(Title) FROM (SELECT * FROM Tools WHERE OwnerId = 1 ORDER BY Id)"
                ) == "Rip saw,Plane,Axe")
            #expect(axe.isCreated && !axe.isNew && fixture.tool("Id").longValue(from: axe) == 5)
            #expect(tools[0].changedSlots.isEmpty && tools[0].isUpdated)
        }
    }

    @Test func relativesThatWereReadAreNotSentAgain() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let mia = try service.executeQuery(
                DataQuery().from(fixture.members).withKey(fixture.key(1))
                    .expand(fixture.member("Tools"))
            ).requiredEntity()
            #expect(fixture.member("Tools").entityList(from: mia).length == 2)
            fixture.member("Name").setStringValue(in: mia, to: "Maja")
            let before = fixture.requests.count
            try service.updateEntity(mia)
            #expect(fixture.requests.dropFirst(before).count == 1)
            #expect(fixture.requests.last?.hasPrefix("PATCH") == true)
        }
    }

    // MARK: Links that go

    @Test(arguments: [true, false])
    func linksGoInsideAnUpdateWhereTheServiceTakesThat(_ isInside: Bool) throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(OnlineResultTests.model("4.01", deepUpdates: true))
        provider.serviceOptions.supportsUnbind = isInside
        let order = try entity(provider, "Orders", 7)
        let item = try entity(provider, "Items", 1)
        order.unbindEntity(item, from: order.entityType.property(withName: "Items"))
        try provider.updateEntity(order)
        item.unbindEntity(nil, from: item.entityType.property(withName: "Order"))
        try provider.updateEntity(item)
        guard isInside else {
            #expect(script.requests.map(\.method) == ["DELETE", "DELETE"])
            #expect(script.requests[0].url.hasPrefix("http://h/s/Orders(7)/Items/$ref?$id="))
            #expect(script.requests[1].url == "http://h/s/Items(1)/Order/$ref")
            return
        }
        #expect(
            script.requests.map(\.line)
                == ["PATCH http://h/s/Orders(7)", "PATCH http://h/s/Items(1)"])
        #expect(
            script.requests.map(\.text) == [
                #"{"Items@delta":[{"@removed":{"reason":"changed"},"@id":"Items(1)"}]}"#,
                #"{"Order":null}"#,
            ])
        #expect(script.requests.allSatisfy { $0.headers["OData-Version"] == "4.01" })
        #expect(!order.hasChangedBindings && !item.hasChangedBindings)
    }

    // MARK: Other

    @Test func eachRequestOfAnUpdateHasAnIdentityOfItsOwn() throws {
        let script = ScriptedService { request in
            request.method == "POST"
                ? .json(#"{"Id":2}"#, status: 201) : ResponseMessage(status: 204)
        }
        let provider = script.makeProvider(OnlineResultTests.model())
        let order = try order(provider)
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "n")
        let options = RequestOptions()
        options.repeatable = true
        try provider.updateEntity(order, options: options)
        let names = script.requests.compactMap { $0.headers["Repeatability-Request-ID"] }
        #expect(names.count == 3 && Set(names).count == 3)
        #expect(names.first == options.requestID)
    }

    @Test func aMediaEntityIsCreatedWithOthers() async throws {
        try await PictureService.run { fixture, pictures in
            let title = pictures.entityType.property(withName: "Title")
            let picture = EntityValue.ofType(pictures.entityType).inSet(pictures)
            title.setStringValue(in: picture, to: "Dune")
            let content = ByteStream.fromBinary(data: Data([7, 8, 9]))
            content.mediaType = "image/png"
            let changes = ChangeSet()
            changes.createMedia(picture, content: content)
            #expect(changes.isEntity(0) && changes.entity(0) === picture)
            let before = fixture.service.observer.requestCount
            try DataService(provider: fixture.provider).applyChanges(changes)
            #expect(fixture.service.observer.requestCount == before + 1)
            #expect(try fixture.value("SELECT Title FROM Pictures WHERE Id = 2") == "Dune")
            #expect(
                try fixture.provider.downloadMedia(entity: picture).readAndClose()
                    == Data([7, 8, 9]))
            #expect(picture.isCreated && title.stringValue(from: picture) == "Dune")
            #expect(pictures.entityType.property(withName: "Id").longValue(from: picture) == 2)
        }
    }

    @Test func nothingIsSentWhereThereIsOnlyADatabase() throws {
        let script = refusing()
        let provider = script.makeProvider(OnlineResultTests.model())
        provider.serviceOptions.databaseOnly = true
        let orders = try set(provider, "Orders")
        #expect(
            failure { try provider.executeQuery(DataQuery().from(orders)) }
                == Failure(UsageError.self, .usage, at: "h/s/Orders"))
        #expect(
            failure {
                try provider.createEntity(entity(provider, "Orders", 1, isNew: true))
            } == Failure(UsageError.self, .usage, at: "h/s/Orders"))
        #expect(
            failure { try provider.pingServer() } == Failure(UsageError.self, .usage, at: "h/s/"))
        #expect(script.requests.isEmpty)
    }
}
