import Foundation
import ODataPostgres
import ODataQuery
import ODataSQL
import ODataServer
import ODataServerPostgres
import PostgreSQLFixture
import Testing

/// Deltas over PostgreSQL, where transactions end in another order than they begin.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresDeltaTests {
    private let place: ChangingService
    private let follower = Follower("t", key: ["id"])

    init() throws {
        place = try ChangingService(
            """
            CREATE TABLE t (id int PRIMARY KEY, n int, note text);
            INSERT INTO t SELECT g, g, 'x' FROM generate_series(1, 5) g
            """)
        #expect(follower.begin(place.service) == 200)
    }

    private func follow(
        _ expected: [String], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(follower.follow(place.service) == 200, sourceLocation: location)
        #expect(follower.told == expected, sourceLocation: location)
        #expect(follower.difference(place.service) == nil, sourceLocation: location)
    }

    private func other() throws -> PostgresConnection {
        try PostgreSQLServer.connection(to: place.address)
    }

    @Test func changesOfOthersAreTold() throws {
        try place.connection.run(
            "INSERT INTO t VALUES (6, 6); DELETE FROM t WHERE id = 2; UPDATE t SET n = 0 WHERE id = 3"
        )
        follow(["+6", "-2 deleted", "+3"])
        follow([])
    }

    @Test func changesOfClientsAreTold() throws {
        #expect(place.send("POST", "t", #"{"id":7,"n":1}"#).status == 201)
        #expect(place.send("PATCH", "t(1)", #"{"n":9}"#).status == 204)
        #expect(place.send("DELETE", "t(2)").status == 204)
        follow(["+7", "+1", "-2 deleted"])
    }

    /// It draws its numbers before those that end before it.
    @Test func aTransactionThatEndsLateIsTold() throws {
        let late = try other()
        try late.run("BEGIN; UPDATE t SET n = 100 WHERE id = 1")
        try place.connection.run("UPDATE t SET n = 200 WHERE id = 2")
        follow(["+2"])
        let newcomer = Follower("t", key: ["id"])
        #expect(newcomer.begin(place.service) == 200)
        try place.connection.run("UPDATE t SET n = 300 WHERE id = 3")
        follow(["+3"])
        try late.run("INSERT INTO t VALUES (8)")
        follow([])
        try late.run("COMMIT")
        follow(["+1", "+8"])
        #expect(newcomer.follow(place.service) == 200)
        #expect(newcomer.told == ["+1", "+3", "+8"])
        follow([])
    }

    @Test func whatIsUndoneIsNotTold() throws {
        try place.connection.run("BEGIN; UPDATE t SET n = 100; ROLLBACK")
        follow([])
        try place.connection.run(
            """
            BEGIN; INSERT INTO t VALUES (6); SAVEPOINT a; INSERT INTO t VALUES (7); SAVEPOINT b;
            INSERT INTO t VALUES (8); RELEASE b; ROLLBACK TO a; INSERT INTO t VALUES (9); COMMIT
            """)
        follow(["+6", "+9"])
    }

    /// A part of a transaction has a number of its own, of which the snapshots of others know nothing.
    @Test func aPartOfATransactionThatEndsLateIsTold() throws {
        let late = try other()
        try late.run("BEGIN; SAVEPOINT a; UPDATE t SET n = 1 WHERE id = 1; RELEASE a")
        try place.connection.run("UPDATE t SET n = 2 WHERE id = 2")
        follow(["+2"])
        try late.run("SAVEPOINT b; UPDATE t SET n = 3 WHERE id = 3; COMMIT")
        follow(["+1", "+3"])
    }

    @Test func aRowUnderAnotherKeyIsAnother() throws {
        try place.connection.run("UPDATE t SET id = 50, n = 1 WHERE id = 5")
        follow(["-5 deleted", "+50"])
        try place.connection.run("UPDATE t SET id = 5 WHERE id = 50; INSERT INTO t VALUES (50, 2)")
        follow(["+5", "+50"])
    }

    @Test func rowsLeaveAndEnterAFilter() throws {
        let some = Follower("t?$filter=n gt 3 and note eq 'x'&$select=id", key: ["id"])
        #expect(some.begin(place.service) == 200)
        #expect(some.rows.count == 2)
        try place.connection.run(
            """
            UPDATE t SET n = 1 WHERE id = 4; UPDATE t SET n = 10 WHERE id = 1; DELETE FROM t WHERE id = 5;
            DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (6, 1, 'x'); INSERT INTO t VALUES (7, 7, 'y');
            INSERT INTO t VALUES (8, 8, 'x')
            """)
        #expect(some.follow(place.service) == 200)
        #expect(some.told == ["-4 changed", "+1", "-5 deleted", "+8"])
        #expect(some.difference(place.service) == nil)
    }

    /// A trigger of the owner that runs before changes the row again: what counts is how it was before both.
    @Test func aTriggerThatChangesTheRowAgainHidesNothing() throws {
        try place.connection.run(
            """
            CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE t SET n = n - 1 WHERE id = NEW.id AND n > 1; RETURN NULL; END $$;
            CREATE TRIGGER "A" AFTER UPDATE ON t FOR EACH ROW EXECUTE FUNCTION again()
            """)
        let some = Follower("t?$filter=n eq 5", key: ["id"])
        #expect(some.begin(place.service) == 200)
        try place.connection.run("UPDATE t SET n = 4 WHERE id = 5")
        #expect(some.follow(place.service) == 200)
        #expect(some.told == ["-5 changed"])
    }

    @Test func pagesOfADeltaEndWhereItBegan() throws {
        try place.connection.run("INSERT INTO t SELECT g, g FROM generate_series(11, 20) g")
        follower.pageSize = 4
        let late = try other()
        try late.run("BEGIN; UPDATE t SET n = 0 WHERE id = 1")
        #expect(follower.followOnePage(place.service) == 200)
        #expect(follower.told == ["+11", "+12", "+13", "+14"])
        try place.connection.run(
            "INSERT INTO t VALUES (30); DELETE FROM t WHERE id = 16; UPDATE t SET n = 1 WHERE id = 11"
        )
        try late.run("COMMIT")
        while follower.next != nil { #expect(follower.followOnePage(place.service) == 200) }
        // The deleted one came in the delta and is gone now: it was in no result, so nothing is said of it.
        #expect(follower.told.count == 9)
        follow(["+1", "+30", "-16 deleted", "+11"])
    }

    /// What came with a later page was not there where the delta begins.
    @Test func whatCameWithALaterPageAndWentIsRemoved() throws {
        let some = Follower("t?$filter=n gt 0", key: ["id"], pageSize: 2)
        #expect(some.beginOnePage(place.service) == 200)
        try place.connection.run("INSERT INTO t VALUES (6, 6); UPDATE t SET n = 0 WHERE id = 5")
        while some.next != nil { #expect(some.followOnePage(place.service) == 200) }
        #expect(some.rows.keys.sorted() == ["1", "2", "3", "4", "6"])
        try place.connection.run("DELETE FROM t WHERE id = 6; INSERT INTO t VALUES (7, 7)")
        try place.connection.run(
            """
            DELETE FROM t WHERE id = 7; UPDATE t SET n = n + 1 WHERE id < 3;
            UPDATE t SET n = 0 WHERE id = 3
            """)
        #expect(some.followOnePage(place.service) == 200)
        #expect(some.told == ["-5 changed", "-6 deleted"])
        // One enters and is told with a later page, and leaves again.
        try place.connection.run("UPDATE t SET n = 9 WHERE id = 3")
        while some.next != nil { #expect(some.followOnePage(place.service) == 200) }
        #expect(some.rows["3"] != nil)
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 3")
        #expect(some.follow(place.service) == 200)
        #expect(some.told == ["-3 changed"])
    }

    @Test func tokensOfReadsReachBackToTheirFirstPages() throws {
        let slow = Follower("t", key: ["id"], pageSize: 2)
        let late = try other()
        try late.run("BEGIN; INSERT INTO t VALUES (0)")
        #expect(slow.begin(place.service) == 200)
        try late.run("COMMIT")
        #expect(slow.follow(place.service) == 200)
        #expect(slow.told == ["+0"])
    }

    @Test func twoProcessesAnswerEachOther() throws {
        let second = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? second.close() }
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 1")
        #expect(follower.follow(second) == 200)
        #expect(follower.told == ["+1"])
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 2")
        follow(["+2"])
        let readers = try TwinServices.serve(place.address)
        defer { try? readers.close() }
        try place.connection.run("DELETE FROM t WHERE id = 3")
        #expect(follower.follow(readers) == 200)
        #expect(follower.told == ["-3 deleted"])
    }

    @Test func whoeverWritesNeedsNoRightToTheLog() throws {
        try place.connection.run(
            """
            DO $$ BEGIN
                PERFORM pg_advisory_xact_lock(1);
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'reader') THEN
                    CREATE ROLE reader LOGIN;
                END IF;
            END $$;
            GRANT SELECT, INSERT, UPDATE, DELETE ON t TO reader; SET ROLE reader;
            SET timezone = 'Asia/Tokyo'; SET search_path = '';
            UPDATE public.t SET n = 0 WHERE id = 1
            """)
        follow(["+1"])
        let error = #expect(throws: PostgresError.self) {
            try place.connection.run("SELECT * FROM _odata.changes")
        }
        #expect(error?.sqlState == "42501")
    }

    @Test func theOwnerDropsColumns() throws {
        try place.connection.run("ALTER TABLE t ADD COLUMN extra text DEFAULT 'e'")
        let next = try TwinServices.serve(place.address, ChangingService.configuration)
        #expect(follower.follow(next) == 200)
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 1")
        try place.connection.run("ALTER TABLE t DROP COLUMN extra, DROP COLUMN note")
        try place.connection.run("UPDATE t SET n = 0 WHERE id = 2; DELETE FROM t WHERE id = 3")
        try next.close()
        let last = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? last.close() }
        #expect(follower.follow(last) == 200)
        #expect(follower.told == ["+1", "+2", "-3 deleted"])
        // The column that named rows goes: whoever writes is not kept from it.
        try place.connection.run("ALTER TABLE t DROP COLUMN id; UPDATE t SET n = 5")
        #expect(try place.rows("SELECT count(*) FROM t WHERE n = 5") == [["4"]])
    }

    @Test func aColumnOfAnotherTypeHidesNothing() throws {
        let some = Follower("t?$filter=note eq 'x'", key: ["id"])
        #expect(some.begin(place.service) == 200)
        try place.connection.run("UPDATE t SET note = '1' WHERE id = 1")
        try place.connection.run(
            "UPDATE t SET note = '2'; ALTER TABLE t ALTER COLUMN note TYPE int USING note::int")
        let next = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? next.close() }
        let number = Follower("t?$filter=note eq 2", key: ["id"])
        #expect(number.begin(next) == 200)
        #expect(number.rows.count == 5)
        try place.connection.run(
            "UPDATE _odata.changes SET old = old || '{\"note\": \"x\"}'; UPDATE t SET note = 3")
        try place.connection.run(
            "UPDATE _odata.changes SET old = old || '{\"note\": \"x\"}' WHERE kind = 'U'")
        #expect(number.follow(next) == 200)
        #expect(number.told.allSatisfy { $0.hasSuffix("changed") })
        #expect(number.rows.isEmpty)
    }
}
