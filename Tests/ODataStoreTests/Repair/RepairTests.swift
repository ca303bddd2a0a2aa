import ErrorFixture
import Foundation
import GRDB
import ODataModel
import ODataSQLite
import ODataStore
import ODataText
import Testing

/// Real files are damaged page by page: what is readable stays, the queue before all.
@Suite struct RepairTests {
    private func names(_ store: DamagedStore) throws -> [String] {
        try store.fixture.sql("SELECT ID || Name FROM Customers ORDER BY ID")
    }

    /// Nothing of ours is left beside the store.
    private func expectNoLeftovers(_ store: DamagedStore) throws {
        let folder = (store.path as NSString).deletingLastPathComponent
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.allSatisfy { !$0.contains("repair") && !$0.contains("header") }, "\(files)")
    }

    @Test(arguments: [false, true]) func aWholeStoreIsFoundWholeAndLeftAlone(
        isEncrypted: Bool
    ) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        #expect(try store.check().isIntact)
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        #expect(try store.repair().extent == .none)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    }

    @Test func anIndexThatDisagreesIsMadeAgainInPlace() throws {
        let store = try DamagedStore()
        let before = try names(store)
        let leaf = try #require(store.leaves(store.root("_odata_key_Customers")).last)
        // The last bytes of a page are of its first entry: the number of a row.
        try store.write([0x01], at: leaf * 4096 - 1)
        #expect(try !store.check().isIntact)
        let report = try store.repair()
        #expect(report.extent == .indexes && report.tables.isEmpty)
        #expect(try store.check().isIntact)
        #expect(try names(store) == before)
    }

    @Test(arguments: [false, true]) func aDamagedPageOfAnIndexLosesNothing(
        isEncrypted: Bool
    ) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let (rows, queue) = (try names(store), try store.queue())
        try store.damage(page: store.leaves(store.root("_odata_key_Customers"))[0])
        try store.damage(page: store.root("_odata_request_position"))
        #expect(try !store.check().isIntact)
        let report = try store.repair()
        #expect(report.tables.isEmpty && report.incompleteSets.isEmpty)
        #expect(try store.check().isIntact)
        #expect(try names(store) == rows)
        #expect(try store.queue() == queue)
        try expectNoLeftovers(store)
    }

    @Test(arguments: [false, true]) func rowsOfADamagedPageAreCountedAndReadAgain(
        isEncrypted: Bool
    ) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let queue = try store.queue()
        let leaves = store.leaves(store.root("Customers"))
        #expect(leaves.count > 3)
        try store.damage(page: leaves[1])
        let report = try store.repair()
        #expect(report.extent == .rebuilt)
        let loss = try #require(report.table("Customers"))
        #expect(loss.damagedPages == 1 && loss.lost > 20)
        #expect(loss.kept + loss.lost == DamagedStore.customers)
        #expect(report.incompleteSets == ["Customers"])
        #expect(report.keptRequests == DamagedStore.requests && report.keylessRequests.isEmpty)
        #expect(try store.check().isIntact)
        #expect(try store.queue() == queue)
        try expectNoLeftovers(store)
        // Rows with unsent changes are there, by key, base image and queue.
        try store.fixture.reopen()
        for number in 1...DamagedStore.requests / 2 {
            let row = try store.fixture.row("Customers", Int64(number * 3))
            #expect(try store.fixture.store.knownAddress(of: row) == "Customers(\(number * 3))")
        }
        let local = try store.fixture.sql("SELECT count(*) FROM Customers WHERE Name LIKE 'local%'")
        #expect(local == ["\(DamagedStore.requests / 2)"])
        // Undo leads to the state that the service had told.
        let row = try store.fixture.row("Customers", 3)
        try store.fixture.store.undo([row])
        #expect(
            try store.fixture.sql("SELECT Name FROM Customers WHERE ID = 3") == ["c3xxxxxxxxxxxx"])
    }

    @Test(arguments: [false, true]) func theQueueIsFoundWithoutThePageThatLeadsToIt(
        isEncrypted: Bool
    ) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let queue = try store.queue()
        let root = store.root("_odata_request")
        #expect(store.leaves(root).count > 2)
        try store.damage(page: root)
        let report = try store.repair()
        #expect(report.table("_odata_request")?.damagedPages == 1)
        #expect(report.keptRequests == DamagedStore.requests && report.doubtfulRequests.isEmpty)
        #expect(try store.queue() == queue)
        try store.fixture.reopen()
        #expect(try store.fixture.store.allRequests().count == DamagedStore.requests)
        // Numbers of the lost tree are not given again.
        _ = try store.fixture.create("Orders", ["ID": .number(5_000)])
        #expect(try store.fixture.sql("SELECT max(id) FROM _odata_request") == ["241"])
    }

    @Test(arguments: [false, true]) func requestsOfOtherPagesStayWhenOneIsLost(
        isEncrypted: Bool
    ) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let queue = try store.queue()
        let leaves = store.leaves(store.root("_odata_request"))
        try store.damage(page: leaves[1])
        let report = try store.repair()
        let kept = try store.queue()
        #expect(!kept.isEmpty && kept.count < queue.count)
        #expect(Set(kept).isSubset(of: queue))
        #expect(kept.first == queue.first && kept.last == queue.last)
        #expect(report.rowsWithoutRequest == queue.count - kept.count)
        // A change without its request is no longer shown; what was made here is, until the next download.
        let shown = try store.fixture.sql(
            "SELECT count(*) FROM Customers WHERE Name LIKE 'local%'")
        let updates = kept.filter { $0.contains("merge") }.count
        #expect(shown == ["\(updates)"])
        #expect(
            try store.fixture.sql("SELECT count(*) FROM Orders") == ["\(50 + 120)"])
        #expect(
            try store.fixture.sql("SELECT count(*) FROM Orders WHERE _odata_state & 8")
                == ["\(kept.count - updates)"])
    }

    @Test func aDamagedHeaderIsWrittenAnew() throws {
        let store = try DamagedStore()
        let (rows, queue) = (try names(store), try store.queue())
        try store.write([UInt8](repeating: 0xFF, count: 100), at: 0)
        #expect(try !store.check().isIntact)
        let report = try store.repair()
        #expect(report.tables.isEmpty, "\(report)")
        #expect(try store.check().isIntact)
        #expect(try names(store) == rows)
        #expect(try store.queue() == queue)
        #expect(try store.fixture.sql("PRAGMA user_version") == ["\(StoreFormat.current.version)"])
        try expectNoLeftovers(store)
    }

    @Test(arguments: [false, true]) func theFirstPageIsNotNeeded(isEncrypted: Bool) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let (rows, queue) = (try names(store), try store.queue())
        try store.damage(page: 1)
        #expect(try !store.check().isIntact)
        let report = try store.repair()
        #expect(report.tables.isEmpty, "\(report)")
        #expect(try store.check().isIntact)
        #expect(try names(store) == rows)
        #expect(try store.queue() == queue)
        try store.fixture.reopen()
        #expect(try store.fixture.store.allRequests().count == DamagedStore.requests)
    }

    @Test func requestsFromBeforeAColumnWasAddedAreFoundToo() throws {
        let store = try DamagedStore()
        try store.fixture.reopen()
        try store.fixture.store.write(.full) {
            try $0.execute(
                sql: "ALTER TABLE _odata_request DROP COLUMN user; PRAGMA user_version = 10")
        }
        // The opening adds the column, and leaves the rows as they are.
        try store.fixture.reopen()
        try store.fixture.store.close()
        let queue = try store.queue()
        try store.damage(page: store.root("_odata_request"))
        #expect(try store.repair().keptRequests == DamagedStore.requests)
        #expect(try store.queue() == queue)
    }

    @Test func withFirstPageAndQueueRootLostRequestsAreKeptButNotSent() throws {
        let store = try DamagedStore()
        try store.damage(page: 1)
        try store.damage(page: store.root("_odata_request"))
        let report = try store.repair()
        #expect(report.doubtfulRequests.count == DamagedStore.requests)
        #expect(
            try store.fixture.sql("SELECT DISTINCT state FROM _odata_request") == ["unknown"])
    }

    @Test func aLogThatWasNotBroughtInIsPartOfTheRepair() throws {
        let store = try DamagedStore()
        try store.fixture.reopen()
        try store.fixture.update(
            try store.fixture.row("Customers", 1), ["Name": .text("in the log")])
        // As a killed process leaves it: main file and log copied while the store is open.
        let copy = store.path + ".killed"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: store.path + suffix, toPath: copy + suffix)
        }
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: copy))
        try handle.write(contentsOf: [UInt8](repeating: 0xFF, count: 100))
        try handle.seek(toOffset: UInt64((store.leaves(store.root("Customers"))[2] - 1) * 4096))
        try handle.write(contentsOf: [UInt8](repeating: 0xE7, count: 4096))
        try handle.close()
        let report = try StoreRepair(path: copy, key: nil, world: store.fixture.store.world).run()
        #expect(report.keptRequests == DamagedStore.requests + 1)
        let queue = try DatabaseQueue(path: copy)
        #expect(
            try queue.read {
                try String.fetchOne($0, sql: "SELECT Name FROM Customers WHERE ID = 1")
            } == "in the log")
    }

    @Test func aStoreInUseIsNotRepaired() throws {
        let store = try DamagedStore()
        try store.damage(page: store.leaves(store.root("Customers"))[1])
        try store.fixture.reopen()
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        let error = #expect(throws: ODataError.self) { try store.repair() }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("in use") == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
    }

    @Test func whatIsNoStoreIsLeftAlone() throws {
        let path = StoreFixture.freshPath()
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let junk = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 + 200) })
        try junk.write(to: URL(fileURLWithPath: path))
        #expect(try !StoreCheck(path: path, key: nil).isIntact)
        let world = CountingWorld()
        #expect(
            failure { try StoreRepair(path: path, key: nil, world: world).run() }
                == Failure(.storage, at: .path(path)))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == junk)
    }

    @Test func aWrongKeyIsNoDamage() throws {
        let store = try DamagedStore(isEncrypted: true)
        let other = try StoreKey(String(repeating: "11", count: 32))
        let error = #expect(throws: ODataError.self) {
            _ = try StoreCheck(path: store.path, key: other)
        }
        #expect(error?.code == .storage)
        #expect(error?.location == .path(store.path))
        #expect(error?.underlying as? StoreKeyError == .wrongKey)
    }
}
