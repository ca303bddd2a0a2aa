import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import Synchronization

/// A service whose every answer is written by hand, byte by byte, and a store that is synchronised with it: nothing of what
/// is under test writes what it reads.
///
/// Confined to the test's thread; the service guards itself.
final class StubDesk: @unchecked Sendable {
    /// A request as the service sees it: its URL percent-decoded and relative to the root.
    struct Asked: Sendable {
        var method: String
        var resource: String
        var accept: String
        var prefer: String
        var body = ""
        /// The identity by which a repetition is recognised; empty where it has none.
        var repetition = ""
    }

    struct Said: Sendable {
        var status = 200
        var type = "application/json"
        var body = ""
        /// Where it redirects to.
        var location: String?
        /// The connection ends without an answer, whatever was done.
        var isLost = false
        /// It has a version header, as everything that comes from the service.
        var isMarked = true

        static let lost = Said(isLost: true)
        static func json(_ body: String) -> Said { Said(body: body) }
        static func status(_ status: Int) -> Said {
            Said(status: status, body: #"{"error":{"code":"x","message":"said no"}}"#)
        }
        /// A page for people.
        static func gateway(_ status: Int) -> Said {
            Said(
                status: status, type: "text/html",
                body: "<html><title>Gateway</title></html>", isMarked: false)
        }
        /// A page of a set.
        static func page(_ rows: String, _ links: String = "") -> Said {
            .json("{\"@odata.context\":\"$metadata#X\",\"value\":[\(rows)]\(links)}")
        }
    }

    let service: LoopbackService
    let sync: CloudSyncProvider
    private let folder: URL

    private init(_ schema: String, _ answer: @escaping @Sendable (Asked) -> Said) throws {
        folder = try TestFolder.makeFast("stub")
        service = try LoopbackService { request, _ in
            let asked = StubDesk.asked(request)
            let said =
                asked.resource == "$metadata"
                ? Said(type: "application/xml", body: schema) : answer(asked)
            if said.isLost { return .hangUp }
            let version = schema.contains("2007/06/edmx") ? "DataServiceVersion" : "OData-Version"
            var headers = [HeaderFields.Field(name: "Content-Type", value: said.type)]
            if said.isMarked {
                headers.append(
                    HeaderFields.Field(
                        name: version, value: version == "OData-Version" ? "4.0" : "2.0"))
            }
            if let location = said.location {
                headers.append(HeaderFields.Field(name: "Location", value: location))
            }
            return .answer(
                ResponseMessage(
                    status: said.status,
                    headers: said.status == 204 ? HeaderFields() : HeaderFields(headers),
                    body: Array(said.body.utf8)))
        }
        let online = OnlineODataProvider(
            serviceName: "Stub", serviceRoot: service.root, transport: StandardTransport.shared,
            folder: PrivateFolder(path: folder.path))
        sync = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Stub",
                databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path))
        sync.batchEntityDownloads = false
    }

    private static func asked(_ request: RequestMessage) -> Asked {
        let url = request.url.removingPercentEncoding ?? request.url
        return Asked(
            method: request.method,
            resource: url.hasPrefix("/s/") ? String(url.dropFirst(3)) : url,
            accept: request.headers["Accept"] ?? "", prefer: request.headers["Prefer"] ?? "",
            body: String(decoding: request.body, as: UTF8.self),
            repetition: request.headers["Repeatability-Request-ID"] ?? "")
    }

    /// Runs a test with an open store.
    static func run(
        _ schema: String, _ answer: @escaping @Sendable (Asked) -> Said,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await onOwnThread {
            let desk = try StubDesk(schema, answer)
            defer {
                try? desk.sync.close()
                try? FileManager.default.removeItem(at: desk.folder)
            }
            try desk.sync.open()
            try body(desk)
        }
    }

    /// What the service was asked for so far, metadata aside.
    var asked: [Asked] {
        service.requests.map(Self.asked).filter { $0.resource != "$metadata" }
    }

    /// What was to change something, as the service was asked for it.
    var changes: [String] {
        asked.filter { $0.method != "GET" }.map { "\($0.method) \($0.resource)" }
    }

    /// Gives a customer the name "new" here.
    func rename(_ id: Int) throws {
        let set = sync.metadata.entitySet(withName: "Customers")
        let key = EntityKey().with(name: "ID", value: IntValue(id))
        let row = try sync.executeQuery(
            DataQuery().from(set).withKey(key), headers: .empty, options: .none
        ).requiredEntity()
        row.entityType.property(withName: "Name").setStringValue(in: row, to: "new")
        try sync.updateEntity(row, headers: .empty, options: .none)
    }

    func rows(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: folder.appendingPathComponent("store.db").path).read {
            try Row.fetchAll($0, sql: sql).map { row in
                row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "")" }
                    .joined(separator: " ")
            }
        }
    }

    /// Changes the store behind the back of whoever has it open.
    func changeStore(_ sql: String) throws {
        try DatabaseQueue(path: folder.appendingPathComponent("store.db").path).write {
            try $0.execute(sql: sql)
        }
    }

    /// Two sets and a singleton of V4, with a relation that no constraint tells.
    static let schema = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="D" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Customer"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Name" Type="Edm.String"/>
            <NavigationProperty Name="Orders" Type="Collection(D.Order)"/></EntityType>
        <EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>
            <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Title" Type="Edm.String"/></EntityType>
        <EntityContainer Name="C">
            <EntitySet Name="Customers" EntityType="D.Customer">
                <NavigationPropertyBinding Path="Orders" Target="Orders"/></EntitySet>
            <EntitySet Name="Orders" EntityType="D.Order"/>
            <Singleton Name="Head" Type="D.Order"/>
        </EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// The same with orders that name their customer, by a column that is searched by.
    static let relatedSchema = schema.replacing(
        #"<Property Name="Title" Type="Edm.String"/></EntityType>"#,
        with: """
            <Property Name="Title" Type="Edm.String"/><Property Name="CustomerID" Type="Edm.Int32"/>
            <NavigationProperty Name="Customer" Type="D.Customer"><ReferentialConstraint
                Property="CustomerID" ReferencedProperty="ID"/></NavigationProperty></EntityType>
            """
    ).replacing(
        #"<EntitySet Name="Orders" EntityType="D.Order"/>"#,
        with: """
            <EntitySet Name="Orders" EntityType="D.Order">
                <NavigationPropertyBinding Path="Customer" Target="Customers"/></EntitySet>
            """)
}
