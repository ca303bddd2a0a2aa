import Foundation
import GRDB
import ODataSQLite
import Testing

/// Files are read page by page, and only a few pages are in memory.
@Suite struct DatabasePagesTests {
    @Test func aLargeFileIsReadWithFewPagesInMemory() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("pages-\(UUID().uuidString).db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB);
                    CREATE TABLE u (id INTEGER PRIMARY KEY, x BLOB);
                    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
                    INSERT INTO t SELECT i, zeroblob(i % 7000) FROM n;
                    INSERT INTO u SELECT id, x FROM t;
                    DROP TABLE u;
                    """)
        }
        let (root, unused) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            )
        }
        try queue.close()
        let file = try DamagedFile(holding: try StoreFile(path: path))
        defer { file.close() }
        let pages = try DatabasePages(file, trustsHeader: true)
        #expect(pages.count > 8_000 && unused > 4_000)
        var tree = PageTree(pages)
        var (rows, bytes) = (0, 0)
        let outcome = tree.walk(root: root, isTable: true) { id, payload in
            rows += 1
            bytes += payload.count
            #expect(id == Int64(rows))
            return true
        }
        #expect(outcome.isWhole && rows == 6_000 && bytes > 18_000_000)
        #expect(pages.heldCount <= 64)
        // What is unused is known, and nothing of it is taken for a lost page.
        let free = try #require(pages.free)
        #expect((1...pages.count).filter(free.contains).count == unused)
        var orphans = 0
        tree.orphans { _, _ in orphans += 1 }
        #expect(orphans == 0 && pages.heldCount <= 64)
    }
}
