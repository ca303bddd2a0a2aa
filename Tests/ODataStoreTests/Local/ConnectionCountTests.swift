import Dispatch
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import Synchronization
import Testing

/// Everything that uses a store shares one bounded set of connections to its file.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
struct ConnectionCountTests {
    private static let descriptors = "/proc/self/fd"

    /// How many descriptors of this process lead to the file.
    private static func count(_ path: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: descriptors).count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "\(descriptors)/\(name)")
            return target == path
        }
    }

    @Test func readsSnapshotsAndLiveQueriesOfManyThreadsShareAFewConnections() throws {
        let fixture = try StoreFixture()
        let bound = 1 + LocalStore.Configuration().maximumReaders
        #expect(bound == 7)
        for id in 1...20 as ClosedRange<Int64> {
            _ = try fixture.create("Customers", ["ID": .number(id), "Name": .text("Ada")])
        }
        let (store, path) = (fixture.store, fixture.path)
        #expect((1...bound).contains(try Self.count(path)))
        let most = Mutex(0)
        let group = DispatchGroup()
        let errors = Mutex<[any Error]>([])
        for index in 0..<16 {
            group.enter()
            Thread {
                do {
                    for _ in 0..<20 {
                        try Self.use(store, index)
                        let open = try Self.count(path)
                        most.withLock { $0 = max($0, open) }
                    }
                } catch {
                    errors.withLock { $0.append(error) }
                }
                group.leave()
            }.start()
        }
        group.wait()
        #expect(errors.withLock { $0.isEmpty })
        // More than the one that writes and one that reads: they were used at the same time.
        #expect((3...bound).contains(most.withLock { $0 }))
        try store.close()
        #expect(try Self.count(path) == 0)
    }

    private static func use(_ store: LocalStore, _ index: Int) throws {
        let everyone = Query(entitySet: "Customers")
        switch index % 3 {
        case 0:
            #expect(try store.execute(everyone) { $0 }.rowCount == 20)
        case 1:
            try store.read { database in
                let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM Customers")
                Thread.sleep(forTimeInterval: 0.002)
                #expect(count == 20)
            }
        default:
            let live = try LiveQuery(store: store, check: { everyone }, wake: {})
            defer { live.cancel() }
            guard case .first(let rows)? = try live.next() else {
                Issue.record("Expected a first result.")
                return
            }
            #expect(rows.count == 20)
        }
    }
}
