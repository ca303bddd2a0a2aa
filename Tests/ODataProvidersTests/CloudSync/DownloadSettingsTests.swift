import Foundation
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Testing

/// What the sync engine reads, it asks for by the options of the online provider, as its own calls do.
@Suite struct DownloadSettingsTests {
    private static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/>
        </EntityType><EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item"/>
        <EntitySet Name="Others" EntityType="N.Item"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private static let version: HeaderFields = ["OData-Version": "4.0"]

    /// Two pages of items and the first of them by itself; refuses every change.
    private static func answer(_ request: RequestMessage) -> ResponseMessage {
        if request.url.hasSuffix("$metadata") {
            return ResponseMessage(
                status: 200, headers: ["Content-Type": "application/xml"], body: Array(model.utf8))
        }
        guard request.method == "GET" || request.headers["X-Read"] == "GET" else {
            return .json(#"{"error":{"code":"1","message":"no"}}"#, status: 409, version)
        }
        if request.url.contains("(1)") || request.url.contains("%281%29") {
            return .json(
                #"{"@odata.context":"$metadata#Items/$entity","Id":1,"Name":"z"}"#, version)
        }
        let isFirst = request.url.hasSuffix("s") && !request.url.contains("Others")
        return isFirst
            ? .json(
                #"{"@odata.context":"$metadata#Items","value":[{"Id":1,"Name":"a"}],"#
                    + #""@odata.nextLink":"Items?page=2"}"#, version)
            : .json(
                #"{"@odata.context":"$metadata#Items","value":[{"Id":2,"Name":"b"}]}"#, version)
    }

    /// What the service sees from the download on, and how many items have come.
    private func asked(
        _ configure: @escaping @Sendable (OnlineODataProvider) -> Void,
        _ then: @escaping @Sendable (CloudSyncProvider) throws -> Void = { _ in }
    ) async throws -> (requests: [RequestMessage], items: Int) {
        try await onOwnThread {
            let folder = try OnlineFixture.makeDirectory()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let script = ScriptedService { Self.answer($0) }
            let online = script.makeProvider(Self.model, folder: folder)
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Script", databaseURL: "sqlite:" + folder + "/store.db"))
            configure(online)
            try sync.open()
            defer { try? sync.close() }
            try sync.download()
            try then(sync)
            let count = try Self.items(sync).count
            return (script.requests.filter { !$0.url.hasSuffix("$metadata") }, count)
        }
    }

    private static func items(_ sync: CloudSyncProvider) throws -> EntityValueList {
        let set = sync.metadata.entitySet(withName: "Items")
        return try sync.executeQuery(
            DataQuery().from(set).orderBy(set.entityType.property(withName: "Id")),
            headers: HTTPHeaders(), options: RequestOptions()
        ).entityList()
    }

    @Test func charactersAreKeptOutOfThePathsOfPages() async throws {
        let (requests, items) = try await asked {
            $0.serviceOptions.supportsBatch = false
            $0.serviceOptions.avoidInPaths = "m"
        }
        #expect(
            Set(requests.map(\.line)) == [
                "GET http://h/s/Ite%6Ds", "GET http://h/s/Ite%6Ds?page=2", "GET http://h/s/Others",
            ])
        // What is foreseen under one spelling is not asked for again under another.
        #expect(requests.count == 3)
        #expect(items == 2)
    }

    @Test func pagesAreAskedForInTheVersionToSpeak() async throws {
        let (requests, _) = try await asked {
            $0.serviceOptions.supportsBatch = false
            $0.serviceOptions.dataVersion = 200
        }
        #expect(requests.count == 3)
        #expect(
            requests.allSatisfy {
                $0.headers["MaxDataServiceVersion"] == "2.0"
                    && $0.headers["OData-MaxVersion"] == nil
            })
    }

    @Test func tunnelledReadsArePostsThatNameThem() async throws {
        let (requests, items) = try await asked {
            $0.serviceOptions.supportsBatch = false
            $0.networkOptions.tunneledMethods.append("GET")
            $0.networkOptions.tunnelingHeader = "X-Read"
        }
        #expect(requests.count == 3)
        #expect(requests.allSatisfy { $0.method == "POST" && $0.headers["X-Read"] == "GET" })
        #expect(items == 2)
    }

    @Test func withoutBatchesEachSetIsAskedForByItself() async throws {
        let (requests, _) = try await asked { $0.serviceOptions.supportsBatch = false }
        #expect(requests.allSatisfy { $0.method == "GET" } && requests.count == 3)
    }
}
