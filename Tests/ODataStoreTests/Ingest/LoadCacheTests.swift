import GRDB
import ODataStore
import Testing

/// The page cache of a first load.
@Suite final class LoadCacheTests {
    private let tools: ToolsStore

    init() throws {
        tools = try ToolsStore()
        // 2 MiB of rows, each of half a page.
        try tools.store.write(.normal) {
            try $0.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                    INSERT INTO Tools (Id, Title) SELECT i, hex(zeroblob(1000)) FROM n
                    """)
        }
    }

    /// The sizes of the cache before, in and behind a transaction that reads so many rows for so many that it writes.
    private func sizes(
        _ cache: inout LoadCache, reading: Int, rows: Int
    ) throws -> [Int?] {
        var (sizes, load): ([Int?], LoadCache) = ([], cache)
        try tools.store.write(.normal) { database in
            // What is in the cache is not missed.
            database.releaseMemory()
            func note() throws {
                sizes.append(try Int.fetchOne(database, sql: "PRAGMA cache_size"))
            }
            try note()
            try load.load(database) {
                try note()
                _ = try Int.fetchOne(
                    database, sql: "SELECT sum(length(Title)) FROM Tools WHERE Id <= ?",
                    arguments: [reading])
                return rows
            }
            try note()
        }
        cache = load
        return sizes
    }

    @Test func aLoadThatMissesNoPagesHasASmallCache() throws {
        var cache = LoadCache()
        for _ in 0..<3 {
            #expect(try sizes(&cache, reading: 10, rows: 500) == [-16_384, -6_144, -16_384])
        }
    }

    @Test func aLoadThatMissesPagesHasTheWholeCacheFromThenOn() throws {
        var cache = LoadCache()
        #expect(try sizes(&cache, reading: 900, rows: 500) == [-16_384, -6_144, -16_384])
        for _ in 0..<2 {
            #expect(try sizes(&cache, reading: 10, rows: 500) == [-16_384, -16_384, -16_384])
        }
    }

    @Test func aSmallerCacheStaysAsItIs() throws {
        var cache = LoadCache()
        try tools.store.write(.normal) { database in
            try database.execute(sql: "PRAGMA cache_size = -512")
            try cache.load(database) {
                let size = try Int.fetchOne(database, sql: "PRAGMA cache_size")
                #expect(size == -512)
                return 0
            }
        }
    }

    @Test func aTransactionThatFailsLeavesTheCacheAsItWas() throws {
        var cache = LoadCache()
        try tools.store.write(.normal) { database in
            #expect(throws: CancellationError.self) {
                try cache.load(database) { throw CancellationError() }
            }
            let size = try Int.fetchOne(database, sql: "PRAGMA cache_size")
            #expect(size == -16_384)
        }
    }
}
