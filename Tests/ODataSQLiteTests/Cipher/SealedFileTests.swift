import Foundation
import GRDB
import ODataSQLite
import Testing

/// An encrypted file under SQLite: everything works as in clear, and nothing is in clear.
@Suite struct SealedFileTests {
    private let secret = Data("planted-secret".utf8)

    @Test func writesSpillsRollbacksAndVacuumsKeepTheFileWhole() throws {
        let fixture = try SealedFixture()
        let file = try fixture.storeFile()
        let pool = try fixture.pool(file)
        try SealedFixture.fill(pool, rows: 2000)
        try pool.write { database in
            try database.execute(sql: "CREATE INDEX i ON t (text)")
            // A savepoint whose pages are spilled, and spilled again after it is taken back.
            try database.inSavepoint {
                try database.execute(sql: "UPDATE t SET text = text || 'y'")
                return .rollback
            }
            try database.execute(sql: "UPDATE t SET text = 'planted-secret' || id WHERE id % 3 = 0")
            try database.execute(sql: "UPDATE t SET text = text || 'z' WHERE id % 5 = 0")
        }
        try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try SealedFixture.count(pool) == 2000)
        let check = try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(check == "ok")
        try pool.close()
        #expect(try fixture.everything().range(of: secret) == nil)
        #expect(try fixture.failure() == nil)
    }

    @Test func nothingReachesTheDiskInClear() throws {
        let fixture = try SealedFixture()
        let watch = WrittenBytes()
        let file = try fixture.storeFile(watch: watch)
        let pool = try fixture.pool(file)
        try SealedFixture.fill(pool, rows: 3000)
        try pool.writeWithoutTransaction { database in
            // A temporary table that spills, a sort that spills, and a statement journal beyond memory.
            try database.execute(sql: "CREATE TEMP TABLE u AS SELECT * FROM t")
            try database.execute(sql: "UPDATE u SET text = 'planted-secret-in-temp' || text")
            try database.execute(sql: "CREATE INDEX i ON t (text)")
            try database.execute(sql: "CREATE UNIQUE INDEX k ON t (id, text)")
            _ = try? database.execute(
                sql: "UPDATE t SET id = CASE id WHEN 2999 THEN 3000 ELSE -id END")
            try database.execute(sql: "VACUUM")
        }
        try pool.close()
        #expect(watch.temporaryCount > 100)
        #expect(watch.kinds.isSuperset(of: [.open, .write, .truncate, .sync, .delete]))
        #expect(watch.bytes.count > 1 << 20)
        #expect(watch.bytes.range(of: secret) == nil)
        #expect(watch.bytes.range(of: Data("SQLite format 3".utf8)) == nil)
        #expect(watch.bytes.range(of: Data("CREATE ".utf8)) == nil)
    }

    @Test func readersSeeCommitsWhileAWriterWrites() throws {
        let fixture = try SealedFixture()
        let file = try fixture.storeFile()
        let pool = try fixture.pool(file)
        try SealedFixture.fill(pool, rows: 10)
        let counts = try pool.write { database in
            try database.execute(sql: "DELETE FROM t")
            return (try pool.unsafeRead { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") })
        }
        #expect(counts == 10)
        #expect(try SealedFixture.count(pool) == 0)
        try pool.close()
    }

    @Test func aLogThatWasLeftBehindIsRecovered() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let file = try fixture.storeFile()
        let pool = try fixture.pool(file)
        for _ in 0..<5 { try SealedFixture.fill(pool, rows: 10) }
        // What a killed process leaves: file and log as they stand, no shared memory.
        let (main, log) = (try fixture.bytes(), try fixture.bytes("-wal"))
        try pool.close()
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: fixture.path + suffix)
        }
        try fixture.write(main)
        try fixture.write(log, "-wal")
        let queue = try fixture.storeFile().queue()
        #expect(try SealedFixture.count(queue) == 100)
        try queue.close()
        // A log that ends in the middle of a frame ends before the commit of that frame.
        try fixture.write(main)
        try fixture.write(Array(log.dropLast(100)), "-wal")
        let shorter = try fixture.storeFile().queue()
        #expect(try SealedFixture.count(shorter) == 90)
        try shorter.close()
    }

    @Test func aTornFirstPageIsReadFromTheLog() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let file = try fixture.storeFile()
        let pool = try fixture.pool(file)
        try pool.write { try $0.execute(sql: "CREATE TABLE v (id INTEGER)") }
        var main = try fixture.bytes()
        let log = try fixture.bytes("-wal")
        try pool.close()
        // A checkpoint of the first page was interrupted.
        for index in 8192 + 1000..<8192 + 2000 { main[index] = 7 }
        try? FileManager.default.removeItem(atPath: fixture.path + "-shm")
        try fixture.write(main)
        try fixture.write(log, "-wal")
        #expect(try fixture.failure() == nil)
        // Without the log there is nothing to read it from.
        try fixture.write(main)
        try? FileManager.default.removeItem(atPath: fixture.path + "-wal")
        #expect(try fixture.failure() as? StoreDamage == .page(1))
    }

    @Test func twoConnectionsOfDifferentOpeningsShareTheFile() throws {
        let fixture = try SealedFixture()
        let (first, second) = (try fixture.storeFile(), try fixture.storeFile())
        let (left, right) = (try fixture.pool(first), try fixture.pool(second))
        try SealedFixture.fill(left, rows: 20)
        try SealedFixture.fill(right, rows: 20)
        #expect(try SealedFixture.count(left) == 40)
        #expect(try SealedFixture.count(right) == 40)
        try left.close()
        try SealedFixture.fill(right, rows: 2)
        try right.close()
        #expect(try fixture.failure() == nil)
    }

    @Test func anOnlineBackupStaysEncryptedUnderItsOwnKey() throws {
        let fixture = try SealedFixture()
        try fixture.make()
        let source = try fixture.storeFile().queue()
        let target = try StoreFile(
            path: fixture.file("backup.db"), key: try StoreKey(SealedFixture.otherKey))
        let queue = try target.queue()
        try source.backup(to: queue)
        #expect(try SealedFixture.count(queue) == 50)
        try queue.close()
        try source.close()
        #expect(try fixture.everything().range(of: secret) == nil)
    }
}
