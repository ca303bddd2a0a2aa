import Foundation
import ODataModel
import ODataQuery
import ODataSync
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing

/// A small V4 service without constraints between its sets, its answers written by hand, and a store that is synchronised
/// with it. Methods count whether they come as they are or in a header.
final class ShelfDesk: @unchecked Sendable {
    /// What the service does next; guarded by the lock around it.
    struct State {
        var requests: [RequestMessage] = []
        var name = "a"
        /// Changes take effect, and their answers are lost.
        var losesAnswers = false
        /// The status of reads of one item.
        var itemStatus = 200
        /// Items are media entities.
        var itemsHaveContent = true
        var answerHeaders: HeaderFields = ["OData-Version": "4.0"]
    }

    let state = Mutex(State())
    let online: OnlineODataProvider
    let sync: CloudSyncProvider
    let folder: String

    static let model = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Item" HasStream="true"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String"/><Property Name="Size" Type="Edm.Int32"/>
        <NavigationProperty Name="Shelf" Type="N.Shelf"/>
        <NavigationProperty Name="Others" Type="Collection(N.Shelf)"/>
        </EntityType>
        <EntityType Name="Shelf"><Key><PropertyRef Name="Id"/></Key>
        <Property Name="Id" Type="Edm.Int32" Nullable="false"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Items" EntityType="N.Item">
        <NavigationPropertyBinding Path="Shelf" Target="Shelves"/>
        <NavigationPropertyBinding Path="Others" Target="Shelves"/></EntitySet>
        <EntitySet Name="Shelves" EntityType="N.Shelf"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    private init(root: String) throws {
        folder = try OnlineFixture.makeDirectory()
        let box = Box()
        online = OnlineODataProvider(
            serviceName: "Shelf", serviceRoot: root,
            transport: LoopbackTransport { try box.answer($0) }, folder: PrivateFolder(path: folder)
        )
        sync = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Shelf", databaseURL: "sqlite:" + folder + "/store.db"))
        sync.batchEntityUploads = false
        sync.batchEntityDownloads = false
        box.desk = self
    }

    private final class Box: @unchecked Sendable {
        // Set once, before the first request.
        weak var desk: ShelfDesk?

        func answer(_ request: RequestMessage) throws -> ResponseMessage {
            try #require(desk).answer(request)
        }
    }

    static func run(
        root: String = "http://h/s", _ configure: @escaping @Sendable (OnlineODataProvider) -> Void,
        _ body: @escaping @Sendable (ShelfDesk) throws -> Void
    ) async throws {
        try await onOwnThread {
            let desk = try ShelfDesk(root: root)
            defer {
                try? desk.sync.close()
                try? FileManager.default.removeItem(atPath: desk.folder)
            }
            configure(desk.online)
            try body(desk)
        }
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Everything that was asked since, as `METHOD path`, tunnelled methods in brackets.
    func lines() -> [String] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests.map { request in
                let method = request.headers["X-HTTP-Method"].map { "[\($0)]" } ?? request.method
                return method + " " + request.url.replacing("http://h/s/", with: "")
            }
        }
    }

    private func answer(_ request: RequestMessage) throws -> ResponseMessage {
        try state.withLock { state in
            state.requests.append(request)
            let method = request.headers["X-HTTP-Method"] ?? request.method
            let path = (request.url.removingPercentEncoding ?? "").prefix { $0 != "?" }
            let version = state.name == "a" ? 1 : 2
            let row =
                #"{"@odata.context":"$metadata#Items/$entity","@odata.etag":"W/\"\#(version)\"","#
                + #""Id":1,"Name":"\#(state.name)","Size":7}"#
            func said(_ body: String) -> ResponseMessage { .json(body, state.answerHeaders) }
            if method == "GET" {
                if path.hasSuffix("$metadata") {
                    let model =
                        state.itemsHaveContent
                        ? Self.model : Self.model.replacing(#" HasStream="true""#, with: "")
                    return ResponseMessage(
                        status: 200, headers: ["Content-Type": "application/xml"],
                        body: Array(model.utf8))
                }
                if path.hasSuffix("$value") {
                    return ResponseMessage(status: 404, headers: state.answerHeaders)
                }
                if path.hasSuffix("Items(1)") {
                    guard state.itemStatus == 200 else {
                        return .json(
                            #"{"error":{"code":"x","message":"not shown"}}"#,
                            status: state.itemStatus,
                            state.answerHeaders)
                    }
                    return said(row)
                }
                if path.hasSuffix("Shelves") {
                    return said(
                        #"{"@odata.context":"$metadata#Shelves","value":[{"Id":5},{"Id":6}]}"#)
                }
                if path.hasSuffix("Items") {
                    let size = request.url.contains("select") ? "" : ",\"Size\":7"
                    return said(
                        #"{"@odata.context":"$metadata#Items","value":[{"@odata.etag":"W/\"1\"","Id":1,"#
                            + #""Name":"a"\#(size)}]}"#)
                }
                return said("{}")
            }
            if state.losesAnswers {
                state.name = "z"
                throw ODataError(
                    .network, "Gone.",
                    underlying: NetworkFailure(phase: .wait, method: method, host: "h"))
            }
            if method == "POST", path.hasSuffix("Items") {
                return .json(
                    row.replacing("\"Id\":1", with: "\"Id\":3"), status: 201, state.answerHeaders)
            }
            return ResponseMessage(status: 204, headers: state.answerHeaders)
        }
    }

    // MARK: The app's side

    func set(_ name: String) -> EntitySet { sync.metadata.entitySet(withName: name) }

    func first(_ name: String) throws -> EntityValue {
        let set = set(name)
        let query = DataQuery().from(set).orderBy(set.entityType.property(withName: "Id"))
        let rows = try sync.executeQuery(query, headers: .empty, options: .none).entityList()
        return try #require(rows.toArray().first)
    }

    func rename(_ name: String = "z") throws {
        let item = try first("Items")
        item.entityType.property(withName: "Name").setStringValue(in: item, to: name)
        try sync.update(item)
    }
}
