import Foundation
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataTransport
import ODataWire
import ODataWorld
import Testing

/// A client that ends while its first start writes whose store it is, and the metadata with it.
@Suite struct StoreOriginTests {
    /// A store, opened for one of two services of different models, on a disk that may fail.
    private final class Place {
        let disk = FailingDisk()
        private(set) var store: LocalStore
        private let path = "/tmp/odata-origin-\(LiveWorld().random())"

        init() throws { store = try Self.open(path, disk) }

        deinit {
            try? store.close()
            try? FileManager.default.removeItem(atPath: path)
        }

        private static func open(_ path: String, _ disk: FailingDisk) throws -> LocalStore {
            var configuration = LocalStore.Configuration()
            configuration.watch = disk
            return try LocalStore(
                path: path + "/store.db", world: LiveWorld(), configuration: configuration)
        }

        func reopen() throws {
            disk.set(nil)
            try? store.close()
            store = try Self.open(path, disk)
        }

        /// What the first start of a client of this service does.
        @discardableResult
        func start(_ name: String) throws -> AdoptedMetadata? {
            let root = "http://\(name)/svc/"
            let connection = ServiceConnection(
                root: root,
                transport: LoopbackTransport { _ in
                    ResponseMessage(
                        status: 200,
                        headers: ["OData-Version": "4.0", "Content-Type": "application/xml"],
                        body: Array(StoreOriginTests.metadata(name).utf8))
                })
            return try MetadataRefresh(
                SyncScope(
                    engine: SyncEngine(store.world), store: store,
                    service: SyncService(
                        name: name, root: root, connection: connection,
                        requests: RequestSettings(), headers: HeaderFields(),
                        folder: PrivateFolder(path: path)),
                    choice: DownloadChoice(),
                    events: SyncEvents(metadataChanged: { _ in }, log: { _ in }))
            ).ensure()
        }

        /// The service that the note names, and the one whose metadata is there.
        func services() throws -> [String?] {
            [
                try store.text(.serviceName),
                try store.text(.serviceRoot)?.split(separator: "/").dropFirst().first.map(
                    String.init),
                try store.metadataText().map { $0.contains("Name=\"aTools\"") ? "a" : "b" },
            ]
        }
    }

    private static func metadata(_ name: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="Ws" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Tool">
        <Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Title" Type="Edm.String"/></EntityType><EntityContainer Name="C">
        <EntitySet Name="\(name)Tools" EntityType="Ws.Tool"/></EntityContainer></Schema></edmx:DataServices>
        </edmx:Edmx>
        """
    }

    /// Each commit of the first start is kept from coming to the disk, one after the other.
    @Test func noteAndMetadataAreOfOneServiceWhereverTheFirstStartEnds() throws {
        var ends = 0
        while true {
            let place = try Place()
            place.disk.set(.once(.sync, at: ends + 1))
            let isDone = (try? place.start("a")) != nil
            let isHit = place.disk.hits > 0
            try place.reopen()
            let left = try place.services()
            #expect(Set(left).count == 1, "\(left)")
            // The next start is one of another service, which nothing of the first may reach.
            try place.start("b")
            let name = left[0] ?? "b"
            #expect(try place.services() == [name, name, name])
            guard isHit else {
                #expect(isDone && left[0] == "a")
                break
            }
            ends += 1
        }
        #expect(ends > 0)
    }

    @Test func theNextStartReadsTheMetadataAndLosesNothingThatWaits() throws {
        let place = try Place()
        place.disk.set(.once(.sync, at: 1))
        #expect(throws: (any Error).self) { try place.start("a") }
        try place.reopen()
        #expect(try place.start("a") != nil)
        let graph = try place.store.graph()
        var tool = StructureValue(
            type: try #require(graph.structure(named: "Ws.Tool")), in: graph)
        tool.slots = [.scalar(.integer(7)), .scalar(.string("Saw"))]
        try place.store.perform(.create(table: "aTools", value: tool, binds: []))
        try place.reopen()
        #expect(try place.start("b") == nil)
        #expect(try place.services() == ["a", "a", "a"])
        #expect(try place.store.allRequests().map(\.operation) == [.create])
    }

    /// What is met of a service is true of that one, and a store without metadata may still become another's.
    @Test(arguments: [("a", true), ("b", false)])
    func whatWasMetOfAnotherServiceIsForgotten(name: String, isKept: Bool) throws {
        let place = try Place()
        // As earlier versions could leave it: the note is there, the metadata is not.
        try place.store.note(StoreOrigin(name: "a", root: "http://a/svc/"))
        try place.store.learn { $0.learn(keys: .segments).map { [$0] } ?? [] }
        try place.store.pin("batch", to: "no")
        try place.start(name)
        let profile = try place.store.serviceProfile()
        #expect(profile.keys == (isKept ? .segments : nil))
        #expect(profile.pinned == ["batch=no"])
        #expect(try place.services() == [name, name, name])
    }

    @Test func whatWasMetBeforeAnybodyKnewWhoseStoreItIsIsForgotten() throws {
        let place = try Place()
        try place.store.learn { $0.learn(keys: .segments).map { [$0] } ?? [] }
        try place.start("a")
        #expect(try place.store.serviceProfile().keys == nil)
        try place.store.learn { $0.learn(keys: .segments).map { [$0] } ?? [] }
        try place.reopen()
        try place.start("a")
        #expect(try place.store.serviceProfile().keys == .segments)
    }
}
