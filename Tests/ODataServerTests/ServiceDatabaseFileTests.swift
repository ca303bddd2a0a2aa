import ErrorFixture
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataText
import Testing

/// What a service does to the file that it serves, and what it makes of what stands there.
@Suite struct ServiceDatabaseFileTests {
    private func read<Value: DatabaseValueConvertible>(_ path: String, _ sql: String) throws
        -> [Value]
    {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { try Value.fetchAll($0, sql: sql) }
    }

    private static let everything =
        "SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema "
        + "WHERE name NOT LIKE 'sqlite%' ORDER BY name"

    @Test func theJournalModeStaysAsItWas() throws {
        for mode in ["delete", "wal", "truncate"] {
            let directory = try TemporaryDirectory()
            let path = directory.file("a.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "CREATE TABLE T (Id INTEGER PRIMARY KEY)") }
            try queue.close()
            try set(mode, path)
            try serveOnce(path)
            #expect(try isWAL(path) == (mode == "wal"), "\(mode)")
            // The next service finds what the owner has set since.
            for next in ["wal", "delete"] {
                try set(next, path)
                try serveOnce(path)
                #expect(try isWAL(path) == (next == "wal"), "\(mode), then \(next)")
            }
        }
    }

    private func set(_ mode: String, _ path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            _ = try String.fetchOne($0, sql: "PRAGMA journal_mode = \(mode)")
        }
        try queue.close()
    }

    private func serveOnce(_ path: String) throws {
        let service = try ODataService(ServiceConfiguration(databasePath: path))
        let request = RequestMessage(method: "GET", url: "/T", headers: ["Host": "h"])
        #expect(service.respond(to: request).status == 200)
        try service.close()
    }

    private func isWAL(_ path: String) throws -> Bool {
        let header = try #require(FileHandle(forReadingAtPath: path)?.readData(ofLength: 20))
        return header[18] == 2
    }

