import Foundation
import ODataPostgres
import ODataQuery
import ODataServer
import PostgreSQLFixture
import Testing

/// Since when changes are noted, and tokens that hold no more.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresLogTests {
    private let place: ChangingService
    private let follower = Follower("t", key: ["id"])

    init() throws {
        place = try ChangingService(
            "CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (1, 1), (2, 2)")
        #expect(follower.begin(place.service) == 200)
    }

    /// An old token is 410 with the way to the whole query, and one of now holds.
    private func expectNewBeginning(
        _ service: ODataService? = nil, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let service = service ?? place.service
        let link = try #require(follower.link, sourceLocation: location)
        let answer = service.respond(
            to: RequestMessage(method: "GET", url: link, headers: [:], body: []))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 410, "\(text)", sourceLocation: location)
        #expect(text.contains("expiredToken"), sourceLocation: location)
        #expect(answer.headers["Location"] == "http://localhost/t", sourceLocation: location)
        #expect(follower.begin(service) == 200, sourceLocation: location)
        #expect(follower.follow(service) == 200, sourceLocation: location)
        #expect(follower.told == [], sourceLocation: location)
    }

    /// Waits until no transaction runs that began before the last change: those of other databases of the cluster, which other
    /// tests use, are in the snapshots of this one.
    private func settle() throws {
        for _ in 0..<1_000 {
            let isSettled = try place.rows(
                """
                SELECT pg_snapshot_xmin(pg_current_snapshot()) > xid FROM _odata.changes
                ORDER BY xid DESC LIMIT 1
                """)
            if isSettled == [["1"]] { return }
            usleep(10_000)
        }
    }

    @Test func allRowsGoAtOnce() throws {
        let late = Follower("t", key: ["id"], pageSize: 1)
        #expect(late.begin(place.service) == 200)
        try place.connection.run("BEGIN; TRUNCATE t; INSERT INTO t VALUES (3, 3); ROLLBACK")
        #expect(follower.follow(place.service) == 200)
        try place.connection.run("TRUNCATE t")
        try expectNewBeginning()
        #expect(follower.rows.isEmpty)
        #expect(late.follow(place.service) == 410)
        try place.connection.run("INSERT INTO t VALUES (3, 3)")
        #expect(follower.follow(place.service) == 200)
        #expect(follower.told == ["+3"])
    }

    @Test func partsOfAPartitionedTable() throws {
        try place.connection.run(
            """
            CREATE TABLE p (id int PRIMARY KEY, n int) PARTITION BY RANGE (id);
            CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
            CREATE TABLE p2 (n int, gone text, id int PRIMARY KEY);
            ALTER TABLE p2 DROP COLUMN gone;
            ALTER TABLE p ATTACH PARTITION p2 FOR VALUES FROM (10) TO (20);
            INSERT INTO p VALUES (1, 1), (11, 11)
            """)
        let service = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? service.close() }
        let parts = Follower("p", key: ["id"])
        #expect(parts.begin(service) == 200)
        try place.connection.run(
            "UPDATE p SET n = 0 WHERE id = 11; INSERT INTO p2 (id) VALUES (12); DELETE FROM p1")
        try place.connection.run("UPDATE p SET id = 2 WHERE id = 11")
        #expect(parts.follow(service) == 200)
        #expect(parts.told == ["+12", "-1 deleted", "-11 deleted", "+2"])
        #expect(parts.difference(service) == nil)
        for change in [
            "TRUNCATE p1", "CREATE TABLE p3 PARTITION OF p FOR VALUES FROM (20) TO (30)",
            "TRUNCATE p3", "ALTER TABLE p DETACH PARTITION p2",
            "ALTER TABLE p1 DISABLE TRIGGER USER; ALTER TABLE p1 ENABLE TRIGGER USER",
        ] {
            try place.connection.run(change)
            #expect(parts.follow(service) == 410, "\(change)")
            #expect(parts.begin(service) == 200)
            #expect(parts.follow(service) == 200, "\(change)")
        }
    }

    @Test func whatNobodyNotedIsNotPassedOver() throws {
        let link = follower.link
        try place.connection.run(
            "ALTER TABLE t DISABLE TRIGGER USER; UPDATE t SET n = 7 WHERE id = 1")
        #expect(follower.follow(place.service) == 410)
        let untracked = Follower("t", key: ["id"])
        #expect(untracked.begin(place.service) == 200)
        #expect(untracked.link == nil)
        try place.connection.run("ALTER TABLE t ENABLE TRIGGER USER")
        #expect(link != nil)
        #expect(follower.begin(place.service) == 200)
        #expect(follower.rows["1"]?["n"] as? Int == 7)
        try place.connection.run(
            "DROP TABLE t; CREATE TABLE t (id int PRIMARY KEY, n int); INSERT INTO t VALUES (9, 9)")
        #expect(follower.follow(place.service) == 410)
        let next = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? next.close() }
        #expect(follower.begin(next) == 200)
        #expect(follower.rows.keys.sorted() == ["9"])
    }

    @Test func whatReplicationBringsIsNoted() throws {
        try place.connection.run(
            "SET session_replication_role = replica; UPDATE t SET n = 5 WHERE id = 1")
        #expect(follower.follow(place.service) == 200)
        #expect(follower.told == ["+1"])
    }

    /// What a dump brings back is not what the token saw.
    @Test func aCopyOfTheDatabaseIsAnother() throws {
        let parts = place.address.components(separatedBy: "dbname=")
        try place.connection.run("UPDATE t SET n = 5 WHERE id = 1")
        try place.service.close()
        let outside = try PostgreSQLServer.connection(to: parts[0] + "dbname=postgres")
        try outside.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(parts[1])'")
        var isMade = false
        for _ in 0..<50 where !isMade {
            isMade = (try? outside.run("CREATE DATABASE \(parts[1])c TEMPLATE \(parts[1])")) != nil
            if !isMade { usleep(20_000) }
        }
        #expect(isMade)
        let address = parts[0] + "dbname=\(parts[1])c"
        let readers = try TwinServices.serve(address)
        let other = Follower("t", key: ["id"])
        #expect(other.begin(readers) == 200)
        #expect(other.link == nil)
        try readers.close()
        let copy = try TwinServices.serve(address, ChangingService.configuration)
        defer { try? copy.close() }
        try expectNewBeginning(copy)
        try PostgreSQLServer.connection(to: address).run("UPDATE t SET n = 6 WHERE id = 2")
        #expect(follower.follow(copy) == 200)
        #expect(follower.told == ["+2"])
    }

    @Test func whatIsForgottenIsRefused() throws {
        for number in 1...10 { try place.connection.run("UPDATE t SET n = \(number) WHERE id = 1") }
        try settle()
        let middle = Follower("t", key: ["id"])
        #expect(middle.begin(place.service) == 200)
        try place.connection.run("UPDATE t SET n = 5 WHERE id = 2")
        try place.service.expireChanges(keepingLast: 1)
        #expect(try place.rows("SELECT count(*) FROM _odata.changes") == [["1"]])
        #expect(middle.follow(place.service) == 200)
        #expect(middle.told == ["+2"])
        try expectNewBeginning()
    }

    /// A transaction that ran when the token was taken may be among those that were forgotten.
    @Test func aTokenThatMayNeedWhatIsForgottenIsRefused() throws {
        let late = try PostgreSQLServer.connection(to: place.address)
        try late.run("BEGIN; UPDATE t SET n = 9 WHERE id = 1")
        #expect(follower.begin(place.service) == 200)
        try late.run("COMMIT")
        try place.service.expireChanges(keepingLast: 0)
        try expectNewBeginning()
    }

    @Test func oldChangesAndManyBytesGo() throws {
        try place.connection.run("UPDATE t SET n = 5 WHERE id = 2")
        let now = Int64(Date().timeIntervalSince1970)
        try place.service.purgeChanges(keepingBytes: 1 << 30, seconds: 60, now: now)
        #expect(follower.follow(place.service) == 200)
        try place.connection.run(
            "INSERT INTO t SELECT g, g FROM generate_series(10, 4000) g; DELETE FROM t WHERE id > 9"
        )
        try place.connection.run("INSERT INTO t VALUES (5, 5)")
        try settle()
        let last = Follower("t", key: ["id"])
        #expect(last.begin(place.service) == 200)
        try place.service.purgeChanges(keepingBytes: 10_000, seconds: 60, now: now)
        let kept = try place.rows("SELECT count(*) BETWEEN 10 AND 100 FROM _odata.changes")
        #expect(kept == [["1"]])
        #expect(last.follow(place.service) == 200)
        try expectNewBeginning()
        try place.connection.run("UPDATE t SET n = 1")
        try place.service.purgeChanges(keepingBytes: 1 << 30, seconds: 60, now: now + 600)
        #expect(try place.rows("SELECT count(*) FROM _odata.changes") == [["0"]])
        try expectNewBeginning()
    }

    @Test func tokensThatNobodyGave() throws {
        #expect(place.send("GET", "t?$deltatoken=x").status == 400)
        let link = try #require(follower.link)
        #expect(place.send("GET", String(link.dropFirst(17)) + "x").status == 400)
        try place.connection.run("CREATE TABLE u (id int PRIMARY KEY)")
        let next = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? next.close() }
        let token = try #require(link.split(separator: "=").last)
        #expect(ChangingService.send("GET", "u?$deltatoken=\(token)", to: next).status == 400)
    }

    @Test func whatCannotBeNotedIsSaidAndNotOffered() throws {
        try place.connection.run(
            """
            CREATE UNLOGGED TABLE fast (id int PRIMARY KEY);
            CREATE TABLE late (id int PRIMARY KEY DEFERRABLE);
            CREATE TABLE family (id int PRIMARY KEY);
            CREATE TABLE child () INHERITS (family);
            CREATE TABLE hidden (id int PRIMARY KEY);
            ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
            ALTER TABLE hidden FORCE ROW LEVEL SECURITY;
            """)
        let service = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? service.close() }
        for table in ["fast", "late", "family"] {
            #expect(
                service.notes.contains { $0.hasPrefix("Changes of \(table) are not tracked: ") })
            let reader = Follower(table, key: ["id"])
            #expect(reader.begin(service) == 200)
            #expect(reader.link == nil)
        }
        #expect(!service.notes.contains { $0.hasPrefix("Changes of t ") })
    }

    /// A service of another user gives delta links where it may read the log, and says so where it may not.
    @Test func whoMayReadTheLog() throws {
        try place.connection.run(
            """
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'reader') THEN
                    CREATE ROLE reader LOGIN;
                END IF;
            END $$;
            GRANT SELECT, INSERT, UPDATE, DELETE ON t TO reader;
            CREATE TABLE u (id int PRIMARY KEY);
            GRANT SELECT, INSERT, UPDATE, DELETE ON u TO reader
            """)
        let address = place.address.replacing("user=odata", with: "user=reader")
        let blind = try TwinServices.serve(address, ChangingService.configuration)
        #expect(blind.notes.contains { $0.contains("may not read the log") })
        #expect(follower.follow(blind) == 410)
        try blind.close()
        try place.connection.run(
            "GRANT SELECT ON _odata.changes, _odata.meta, _odata.expired TO reader")
        let seeing = try TwinServices.serve(address, ChangingService.configuration)
        defer { try? seeing.close() }
        #expect(follower.begin(place.service) == 200)
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 1")
        #expect(follower.follow(seeing) == 200)
        #expect(follower.told == ["+1"])
        #expect(
            seeing.notes.contains(
                "Changes of u are not tracked: the service may make no triggers of it."))
        seeing.finishTrimming()
    }

    @Test func everythingGoesAway() throws {
        try place.service.close()
        try place.connection.run("DROP SCHEMA _odata CASCADE")
        #expect(
            try place.rows("SELECT count(*) FROM pg_trigger WHERE tgname LIKE '!odata%'") == [["0"]]
        )
        try place.connection.run("UPDATE t SET n = 1; TRUNCATE t")
        let next = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? next.close() }
        try expectNewBeginning(next)
    }
}
