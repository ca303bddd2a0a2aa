import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import Testing

@Suite struct OnlineReadTests {
    @Test func aQueryIsSentAsItsURLAndGivesEntities() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let result = try service.executeQuery(
                DataQuery().from(fixture.tools).filter(fixture.tool("Price").greaterThan(5))
                    .orderBy(fixture.tool("Price"), .descending).top(2))
            #expect(result.status == 200)
            #expect(fixture.titles(try result.entityList()) == ["Drill", "Saw"])
            #expect(
                fixture.requests
                    == ["GET /Tools?$filter=Price%20gt%205&$orderby=Price%20desc&$top=2"])
        }
    }

    @Test func metadataIsLoadedByTheFirstCallAndOnlyOnce() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            #expect(!service.hasMetadata)
            let tools = service.entitySet(withName: "Tools")
            #expect(service.hasMetadata)
            _ = try service.executeQuery(DataQuery().from(tools))
            let asked = fixture.service.observer.requests.filter { $0.url.hasSuffix("$metadata") }
            #expect(asked.count == 1)
            let fresh = try service.fetchMetadata()
            #expect(fresh !== service.metadata)
            #expect(fresh.graph == service.metadata.graph)
        }
    }

    @Test func pagesOfTheServiceBecomeOneResult() async throws {
        try await OnlineFixture.run(pageSize: 3) { fixture in
            try fixture.provider.loadMetadata()
            let list = try fixture.provider.executeQuery(
                DataQuery().from(fixture.tools).inlineCount()
            ).entityList()
            #expect(fixture.titles(list) == ["Saw", "Plane", "Hammer", "Drill"])
            #expect(list.totalCount == 4)
            #expect(list.nextLink == nil)
            #expect(fixture.requests.count == 2)
        }
    }

    @Test func aQueryForPagesGivesThemOneByOne() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let first = try fixture.provider.executeQuery(
                DataQuery().from(fixture.tools).page(3))
            #expect(fixture.titles(try first.entityList()) == ["Saw", "Plane", "Hammer"])
            let prefer = fixture.service.observer.requests.last?.headers["Prefer"]
            #expect(prefer == "odata.maxpagesize=3")
            let second = try fixture.provider.executeQuery(try first.nextQuery())
            #expect(fixture.titles(try second.entityList()) == ["Drill"])
            #expect(second.nextLink() == nil)
        }
    }

    @Test func entitiesKnowTheirSetTagAndFormerValues() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let saw = try fixture.fetchTool(1)
            #expect(saw.entitySet === fixture.tools)
            #expect(saw.entityTag == "W/\"0\"")
            #expect(!saw.isNew)
            fixture.tool("Title").setStringValue(in: saw, to: "Fret saw")
            #expect(saw.oldEntity.map { fixture.tool("Title").stringValue(from: $0) } == "Saw")
        }
    }

    @Test func relatedEntitiesComeInsideOrLater() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let owner = fixture.tool("Owner")
            let inside = try service.executeQuery(
                DataQuery().from(fixture.tools).withKey(fixture.key(1)).expand(owner)
            ).requiredEntity()
            let name = fixture.member("Name")
            #expect(name.stringValue(from: owner.entityValue(from: inside)) == "Mia")

            let mia = try fixture.fetchMember(1)
            try service.loadProperty(fixture.member("Tools"), into: mia)
            let tools = fixture.member("Tools").entityList(from: mia)
            #expect(fixture.titles(tools) == ["Saw", "Plane"])
            #expect(mia.changedSlots.isEmpty)

            let drill = try fixture.fetchTool(4)
            try service.loadProperty(owner, into: drill)
            #expect(drill.optionalValue(for: owner) == nil)
            #expect(
                Array(fixture.requests.suffix(3))
                    == ["GET /Members(1)/Tools", "GET /Tools(4)", "GET /Tools(4)/Owner"])
        }
    }

    @Test func aQueryShapesTheRelatedEntitiesThatAreLoaded() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let mia = try fixture.fetchMember(1)
            try service.loadProperty(
                fixture.member("Tools"), into: mia,
                query: DataQuery().filter(fixture.tool("Lent").equal(true)))
            #expect(fixture.titles(fixture.member("Tools").entityList(from: mia)) == ["Plane"])
            #expect(fixture.requests.last == "GET /Members(1)/Tools?$filter=Lent%20eq%20true")
        }
    }

    @Test func loadingFillsTheEntityThatWasGiven() async throws {
        try await OnlineFixture.run { fixture in
            let service = DataService(provider: fixture.provider)
            try service.loadMetadata()
            let tool = EntityValue.ofType(fixture.tools.entityType)
            fixture.tool("Id").setLongValue(in: tool, to: 2)
            try service.loadEntity(tool)
            #expect(fixture.tool("Title").stringValue(from: tool) == "Plane")
            #expect(tool.changedSlots.isEmpty)
            try service.loadProperty(fixture.tool("Price"), into: tool)
            #expect(fixture.requests.last == "GET /Tools(2)/Price")
        }
    }

    @Test func countsAreNumbers() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let query = DataQuery().from(fixture.tools).filter(fixture.tool("Lent").equal(false))
            #expect(try fixture.provider.executeQuery(query.count()).count() == 3)
            #expect(fixture.requests == ["GET /Tools/$count?$filter=Lent%20eq%20false"])
        }
    }

    @Test func aURLOfTheCallersIsSentAsItIs() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let query = DataQuery().from(fixture.tools)
            query.url = "Tools?$orderby=Title&$top=1&x=a%20b"
            let list = try fixture.provider.executeQuery(query).entityList()
            #expect(fixture.titles(list) == ["Drill"])
            #expect(fixture.requests == ["GET /Tools?$orderby=Title&$top=1&x=a%20b"])
        }
    }

    @Test func theServicesWordsStandInTheError() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let error = #expect(throws: DataServiceError.self) {
                _ = try fixture.fetchTool(99)
            }
            #expect(error?.code == .service)
            #expect(error?.place?.path == "/Tools")
            #expect(error?.status == 404)
            #expect(error?.response?.message.isEmpty == false)
            #expect(error?.localizedDescription == error?.response?.message)
        }
    }

    @Test func aQueryThatDoesNotFitTheModelIsNotSent() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let query = DataQuery().from(fixture.tools).filter(
                fixture.member("Since").equal("soon"))
            #expect(
                failure { try fixture.provider.executeQuery(query) }
                    == Failure(DataQueryError.self, .unknownName, at: "Since"))
            #expect(fixture.requests.isEmpty)
        }
    }

    @Test func aServiceThatIsGoneIsANetworkError() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let tools = fixture.tools
            fixture.service.stop()
            #expect(
                failure {
                    try fixture.provider.executeQuery(DataQuery().from(tools))
                } == Failure(DataNetworkError.self, .network, at: "127.0.0.1/Tools"))
            #expect(
                failure { try fixture.provider.pingServer() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/"))
        }
    }

    @Test func changesSinceAReadAreReadByItsDeltaLink() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let query = DataQuery().from(fixture.tools)
            query.trackChanges = true
            let first = try fixture.provider.executeQuery(query)
            let link = try #require(first.deltaLink())
            try fixture.provider.deleteEntity(try fixture.fetchTool(1))
            let later = DataQuery().from(fixture.tools)
            later.url = link
            let changes = try fixture.provider.executeQuery(later).entityList().toArray()
            #expect(changes.count == 1)
            #expect(changes.first?.isDeleted == true)
            #expect(changes.first.map { fixture.tool("Id").longValue(from: $0) } == 1)
        }
    }

    /// What `$apply` and `$compute` make is no property of the type, and comes nevertheless.
    @Test func computedPropertiesAreDynamicOnes() async throws {
        try await OnlineFixture.run { fixture in
            try fixture.provider.loadMetadata()
            let groups = DataQuery().from(fixture.tools)
            groups.url =
                "Tools?$apply=groupby((Title),aggregate(Id with max as Last))&$orderby=Title"
            let rows = try fixture.provider.executeQuery(groups).entityList()
            #expect(
                rows.toArray().map { $0.dynamicValue("Last")?.toString() } == ["4", "3", "2", "1"])
            let doubled = DataQuery().from(fixture.tools)
            doubled.url = "Tools?$compute=Id mul 2 as Twice&$select=Id,Twice&$top=1"
            let one = try fixture.provider.executeQuery(doubled).entityList()
            #expect(one[0].dynamicValue("Twice")?.toString() == "2")
        }
    }
}
