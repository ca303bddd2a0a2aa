import Foundation
import GRDB
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

    @Test func aColumnThatIsDroppedWantsTheTriggersOutAndTrackingGoesOn() throws {
        try Self.run { path, owner in
            let drop = "ALTER TABLE Tools DROP COLUMN Note"
            try Self.execute(owner, "UPDATE Places SET Name = 'Barn'")
            let before = try owner.read { try ChangeLog($0).currentSequence() }
            // SQLite says whose trigger it is, and changes nothing.
            let error = #expect(throws: DatabaseError.self) { try Self.execute(owner, drop) }
            #expect(error?.message?.contains("_odata_track_") == true)
            try Self.execute(owner, "UPDATE Tools SET Note = 'still noted' WHERE Id = 1")
            #expect(try Self.changes(owner, of: "Tools", since: before) == ["U1"])
            try ODataService.untrack(table: "tools", in: path)
            try Self.execute(owner, drop)
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
            #expect(old?["Title"] == "unseen".databaseValue && old?.keys.contains("Note") == false)
        }
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
