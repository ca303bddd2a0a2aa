import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataText
import Synchronization
import Testing

/// Results one by one, JSON batches, messages beside answers, and updates that hold related entities.
@Suite struct OnlineResultTests: EntityMaking {
    static func model(_ version: String = "4.0", deepUpdates: Bool = false) -> String {
        """
        <edmx:Edmx Version="\(version)" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        <NavigationProperty Name="Items" Type="Collection(N.Item)" Partner="Order"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Order" Type="N.Order" Partner="Items"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="N.Order">
        <NavigationPropertyBinding Path="Items" Target="Items"/></EntitySet>
        <EntitySet Name="Items" EntityType="N.Item">
        <NavigationPropertyBinding Path="Order" Target="Orders"/></EntitySet>
        \(deepUpdates
            ? #"<Annotation Term="Org.OData.Capabilities.V1.DeepUpdateSupport"><Record>"#
                + #"<PropertyValue Property="Supported" Bool="true"/></Record></Annotation>"# : "")
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    private func id(_ entity: EntityValue) -> Int {
        entity.entityType.property(withName: "Id").intValue(from: entity)
    }

    // MARK: Streams

    private func pages() -> ScriptedService {
        ScriptedService { request in
            request.url.hasSuffix("/Orders")
                ? .json(
                    #"{"value":[{"Id":1},{"Id":2}],"@odata.nextLink":"Orders?$skiptoken=2"}"#)
                : .json(#"{"value":[{"Id":3}],"@odata.deltaLink":"Orders?$deltatoken=5"}"#)
        }
    }

    @Test func aStreamAsksForAPageWhenItIsNeeded() throws {
        let script = pages()
        let provider = script.makeProvider(Self.model())
        let service = DataService(provider: provider)
        let stream = try service.entityStream(DataQuery().from(try set(provider, "Orders")))
        #expect(id(try stream.next()) == 1)
        #expect(id(try stream.next()) == 2)
        #expect(script.requests.count == 1)
        #expect(id(try stream.next()) == 3)
        #expect(script.requests.map(\.line).last == "GET http://h/s/Orders?$skiptoken=2")
        #expect(try !stream.hasNext())
        #expect(stream.deltaLink == "Orders?$deltatoken=5")
        #expect(
            failure { try stream.next() }
                == Failure(
                    DataStreamError.self, .stream,
                    "Expected another entity; the stream is at its end."))
    }

    @Test func aClosedStreamAsksForNoMorePages() throws {
        let script = pages()
        let provider = script.makeProvider(Self.model())
        let stream = try provider.entityStream(DataQuery().from(try set(provider, "Orders")))
        _ = try stream.next()
        stream.close()
        #expect(try !stream.hasNext())
        #expect(stream.nextLink == "Orders?$skiptoken=2")
        #expect(script.requests.count == 1)
    }

    @Test func aStreamOfACancelledCallStopsBeforeTheNextPage() throws {
        let script = pages()
        let provider = script.makeProvider(Self.model())
        let token = CancelToken()
        let stream = try provider.entityStream(
            DataQuery().from(try set(provider, "Orders")),
            options: RequestOptions().cancelable(token))
        _ = try stream.next()
        _ = try stream.next()
        token.cancel()
        #expect(
            failure { try stream.next() }
                == Failure(DataNetworkError.self, .cancelled, "The request was cancelled."))
        #expect(script.requests.count == 1)
    }

    @Test func aStreamOfAnAsyncCallStopsByTheTokenOfItsOptionsToo() async throws {
        let script = pages()
        let provider = script.makeProvider(Self.model())
        let service = DataServiceAsync(provider: provider)
        let token = CancelToken()
        let stream = try await service.entityStream(
            DataQuery().from(try set(provider, "Orders")),
            options: RequestOptions().cancelable(token))
        _ = try stream.next()
        _ = try stream.next()
        token.cancel()
        let error = #expect(throws: DataNetworkError.self) { try stream.next() }
        #expect(error?.message == "The request was cancelled.")
        #expect(error?.code == .cancelled)
        #expect(script.requests.count == 1)
    }

    @Test func aDeltaStreamGivesEntitiesAndLinks() async throws {
        let script = ScriptedService { _ in
            .json(
                #"{"@odata.context":"http://h/s/$metadata#Orders/$delta","value":["#
                    + #"{"@odata.id":"Orders(1)","Id":1,"Name":"n"},"#
                    + #"{"@odata.context":"$metadata#Orders/$deletedEntity","id":"Orders(2)"},"#
                    + #"{"@odata.context":"$metadata#Orders/$link","source":"Orders(1)","#
                    + #""relationship":"Items","target":"Items(4)"},"#
                    + #"{"@odata.context":"$metadata#Orders/$deletedLink","source":"Orders(1)","#
                    + #""relationship":"Items","target":"Items(5)"}],"#
                    + #""@odata.deltaLink":"Orders?$deltatoken=9"}"#)
        }
        let provider = script.makeProvider(Self.model())
        let query = DataQuery().from(try set(provider, "Orders"))
        query.url = "Orders?$deltatoken=8"
        let stream = try provider.deltaStream(query)
        var seen: [String] = []
        while try stream.next() {
            if stream.hasEntity() {
                let entity = try stream.entity()
                seen.append("\(entity.isDeleted ? "-" : "+")\(id(entity))")
            } else {
                let link = try stream.link()
                seen.append(
                    "\(link.isDeleted ? "-" : "+")\(id(link.source))/"
                        + "\(link.sourceProperty.name)/\(id(link.target))")
                #expect(link.target.entitySet.localName == "Items")
            }
        }
        #expect(seen == ["+1", "-2", "+1/Items/4", "-1/Items/5"])
        #expect(stream.deltaLink == "Orders?$deltatoken=9")
        let list = try provider.executeQuery(query).entityList()
        #expect(list.changedLinks.length == 2)
        let service = DataServiceAsync(provider: provider)
        let other = try await service.deltaStream(query)
        #expect(try other.next())
    }

    // MARK: Batches as JSON

    private func answers(_ text: String) -> ScriptedService {
        ScriptedService { _ in .json(text) }
    }

    @Test func aBatchMayBeSentAsJSON() throws {
        let script = answers(
            #"{"responses":[{"id":"1","atomicityGroup":"g2","status":201,"headers":{"#
                + #""content-type":"application/json"},"body":{"Id":9}},"#
                + #"{"id":"2","atomicityGroup":"g2","status":204},"#
                + #"{"id":"r1.1","status":200,"headers":{"content-type":"application/json"},"#
                + #""body":{"value":[{"Id":7}]}}]}"#)
        let provider = script.makeProvider(Self.model("4.01"))
        provider.serviceOptions.batchAsJSON = true
        let batch = RequestBatch()
        let query = DataQuery().from(try set(provider, "Orders"))
        batch.addQuery(query)
        let changes = ChangeSet()
        let order = try entity(provider, "Orders", 9, isNew: true)
        let item = try entity(provider, "Items", 1)
        changes.createEntity(order)
        changes.createLink(
            from: order, property: order.entityType.property(withName: "Items"), to: item)
        batch.addChanges(changes)
        try provider.processBatch(batch)
        #expect(try batch.queryResult(for: query).entityList().length == 1)
        #expect(changes.error == nil)
        #expect(order.isCreated)
        let sent = script.requests[0]
        #expect(sent.headers["Content-Type"] == "application/json")
        let requests = try #require(JSONValue(parsing: sent.body)["requests"]?.array)
        #expect(requests.map { $0["id"]?.string } == ["r1.1", "1", "2"])
        #expect(requests.map { $0["atomicityGroup"]?.string } == [nil, "g2", "g2"])
        #expect(requests[2]["url"]?.string == "$1/Items/$ref")
        #expect(requests[2]["dependsOn"]?.array?.compactMap(\.string) == ["1"])
    }

    @Test func aGroupThatFailedSaysWhy() throws {
        let script = answers(
            #"{"responses":[{"id":"1","status":424},{"id":"2","status":409,"headers":{"#
                + #""content-type":"application/json"},"body":{"error":{"code":"C","message":"#
                + #""Twice"}}}]}"#)
        let provider = script.makeProvider(Self.model("4.01"))
        provider.serviceOptions.batchAsJSON = true
        let changes = ChangeSet()
        changes.deleteEntity(try entity(provider, "Orders", 1))
        changes.createEntity(try entity(provider, "Orders", 2, isNew: true))
        let batch = RequestBatch()
        batch.addChanges(changes)
        try provider.processBatch(batch)
        #expect(changes.status == 409)
        #expect(changes.error?.response?.message == "Twice")
    }

    @Test func theCompanionServiceAnswersAJSONBatch() async throws {
        try await OnlineFixture.run { fixture in
            fixture.provider.serviceOptions.batchAsJSON = true
            try fixture.provider.loadMetadata()
            let batch = RequestBatch()
            let query = DataQuery().from(fixture.members)
            batch.addQuery(query)
            let changes = ChangeSet()
            let tool = fixture.newTool("Rasp")
            fixture.tool("Lent").setBooleanValue(in: tool, to: false)
            changes.createEntity(tool)
            batch.addChanges(changes)
            try fixture.provider.processBatch(batch)
            #expect(changes.error == nil)
            #expect(try batch.queryResult(for: query).entityList().length == 2)
            #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 5") == "Rasp")
            let sent = try #require(
                fixture.service.observer.requests.first { $0.url == "/$batch" })
            #expect(sent.headers["Content-Type"] == "application/json")
        }
    }

    // MARK: Messages

    @Test func messagesBesideAnAnswerAreHeard() throws {
        let script = ScriptedService { request in
            .json(
                request.method == "GET" ? #"{"value":[]}"# : #"{"Id":1}"#,
                status: request.method == "GET" ? 200 : 201,
                [
                    "sap-messages":
                        #"[{"code":"A/1","message":"Check it","target":"Name","numericSeverity":3}]"#
                ])
        }
        let provider = script.makeProvider(Self.model())
        let heard = Mutex<[String]>([])
        provider.messageListener = { message in
            heard.withLock {
                $0.append("\(message.severity) \(message.code) \(message.target ?? "")")
            }
        }
        let result = try provider.executeQuery(DataQuery().from(try set(provider, "Orders")))
        #expect(result.messages.toArray().map(\.message) == ["Check it"])
        try provider.createEntity(entity(provider, "Orders", 1, isNew: true))
        #expect(
            heard.withLock { $0 } == ["warning A/1 Name", "warning A/1 Name"])
    }

    // MARK: Deep updates

    @Test func relatedEntitiesGoInsideAnUpdateWhereTheServiceTakesThem() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.model("4.01", deepUpdates: true))
        let order = try order(provider)
        try provider.updateEntity(order)
        #expect(script.requests.map(\.line) == ["PATCH http://h/s/Orders(7)"])
        #expect(script.requests[0].text == #"{"Items@delta":[{"Id":1,"Text":"t"},{"Id":2}]}"#)
        #expect(script.requests[0].headers["OData-Version"] == "4.01")
        try provider.updateEntity(order)
        #expect(script.requests.count == 1)
    }

    @Test func relatedEntitiesFollowAnUpdateElsewhere() throws {
        let script = ScriptedService { request in
            request.method == "POST"
                ? .json(#"{"Id":2}"#, status: 201) : ResponseMessage(status: 204)
        }
        let provider = script.makeProvider(Self.model())
        try provider.updateEntity(order(provider))
        #expect(
            script.requests.map(\.line) == [
                "PATCH http://h/s/Items(1)", "POST http://h/s/Orders(7)/Items",
            ])
    }

    @Test func aDeepInsertHoldsNewEntitiesAndNamesKnownOnes() throws {
        let script = ScriptedService { _ in .json(#"{"Id":8}"#, status: 201) }
        let provider = script.makeProvider(Self.model())
        let order = try entity(provider, "Orders", 8, isNew: true)
        order.entityType.property(withName: "Items").setEntityList(
            in: order,
            to: EntityValueList.fromArray([
                try entity(provider, "Items", 1), try entity(provider, "Items", 2, isNew: true),
            ]))
        try provider.createEntity(order)
        #expect(
            script.requests[0].text
                == #"{"Id":8,"Items@odata.bind":["Items(1)"],"Items":[{"Id":2}]}"#)
    }

    // MARK: Options

    @Test(arguments: [true, false])
    func aliasesAreSentWhereTheServiceKnowsThem(_ isKnown: Bool) throws {
        let script = answers(#"{"value":[]}"#)
        let provider = script.makeProvider(Self.model())
        provider.serviceOptions.supportsAlias = isKnown
        let orders = try set(provider, "Orders")
        let name = orders.entityType.property(withName: "Name")
        let query = DataQuery().from(orders).filter(name.equal(QueryAlias(name: "n")))
            .alias("n", StringValue.of("a"))
        _ = try provider.executeQuery(query)
        #expect(
            script.requests[0].url == "http://h/s/Orders?$filter=Name%20eq%20"
                + (isKnown ? "@n&@n='a'" : "'a'"))
    }

    @Test func tunnelingIsForAnyMethodAndHeader() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.model())
        provider.networkOptions.tunneledMethods.append("PATCH")
        provider.networkOptions.tunnelingHeader = "X-HTTP-Method-Override"
        let order = try entity(provider, "Orders", 7)
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "b")
        try provider.updateEntity(order)
        #expect(script.requests[0].line == "POST http://h/s/Orders(7)")
        #expect(script.requests[0].headers["X-HTTP-Method-Override"] == "PATCH")
    }

    @Test func schemasThatDocumentsNameMayBeLent() throws {
        let other = try CSDLParser().parse(
            Self.model().replacingOccurrences(of: "Namespace=\"N\"", with: "Namespace=\"Lent\"")
                .replacingOccurrences(of: "N.", with: "Lent."), url: "lent")
        let text = Self.model().replacingOccurrences(
            of: "<Property Name=\"Name\" Type=\"Edm.String\"/>",
            with: "<Property Name=\"Name\" Type=\"Lent.Text\"/>")
        let provider = answers("").makeProvider(text)
        #expect(
            failure { try provider.loadMetadata() }
                == Failure(
                    CSDLError.self, .invalidMetadata,
                    "invalidMetadata at line 5, column 1: Expected a defined type, found Lent.Text."
                ))
        provider.serviceOptions.includeSchemas = DataSchemaList.fromArray([
            other.dataSchema(withName: "Lent")
        ])
        try provider.loadMetadata()
        #expect(provider.hasMetadata)
    }
}
