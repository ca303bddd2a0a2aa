import Foundation
import GRDB
import ODataQuery
import ODataSQL
import ODataServer
import ODataText
import Testing

/// The owner of a database that is tracked changes a table, with SQLite alone and past all code of ours.
@Suite struct OwnerChangeTests {
    private static let tables = """
        CREATE TABLE Tools (Id INTEGER PRIMARY KEY, Title TEXT, Note TEXT);
        CREATE TABLE Places (Id INTEGER PRIMARY KEY, Name TEXT);
        INSERT INTO Tools VALUES (1, 'Saw', 'old'), (2, 'Plane', NULL);
        INSERT INTO Places VALUES (1, 'Shed');
        """

    /// A database that a service tracks.
    private static func run(_ body: (_ path: String, DatabaseQueue) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("owner-\(UUID().uuidString).db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let owner = try DatabaseQueue(path: path)
        try owner.write { try $0.execute(sql: tables) }
        try track(owner)
        try body(path, owner)
        try owner.close()
    }

    /// What a service does when it opens the file.
    private static func track(_ owner: DatabaseQueue) throws {
        try owner.write { database in
            let schema = try DatabaseSchemaReader(database).read()
            let mapping = try DatabaseModelBuilder.build(schema).mapping
            try ChangeLog(database).install(mapping, identity: "log")
        }
    }

    private static func execute(_ owner: DatabaseQueue, _ sql: String) throws {
        try owner.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// The keys of changes behind a sequence.
    private static func changes(
        _ owner: DatabaseQueue, of table: String, since sequence: Int64
    ) throws -> [String] {
        try owner.read {
            try String.fetchAll(
                $0,
                sql: "SELECT operation || key FROM _odata_changes"
                    + " WHERE table_name = ? AND sequence > ? ORDER BY sequence",
                arguments: [table, sequence])
        }
    }

    /// Triggers that keep old rows do not stop the owner from dropping what they keep.
    @Test func aColumnIsDroppedUnderItsTriggersAndTrackingGoesOn() throws {
        try Self.run { path, owner in
            try Self.execute(owner, "UPDATE Tools SET Note = 'noted', Title = 'one' WHERE Id = 1")
            let before = try owner.read { try ChangeLog($0).currentSequence() }
            try Self.execute(owner, "ALTER TABLE Tools DROP COLUMN Note")
            // Nothing is served meanwhile, and all that is written is noted.
            try Self.execute(owner, "UPDATE Tools SET Title = 'two' WHERE Id = 1")
            try Self.execute(owner, "UPDATE Tools SET Title = 'two' WHERE Id = 1")
            try Self.execute(owner, "INSERT OR REPLACE INTO Tools (Id, Title) VALUES (1, 'three')")
            try Self.execute(owner, "INSERT INTO Tools (Id, Title) VALUES (77, 'new')")
            try Self.execute(owner, "DELETE FROM Tools WHERE Id = 2")
            #expect(
                try Self.changes(owner, of: "Tools", since: before)
                    == ["U1", "R1", "I1", "I77", "D2"])
            let olds = try owner.read { database in
                try (1...2).map { try ChangeLog(database).oldImage(sequence: before + $0) }
            }
            #expect(olds.map { $0?["Title"] } == ["one".databaseValue, "two".databaseValue])
            #expect(olds[0]?["Note"] == DatabaseValue.null)
            try Self.track(owner)
            let log = try owner.read { database in
                let log = ChangeLog(database)
                return (since: try log.trackedSince("Tools"), now: try log.currentSequence())
            }
            // Tokens and tags from before hold: nothing went by unseen.
            #expect(log.since <= before)
            try Self.execute(owner, "UPDATE Tools SET Title = 'four' WHERE Id = 1")
            let old = try owner.read { try ChangeLog($0).oldImage(sequence: log.now + 1) }
            #expect(old?["Title"] == "three".databaseValue && old?.keys.contains("Note") == false)
        }
    }

    /// More columns than a function of SQLite takes arguments, and a stream among them.
    @Test func aWideTableAndItsStreamLoseColumnsUnderTheirTriggers() throws {
        let owner = try DatabaseQueue()
        let names = (1...120).map { "C\($0)" }
        try Self.execute(
            owner, "CREATE TABLE Wide (Id INTEGER PRIMARY KEY, \(names.joined(separator: ", ")), S)"
        )
        try Self.execute(
            owner,
            "CREATE TABLE _odata_streams (id INTEGER PRIMARY KEY, state TEXT);"
                + "INSERT INTO _odata_streams VALUES (5, 'whole'), (6, 'whole')")
        try Self.track(owner)
        let table = try owner.read { database in
            try #require(
                try DatabaseModelBuilder.build(DatabaseSchemaReader(database).read()).mapping.tables
                    .first { $0.name == "Wide" })
        }
        for trigger in ChangeLogSchema.triggers(
            for: table, allColumns: ["Id"] + names + ["S"], streams: ["S"])
        where trigger.sql.contains("_odata_streams") {
            try Self.execute(owner, trigger.sql)
        }
        try Self.execute(owner, "INSERT INTO Wide (Id, C1, C120, S) VALUES (1, 'a', 'z', 5)")
        let before = try owner.read { try ChangeLog($0).currentSequence() }
        try Self.execute(owner, "ALTER TABLE Wide DROP COLUMN C60")
        try Self.execute(owner, "UPDATE Wide SET C120 = 'y'")
        #expect(try Self.changes(owner, of: "Wide", since: before) == ["U1"])
        let old = try owner.read { try ChangeLog($0).oldImage(sequence: before + 1) }
        #expect(old?["C1"] == "a".databaseValue && old?["C120"] == "z".databaseValue)
        try Self.execute(owner, "UPDATE Wide SET S = 6")
        let doomed = "SELECT id FROM _odata_streams WHERE state = 'doomed'"
        #expect(try owner.read { try Int.fetchAll($0, sql: doomed) } == [5])
        try Self.execute(owner, "ALTER TABLE Wide DROP COLUMN S")
        try Self.execute(owner, "UPDATE Wide SET C120 = 'x'")
        try Self.execute(owner, "DELETE FROM Wide")
        #expect(try owner.read { try Int.fetchAll($0, sql: doomed) } == [5])
    }

