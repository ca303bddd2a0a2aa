import ErrorFixture
import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld
import Testing

/// Files that end too early are refused by what was expected and what was found, and stay as they are.
@Suite struct TruncationTests {
    private static func open(_ path: String, _ key: StoreKey?) throws -> LocalStore {
        var configuration = LocalStore.Configuration()
        configuration.key = key
        return try LocalStore(path: path, world: LiveWorld(), configuration: configuration)
    }

    private static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Lengths within the header, at the ends of pages and within them.
    private static func cuts(of size: Int, isEncrypted: Bool) -> [Int] {
        let start = isEncrypted ? 8192 : 0
        var cuts = isEncrypted ? [1, 15, 100, 4095] : [1, 15, 17, 100, 511]
        let pages = (size - start) / 4096
        for page in stride(from: 1, to: pages, by: max(1, pages / 9)) {
            let end = start + page * 4096
            cuts += [end, end + 1, end + 3000]
        }
        return cuts + [start + 1, start + 4095, size - 4096, size - 1]
    }

    @Test(arguments: [false, true])
    func aShorterFileIsNamedAndStaysAsItIs(isEncrypted: Bool) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let whole = try Self.bytes(store.path)
        for count in Self.cuts(of: whole.count, isEncrypted: isEncrypted) {
            let short = whole.prefix(count)
            try short.write(to: URL(fileURLWithPath: store.path))
            let error = #expect(throws: ODataError.self, "\(count) bytes") {
                try Self.open(store.path, try store.key).close()
            }
            guard case .cutOff(let expected, let found)? = error?.underlying as? StoreDamage else {
                Issue.record("\(count) bytes: \(String(describing: error))")
                continue
            }
            #expect(found == Int64(count) && expected > found && expected <= Int64(whole.count))
            #expect(error?.code == .storage && error?.message.contains("\(count)") == true)
            #expect(error?.location == .path(store.path))
            #expect(try Self.bytes(store.path) == short)
            #expect(try !store.check().isIntact, "\(count) bytes")
            #expect(try Self.bytes(store.path) == short)
            try? FileManager.default.removeItem(atPath: store.path + "-wal")
            try? FileManager.default.removeItem(atPath: store.path + "-shm")
        }
    }

    /// Half a file: what is left is repaired, and the file opens again.
    @Test(arguments: [false, true], [0, 1000])
    func whatIsLeftOfAShorterFileIsRepaired(isEncrypted: Bool, within: Int) throws {
        let store = try DamagedStore(isEncrypted: isEncrypted)
        let whole = try Self.bytes(store.path)
        let start = isEncrypted ? 8192 : 0
        for keep in [3, 1] {
            let pages = (whole.count - start) / 4096 * keep / 4
            try whole.prefix(start + pages * 4096 + within)
                .write(to: URL(fileURLWithPath: store.path))
            let report = try store.repair()
            #expect(report.extent == .rebuilt)
            #expect(try store.check().isIntact)
            try Self.open(store.path, try store.key).close()
        }
    }

    /// The last page in the file is one that nothing uses: only the length tells that it is torn.
    @Test func aTornPageThatNothingUsesIsFoundAndRepaired() throws {
        let store = try DamagedStore()
        let queue = try DatabaseQueue(path: store.path)
        try queue.write { database in
            try database.execute(
                sql: "CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(20000));"
                    + " DELETE FROM filler")
        }
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        let whole = try Self.bytes(store.path)
        try whole.dropLast(5).write(to: URL(fileURLWithPath: store.path))
        #expect(
            failure { try Self.open(store.path, nil).close() }
                == Failure(.storage, at: .path(store.path)))
        #expect(try !store.check().isIntact)
        #expect(try store.repair().extent == .rebuilt)
        try Self.open(store.path, nil).close()
    }

    /// Main file and log as a killed process leaves them, and what the store held after each commit.
    private static func victim(
        isEncrypted: Bool
    ) throws -> (main: Data, log: Data, states: Set<[String]>) {
        let work = DiskWork(isEncrypted: isEncrypted)
        var files: (Data, Data)?
        let (outcome, fixture) = try work.run(remembering: true) { step, fixture in
            if step == 3 { try fixture.store.checkpoint() }
            if step == 8 { files = (try bytes(fixture.path), try bytes(fixture.path + "-wal")) }
        }
        try fixture?.store.close()
        let (main, log) = try #require(files)
        return (main, log, Set(outcome.states[3...8]))
    }

    /// A log that ends early is one of which the last commits are not there; a file without pages beside a log is
    /// refused, because SQLite would take it for new and delete the log.
    @Test(arguments: [false, true])
    func aShorterLogIsAnEarlierStateAndAFileWithoutPagesKeepsItsLog(isEncrypted: Bool) throws {
        let (main, log, states) = try Self.victim(isEncrypted: isEncrypted)
        let work = DiskWork(isEncrypted: isEncrypted)
        let key = isEncrypted ? try StoreKey(DiskWork.key) : nil
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cut-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("store.db").path
        func put(_ main: Data, _ log: Data) throws {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            try main.write(to: URL(fileURLWithPath: path))
            try log.write(to: URL(fileURLWithPath: path + "-wal"))
        }
        for count in [0, 10, 32, 33, 56, 4000, 32 + 4120, 20_000, log.count / 2, log.count - 1] {
            try put(main, log.prefix(count))
            try Self.open(path, key).close()
            #expect(states.contains(try work.state(at: path)), "log of \(count)")
        }
        for count in isEncrypted ? [0, 4096, 8192] : [0] {
            try put(main.prefix(count), log)
            let error = #expect(throws: ODataError.self, "file of \(count)") {
                try Self.open(path, key).close()
            }
            #expect(error?.code == .storage && error?.location == .path(path))
            guard case .cutOff? = error?.underlying as? StoreDamage else {
                Issue.record("file of \(count): \(String(describing: error))")
                continue
            }
            #expect(try !StoreCheck(path: path, key: key).isIntact)
            #expect(
                failure { try StoreRepair(path: path, key: key, world: LiveWorld()).run() }
                    == Failure(.storage, at: .path(path)))
            #expect(try Self.bytes(path + "-wal") == log)
            #expect(try Self.bytes(path) == main.prefix(count))
        }
        // Beside its log the file may be short: then pages that are not there are named, and none reads as empty.
        for count in stride(from: 12_288, to: main.count, by: 4_000) {
            try put(main.prefix(count), log)
            do {
                #expect(states.contains(try work.state(at: path)), "file of \(count)")
            } catch let error as ODataError {
                #expect(!isEncrypted || error.underlying is StoreDamage, "\(count): \(error)")
            } catch let error as DatabaseError {
                #expect(
                    !isEncrypted && error.resultCode == .SQLITE_CORRUPT, "\(count): \(error)")
            }
        }
    }
}
