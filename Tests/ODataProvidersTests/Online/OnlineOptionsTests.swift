import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import Testing

/// What service and network options change in what is sent and taken.
@Suite struct OnlineOptionsTests {
    static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.String" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" Nullable="false"/>
        <Property Name="Note" Type="Edm.String"/>
        <Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>
        <NavigationProperty Name="Parent" Type="N.Item"/></EntityType>
        <Action Name="Renumber"><ReturnType Type="Edm.Int32"/></Action>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item">
        <NavigationPropertyBinding Path="Parent" Target="Items"/></EntitySet>
        <ActionImport Name="Renumber" Action="N.Renumber"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func item(_ provider: OnlineODataProvider, _ id: String) throws -> EntityValue {
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setStringValue(in: entity, to: id)
        return entity
    }

    private func query(_ provider: OnlineODataProvider) throws -> DataQuery {
        try provider.loadMetadata()
        return DataQuery().from(provider.metadata.entitySet(withName: "Items"))
    }

    @Test func resultsThatContradictTheModelAreRefusedUnlessToldOtherwise() throws {
        let script = ScriptedService { _ in .json(#"{"value":[{"Id":"1","Name":null}]}"#) }
        let provider = script.makeProvider(Self.model)
        let error = #expect(throws: DataFormatError.self) {
            try provider.executeQuery(query(provider))
        }
        #expect(error?.code == .invalidPayload && error?.place?.description == "h/s/Items")
        #expect(error?.message?.contains("entity set Items at N.Item/Name") == true)
        provider.serviceOptions.checkResults = false
        #expect(try provider.executeQuery(query(provider)).entityList().count == 1)
    }

    @Test func anEntityWithoutItsKeyIsRefusedUnlessTheQuerySelects() throws {
        let script = ScriptedService { _ in .json(#"{"value":[{"Name":"n"}]}"#) }
        let provider = script.makeProvider(Self.model)
        let error = #expect(throws: DataFormatError.self) {
            try provider.executeQuery(query(provider))
        }
        #expect(error?.code == .invalidPayload && error?.place?.description == "h/s/Items")
        #expect(error?.message?.contains("entity set Items at N.Item/Id") == true)
        let name = provider.metadata.entitySet(withName: "Items").entityType
            .property(withName: "Name")
        #expect(try provider.executeQuery(query(provider).select(name)).entityList().count == 1)
    }

    @Test func missingNullsAndEmptyListsAreFilledInWhereAskedFor() throws {
        let script = ScriptedService { _ in .json(#"{"value":[{"Id":"1","Name":"n"}]}"#) }
        let provider = script.makeProvider(Self.model)
        let plain = try provider.executeQuery(query(provider)).entityList()[0]
        let note = plain.entityType.property(withName: "Note")
        let tags = plain.entityType.property(withName: "Tags")
        #expect(!plain.hasDataValue(for: note) && !plain.hasDataValue(for: tags))
        provider.serviceOptions.fixMissingNullValues = true
        provider.serviceOptions.fixMissingEmptyLists = true
        let fixed = try provider.executeQuery(query(provider)).entityList()[0]
        #expect(fixed.hasDataValue(for: note) && fixed.optionalValue(for: note) == nil)
        #expect((fixed.optionalValue(for: tags) as? DataValueList)?.count == 0)
    }

    @Test func linksAreMadeOneByOneForAServiceThatTakesNoneInside() throws {
        let script = ScriptedService { request in
            request.url.hasSuffix("/Items")
                ? .json(#"{"Id":"2","Name":"n"}"#, status: 201) : ResponseMessage(status: 204)
        }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.supportsBind = false
        let parent = try item(provider, "1")
        let child = try item(provider, "2")
        child.bindEntity(parent, to: child.entityType.property(withName: "Parent"))
        try provider.createEntity(child)
        #expect(
            script.requests.map(\.line) == [
                "POST http://h/s/Items", "PUT http://h/s/Items('2')/Parent/$ref",
            ])
        #expect(script.requests[0].text == #"{"Id":"2"}"#)
        #expect(script.requests[1].text == #"{"@odata.id":"http://h/s/Items('1')"}"#)
    }

    @Test func charactersAreKeptOutOfPathsAsAskedFor() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.avoidInPaths = "'()"
        try provider.deleteEntity(item(provider, "a"))
        #expect(script.requests[0].url == "http://h/s/Items%28%27a%27%29")
    }

    @Test func changesAreTrackedOnlyWhereTheServiceCan() throws {
        let script = ScriptedService { _ in .json(#"{"value":[]}"#) }
        let provider = script.makeProvider(Self.model)
        let tracked = try query(provider)
        tracked.trackChanges = true
        _ = try provider.executeQuery(tracked)
        provider.serviceOptions.supportsDelta = false
        _ = try provider.executeQuery(tracked)
        let prefer = script.requests.map {
            $0.headers["Prefer"]?.contains("track-changes") ?? false
        }
        #expect(prefer == [true, false])
    }

    @Test func methodsGoInBatchesWhereAskedTo() throws {
        let answer = """
            --b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n\
            --c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\
            Content-ID: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\
            {"value":5}\r\n--c--\r\n--b--\r\n
            """
        let script = ScriptedService { _ in
            ResponseMessage(
                status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: Array(answer.utf8))
        }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.batchExecuteMethods = true
        try provider.loadMetadata()
        let service = DataService(provider: provider)
        let method = service.dataMethod(withName: "Renumber")
        let result = try provider.executeMethod(method, parameters: ParameterList())
        #expect(result?.toString() == "5")
        #expect(script.requests.map(\.line) == ["POST http://h/s/$batch"])
        #expect(script.requests[0].text.contains("POST Renumber HTTP/1.1"))
    }

    @Test func typesAreSentAndContentIsDeclinedWhereAskedFor() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.requiresType = true
        provider.serviceOptions.updateReturnsContent = false
        let entity = try item(provider, "a")
        entity.isNew = false
        entity.rememberOld()
        entity.entityType.property(withName: "Note").setStringValue(in: entity, to: "n")
        try provider.updateEntity(entity)
        #expect(script.requests[0].text == ##"{"@odata.type":"#N.Item","Note":"n"}"##)
        #expect(script.requests[0].headers["Prefer"] == "return=minimal")
    }

    @Test func pagesAreLeftToTheCallerWhereTheServiceHasNoUsableLinks() throws {
        let script = ScriptedService { _ in
            .json(#"{"value":[{"Id":"1","Name":"n"}],"@odata.nextLink":"Items?$skiptoken=1"}"#)
        }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.supportsNext = false
        let list = try provider.executeQuery(query(provider)).entityList()
        #expect(list.count == 1 && list.nextLink == "Items?$skiptoken=1")
        #expect(script.requests.count == 1)
    }

    @Test func theVersionMayBeSaidByTheApp() throws {
        let script = ScriptedService { _ in
            .json(#"{"d":{"results":[{"Id":"1","Name":"n"}]}}"#)
        }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.dataVersion = DataVersion.odataV2
        #expect(try provider.executeQuery(query(provider)).entityList().count == 1)
        #expect(script.requests[0].headers["MaxDataServiceVersion"] == "2.0")
    }

    @Test func metadataComesFromWhereTheAppSays() throws {
        let folder = try OnlineFixture.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = ScriptedService { _ in
            ResponseMessage(status: 200, body: Array(Self.model.utf8))
        }
        let remote = script.makeProvider("")
        remote.serviceOptions.metadataText = nil
        remote.serviceOptions.metadataURL = "http://h/other/model.xml"
        try remote.loadMetadata()
        #expect(script.requests.map(\.line) == ["GET http://h/other/model.xml"])
        let path = folder + "/model.xml"
        try Data(Self.model.utf8).write(to: URL(fileURLWithPath: path))
        let local = script.makeProvider("", folder: folder)
        local.serviceOptions.metadataText = nil
        local.serviceOptions.metadataFile = path
        try local.loadMetadata()
        #expect(local.hasMetadata && script.requests.count == 1)
    }

    @Test func aPingAsksAsItIsTold() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 200) }
        let provider = script.makeProvider(Self.model)
        provider.serviceOptions.pingMethod = "GET"
        provider.serviceOptions.pingResource = "/Items/$count"
        provider.serviceOptions.pingAccept = "text/plain"
        provider.networkOptions.compressResponses = false
        try provider.pingServer()
        #expect(script.requests.map(\.line) == ["GET http://h/s/Items/$count"])
        #expect(script.requests[0].headers["Accept"] == "text/plain")
        #expect(script.requests[0].headers["Accept-Encoding"] == "identity")
    }

    @Test func contentMayBeHeldInMemory() throws {
        let script = ScriptedService { request in
            request.method == "GET"
                ? ResponseMessage(status: 200, headers: ["ETag": "\"1\""], body: [1, 2])
                : ResponseMessage(status: 204)
        }
        let provider = script.makeProvider(OnlineWireTests.v4)
        provider.networkOptions.streamDownloads = false
        provider.networkOptions.streamUploads = false
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: 1)
        let stream = try provider.downloadMedia(entity: entity)
        #expect(stream.entityTag == "\"1\"")
        #expect(try stream.readAndClose() == Data([1, 2]))
        try provider.uploadMedia(entity: entity, content: ByteStream.fromBinary(data: Data([3])))
        #expect(script.requests.last?.body == [3])
    }

    @Test func bodiesAreCompressedWhereAskedToAndTheServiceReadsThem() async throws {
        try await OnlineFixture.run { fixture in
            fixture.provider.networkOptions.compressRequests = true
            #if !AsyncHTTPClient
                // Nothing here compresses: that is said at once, not met later by a body of some size.
                let error = #expect(throws: (any Error).self) {
                    try fixture.provider.loadMetadata()
                }
                #expect("\(String(describing: error))".contains("trait AsyncHTTPClient"))
                return
            #endif
            try fixture.provider.loadMetadata()
            let title = String(repeating: "abcdefgh", count: 1_000)
            let tool = fixture.newTool(title)
            fixture.tool("Lent").setBooleanValue(in: tool, to: false)
            try fixture.provider.createEntity(tool)
            let seen = try #require(fixture.service.observer.requests.last)
            #expect(seen.method == "POST")
            #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 5") == title)
            #expect(seen.headers["Content-Encoding"] == "gzip")
        }
    }

    @Test func queriesOfRequestsAreTracedOnlyWithData() throws {
        #expect(
            OnlineTraceText.url("http://h/s/Items?$filter=a", showsData: false)
                == "http://h/s/Items?…")
        #expect(
            OnlineTraceText.url("http://h/s/Items?$top=1", showsData: true)
                == "http://h/s/Items?$top=1")
        #expect(OnlineTraceText.url("http://h/s/Items", showsData: false) == "http://h/s/Items")
    }
}
