import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import Testing

@Suite struct OnlineChangeTests {
    @Test func aCreatedEntityTakesOverWhatTheServiceAnswers() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let axe = fixture.newTool("Axe")
            try service.createEntity(axe)
            #expect(!axe.isNew)
            #expect(axe.isCreated)
            #expect(fixture.tool("Id").longValue(from: axe) == 5)
            #expect(axe.entityTag != nil)
            #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 5") == "Axe")
        }
    }

    @Test func aCreateWithoutContentLearnsItsKeyFromTheLocation() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let options = RequestOptions()
            options.preferNoContent = true
            let axe = fixture.newTool("Axe")
            try fixture.provider.createEntity(axe, options: options)
            #expect(fixture.tool("Id").longValue(from: axe) == 5)
            #expect(axe.changedSlots.isEmpty)
        }
    }

    @Test func anUpdateSendsWhatChangedAndAsksForTheStateItSaw() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let (first, second) = (try fixture.fetchTool(1), try fixture.fetchTool(1))
            fixture.tool("Title").setStringValue(in: first, to: "Rip saw")
            try fixture.provider.updateEntity(first)
            #expect(first.entityTag != second.entityTag)
            #expect(fixture.requests.last == "PATCH /Tools(1)")

            fixture.tool("Lent").setBooleanValue(in: second, to: true)
            let error = #expect(throws: DataServiceError.self) {
                try fixture.provider.updateEntity(second)
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/Tools")
            #expect(error?.status == 412)
            try fixture.provider.loadEntity(second)
            fixture.tool("Lent").setBooleanValue(in: second, to: true)
            try fixture.provider.updateEntity(second)
            #expect(try fixture.value("SELECT Title || Lent FROM Tools WHERE Id = 1") == "Rip saw1")
        }
    }

    @Test func anUpdateOfNothingIsNotSent() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let saw = try fixture.fetchTool(1)
            let count = fixture.requests.count
            try fixture.provider.updateEntity(saw)
            #expect(fixture.requests.count == count)
            let options = RequestOptions()
            options.sendEmptyUpdate = true
            try fixture.provider.updateEntity(saw, options: options)
            #expect(fixture.requests.last == "PATCH /Tools(1)")
        }
    }

    @Test func aReplacementSendsAllOfTheEntity() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let saw = try fixture.fetchTool(1)
            saw.setOptionalValue(for: fixture.tool("Price"), to: nil)
            let options = RequestOptions()
            options.updateMode = .replace
            try fixture.provider.updateEntity(saw, options: options)
            #expect(fixture.requests.last == "PUT /Tools(1)")
            #expect(
                try fixture.value("SELECT Title FROM Tools WHERE Price IS NULL AND Id = 1") == "Saw"
            )
        }
    }

    @Test func aDeletedEntityIsGone() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let saw = try fixture.fetchTool(1)
            try service.deleteEntity(saw)
            #expect(saw.isDeleted)
            let error = #expect(throws: DataServiceError.self) { try service.loadEntity(saw) }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/Tools")
            #expect(error?.status == 404)
            try service.deleteByQuery(
                DataQuery().from(fixture.tools).filter(fixture.tool("Id").greaterThan(2)))
            #expect(try fixture.value("SELECT group_concat(Id) FROM Tools") == "2")
        }
    }

    @Test func savingCreatesWhatIsNewAndUpdatesTheRest() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let axe = fixture.newTool("Axe")
            try service.saveEntity(axe)
            fixture.tool("Title").setStringValue(in: axe, to: "Big axe")
            try service.saveEntity(axe)
            #expect(fixture.requests == ["POST /Tools", "PATCH /Tools(5)"])
        }
    }

    @Test func linksAreMadeChangedAndRemoved() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let (drill, noah) = (try fixture.fetchTool(4), try fixture.fetchMember(2))
            let owner = fixture.tool("Owner")
            try service.updateLink(from: drill, property: owner, to: noah)
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 4") == "2")
            try service.deleteLink(from: drill, property: owner)
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 4") == nil)
            try service.createLink(from: noah, property: fixture.member("Tools"), to: drill)
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 4") == "2")
            #expect(
                Array(fixture.requests.suffix(3)) == [
                    "PUT /Tools(4)/Owner/$ref", "DELETE /Tools(4)/Owner/$ref",
                    "POST /Members(2)/Tools/$ref",
                ])
            #expect(
                failure {
                    try service.deleteLink(from: noah, property: fixture.member("Tools"))
                }
                    == Failure(
                        UsageError.self, .usage,
                        "Expected a target for a link of the collection Tools."))
        }
    }

    @Test func entitiesAreBoundWhileTheyAreCreatedOrUpdated() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let axe = fixture.newTool("Axe")
            axe.bindEntity(try fixture.fetchMember(2), to: fixture.tool("Owner"))
            try fixture.provider.createEntity(axe)
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == "2")
            #expect(!axe.hasChangedBindings)
            axe.bindEntity(try fixture.fetchMember(1), to: fixture.tool("Owner"))
            try fixture.provider.updateEntity(axe)
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == "1")
        }
    }

    @Test func relatedEntitiesAreCreatedUnderTheirParent() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let noah = try fixture.fetchMember(2)
            try service.createRelatedEntity(
                fixture.newTool("Axe"), in: noah, property: fixture.member("Tools"))
            #expect(fixture.requests.last == "POST /Members(2)/Tools")
            #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 5") == "2")
        }
    }

    @Test func aRepeatableRequestIsCarriedOutOnce() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let options = RequestOptions()
            options.repeatable = true
            try fixture.provider.createEntity(fixture.newTool("Axe"), options: options)
            #expect(options.requestID != nil)
            try fixture.provider.createEntity(fixture.newTool("Axe"), options: options)
            #expect(try fixture.value("SELECT count(*) FROM Tools") == "5")
        }
    }
}