    @Test func aServiceThatRunsKeepsItsLog() throws {
        for mode in ["delete", "wal"] {
            let directory = try TemporaryDirectory()
            let path = directory.file("a.sqlite")
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "CREATE TABLE T (Id INTEGER PRIMARY KEY)") }
            try queue.close()
            try set(mode, path)
            let service = try ODataService(ServiceConfiguration(databasePath: path))
            let during: [String] = try read(path, Self.everything)
            let error = #expect(throws: ODataError.self) { try ODataService.untrack(path) }
            #expect(error?.code == .storage && error?.message.contains("in use") == true)
            #expect(error?.location == .path(path))
            let one = #expect(throws: ODataError.self) {
                try ODataService.untrack(table: "T", in: path)
            }
            #expect(one?.code == .storage && one?.message.contains("in use") == true)
            #expect(one?.location == .path(path))
            #expect(try read(path, Self.everything) == during)
            let made = service.respond(
                to: RequestMessage(
                    method: "POST", url: "/T",
                    headers: ["Host": "h", "Content-Type": "application/json"],
                    body: Array("{}".utf8)))
            #expect(made.status == 201, "\(mode)")
            try service.close()
            try ODataService.untrack(table: "T", in: path)
            #expect(try isWAL(path) == (mode == "wal"))
            let triggers: [String] = try read(
                path, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
            #expect(triggers.isEmpty)
            try ODataService.untrack(path)
            let left: [String] = try read(path, Self.everything)
            #expect(left == ["T CREATE TABLE T (Id INTEGER PRIMARY KEY)"])
            #expect(try isWAL(path) == (mode == "wal"))
        }
    }

    @Test func untrackingLeavesNothingOfOurs() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("a.sqlite")
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE T (Id INTEGER PRIMARY KEY, Name TEXT, Content MEDIA, ContentType TEXT);
                    CREATE TRIGGER mine AFTER INSERT ON T BEGIN SELECT 1; END;
                    """)
        }
        try queue.close()
        let before: [String] = try read(path, Self.everything)
        let service = try ODataService(ServiceConfiguration(databasePath: path))
        let media = [UInt8](repeating: 7, count: 600_000)
        let made = service.respond(
            to: RequestMessage(
                method: "POST", url: "/T", headers: ["Host": "h", "Content-Type": "image/png"],
                body: media))
        #expect(made.status == 201)
        try service.close()
        // A file that once was a mirror has more of ours.
        let other = try DatabaseQueue(path: path)
        try other.write {
            try $0.execute(
                sql: "CREATE TABLE _odata_mirrored (name TEXT); CREATE TABLE _odata_mirror (a)")
        }
        try other.close()
        let during: [String] = try read(path, Self.everything)
        #expect(during.count > before.count)
        try ODataService.untrack(path)
        #expect(try read(path, Self.everything) == before)
        #expect(try read(path, "SELECT length(Content) FROM T") == [600_000])
        #expect(try read(path, "SELECT hex(substr(Content, 599999, 2)) FROM T") == ["0707"])
        #expect(try read(path, "SELECT ContentType FROM T") == ["image/png"])
        #expect(try !isWAL(path))
    }

    @Test func theStoreOfAClientIsRefused() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.db")
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE _odata_request (id INTEGER PRIMARY KEY)")
        }
        try queue.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let error = #expect(throws: ODataError.self) {
            _ = try ODataService(ServiceConfiguration(databasePath: path))
        }
        #expect(error?.code == .storage && error?.message.contains("store of a client") == true)
        #expect(error?.location == .path(path))
        #expect(
            failure { try ODataService.untrack(path) } == Failure(.storage, at: .path(path)))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func rowsWithoutAKeyAreLeftOutAndReported() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE P (Code TEXT PRIMARY KEY, Name TEXT);
                CREATE TABLE C (Id INTEGER PRIMARY KEY, PCode TEXT REFERENCES P(Code));
                INSERT INTO P VALUES ('a', 'A'), (NULL, 'nobody'), ('b', 'B'), (NULL, 'too');
                INSERT INTO C VALUES (1, 'a'), (2, NULL);
                """)
        let page = fixture.send("GET /P?$select=Code", ["Prefer: odata.track-changes"])
        #expect(page.status == 200)
        #expect(page.items.map { $0.contains("\"Code\":null") } == [false, false])
        #expect(page.items.count == 2)
        #expect(fixture.send("GET /C?$expand=P").status == 200)
        #expect(fixture.service.notes.contains("2 rows of P without a key are left out."))
        try fixture.sql("DELETE FROM P WHERE Code IS NULL; INSERT INTO P VALUES (NULL, 'three')")
        let delta = fixture.send(follow(page.deltaLink))
        #expect(delta.status == 200 && delta.items == [], "\(delta.text)")
    }

    @Test func aValueOfAnotherTypeIsNullAndNotGone() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, N INTEGER, D DATE, W DATETIME, B BOOLEAN);
                INSERT INTO T VALUES (1, 'none', '7/11/1998', 'soon', 'perhaps'), (2, 5, NULL, NULL, 1);
                """)
        let page = fixture.send("GET /T?$select=N,D,W,B")
        #expect(
            page.items == [
                #"{"@odata.etag":"W/\"0\"","Id":1,"N":null,"D":null,"W":null,"B":null}"#,
                #"{"@odata.etag":"W/\"0\"","Id":2,"N":5,"D":null,"W":null,"B":true}"#,
            ])
        #expect(fixture.service.notes.filter { $0.hasPrefix("Conversion error") }.count == 4)
        let again = try ODataService(fixture.service.configuration)
        #expect(again.graph.structures == fixture.service.graph.structures)
    }

    @Test func aServiceForReadersTakesNoChanges() throws {
        for speaksV2 in [false, true] {
            let fixture = try ServiceFixture {
                $0.isReadOnly = true
                $0.speaksV2 = speaksV2
            }
            for line in ["POST /Tags", "PATCH /Tools(1)", "PUT /Tools(1)", "DELETE /Tools(1)"] {
                let answer = fixture.send(line, body: line.hasPrefix("D") ? "" : "{}")
                #expect(answer.status == 405, "\(line)")
                #expect(answer.headers["Allow"] == "GET, HEAD")
            }
            #expect(fixture.send("GET /Tools").status == 200)
            #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
        }
        let metadata = try ServiceFixture { $0.isReadOnly = true }.send("GET /$metadata").text
        #expect(metadata.contains("InsertRestrictions") && metadata.contains("Insertable"))
    }

    @Test func whatIsExcludedIsNotThere() throws {
        let fixture = try ServiceFixture { $0.tables.excluded = ["Members"] }
        #expect(fixture.send("GET /Members").status == 404)
        #expect(fixture.send("GET /Tools(1)/Owner").status == 404)
        #expect(!fixture.send("GET /$metadata").text.contains("Members"))
        #expect(fixture.send("GET /Tools(1)").status == 200)
    }

    @Test func changesThatNobodyLookedAtAreNotMissed() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tags SET Remark = 'x'")
        let link = fixture.send("GET /Tags", ["Prefer: odata.track-changes"]).deltaLink
        #expect(fixture.send(follow(link)).status == 200)
        try fixture.service.close()
        var without = fixture.service.configuration
        without.tables.excluded = ["Tags"]
        try ODataService(without).close()
        try fixture.sql("UPDATE Tags SET Remark = 'unseen'")
        let again = try ODataService(fixture.service.configuration)
        let url = String((link ?? "").dropFirst("http://h".count))
        let answer = again.respond(
            to: RequestMessage(method: "GET", url: url, headers: ["Host": "h"]))
        #expect(answer.status == 410, "\(answer.status) \(url)")
    }

    @Test func theLogKeepsNoBlobsAndIsBounded() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, Name TEXT, B BLOB);
                INSERT INTO T VALUES (1, 'x', randomblob(100000)), (2, 'y', randomblob(100000));
                """)
        let page = fixture.send(
            "GET /T?$filter=startswith(Name,'x')&$select=Name", ["Prefer: odata.track-changes"])
        try fixture.sql("UPDATE T SET Name = 'z'; DELETE FROM T WHERE Id = 2")
        #expect(try fixture.value("SELECT max(length(old)) < 200 FROM _odata_changes") == "1")
        let delta = fixture.send(follow(page.deltaLink))
        #expect(
            delta.text.contains("T(1)") && delta.text.contains("deletedEntity"), "\(delta.text)")
        for _ in 0..<20 { try fixture.sql("UPDATE T SET Name = Name || 'w'") }
        try fixture.service.purgeChanges(keepingBytes: 1_000, seconds: 1_000, now: 5_000)
        let kept = Int(try fixture.value("SELECT count(*) FROM _odata_changes") ?? "") ?? 0
        #expect(kept > 0 && kept < 15, "\(kept)")
        #expect(fixture.send(follow(page.deltaLink)).status == 410)
        try fixture.sql("UPDATE T SET Name = Name || 'w'")
        try fixture.service.purgeChanges(keepingBytes: 1 << 30, seconds: 1_000, now: 9_000)
        // What was there at 5,000 is older than that.
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "1")
    }

    @Test(arguments: [300, 990, 1_990]) func wideTablesDoNotKeepTheRestFromStarting(width: Int)
        throws
    {
        let columns = (0..<width).map { "c\($0) INTEGER DEFAULT 1" }.joined(separator: ", ")
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE W (Id INTEGER PRIMARY KEY, \(columns));
                CREATE TABLE T (Id INTEGER PRIMARY KEY);
                INSERT INTO W (Id) VALUES (1);
                """)
        #expect(fixture.send("GET /T").status == 200)
        #expect(fixture.send("POST /T", body: "{}").status == 201)
        #expect(fixture.send("GET /W?$select=c7").status == 200)
        try fixture.sql("UPDATE W SET c7 = 2")
        let isTracked = try fixture.value(
            "SELECT count(*) FROM _odata_changes WHERE table_name = 'W'")
        #expect(
            isTracked == "1" || fixture.service.notes.contains { $0.contains("W is read-only") })
    }
}
