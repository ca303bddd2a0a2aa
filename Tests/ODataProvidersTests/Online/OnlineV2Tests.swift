import Foundation
import SAPOData
import ODataModel
import ODataQuery
import ODataText
import Synchronization
import Testing

/// What a V2 service is sent and what it answers, written by hand (V2 operations; sections 5, 8, 10, 12 and 14 of the
/// conventions).
@Suite struct OnlineV2Tests: EntityMaking {
    static let model = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0"
          xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        <Property Name="Total" Type="Edm.Decimal" Precision="9" Scale="2"/>
        <Property Name="Placed" Type="Edm.DateTime"/>
        <NavigationProperty Name="Items" Relationship="N.Holds" FromRole="Order" ToRole="Item"/>
        </EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Text" Type="Edm.String"/>
        <NavigationProperty Name="Order" Relationship="N.Holds" FromRole="Item" ToRole="Order"/>
        </EntityType>
        <EntityType Name="Photo" m:HasStream="true"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/></EntityType>
        <Association Name="Holds"><End Role="Order" Type="N.Order" Multiplicity="0..1"/>
        <End Role="Item" Type="N.Item" Multiplicity="*"/></Association>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Orders" EntityType="N.Order"/>
        <EntitySet Name="Items" EntityType="N.Item"/>
        <EntitySet Name="Photos" EntityType="N.Photo"/>
        <AssociationSet Name="HoldsSet" Association="N.Holds">
        <End Role="Order" EntitySet="Orders"/><End Role="Item" EntitySet="Items"/></AssociationSet>
        <FunctionImport Name="Cheapest" ReturnType="Collection(N.Order)" EntitySet="Orders"
          m:HttpMethod="GET"><Parameter Name="below" Type="Edm.Decimal" Mode="In"/>
        </FunctionImport>
        <FunctionImport Name="Close" ReturnType="Edm.Int32" m:HttpMethod="POST">
        <Parameter Name="reason" Type="Edm.String" Mode="In"/></FunctionImport>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private func provider(_ script: ScriptedService) -> OnlineODataProvider {
        script.makeProvider(Self.model)
    }

    private func noContent() -> ScriptedService {
        ScriptedService { _ in ResponseMessage(status: 204) }
    }

    // MARK: Changes

