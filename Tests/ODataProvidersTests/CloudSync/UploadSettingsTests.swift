import Foundation
import ODataModel
import ODataQuery
import ODataSync
import ODataTesting
import ODataText
import ODataTransport
import ODataWire
import SAPOData
import Synchronization
import Testing

/// Uploads follow the options of the online provider, as its own calls do.
@Suite struct UploadSettingsTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="Size" Type="Edm.Int32"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// Two items to read; takes every change, and the parts of batches one by one.
    private static func answer(_ request: RequestMessage) -> ResponseMessage {
        if request.url.hasSuffix("$metadata") {
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"], body: Array(model.utf8))
        }
        if request.method == "GET" {
            return .json(
                #"{"@odata.context":"$metadata#Items","value":[{"Id":1,"Name":"a","Size":7},"#
                    + #"{"Id":2,"Name":"b","Size":8}]}"#, ["OData-Version": "4.0"])
        }
        guard request.url.hasSuffix("$batch") else {
            return ResponseMessage(status: 204, headers: ["OData-Version": "4.0"])
        }
        let requests = (try? JSONBatch.requests(request.body)) ?? []
        return JSONBatch.response(
            requests.map { JSONBatchResponse(id: $0.id, ResponseMessage(status: 204)) },
            headers: ["OData-Version": "4.0"])
    }

    /// What the service sees of the uploads that `change` leads to.
    private func uploaded(
        _ configure: @escaping @Sendable (OnlineODataProvider) -> Void,
        isBatched: Bool = false,
        _ change: @escaping @Sendable (CloudSyncProvider, EntityValueList) throws -> Void
    ) async throws -> [RequestMessage] {
        try await onOwnThread {
            let folder = try OnlineFixture.makeDirectory()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let script = ScriptedService { Self.answer($0) }
            let online = script.makeProvider(Self.model, folder: folder)
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Script", databaseURL: "sqlite:" + folder + "/store.db"))
            sync.batchEntityUploads = isBatched
            configure(online)
            try sync.open()
            defer { try? sync.close() }
            try sync.download()
            let set = sync.metadata.entitySet(withName: "Items")
            let items = try sync.executeQuery(
                DataQuery().from(set).orderBy(set.entityType.property(withName: "Id")),
                headers: HTTPHeaders(), options: RequestOptions()
            ).entityList()
            try change(sync, items)
            try sync.upload()
            #expect(try sync.failed().isEmpty)
            #expect(try sync.queued().isEmpty)
            return script.requests.filter { $0.method != "GET" }
        }
    }

    private static func rename(
        _ sync: CloudSyncProvider, _ items: EntityValueList, _ name: String = "z"
    ) throws {
        items[0].entityType.property(withName: "Name").setStringValue(in: items[0], to: name)
        try sync.update(items[0])
    }

    private static func create(_ sync: CloudSyncProvider, _ items: EntityValueList) throws {
        let set = items[0].entitySet
        let item = EntityValue.ofType(set.entityType).inSet(set)
        set.entityType.property(withName: "Id").setIntValue(in: item, to: 3)
        try sync.create(item)
    }

    @Test func withoutOptionsAnUpdateSaysWhatChanged() async throws {
        let sent = try await uploaded({ _ in }) { try Self.rename($0, $1) }
        #expect(sent.map(\.line) == ["PATCH http://h/s/Items(1)"])
        #expect(sent.map(\.text) == [#"{"Name":"z"}"#])
        #expect(sent[0].headers["Prefer"] == "return=representation")
    }

    @Test func withoutPatchAnUpdateReplacesTheWholeRow() async throws {
        let sent = try await uploaded({ $0.serviceOptions.supportsPatch = false }) {
            try Self.rename($0, $1)
        }
        #expect(sent.map(\.line) == ["PUT http://h/s/Items(1)"])
        #expect(sent.map(\.text) == [#"{"Id":1,"Name":"z","Size":7}"#])
    }

    @Test func aReplacementSaysNothingOfLaterChanges() async throws {
        let sent = try await uploaded({ $0.serviceOptions.supportsPatch = false }) { sync, items in
            let apart = RequestOptions()
            apart.canCombineRequests = false
            let type = items[0].entityType
            type.property(withName: "Name").setStringValue(in: items[0], to: "z")
            try sync.update(items[0], apart)
            type.property(withName: "Size").setIntValue(in: items[0], to: 9)
            try sync.update(items[0], apart)
        }
        #expect(
            sent.map(\.text) == [
                #"{"Id":1,"Name":"z","Size":7}"#, #"{"Id":1,"Name":"z","Size":9}"#,
            ])
    }

    @Test func tunnelledMethodsArePostsThatNameThem() async throws {
        let sent = try await uploaded({
            $0.networkOptions.tunneledMethods.append("PATCH")
            $0.networkOptions.tunnelingHeader = "X-HTTP-Method-Override"
        }) { sync, items in
            try Self.rename(sync, items)
            try sync.delete(items[1])
        }
        #expect(
            sent.map(\.line).sorted() == ["DELETE http://h/s/Items(2)", "POST http://h/s/Items(1)"])
        #expect(
            sent.first { $0.method == "POST" }?.headers["X-HTTP-Method-Override"] == "PATCH")
    }

    @Test func typesAreNamedWhereTheServiceRequiresThem() async throws {
        let sent = try await uploaded({ $0.serviceOptions.requiresType = true }) {
            try Self.rename($0, $1)
        }
        #expect(sent.map(\.text) == [##"{"@odata.type":"#N.Item","Name":"z"}"##])
    }

    @Test func contentIsNotAskedForWhereTheServiceReturnsNone() async throws {
        let sent = try await uploaded({
            $0.serviceOptions.createReturnsContent = false
            $0.serviceOptions.updateReturnsContent = false
        }) { sync, items in
            try Self.create(sync, items)
            try Self.rename(sync, items)
        }
        #expect(sent.map(\.method).sorted() == ["PATCH", "POST"])
        #expect(sent.allSatisfy { $0.headers["Prefer"] == "return=minimal" })
    }

    @Test func charactersAreKeptOutOfPaths() async throws {
        let sent = try await uploaded({ $0.serviceOptions.avoidInPaths = "()" }) {
            try Self.rename($0, $1)
        }
        #expect(sent.map(\.line) == ["PATCH http://h/s/Items%281%29"])
    }

    @Test func identitiesNameTheClient() async throws {
        let sent = try await uploaded({ $0.serviceOptions.clientID = "app-7" }) {
            try Self.rename($0, $1)
        }
        #expect(sent[0].headers["Repeatability-Client-ID"] == "app-7")
    }

    @Test func batchesAreJSONWhereAskedFor() async throws {
        let sent = try await uploaded({ $0.serviceOptions.batchAsJSON = true }, isBatched: true) {
            sync, items in
            try Self.rename(sync, items)
            try sync.delete(items[1])
        }
        #expect(sent.map(\.line) == ["POST http://h/s/$batch"])
        #expect(sent[0].headers["Content-Type"] == "application/json")
        let parts = try JSONBatch.requests(sent[0].body)
        #expect(parts.map(\.message.method) == ["PATCH", "DELETE"])
    }

    @Test func withoutBatchesChangesAreSentOneByOne() async throws {
        let sent = try await uploaded(
            { $0.serviceOptions.supportsBatch = false }, isBatched: true
        ) { sync, items in
            try Self.rename(sync, items)
            try sync.delete(items[1])
        }
        #expect(sent.map(\.method).sorted() == ["DELETE", "PATCH"])
    }
}
