import Foundation
import GRDB
import ODataSQLite
import ODataStore
import ODataText
import ODataWire
import ODataWorld
import Synchronization
import Testing

/// What brings the log into the file beside those who write.
@Suite final class LogCheckpointTests {
    private let tools: ToolsStore
    private let syncs = FileSyncs()
    private var store: LocalStore { tools.store }
    /// Ends a test whose condition never comes true.
    private let deadline = Date(timeIntervalSinceNow: 60)

    init() throws {
        tools = try ToolsStore(watch: syncs)
    }

    private var size: Int {
        let found = try? FileManager.default.attributesOfItem(atPath: tools.file)
        return found?[.size] as? Int ?? 0
    }

    /// Writes a mebibyte for each; the writer itself lets the log grow to sixteen.
    private func write(_ numbers: Range<Int>) throws {
        for number in numbers {
            try store.write(.normal) {
                try $0.execute(
                    sql: "INSERT INTO Tools (Id, Title) VALUES (?, hex(randomblob(524288)))",
                    arguments: [number])
            }
        }
    }

    @Test func theLogIsBroughtIntoTheFileWhileMuchIsWritten() throws {
        let before = size
        try store.checkpointing {
            try write(0..<8)
            while size < before + (2 << 20), Date() < deadline { usleep(1_000) }
        }
        #expect(size >= before + (2 << 20))
        // Behind it nobody does so any more.
        let after = size
        try write(8..<12)
        #expect(size == after)
        #expect(
            try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Tools") } == 12)
    }

    #if os(Linux)
        /// The writer's own checkpoint, behind 16 MiB, would wait for all of it.
        @Test(arguments: [false, true]) func whatIsBroughtIntoTheFileIsOnDisk(fails: Bool) throws {
            syncs.begin(failing: fails)
            try store.checkpointing {
                try write(0..<8)
                while syncs.count == 0, Date() < deadline { usleep(1_000) }
            }
            #expect(syncs.count > 0)
            // The checkpoint of closing asks for all of it again, so that nothing depends on whether that failed.
            let before = syncs.count
            try store.close()
            #expect(syncs.count > before)
        }
    #endif
}

/// Counts how often a store is synced, its log aside, and can refuse the first time.
private final class FileSyncs: FileWatch {
    private struct State {
        var count = 0
        var failsNext = false
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    func begin(failing: Bool) { state.withLock { $0 = State(failsNext: failing) } }

    func before(_ operation: FileOperation) -> Int32 {
        guard operation.kind == .sync, operation.path?.hasSuffix("/store.db") == true else {
            return 0
        }
        return state.withLock { state in
            state.count += 1
            defer { state.failsNext = false }
            return state.failsNext ? 10 | 4 << 8 : 0
        }
    }

    func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {}
}
