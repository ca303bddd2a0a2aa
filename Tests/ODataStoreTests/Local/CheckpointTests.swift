import Foundation
import GRDB
import ODataModel
import ODataStore
import ODataText
import ODataWire
import ODataWorld
import Testing

/// The log beside the file is brought into it when readers have let it grow.
@Suite struct CheckpointTests {
    private static func alone(_ path: String) throws -> Int? {
        let copy = path + "-copy"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        defer { try? FileManager.default.removeItem(atPath: copy) }
        let queue = try DatabaseQueue(path: copy)
        defer { try? queue.close() }
        return try queue.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM _odata_event")
        }
    }

    @Test func aLargeLogIsBroughtInOnceItsReaderIsGone() throws {
        let world = LiveWorld()
        let path = "/tmp/odata-checkpoint-\(world.random())/store.db"
        var configuration = LocalStore.Configuration()
        configuration.logBytes = 64 << 10
        let store = try LocalStore(path: path, world: world, configuration: configuration)
        defer { try? store.clear() }
        try store.checkpoint()
        func write(_ count: Int) throws {
            for _ in 0..<count {
                try store.write(.normal) {
                    try $0.execute(
                        sql: "INSERT INTO _odata_event (type, time, details) VALUES ('t', 1, ?)",
                        arguments: [String(repeating: "x", count: 2_000)])
                }
            }
        }
        try write(1)
        store.checkpointIfLarge()
        #expect(try Self.alone(path) == 0)
        let reader = try DatabaseQueue(path: path)
        try reader.read { database in
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM _odata_event") == 1)
            try write(200)
            // A reader is neither waited for nor disturbed.
            store.checkpointIfLarge()
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM _odata_event") == 1)
        }
        try reader.close()
        store.checkpointIfLarge()
        #expect(try Self.alone(path) == 201)
    }
}
