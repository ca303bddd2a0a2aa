import ChildFixture
import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataTesting
import ODataText
import ODataWorld
import Testing

/// SIGKILL while a key is changed or a copy is made: exactly one of the two keys opens the store, and its rows are whole.
@Suite struct KeyKillTests {
    private static let keys = [
        String(repeating: "a1", count: 32), String(repeating: "b2", count: 32),
    ]

    /// The keys, of the two, that open the file, and the rows it has.
    private static func opening(_ path: String) throws -> (keys: [Int], rows: Int?) {
        var (found, rows): ([Int], Int?) = ([], nil)
        // What was only begun has no header yet, and opening would make one.
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard (size ?? 0) > 8192 else { return (found, rows) }
        for (number, text) in keys.enumerated() {
            do {
                let file = try StoreFile(path: path, key: try StoreKey(text))
                let queue = try file.queue()
                rows = try queue.read { database in
                    guard try String.fetchAll(database, sql: "PRAGMA quick_check") == ["ok"] else {
                        return -1
                    }
                    return try Int.fetchOne(database, sql: "SELECT count(*) FROM _odata_event")
                }
                try queue.close()
                found.append(number)
            } catch is DatabaseError {
                continue
            } catch is ODataError {
                continue
            }
        }
        return (found, rows)
    }

    /// Starts the child, lets it work for a while once it is ready, and kills it.
    private static func interrupt(_ work: String, _ path: String, after microseconds: UInt32) throws
    {
        let process = try ChildProcess(Child.killChild, [work, path] + keys, output: .pipe)
        #expect(try process.line() == "ready")
        usleep(microseconds)
        process.send(signal: SIGKILL)
        #expect(try process.wait() == .signal(SIGKILL))
    }

    private static func makeStore(_ path: String) throws {
        var configuration = LocalStore.Configuration()
        configuration.key = try StoreKey(keys[0])
        let store = try LocalStore(path: path, world: LiveWorld(), configuration: configuration)
        for _ in 0..<20 {
            try store.noteFinished("upload", details: String(repeating: "x", count: 500))
        }
        try store.close()
    }

    @Test func aKilledChangeOfKeysLeavesExactlyOneOfThem() async throws {
        let rounds = ProcessInfo.processInfo.environment["ODATA_ROUNDS"].flatMap(Int.init) ?? 24
        try await onOwnThread {
            let folder = try FaultPlaceFolder()
            defer { folder.remove() }
            let path = folder.path("store.db")
            try Self.makeStore(path)
            var counts = [0, 0]
            for round in 0..<rounds {
                try Self.interrupt("rekey", path, after: UInt32(300 + round * 977 % 9_000))
                let (keys, rows) = try Self.opening(path)
                #expect(keys.count == 1, "round \(round): \(keys)")
                #expect(rows == 20, "round \(round)")
                for key in keys { counts[key] += 1 }
            }
            print(
                "figure: key kills \(rounds) first=\(counts[0]) second=\(counts[1]) both=0 none=0")
        }
    }

    @Test func aKilledExportLeavesTheStoreAndNoWholeCopyUnderTheWrongKey() async throws {
        try await onOwnThread {
            let folder = try FaultPlaceFolder()
            defer { folder.remove() }
            let path = folder.path("store.db")
            try Self.makeStore(path)
            for round in 0..<10 {
                try Self.interrupt("export", path, after: UInt32(300 + round * 1_977 % 15_000))
                let (keys, rows) = try Self.opening(path)
                #expect(keys == [0] && rows == 20, "round \(round)")
                // A copy is there under its own key, or not whole.
                let copy = try Self.opening(path + ".copy").keys
                #expect(!copy.contains(0), "round \(round)")
            }
        }
    }

    private struct FaultPlaceFolder {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-keys-" + UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        func path(_ name: String) -> String { url.appendingPathComponent(name).path }
        func remove() { try? FileManager.default.removeItem(at: url) }
    }
}