    @Test func aReplacementIsPut() throws {
        let script = noContent()
        let provider = provider(script)
        let order = try entity(provider, "Orders", 7)
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "a")
        let options = RequestOptions()
        options.updateMode = .replace
        try provider.updateEntity(order, options: options)
        #expect(script.requests[0].line == "PUT http://h/s/Orders(7)")
        #expect(script.requests[0].text == #"{"Id":7,"Name":"a"}"#)
    }

    @Test func aDeepInsertHoldsItsChildren() throws {
        let script = ScriptedService { _ in
            .json(#"{"d":{"Id":7,"Name":"a"}}"#, status: 201)
        }
        let provider = provider(script)
        let order = try entity(provider, "Orders", 7, isNew: true)
        let items = order.entityType.property(withName: "Items")
        let known = try entity(provider, "Items", 1)
        let new = try entity(provider, "Items", 2, isNew: true)
        items.setEntityList(in: order, to: EntityValueList.fromArray([known, new]))
        try provider.createEntity(order)
        #expect(script.requests[0].line == "POST http://h/s/Orders")
        #expect(
            script.requests[0].text
                == #"{"Id":7,"Items":[{"__metadata":{"uri":"Items(1)"}},{"Id":2}]}"#)
    }

    @Test func newAndChangedChildrenOfAnUpdateFollowIt() throws {
        let script = ScriptedService { request in
            request.method == "POST"
                ? .json(#"{"d":{"Id":2}}"#, status: 201) : ResponseMessage(status: 204)
        }
        let provider = provider(script)
        let order = try entity(provider, "Orders", 7)
        let changed = try entity(provider, "Items", 1)
        let new = try entity(provider, "Items", 2, isNew: true)
        let same = try entity(provider, "Items", 3)
        let items = order.entityType.property(withName: "Items")
        items.setEntityList(in: order, to: EntityValueList.fromArray([changed, new, same]))
        changed.entityType.property(withName: "Text").setStringValue(in: changed, to: "t")
        order.entityType.property(withName: "Name").setStringValue(in: order, to: "b")
        try provider.updateEntity(order)
        #expect(
            script.requests.map(\.line) == [
                "MERGE http://h/s/Orders(7)", "MERGE http://h/s/Items(1)",
                "POST http://h/s/Orders(7)/Items",
            ])
        #expect(script.requests[1].text == #"{"Text":"t"}"#)
        try provider.updateEntity(order)
        #expect(script.requests.count == 3)
    }

    @Test func linksAreThoseOfV2() throws {
        let script = noContent()
        let provider = provider(script)
        let order = try entity(provider, "Orders", 7)
        let item = try entity(provider, "Items", 1)
        let items = order.entityType.property(withName: "Items")
        let back = item.entityType.property(withName: "Order")
        try provider.createLink(from: order, property: items, to: item)
        try provider.updateLink(from: item, property: back, to: order)
        try provider.deleteLink(from: order, property: items, to: item)
        try provider.deleteLink(from: item, property: back, to: order)
        #expect(
            script.requests.map(\.line) == [
                "POST http://h/s/Orders(7)/$links/Items", "PUT http://h/s/Items(1)/$links/Order",
                "DELETE http://h/s/Orders(7)/$links/Items(1)",
                "DELETE http://h/s/Items(1)/$links/Order",
            ])
        #expect(script.requests[0].text == #"{"uri":"http://h/s/Items(1)"}"#)
    }

    @Test func deletesSendTheTagThatWasRead() throws {
        let script = ScriptedService { request in
            request.method == "GET"
                ? .json(
                    #"{"d":{"__metadata":{"uri":"http://h/s/Orders(7)","etag":"W/\"2\""},"Id":7}}"#)
                : ResponseMessage(status: 204)
        }
        let provider = provider(script)
        let order = try entity(provider, "Orders", 7)
        try provider.loadEntity(order)
        #expect(order.entityTag == "W/\"2\"")
        try provider.deleteEntity(order)
        #expect(script.requests[1].line == "DELETE http://h/s/Orders(7)")
        #expect(script.requests[1].headers["If-Match"] == "W/\"2\"")
    }

    // MARK: Operations

    @Test func functionImportsHaveTheirArgumentsInTheURL() throws {
        let script = ScriptedService { request in
            request.method == "POST"
                ? .json(#"{"d":{"Close":3}}"#)
                : .json(#"{"d":{"results":[{"Id":7,"Total":"9.50"}]}}"#)
        }
        let service = DataService(provider: provider(script))
        try service.loadMetadata()
        let found = try service.executeQuery(
            DataQuery().invoke(
                service.dataMethod(withName: "Cheapest"),
                ParameterList().with(name: "below", value: DecimalValue.of(BigDecimal("10.5"))))
        ).entityList()
        #expect(found.length == 1)
        let total = found[0].entityType.property(withName: "Total")
        #expect(total.decimalValue(from: found[0]) == BigDecimal("9.5"))
        let count = try service.executeMethod(
            service.dataMethod(withName: "Close"),
            parameters: ParameterList().with(name: "reason", value: StringValue.of("it's over")))
        #expect(IntValue.optional(count) == 3)
        #expect(
            script.requests.map(\.line) == [
                "GET http://h/s/Cheapest?below=10.5M",
                "POST http://h/s/Close?reason='it''s%20over'",
            ])
    }

    // MARK: Media

    @Test func mediaGoesUpAndDown() throws {
        let script = ScriptedService { request in
            switch request.method {
            case "POST":
                .json(
                    #"{"d":{"__metadata":{"uri":"http://h/s/Photos(8)","media_src":"#
                        + #""Photos(8)/$value","edit_media":"Photos(8)/$value","#
                        + #""media_etag":"\"m\"","content_type":"image/png"},"Id":8}}"#,
                    status: 201)
            case "GET":
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "image/png"], body: [1, 2, 3])
            default: ResponseMessage(status: 204)
            }
        }
        let provider = provider(script)
        let set = try set(provider, "Photos")
        let photo = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Name").setStringValue(in: photo, to: "x")
        let content = ByteStream.fromBinary(data: Data([9]))
        content.mediaType = "image/png"
        content.fileName = "x.png"
        try provider.createMedia(entity: photo, content: content)
        #expect(
            script.requests.map(\.line) == ["POST http://h/s/Photos", "MERGE http://h/s/Photos(8)"])
        #expect(script.requests[0].headers["Slug"] == "x.png")
        #expect(try provider.downloadMedia(entity: photo).readAndClose() == Data([1, 2, 3]))
        try provider.uploadMedia(entity: photo, content: ByteStream.fromBinary(data: Data([4])))
        let upload = try #require(script.requests.last)
        #expect(upload.line == "PUT http://h/s/Photos(8)/$value")
        #expect(upload.headers["If-Match"] == "\"m\"")
        #expect(upload.body == [4])
    }

    // MARK: Batches

    @Test func batchesAreWrittenAsV2WantsThem() throws {
        let answer = """
            --b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n\
            HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nsap-message: {"code":"M/1",\
            "message":"Look","severity":"warning"}\r\n\r\n\
            {"d":{"results":[{"Id":7}]}}\r\n\
            --b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n\
            --c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\
            Content-ID: 1\r\n\r\nHTTP/1.1 201 Created\r\nContent-Type: application/json\r\n\r\n\
            {"d":{"Id":9}}\r\n\
            --c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\
            Content-ID: 2\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--c--\r\n--b--\r\n
            """
        let script = ScriptedService { _ in
            ResponseMessage(
                status: 202, headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: Array(answer.utf8))
        }
        let provider = provider(script)
        let heard = Mutex<[String]>([])
        provider.messageListener = { message in
            heard.withLock { $0.append("\(message.severity) \(message.message)") }
        }
        let batch = RequestBatch()
        let query = DataQuery().from(try set(provider, "Orders"))
        batch.addQuery(query)
        let changes = ChangeSet()
        let created = try entity(provider, "Orders", 9, isNew: true)
        changes.createEntity(created)
        changes.deleteEntity(try entity(provider, "Items", 1))
        batch.addChanges(changes)
        try provider.processBatch(batch)
        let result = try batch.queryResult(for: query)
        #expect(try result.entityList().length == 1)
        #expect(result.messages.toArray().map(\.code) == ["M/1"])
        #expect(heard.withLock { $0 } == ["warning Look"])
        #expect(changes.error == nil)
        #expect(created.isCreated && !created.isNew)
        let sent = script.requests[0]
        #expect(sent.headers["Prefer"] == nil)
        #expect(sent.headers["DataServiceVersion"] == "2.0")
        #expect(sent.text.contains("GET Orders HTTP/1.1\r\n"))
        #expect(sent.text.contains("DELETE Items(1) HTTP/1.1\r\n"))
    }

    // MARK: Atom

    @Test func aServiceMayAnswerInAtom() throws {
        let feed = """
            <feed xmlns="http://www.w3.org/2005/Atom"
             xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
             xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices"
             xmlns:at="http://purl.org/atompub/tombstones/1.0" xml:base="http://h/s/">
            <m:count>12</m:count>
            <entry m:etag="W/&quot;3&quot;"><id>http://h/s/Orders(7)</id>
            <category term="N.Order" scheme="http://schemas.microsoft.com/ado/2007/08/dataservices/scheme"/>
            <link rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Items"
             type="application/atom+xml;type=feed" href="Orders(7)/Items"><m:inline><feed>
            <entry><content type="application/xml"><m:properties>
            <d:Id m:type="Edm.Int32">1</d:Id><d:Text>a &amp; b</d:Text></m:properties></content>
            </entry></feed></m:inline></link>
            <content type="application/xml"><m:properties><d:Id m:type="Edm.Int32">7</d:Id>
            <d:Name m:null="true"/><d:Total m:type="Edm.Decimal">12.50</d:Total>
            <d:Placed m:type="Edm.DateTime">2031-05-01T08:30:00</d:Placed></m:properties></content>
            </entry>
            <at:deleted-entry ref="http://h/s/Orders(9)" when="2031-05-01T08:30:00Z"/>
            <link rel="delta" href="Orders?!deltatoken='51'"/></feed>
            """
        let script = ScriptedService { _ in
            ResponseMessage(
                status: 200,
                headers: [
                    "Content-Type": "application/atom+xml;type=feed", "DataServiceVersion": "2.0",
                ], body: Array(feed.utf8))
        }
        let provider = provider(script)
        provider.serviceOptions.dataFormat = DataFormat.atom
        let query = DataQuery().from(try set(provider, "Orders")).inlineCount()
        let list = try provider.executeQuery(query).entityList()
        #expect(script.requests[0].headers["Accept"]?.hasPrefix("application/atom+xml") == true)
        #expect(list.length == 2)
        #expect(list.totalCount == 12)
        #expect(list.deltaLink == "Orders?!deltatoken='51'")
        let order = list[0]
        #expect(order.entityTag == "W/\"3\"")
        let type = order.entityType
        #expect(type.property(withName: "Total").decimalValue(from: order).scale == 2)
        #expect(
            LocalDateTime.castRequired(
                type.property(withName: "Placed").dataValue(from: order)
            ).toString() == "2031-05-01T08:30:00")
        let items = type.property(withName: "Items").entityList(from: order)
        let text = items[0].entityType.property(withName: "Text")
        #expect(text.stringValue(from: items[0]) == "a & b")
        #expect(list[1].isDeleted)
        #expect(type.property(withName: "Id").intValue(from: list[1]) == 9)
    }

    @Test func errorsInXMLAreTheServicesWords() throws {
        let script = ScriptedService { _ in
            ResponseMessage(
                status: 400, headers: ["Content-Type": "application/xml"],
                body: Array(
                    #"<error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><code>T17</code><message xml:lang="en">Closed</message></error>"#
                        .utf8))
        }
        let provider = provider(script)
        let query = DataQuery().from(try set(provider, "Orders"))
        let error = #expect(throws: DataServiceError.self) { try provider.executeQuery(query) }
        #expect(error?.code == .service)
        #expect(error?.place?.path == "/s/Orders")
        #expect(error?.response?.code == "T17")
        #expect(error?.response?.message == "Closed")
    }

    // MARK: Sessions

    @Test func aTokenIsFetchedWithItsCookieAndTheChangeRepeated() throws {
        let script = ScriptedService { request in
            if request.headers["X-CSRF-Token"] == "Fetch" {
                return ResponseMessage(
                    status: 200,
                    headers: ["X-CSRF-Token": "t1", "Set-Cookie": "SAP_SESSION=s; Path=/"])
            }
            let isKnown =
                request.headers["X-CSRF-Token"] == "t1"
                && request.headers["Cookie"]?.contains("SAP_SESSION=s") == true
            return isKnown
                ? ResponseMessage(status: 204)
                : ResponseMessage(status: 403, headers: ["x-csrf-token": "Required"])
        }
        let provider = provider(script)
        try provider.deleteEntity(entity(provider, "Orders", 7))
        #expect(script.requests.map(\.method) == ["DELETE", "GET", "DELETE"])
    }

    @Test func aliasesAreWrittenAsTheirValues() throws {
        let script = ScriptedService { _ in .json(#"{"d":{"results":[]}}"#) }
        let provider = provider(script)
        let orders = try set(provider, "Orders")
        let total = orders.entityType.property(withName: "Total")
        let query = DataQuery().from(orders).filter(total.greaterThan(QueryAlias(name: "p")))
            .alias("p", DecimalValue.of(BigDecimal("2.5")))
        _ = try provider.executeQuery(query)
        #expect(script.requests[0].url == "http://h/s/Orders?$filter=Total%20gt%202.5M")
    }
}