    @Test func aTableIsTakenOutOfTrackingAndComesBackWithNewTokens() throws {
        try Self.run { path, owner in
            try Self.execute(owner, "UPDATE Places SET Name = 'Barn'")
            let before = try owner.read { try ChangeLog($0).currentSequence() }
            try ODataService.untrack(table: "tools", in: path)
            try Self.execute(owner, "UPDATE Tools SET Title = 'unseen' WHERE Id = 2")
            // The other table is tracked as before.
            try Self.execute(owner, "UPDATE Places SET Name = 'House'")
            #expect(try Self.changes(owner, of: "Places", since: before) == ["U1"])
            try Self.track(owner)
            let log = try owner.read { database in
                let log = ChangeLog(database)
                return (
                    tools: try log.trackedSince("Tools"), places: try log.trackedSince("Places"),
                    now: try log.currentSequence(), identity: try log.identity()
                )
            }
            // Tokens of the table from before are too old now, those of the other one hold, and the log is the same.
            #expect(log.tools > before && log.places <= before && log.identity == "log")
            try Self.execute(owner, "UPDATE Tools SET Title = 'noted' WHERE Id = 2")
            #expect(try Self.changes(owner, of: "Tools", since: log.now) == ["U2"])
            let old = try owner.read { try ChangeLog($0).oldImage(sequence: log.now + 1) }
            #expect(old?["Title"] == "unseen".databaseValue)
        }
    }

    /// Nobody noted what was written while the triggers were out: no tag from before holds, whether anything was noted before
    /// or not, and a tag that came since does.
    @Test(arguments: [true, false])
    func aTagFromBeforeDoesNotHoldForWhatNobodySaw(wasNoted: Bool) throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("owner-\(UUID().uuidString).db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.alone(path, Self.tables)
        let first = try Self.serve(path, "GET", "/Tools(1)").headers["ETag"]
        if wasNoted { try Self.alone(path, "UPDATE Tools SET Title = 'noted' WHERE Id = 1") }
        let old = try #require(try Self.serve(path, "GET", "/Tools(1)").headers["ETag"])
        #expect((old == first) == !wasNoted)
        try ODataService.untrack(table: "Tools", in: path)
        try Self.alone(path, "UPDATE Tools SET Title = 'unseen' WHERE Id = 1")
        #expect(try Self.serve(path, "PATCH", "/Tools(1)", tag: old).status == 412)
        let title = "SELECT Title FROM Tools WHERE Id = 1"
        #expect(try Self.alone(path) { try String.fetchOne($0, sql: title) } == "unseen")
        // Its tag stays from one run to the next.
        let now = try #require(try Self.serve(path, "GET", "/Tools(1)").headers["ETag"])
        #expect(try Self.serve(path, "PATCH", "/Tools(1)", tag: now).status < 300)
        #expect(try Self.alone(path) { try String.fetchOne($0, sql: title) } == "served")
    }

    private static func alone(_ path: String, _ sql: String) throws {
        try alone(path) { try $0.execute(sql: sql) }
    }

    /// What its owner does while nobody else has the file open.
    private static func alone<Result>(
        _ path: String, _ body: (Database) throws -> Result
    ) throws -> Result {
        let owner = try DatabaseQueue(path: path)
        defer { try? owner.close() }
        return try owner.writeWithoutTransaction(body)
    }

    /// What a service that opens the file says to one request.
    private static func serve(
        _ path: String, _ method: String, _ url: String, tag: String? = nil
    ) throws -> ResponseMessage {
        let service = try ODataService(ServiceConfiguration(databasePath: path))
        defer { try? service.close() }
        var headers: HeaderFields = ["Host": "h"]
        headers["If-Match"] = tag
        if method == "PATCH" { headers["Content-Type"] = "application/json" }
        let body = method == "PATCH" ? #"{"Title":"served"}"# : ""
        return service.respond(
            to: RequestMessage(
                method: method, url: url, headers: headers, body: Array(body.utf8)))
    }

    @Test func aColumnThatIsRenamedOrAddedNeedsNothing() throws {
        try Self.run { _, owner in
            let before = try owner.read { try ChangeLog($0).currentSequence() }
            try Self.execute(owner, "ALTER TABLE Tools RENAME COLUMN Note TO Remark")
            try Self.execute(owner, "ALTER TABLE Tools ADD COLUMN Weight REAL")
            try Self.execute(owner, "UPDATE Tools SET Remark = 'new' WHERE Id = 1")
            #expect(try Self.changes(owner, of: "Tools", since: before) == ["U1"])
            try Self.track(owner)
            #expect(try owner.read { try ChangeLog($0).trackedSince("Tools") } <= before)
        }
    }

    @Test func aTableThatIsNotTrackedIsNamed() throws {
        try Self.run { path, owner in
            let error = #expect(throws: ODataError.self) {
                try ODataService.untrack(table: "Nothing", in: path)
            }
            #expect(error?.code == .notFound && error?.location == .path("Nothing"))
            try Self.execute(owner, "UPDATE Places SET Name = 'Barn'")
            #expect(try Self.changes(owner, of: "Places", since: 0) == ["U1"])
        }
    }
}
