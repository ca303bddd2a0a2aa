import GRDB
import GRDBSQLite

/// The page cache of a first load, small as long as it needs no more.
///
/// Rows that come in the order of their keys are written to pages that nobody looks at again, so that a cache holds nothing
/// but what was. Others are looked for all over the index of the key: the load has the whole cache of the connection then,
/// as soon as pages are missed.
package struct LoadCache {
    /// Kibibytes: a few transactions.
    private static let small = 6_144
    /// Rows of which one may miss a page; reading it again takes as long as one of them.
    private static let rowsPerMiss = 8
    /// Pages that a transaction may miss beside: where the tables begin, and what others have done meanwhile.
    private static let pagesToBegin = 64

    private var isSmall = true

    package init() {}

    // Hot: FirstSync, Memory
    /// Runs `body`, which says how many rows it has written.
    package mutating func load(_ database: Database, _ body: () throws -> Int) throws {
        guard isSmall else {
            _ = try body()
            return
        }
        let before = database.pagesMissed
        let rows = try database.withCache(kibibytes: Self.small, body)
        isSmall = database.pagesMissed - before <= Self.pagesToBegin + rows / Self.rowsPerMiss
    }
}

extension Database {
    /// Runs `body` with a page cache of so many kibibytes at most.
    func withCache<Result>(
        kibibytes: Int, _ body: () throws -> Result
    ) throws -> Result {
        let cache = try Int.fetchOne(self, sql: "PRAGMA cache_size") ?? -kibibytes
        try execute(sql: "PRAGMA cache_size = \(max(cache, -kibibytes))")
        defer { try? execute(sql: "PRAGMA cache_size = \(cache)") }
        return try body()
    }

    /// Pages that the connection has had to read since it was opened.
    fileprivate var pagesMissed: Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &count, &highest, 0)
        return Int(count)
    }
}
