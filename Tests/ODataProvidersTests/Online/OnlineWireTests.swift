import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataText
import Synchronization
import Testing

/// Exchanges written by hand, for what the companion service does not do.
@Suite struct OnlineWireTests {
    static let v2 = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Items" EntityType="N.Item"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    static let v4 = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        <Property Name="Icon" Type="Edm.Stream"/></EntityType>
        <Action Name="Renumber"><Parameter Name="first" Type="Edm.Int32"/>
        <ReturnType Type="Edm.Int32"/></Action>
        <Function Name="Nearest"><Parameter Name="name" Type="Edm.String"/>
        <ReturnType Type="N.Item"/></Function>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        <ActionImport Name="Renumber" Action="N.Renumber"/>
        <FunctionImport Name="Nearest" Function="N.Nearest" EntitySet="Items"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func item(_ provider: OnlineODataProvider, _ id: Int) throws -> EntityValue {
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: entity, to: id)
        return entity
    }

    private func name(_ entity: EntityValue) -> String {
        entity.entityType.property(withName: "Name").stringValue(from: entity)
    }

    @Test func aV2ServiceIsReadAndMergedInItsOwnWay() throws {
        let script = ScriptedService { request in
            switch request.method {
            case "GET":
                .json(
                    #"{"d":{"results":[{"__metadata":{"uri":"http://h/s/Items(1)","etag":"W/\"7\"","#
                        + #""type":"N.Item"},"Id":1,"Name":"a"}]}}"#)
            default: ResponseMessage(status: 204)
            }
        }
        let provider = script.makeProvider(Self.v2)
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let item = try provider.executeQuery(DataQuery().from(set).top(1)).entityList()[0]
        #expect(name(item) == "a")
        set.entityType.property(withName: "Name").setStringValue(in: item, to: "b")
        try provider.updateEntity(item)
        let update = script.requests[1]
        #expect(update.line == "MERGE http://h/s/Items(1)")
        #expect(update.text == #"{"Name":"b"}"#)
        #expect(update.headers["If-Match"] == "W/\"7\"")
        #expect(update.headers["DataServiceVersion"] == "2.0")
        #expect(update.headers["OData-Version"] == nil)
    }

    @Test func tunneledMethodsArePostsThatNameThem() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.v2)
        provider.networkOptions.tunneledMethods.append("MERGE")
        try provider.updateEntity(item(provider, 1), options: updateAnyway)
        #expect(script.requests[0].method == "POST")
        #expect(script.requests[0].headers["X-HTTP-Method"] == "MERGE")
    }

    private var updateAnyway: RequestOptions {
        let options = RequestOptions()
        options.sendEmptyUpdate = true
        return options
    }

    @Test func withoutPatchUpdatesReplace() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.v4)
        provider.serviceOptions.supportsPatch = false
        try provider.updateEntity(item(provider, 1))
        #expect(script.requests[0].line == "PUT http://h/s/Items(1)")
        #expect(script.requests[0].text == #"{"Id":1}"#)
    }

    @Test func aChangeFetchesTheTokenThatItIsRefusedWithout() throws {
        let script = ScriptedService { request in
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return ResponseMessage(status: 200, headers: ["X-CSRF-Token": "t1"])
            }
            return request.headers["X-CSRF-Token"] == "t1"
                ? ResponseMessage(status: 204)
                : ResponseMessage(status: 403, headers: ["X-CSRF-Token": "Required"])
        }
        let provider = script.makeProvider(Self.v4)
        try provider.deleteEntity(item(provider, 1))
        try provider.deleteEntity(item(provider, 2))
        #expect(script.requests.map(\.method) == ["DELETE", "GET", "DELETE", "DELETE"])
        let other = script.makeProvider(Self.v4)
        try other.acquireToken()
        try other.deleteEntity(item(other, 3))
        #expect(script.requests.map(\.method).suffix(2) == ["GET", "DELETE"])
    }

    @Test func credentialsAndHeadersGoWithEveryRequest() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 204) }
        let provider = script.makeProvider(Self.v4)
        provider.login = LoginCredentials.basic(username: "u", password: "p")
        provider.httpHeaders.setHeader(withName: "X-Tenant", value: "7")
        let own = HTTPHeaders()
        own.setHeader(withName: "X-Trace", value: "1")
        try provider.deleteEntity(item(provider, 1), headers: own)
        let headers = script.requests[0].headers
        #expect(headers["Authorization"] == "Basic dTpw")
        #expect(headers["X-Tenant"] == "7")
        #expect(headers["X-Trace"] == "1")
        #expect(headers["OData-MaxVersion"] == "4.01")
    }

    @Test func actionsArePostedWithTheirArgumentsFunctionsNamedInTheURL() throws {
        let script = ScriptedService { request in
            request.method == "POST"
                ? .json(#"{"value":12}"#) : .json(#"{"Id":3,"Name":"c"}"#)
        }
        let service = DataService(provider: script.makeProvider(Self.v4))
        let count = try service.executeMethod(
            service.dataMethod(withName: "Renumber"),
            parameters: ParameterList().with(name: "first", value: IntValue(5)))
        #expect(count?.toString() == "12")
        #expect(script.requests[0].line == "POST http://h/s/Renumber")
        #expect(script.requests[0].text == #"{"first":5}"#)
        let found = try service.executeQuery(
            DataQuery().invoke(
                service.dataMethod(withName: "Nearest"),
                ParameterList().with(name: "name", value: StringValue("o'b")))
        ).requiredEntity()
        #expect(name(found) == "c")
        #expect(found.entitySet.localName == "Items")
        #expect(script.requests[1].line == "GET http://h/s/Nearest(name='o''b')")
    }

    @Test func mediaIsCreatedReadAndReplaced() throws {
        let script = ScriptedService { request in
            switch request.method {
            case "POST":
                .json(
                    #"{"@odata.mediaEtag":"\"m\"","Id":8,"Name":null}"#, status: 201)
            case "GET":
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "image/png"], body: [1, 2, 3])
            default: ResponseMessage(status: 204, headers: ["ETag": "\"n\""])
            }
        }
        let provider = script.makeProvider(Self.v4)
        try provider.loadMetadata()
        let set = provider.metadata.entitySet(withName: "Items")
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Name").setStringValue(in: entity, to: "x")
        let content = ByteStream.fromBinary(data: Data([9]))
        content.mediaType = "image/png"
        try provider.createMedia(entity: entity, content: content)
        #expect(
            script.requests.map(\.line) == ["POST http://h/s/Items", "PATCH http://h/s/Items(8)"])
        #expect(script.requests[0].headers["Content-Type"] == "image/png")
        #expect(script.requests[0].body == [9])
        #expect(script.requests[1].text == #"{"Name":"x"}"#)

        let stream = try provider.downloadMedia(entity: entity)
        #expect(stream.mediaType == "image/png")
        #expect(try stream.readAndClose() == Data([1, 2, 3]))
        try provider.uploadMedia(entity: entity, content: CharStream.fromString("t"))
        #expect(script.requests.last?.line == "PUT http://h/s/Items(8)/$value")
        let icon = set.entityType.property(withName: "Icon").streamLink(from: entity)
        try provider.uploadStream(
            entity: entity, link: icon, content: ByteStream.fromBinary(data: Data([4])))
        #expect(script.requests.last?.line == "PUT http://h/s/Items(8)/Icon")
        #expect(icon.entityTag == "\"n\"")
        try provider.deleteStream(entity: entity, link: icon)
        #expect(script.requests.last?.headers["If-Match"] == "\"n\"")
    }

    @Test func anAnswerOfTheOtherFamilyIsRefused() throws {
        let script = ScriptedService { _ in
            .json(#"{"value":[]}"#, status: 200, ["DataServiceVersion": "2.0"])
        }
        let provider = script.makeProvider(Self.v4)
        try provider.loadMetadata()
        let query = DataQuery().from(provider.metadata.entitySet(withName: "Items"))
        #expect(
            failure { try provider.executeQuery(query) }
                == Failure(
                    DataFormatError.self, .invalidPayload, at: "h/s/Items")
        )
        provider.serviceOptions.checkVersion = false
        #expect(try provider.executeQuery(query).entityList().isEmpty)
    }

    @Test func nextLinksThatTurnInACircleAreAnError() throws {
        let script = ScriptedService { _ in
            .json(#"{"value":[],"@odata.nextLink":"Items?$skiptoken=1"}"#)
        }
        let provider = script.makeProvider(Self.v4)
        try provider.loadMetadata()
        let query = DataQuery().from(provider.metadata.entitySet(withName: "Items"))
        #expect(
            failure { try provider.executeQuery(query) }
                == Failure(DataFormatError.self, .limitExceeded, at: "Items"))
    }

    @Test func metadataIsKeptInItsFileForTheNextStart() throws {
        let folder = try OnlineFixture.makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script = ScriptedService { _ in
            ResponseMessage(status: 200, body: Array(Self.v4.utf8))
        }
        for _ in 0..<2 {
            let provider = script.makeProvider(Self.v4, folder: folder)
            provider.serviceOptions.metadataText = nil
            provider.serviceOptions.cacheMetadata = true
            try provider.loadMetadata()
            #expect(provider.metadata.graph.entitySet(named: "Items") != nil)
        }
        #expect(script.requests.map(\.line) == ["GET http://h/s/$metadata"])
    }

    @Test func metadataThatIsRefusedIsAServiceError() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 401) }
        let provider = script.makeProvider("")
        provider.serviceOptions.metadataText = nil
        let error = #expect(throws: DataServiceError.self) { try provider.loadMetadata() }
        #expect(error?.code == .service)
        #expect(error?.message == "HTTP 401 Unauthorized")
        #expect(error?.status == 401)
        #expect(!provider.hasMetadata)
    }

    @Test func aPingAsksForTheHeadOfTheRoot() throws {
        let script = ScriptedService { _ in ResponseMessage(status: 200) }
        let provider = script.makeProvider(Self.v4)
        try provider.pingServer()
        #expect(script.requests.map(\.line) == ["HEAD http://h/s/"])
    }
}
