import Foundation
import GRDB
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataTransport
import ODataWire
import ODataWorld
import Synchronization
import Testing

/// The engine by itself: a store, a service and settings, none of them an object of the class-style API.
@Suite struct SyncEngineTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Tool">
        <Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType><EntityContainer Name="C">
        <EntitySet Name="Tools" EntityType="Ws.Tool"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A store and a service of canned answers, by method and URL below the root.
    private final class Desk: Sendable {
        let store: LocalStore
        let engine: SyncEngine
        let connection: ServiceConnection
        let folder: String
        let notices = Mutex<[OperationNotice]>([])
        let lines = Mutex<[String]>([])
        /// Set when an upload waits for another.
        let waits = CancellationFlag()

        /// - Parameter isLinked: the store is opened through a link to `real.db`.
        init(_ answers: [String: (status: Int, body: String)], isLinked: Bool = false) throws {
            let world = LiveWorld()
            folder = "/tmp/odata-engine-\(world.random())"
            if isLinked {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(
                    atPath: folder + "/store.db", withDestinationPath: folder + "/real.db")
            }
            store = try LocalStore(path: folder + "/store.db", world: world)
            engine = SyncEngine(world)
            engine.change {
                $0.batchEntityUploads = false
                $0.autoSaveEstimates = false
            }
            connection = ServiceConnection(
                root: "http://h/svc/",
                transport: LoopbackTransport { request in
                    let name = String(request.url.dropFirst("http://h/svc/".count))
                    let answer = answers["\(request.method) \(name)"]
                    let type = name == "$metadata" ? "application/xml" : "application/json"
                    return ResponseMessage(
                        status: answer?.status ?? 404,
                        headers: ["OData-Version": "4.0", "Content-Type": type],
                        body: Array((answer?.body ?? "").utf8))
                })
        }

        deinit {
            try? store.clear()
            try? FileManager.default.removeItem(atPath: folder)
        }

        var scope: SyncScope {
            SyncScope(
                engine: engine, store: store,
                service: SyncService(
                    name: "Tools", root: "http://h/svc/", connection: connection,
                    requests: RequestSettings(), headers: HeaderFields(),
                    folder: PrivateFolder(path: folder)),
                choice: DownloadChoice(),
                events: SyncEvents(
                    progress: { notice in self.notices.withLock { $0.append(notice) } },
                    metadataChanged: { _ in },
                    log: { line in
                        self.lines.withLock { $0.append(line.text) }
                        if line.text.hasPrefix("The upload waits") { self.waits.cancel() }
                    }))
        }

        func open() throws -> AdoptedMetadata? {
            StoreOpening(scope).configure()
            let adopted = try MetadataRefresh(scope).ensure()
            try StoreOpening(scope).finish()
            return adopted
        }

        func titles() throws -> [String] {
            try store.read {
                try String.fetchAll($0, sql: "SELECT Id || ' ' || Title FROM Tools ORDER BY Id")
            }
        }
    }

    private static let answers: [String: (status: Int, body: String)] = [
        "GET $metadata": (200, metadata),
        "GET Tools": (200, #"{"value":[{"Id":1,"Title":"a"}],"@odata.nextLink":"Tools?p=2"}"#),
        "GET Tools?p=2": (200, #"{"value":[{"Id":2,"Title":"b"}],"@odata.deltaLink":"Tools?d=1"}"#),
        "GET Tools?d=1": (
            200,
            #"{"value":[{"Id":1,"Title":"c"},{"@removed":{"reason":"deleted"},"Id":2}],"#
                + #""@odata.deltaLink":"Tools?d=2"}"#
        ),
        "DELETE Tools(1)": (409, #"{"error":{"code":"Used","message":"It is in use."}}"#),
    ]

    @Test func aStoreIsFilledAndBroughtUpToDate() async throws {
        try await onOwnThread {
            let desk = try Desk(Self.answers)
            #expect(try desk.open()?.incomplete.isEmpty == true)
            #expect(try desk.open() == nil)
            var first = Download(desk.scope)
            let progress = try first.reading(groups: [])
            #expect(try desk.titles() == ["1 a", "2 b"])
            #expect(progress.results.map(\.pages) == [2])
            #expect(desk.notices.withLock { $0.last?.fractionCompleted } == 1)
            #expect(Set(desk.notices.withLock { $0 }.map(\.operationID)).count == 1)
            var second = Download(desk.scope)
            try second.run()
            #expect(try desk.titles() == ["1 c"])
            #expect(try desk.store.flag(.hasInitialData))
            #expect(!desk.engine.isRunning(.download))
        }
    }

    @Test func aCancelledDownloadGivesItsTurnBack() async throws {
        try await onOwnThread {
            let desk = try Desk(Self.answers)
            _ = try desk.open()
            let flag = CancellationFlag()
            flag.cancel()
            var cancelled = Download(desk.scope, cancellation: flag)
            let error = #expect(throws: ODataError.self) { try cancelled.run() }
            #expect(error?.code == .cancelled)
            #expect(!desk.engine.isRunning(.download))
            var next = Download(desk.scope)
            try next.run()
            #expect(try desk.titles() == ["1 a", "2 b"])
        }
    }

    /// Another process has it under its own name.
    @Test(arguments: [true, false])
    func anUploadTakesItsTurnWhateverTheStoreIsCalled(isLinked: Bool) async throws {
        try await onOwnThread {
            let desk = try Desk(Self.answers, isLinked: isLinked)
            _ = try desk.open()
            let name = isLinked ? "/real.db" : "/store.db"
            let other = open(desk.folder + name + "-upload", O_RDWR | O_CREAT, 0o600)
            defer { close(other) }
            #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
            let error = #expect(throws: ODataError.self) {
                try QueueUpload(desk.scope, cancellation: desk.waits).run()
            }
            #expect(error?.code == .cancelled)
            flock(other, LOCK_UN)
            try QueueUpload(desk.scope).run()
        }
    }

    @Test func aRefusedRequestIsToldAfterTheUploadAndStays() async throws {
        try await onOwnThread {
            let desk = try Desk(Self.answers)
            _ = try desk.open()
            var download = Download(desk.scope)
            try download.run()
            try desk.store.perform(.delete(RowReference(table: "Tools", id: 1)))
            let error = #expect(throws: ODataError.self) { try QueueUpload(desk.scope).run() }
            #expect(error?.code == .service)
            #expect(error?.status == 409)
            #expect(error?.message.contains("It is in use.") == true)
            let failed = try PendingQueue(desk.scope).entries(isFailed: true)
            #expect(failed.map(\.request.state.failure?.status) == [409])
            #expect(failed.map(\.preview?.method) == ["DELETE"])
            #expect(
                desk.lines.withLock { $0 } == ["The service refused 1 of 1 requests."])
            desk.engine.change { $0.throwUploadFailures = false }
            try PendingQueue(desk.scope).retry(failed[0].request.id)
            try QueueUpload(desk.scope).run()
        }
    }
}
