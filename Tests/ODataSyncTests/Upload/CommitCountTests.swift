import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataTesting
import ODataWorld
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// How often an upload waits for the disk, and what is on it when a request arrives
/// (docs/decisions/0013-one-transaction-a-request.md).
@Suite struct CommitCountTests {
    private final class CountingWorld: VariedWorld {
        let live = LiveWorld()
        private let writes = Mutex(0)

        var count: Int { writes.withLock { $0 } }

        func checkpoint(_ name: StaticString) {
            if "\(name)" == "store.write" { writes.withLock { $0 += 1 } }
        }
    }

    enum Way: CaseIterable { case accepted, refused, changed }

    /// The transactions of an upload of as many requests, one by one.
    private static func transactions(
        _ count: Int, _ way: Way, threads: Int = 1
    ) async throws -> Int {
        let found = Mutex(0)
        try await ServiceWorkplace.run { place in
            let world = CountingWorld()
            try place.use(world)
            try place.prepare()
            place.sync.batchEntityUploads = false
            place.sync.throwUploadFailures = false
            place.sync.uploadWorkerThreads = threads
            for number in 1...count {
                if way == .changed {
                    try place.retitle(number, "changed \(number)")
                } else {
                    try place.createOrder("C-\(number)")
                }
            }
            if way == .refused {
                place.observer.setFaults { request, _ in
                    guard request.method == "POST" else { return nil }
                    return .answer(
                        ResponseMessage(
                            status: 400,
                            headers: [
                                "OData-Version": "4.0", "Content-Type": "application/json",
                            ],
                            body: Array(#"{"error":{"code":"E","message":"No."}}"#.utf8)))
                }
            }
            let before = world.count
            try place.sync.upload()
            found.withLock { $0 = world.count - before }
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.sync.failed().length == (way == .refused ? count : 0))
        }
        return found.withLock { $0 }
    }

    @Test(arguments: Way.allCases)
    func aRequestThatGoesAloneTakesOneTransaction(_ way: Way) async throws {
        let few = try await Self.transactions(3, way)
        let many = try await Self.transactions(11, way)
        #expect(many - few == 8)
    }

    @Test func requestsOnTheirWayTogetherTakeNoMore() async throws {
        let few = try await Self.transactions(4, .accepted, threads: 4)
        let many = try await Self.transactions(16, .accepted, threads: 4)
        #expect(many - few <= 12)
    }

    /// Its bytes, that it may have left, and all that was answered before it.
    @Test func whatAnArrivingRequestReliesOnIsInTheFile() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.batchEntityUploads = false
            place.sync.uploadWorkerThreads = 1
            for number in 1...6 { try place.createOrder("C-\(number)") }
            let seen = Recorder<String>()
            let file = place.storePath
            place.observer.setFaults { request, _ in
                guard request.method == "POST" else { return nil }
                let states = try? DatabaseQueue(path: file).read { database in
                    try String.fetchAll(
                        database,
                        sql: """
                            SELECT send_count || ' ' || (a.body = ?1) || ' '
                                || (SELECT count(*) FROM _odata_request) || ' '
                                || (SELECT count FROM _odata_sending WHERE request = r.id)
                            FROM _odata_attempt a JOIN _odata_request r ON r.attempt = a.id
                            """, arguments: [Data(request.body)])
                }
                seen.add(states?.joined(separator: ", ") ?? "unread")
                return nil
            }
            try place.sync.upload()
            #expect(seen.all == (1...6).reversed().map { "1 1 \($0) 1" })
            #expect(try place.serviceCount("WorkOrders", "Number LIKE 'C-%'") == 6)
        }
    }
}
