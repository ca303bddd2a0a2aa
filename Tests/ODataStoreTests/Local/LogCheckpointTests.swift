import Foundation
import GRDB
import ODataStore
import ODataText
import ODataWire
import ODataWorld
import Testing

/// What brings the log into the file beside those who write.
@Suite final class LogCheckpointTests {
    private let tools: ToolsStore
    private var store: LocalStore { tools.store }
    /// Ends a test whose condition never comes true.
    private let deadline = Date(timeIntervalSinceNow: 60)

    init() throws {
        tools = try ToolsStore()
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
}
