import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSync
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// Synchronising with a V2 service: pages in `d.results`, delta links in the SAP manner, tombstones in Atom, MERGE.
@Suite struct V2SyncTests {
    private static let metadata = """
        <edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
        <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="Ws" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
        <EntityType Name="Tool"><Key><PropertyRef Name="Id"/></Key>
          <Property Name="Id" Type="Edm.Int32" Nullable="false"/><Property Name="Title" Type="Edm.String"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/>
          <Property Name="Added" Type="Edm.DateTime"/><Property Name="Stock" Type="Edm.Int64"/>
          <Property Name="ETag" Type="Edm.String" ConcurrencyMode="Fixed"/></EntityType>
        <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
          <EntitySet Name="Tools" EntityType="Ws.Tool" sap:change-tracking="true"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    private static func row(_ id: Int, _ title: String) -> String {
        #"{"__metadata":{"id":"http://h/s/Tools(\#(id))","uri":"http://h/s/Tools(\#(id))","type":"Ws.Tool","etag":"W/\"1\""},"#
            + #""Id":\#(id),"Title":"\#(title)","Price":"12.50","Added":"\/Date(1935390600000)\/","Stock":"9007199254740993","ETag":"1"}"#
    }

    /// The conversation of a V2 service with two pages, one delta, and a memory of what was sent.
    private final class Peer: Sendable {
        let seen = Mutex<[RequestMessage]>([])

        func respond(_ request: RequestMessage) -> ResponseMessage {
            seen.withLock { $0.append(request) }
            let url = request.url.removingPercentEncoding ?? request.url
            if url.hasSuffix("$metadata") {
                return ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/xml"],
                    body: Array(V2SyncTests.metadata.utf8))
            }
            let headers: HeaderFields = [
                "Content-Type": "application/json", "DataServiceVersion": "2.0",
            ]
            let json = { (text: String) in
                ResponseMessage(status: 200, headers: headers, body: Array(text.utf8))
            }
            if request.method == "MERGE" || request.method == "DELETE" {
                return ResponseMessage(
                    status: 204, headers: ["DataServiceVersion": "2.0", "ETag": "W/\"2\""])
            }
            if request.method == "POST", url.hasSuffix("Tools") {
                var answer = json(#"{"d":\#(V2SyncTests.row(30, "New"))}"#)
                answer.status = 201
                answer.headers["Location"] = "http://h/s/Tools(30)"
                return answer
            }
            if url.contains("deltatoken='1'") {
                let text = """
                    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices">
                    <entry m:etag='W/"4"'><id>http://h/s/Tools(2)</id><content type="application/xml"><m:properties><d:Id>2</d:Id><d:Title>Plane, sharp</d:Title><d:Price>7.25</d:Price><d:Added>2031-05-01T08:30:00</d:Added></m:properties></content></entry>
                    <at:deleted-entry xmlns:at="http://purl.org/atompub/tombstones/1.0" ref="http://h/s/Tools(1)" when="2031-05-01T08:30:00Z"/>
                    <link rel="delta" href="http://h/s/Tools?!deltatoken='2'"/></feed>
                    """
                return ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/atom+xml;type=feed"],
                    body: Array(text.utf8))
            }
            if url.contains("deltatoken='2'") {
                return json(#"{"d":{"results":[],"__delta":"http://h/s/Tools?!deltatoken='2'"}}"#)
            }
            if url.contains("$skiptoken=2") {
                return json(
                    #"{"d":{"results":[\#(V2SyncTests.row(3, "Drill"))],"__delta":"http://h/s/Tools?!deltatoken='1'"}}"#
                )
            }
            if url.hasPrefix("http://h/s/Tools") || url.hasPrefix("Tools") {
                return json(
                    #"{"d":{"results":[\#(V2SyncTests.row(1, "Saw")),\#(V2SyncTests.row(2, "Plane"))],"__next":"http://h/s/Tools?$skiptoken=2"}}"#
                )
            }
            return ResponseMessage(status: 404, headers: headers)
        }

        func lines(_ method: String) -> [String] {
            seen.withLock { $0 }.filter { $0.method == method }
                .map { $0.url.removingPercentEncoding ?? $0.url }
        }
    }

    private struct Place {
        let peer = Peer()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("v2-" + UUID().uuidString)

        func makeProvider() throws -> CloudSyncProvider {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let online = OnlineODataProvider(
                serviceName: "Workshop", serviceRoot: "http://h/s",
                transport: LoopbackTransport { [peer] in peer.respond($0) },
                folder: PrivateFolder(path: folder.path))
            online.serviceOptions.requiresToken = nil
            let store = SQLDatabaseProvider(
                serviceName: "Workshop",
                databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path)
            let sync = CloudSyncProvider(onlineProvider: online, offlineStore: store)
            sync.batchEntityDownloads = false
            sync.batchEntityUploads = false
            return sync
        }

        func rows() throws -> [String] {
            try DatabaseQueue(path: folder.appendingPathComponent("store.db").path).read {
                try Row.fetchAll($0, sql: "SELECT Id, Title, Price, Added FROM Tools ORDER BY Id")
                    .map { row in
                        "\(row[0] as Int64? ?? 0) \(row[1] as String? ?? "") \(row[2] as Int64? ?? 0) "
                            + "\(row[3] as String? ?? "")"
                    }
            }
        }
    }

    @Test func pagesDeltasAndTombstonesReachTheStore() async throws {
        try await onOwnThread {
            let place = Place()
            let sync = try place.makeProvider()
            defer {
                try? sync.close()
                try? FileManager.default.removeItem(at: place.folder)
            }
            try sync.open()
            try sync.download()
            #expect(
                try place.rows() == [
                    "1 Saw 1250 2031-05-01T08:30:00", "2 Plane 1250 2031-05-01T08:30:00",
                    "3 Drill 1250 2031-05-01T08:30:00",
                ])
            try sync.download()
            #expect(
                try place.rows() == [
                    "2 Plane, sharp 725 2031-05-01T08:30:00", "3 Drill 1250 2031-05-01T08:30:00",
                ])
            try sync.download()
            #expect(place.peer.lines("GET").last?.hasSuffix("!deltatoken='2'") == true)
            let first = place.peer.seen.withLock { $0 }.first { $0.url.contains("Tools") }
            #expect(first?.headers["MaxDataServiceVersion"] == "2.0")
            #expect(first?.headers["OData-MaxVersion"] == nil)
        }
    }

    @Test func changesAreSentAsV2WantsThem() async throws {
        try await onOwnThread {
            let place = Place()
            let sync = try place.makeProvider()
            defer {
                try? sync.close()
                try? FileManager.default.removeItem(at: place.folder)
            }
            try sync.open()
            try sync.download()
            let set = sync.metadata.entitySet(withName: "Tools")
            let type = set.entityType
            let saw = try sync.executeQuery(
                DataQuery().from(set).filter(type.property(withName: "Id").equal(1)),
                headers: .empty, options: .none
            ).requiredEntity()
            type.property(withName: "Title").setStringValue(in: saw, to: "Saw 2")
            try sync.updateEntity(saw, headers: .empty, options: .none)
            let added = EntityValue.ofType(type)
            added.entitySet = set
            type.property(withName: "Id").setIntValue(in: added, to: 30)
            type.property(withName: "Title").setStringValue(in: added, to: "New")
            try sync.createEntity(added, headers: .empty, options: .none)
            try sync.upload()
            let sent = place.peer.seen.withLock { $0 }
            let merge = sent.first { $0.method == "MERGE" }
            #expect(merge?.url.removingPercentEncoding?.hasSuffix("Tools(1)") == true)
            #expect(merge.map { String(decoding: $0.body, as: UTF8.self) } == #"{"Title":"Saw 2"}"#)
            #expect(merge?.headers["If-Match"] == "W/\"1\"")
            #expect(merge?.headers["DataServiceVersion"] == "2.0")
            let post = sent.first { $0.method == "POST" }
            #expect(
                post.map { String(decoding: $0.body, as: UTF8.self) } == #"{"Id":30,"Title":"New"}"#
            )
            #expect(try !sync.hasPendingUpload())
        }
    }
}
