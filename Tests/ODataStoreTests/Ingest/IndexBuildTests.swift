import Foundation
import GRDB
import ODataStore
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Indexes of rows that are there, and who may write meanwhile.
@Suite final class IndexBuildTests {
    private let tools: ToolsStore
    private var store: LocalStore { tools.store }
    private static let statement = "CREATE INDEX IF NOT EXISTS by_title ON Tools (Title)"

    init() throws {
        tools = try ToolsStore()
        try store.write(.normal) { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
                    INSERT INTO Tools (Id, Title) SELECT i, 'title ' || i FROM n
                    """)
        }
    }

    private func hasIndex() throws -> Bool {
        try store.read {
            try Int.fetchOne($0, sql: "SELECT 1 FROM sqlite_master WHERE name = 'by_title'") != nil
        }
    }

    private func build(_ index: IndexBuild, _ statement: String = statement) throws {
        try index.run(statement) { body in try store.write(.normal) { try body($0) } }
    }

    @Test
    func anIndexGivesWayToWhoWantsToWrite() throws {
        var rests: [Duration] = []
        let index = IndexBuild(isAwaited: { rests.count < 2 }) { rest in
            // Nobody holds the writer now, and the rows that come are in the index.
            try? self.store.write(.normal) {
                try $0.execute(
                    sql: "INSERT INTO Tools (Id, Title) VALUES (?, 'late')",
                    arguments: [5_000 + rests.count])
            }
            #expect((try? self.hasIndex()) == false)
            rests.append(rest)
        }
        try build(index)
        #expect(rests == Array(IndexBuild.rests.prefix(2)))
        #expect(try hasIndex())
        let late = try store.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM Tools INDEXED BY by_title WHERE Title = 'late'")
        }
        #expect(late == 2)
    }

    @Test func anIndexGivesWayABoundedNumberOfTimes() throws {
        var rests = 0
        try build(IndexBuild(isAwaited: { true }) { _ in rests += 1 })
        #expect(rests == IndexBuild.rests.count)
        #expect(try hasIndex())
    }

    @Test func anotherFailureIsNoGivingWay() throws {
        var rests = 0
        let index = IndexBuild(isAwaited: { false }) { _ in rests += 1 }
        #expect(throws: ODataError.self) {
            try build(index, "CREATE INDEX by_title ON Tools (Nothing)")
        }
        #expect(rests == 0)
    }

    @Test func anIndexIsMadeInLittleMemory() throws {
        let before = try store.write(.normal) { try Int.fetchOne($0, sql: "PRAGMA cache_size") }
        try build(IndexBuild(), "CREATE TABLE seen AS SELECT cache_size FROM pragma_cache_size")
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT * FROM seen") } == -1_024)
        #expect(
            try store.write(.normal) { try Int.fetchOne($0, sql: "PRAGMA cache_size") } == before)
    }

    @Test func whoLooksForChangesOfOthersInterruptsNoIndex() throws {
        let store = store
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            begun.signal()
            // A look, and what brings the log into the file: neither is a change.
            try? store.checkpoint()
            ended.signal()
        }
        var attempts = 0
        try store.indexBuild.run(Self.statement) { body in
            try store.write(.normal) { database in
                attempts += 1
                if attempts == 1 { begun.wait() }
                usleep(20_000)
                #expect(!store.indexBuild.isAwaited())
                try body(database)
            }
        }
        ended.wait()
        #expect(attempts == 1)
    }

    @Test func whoWaitsForTheWriterInterruptsAnIndex() throws {
        // The writer is held until another waits for it; only that one makes an end of it.
        let index = store.indexBuild
        let (store, deadline) = (store, Date(timeIntervalSinceNow: 30))
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            begun.wait()
            try? store.write(.normal) {
                try $0.execute(sql: "INSERT INTO Tools (Id, Title) VALUES (9000, 'waited')")
            }
            ended.signal()
        }
        var attempts = 0
        try index.run(Self.statement) { body in
            try store.write(.normal) { database in
                attempts += 1
                if attempts == 1 {
                    begun.signal()
                    while !index.isAwaited(), Date() < deadline { usleep(200) }
                }
                try body(database)
            }
        }
        ended.wait()
        #expect(attempts == 2)
        #expect(try hasIndex())
    }
}
