import Foundation
import ODataPostgres
import ODataQuery
import ODataSQL
import ODataServer
import ODataServerPostgres
import ODataText
import PostgreSQLFixture
import Synchronization
import Testing

/// What several writers of one database do to each other.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct PostgresConflictTests {
    private let place: ChangingService

    init() throws {
        place = try ChangingService(
            """
            CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL DEFAULT 0, m int, other int);
            INSERT INTO t VALUES (1), (2)
            """)
    }

    private func tag(_ key: Int = 1) throws -> String {
        try #require(place.send("GET", "t(\(key))").headers["ETag"])
    }

    private final class AnswerBox: Sendable {
        let answer = Mutex<ResponseMessage?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    /// Runs a request that waits for a lock of ours, and meanwhile what lets go of it.
    private func beside(
        _ method: String, _ url: String, _ body: String?, _ headers: HeaderFields = [:],
        whileItWaits: () throws -> Void
    ) throws -> ChangingService.Answer {
        let (box, service) = (AnswerBox(), place.service)
        var fields = headers
        if body != nil { fields["Content-Type"] = "application/json" }
        let request = RequestMessage(
            method: method, url: "/" + url, headers: fields, body: Array((body ?? "").utf8))
        Thread.detachNewThread {
            let made = service.respond(to: request)
            box.answer.withLock { $0 = made }
            box.isDone.signal()
        }
        try waitForLock()
        try whileItWaits()
        box.isDone.wait()
        return ChangingService.Answer(try #require(box.answer.withLock { $0 }))
    }

    /// Until a session of the service waits for a lock.
    private func waitForLock() throws {
        let query =
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND wait_event_type = 'Lock'"
        let watcher = try PostgreSQLServer.connection(to: place.address)
        for _ in 0..<2_000 {
            if try ChangingService.rows(query, watcher) == [["1"]] { return }
            usleep(5_000)
        }
        Issue.record("nothing waits")
    }

    @Test func tagsFollowEveryWriter() throws {
        let first = try tag()
        #expect(place.send("GET", "t(1)", nil, ["If-None-Match": first]).status == 304)
        let untouched = try tag(2)
        // Another program's change counts, too.
        try place.connection.run("UPDATE t SET n = 1 WHERE id = 1")
        let second = try tag()
        #expect(second != first)
        #expect(try tag(2) == untouched)
        #expect(place.send("PATCH", "t(1)", #"{"n":9}"#, ["If-Match": first]).status == 412)
        let changed = place.send("PATCH", "t(1)", #"{"n":2}"#, ["If-Match": second])
        #expect(changed.status == 204)
        #expect(try changed.headers["ETag"] == tag())
        let list = place.send("GET", "t?$select=n&$orderby=id").text
        #expect(list.contains(try tag().replacing("\"", with: "\\\"")))
        // What only keeps a row, or tidies the table up, changes no tag.
        try place.connection.run("BEGIN; SELECT * FROM t FOR UPDATE; COMMIT")
        try place.connection.run("VACUUM (FREEZE, FULL) t")
        #expect(try tag(2) == untouched)
        #expect(try place.rows("SELECT n FROM t WHERE id = 1") == [["2"]])
    }

    @Test func whoComesSecondIsToldSo() throws {
        let known = try tag()
        try place.connection.run("BEGIN; UPDATE t SET n = 5 WHERE id = 1")
        let answer = try beside("PATCH", "t(1)", #"{"n":6}"#, ["If-Match": known]) {
            try place.connection.run("COMMIT")
        }
        #expect(answer.status == 412)
        #expect(try place.rows("SELECT n FROM t WHERE id = 1") == [["5"]])
    }

    @Test func whoComesSecondWinsWhereTheFirstGivesUp() throws {
        let known = try tag()
        try place.connection.run("BEGIN; UPDATE t SET n = 5 WHERE id = 1")
        let answer = try beside("DELETE", "t(1)", nil, ["If-Match": known]) {
            try place.connection.run("ROLLBACK")
        }
        #expect(answer.status == 204)
        #expect(try place.rows("SELECT id FROM t") == [["2"]])
    }

    /// Two services, as two processes: of two changes that name the same state, one is made.
    @Test func ofTwoWhoNameTheSameStateOneWins() throws {
        let other = try TwinServices.serve(place.address, ChangingService.configuration)
        defer { try? other.close() }
        let services = [place.service, other]
        for round in 1...40 {
            let known = try tag()
            let statuses = Mutex<[Int: Int]>([:])
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                let answer = ChangingService.send(
                    "PATCH", "t(1)", "{\"n\":\(round * 10 + number)}", ["If-Match": known],
                    to: services[number])
                statuses.withLock { $0[number] = answer.status }
            }
            let found = statuses.withLock { $0 }
            #expect(found.values.sorted() == [204, 412])
            let winner = found.first { $0.value == 204 }?.key ?? -1
            #expect(try place.rows("SELECT n FROM t WHERE id = 1") == [["\(round * 10 + winner)"]])
        }
    }

    /// SQLSTATE 40001: the row has changed since the transaction began, which begins again and finds the new one.
    @Test func aTransactionThatMetAnotherIsRunAgain() throws {
        try place.connection.run("BEGIN; UPDATE t SET m = 7 WHERE id = 1")
        let answer = try beside(
            "PATCH", "t(1)", #"{"n":8}"#, ["Prefer": "return=representation"]
        ) { try place.connection.run("COMMIT") }
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json["m"] as? Int == 7)
        #expect(try place.rows("SELECT n, m FROM t WHERE id = 1") == [["8", "7"]])
    }

    /// Each client adds one to what it read, as often as it takes.
    @Test func nothingIsLostAmongManyWriters() throws {
        let service = place.service
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<10 {
                while true {
                    let read = ChangingService.send("GET", "t(1)", to: service)
                    guard let old = read.json["n"] as? Int, let tag = read.headers["ETag"] else {
                        return
                    }
                    let answer = ChangingService.send(
                        "PATCH", "t(1)", "{\"n\":\(old + 1)}", ["If-Match": tag], to: service)
                    if answer.status == 204 { break }
                    guard answer.status == 412 else { return }
                }
            }
        }
        #expect(try place.rows("SELECT n FROM t WHERE id = 1") == [["40"]])
    }

    /// A trigger stands for another transaction that is always there; its sequence counts on though all is undone.
    @Test(arguments: ["40001", "40P01"])
    func itIsRunAgainSoManyTimesAtMost(_ state: String) throws {
        try place.connection.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                PERFORM nextval('attempts');
                RAISE EXCEPTION USING ERRCODE = '\(state)';
            END $$;
            CREATE TRIGGER t BEFORE UPDATE ON t FOR EACH ROW EXECUTE FUNCTION meet();
            """)
        let answer = place.send("PATCH", "t(1)", #"{"n":1}"#)
        #expect(answer.status == 503)
        #expect(answer.error["code"] == "databaseBusy")
        #expect(answer.headers["Retry-After"] != nil)
        #expect(try place.rows("SELECT last_value FROM attempts") == [["10"]])
        #expect(try place.rows("SELECT n FROM t WHERE id = 1") == [["0"]])
    }

    @Test func aChangeThatNobodyWaitsForIsEndedAndUndone() throws {
        let database = try TwinServices.database(place.address)
        defer { database.close() }
        _ = try database.schema(TableChoice(), takesChanges: true)
        func change(_ id: Int64) -> RowChange {
            var change = RowChange(.update, of: "t")
            change.values = [RowChange.Value("n", .integer(3))]
            change.conditions = [RowChange.Value("id", .integer(id))]
            return change
        }
        try place.connection.run("BEGIN; UPDATE t SET n = 5 WHERE id = 2")
        let end = ContinuousClock.now + .milliseconds(300)
        let error = #expect(throws: ODataError.self) {
            try database.write(isOver: { ContinuousClock.now > end }) { rows in
                _ = try rows.change(change(1))
                _ = try rows.change(change(2))
            }
        }
        #expect(error?.status == 503)
        #expect(error?.code == ODataError.Code("deadlineExceeded"))
        try place.connection.run("ROLLBACK")
        #expect(try place.rows("SELECT n FROM t ORDER BY id") == [["0"], ["0"]])
        // A change of every row is none.
        var all = change(1)
        all.conditions = []
        #expect(throws: ODataError.self) {
            try database.write(isOver: { false }) { _ = try $0.change(all) }
        }
        #expect(try place.rows("SELECT n FROM t ORDER BY id") == [["0"], ["0"]])
    }
}
