import Foundation
import GRDB
import ODataSQL
import ODataSQLite
import ODataText

// What a service leaves in a file, and how it is taken out again.

extension ServiceDatabase {
    /// The journal mode that the file has now; nothing of it is changed.
    ///
    /// - Throws: `storage` for a file that is no database, and for the store of a client, whose tables are not to be
    ///   changed past the client.
    static func journalMode(_ path: String) throws -> String {
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            return try queue.read { database in
                guard try !database.tableExists("_odata_request") else {
                    throw ODataError(
                        .storage, "Expected a database of a service, found the store of a client.",
                        at: .path(path))
                }
                return try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "delete"
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a SQLite database, could not open the file.",
                at: .path(path), underlying: error)
        }
    }

    /// Keeps the mode that a file had, through a crash of the service, too.
    static func remember(_ mode: String, in pool: DatabasePool) throws {
        try pool.write { database in
            try database.execute(
                sql:
                    "CREATE TABLE IF NOT EXISTS _odata_meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID"
            )
            try database.execute(
                sql: "INSERT OR REPLACE INTO _odata_meta (name, value) VALUES ('journal_mode', ?)",
                arguments: [mode])
        }
    }

    /// Gives a file its mode back, and forgets it: the next service finds what the owner has set since. Leaves it as it is
    /// where another program has it open.
    static func restoreJournalMode(_ path: String) {
        try? withoutPool(path) { database in
            guard let mode = try remembered(database), try set(mode, database) else { return }
            try database.execute(sql: "DELETE FROM _odata_meta WHERE name = 'journal_mode'")
        }
    }

    /// Takes everything of ours out of a database: triggers, tables, and the journal mode. Streams that are kept in
    /// tables of ours go into the rows that they belong to.
    ///
    /// - Throws: `storage` when the file is no database of a service or in use; nothing is changed then.
    static func untrack(_ path: String) throws {
        try alone(path) { database, now in
            guard try !database.tableExists(ModelDatabase.table) else {
                throw ODataError(
                    .storage,
                    "Expected a database that was there before, found one made from a model.",
                    at: .path(path))
            }
            let mode = try remembered(database) ?? now
            try database.inTransaction(.exclusive) {
                let log = ChangeLog(database)
                try log.dropTriggers()
                try log.returnStreams()
                try log.dropTables()
                return .commit
            }
            return mode
        }
    }

    /// Takes the triggers of one table out of a database, so that its owner may drop and rename what they name; the log stays.
    /// The next service makes them anew and gives out no change of the table from before.
    ///
    /// - Throws: `notFound` for a table that is not tracked, `storage` when the file is no database of a service or in use:
    ///   a service that has it open would go on without noting anything. Nothing is changed then.
    static func untrack(table: String, in path: String) throws {
        do {
            try alone(path) { database, now in
                try database.inTransaction(.exclusive) {
                    guard try ChangeLog(database).dropTriggers(of: table) > 0 else {
                        throw ODataError(
                            .notFound, "Expected a table whose changes are tracked, found none.",
                            at: .path(table))
                    }
                    return .commit
                }
                return now
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected the database for a change, could not write it.",
                at: .path(path), underlying: error)
        }
    }

    /// Changes a database that nobody else has open.
    ///
    /// - Parameter body: is told the journal mode that the file has, and returns the one that it gets.
    /// - Throws: `storage` when the file is no database of a service or in use.
    private static func alone(
        _ path: String, _ body: (Database, _ mode: String) throws -> String
    ) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw ODataError(.storage, "Expected a database file, found none.", at: .path(path))
        }
        let now = try journalMode(path)
        do {
            try withoutPool(path) { database in
                // To leave WAL takes the file alone, and this way it stays alone: a service that has it open keeps its log.
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                guard try set("delete", database) else {
                    throw DatabaseError(resultCode: .SQLITE_BUSY)
                }
                let mode: String
                do {
                    mode = try body(database, now)
                } catch {
                    _ = try? set(now, database)
                    throw error
                }
                try set(mode, database)
            }
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
            throw ODataError(
                .storage, "Expected a database that no service has open, found it in use.",
                at: .path(path), underlying: error)
        }
    }

    /// The mode that a file had before a service opened it; nil where it was not changed.
    private static func remembered(_ database: Database) throws -> String? {
        guard try database.tableExists("_odata_meta") else { return nil }
        return try String.fetchOne(
            database, sql: "SELECT value FROM _odata_meta WHERE name = 'journal_mode'")
    }

    /// - Returns: False where the file has another mode still.
    @discardableResult
    private static func set(_ mode: String, _ database: Database) throws -> Bool {
        guard ["delete", "truncate", "persist", "memory", "off", "wal"].contains(mode) else {
            return false
        }
        return try String.fetchOne(database, sql: "PRAGMA journal_mode = \(mode)") == mode
    }

    private static func withoutPool(_ path: String, _ body: (Database) throws -> Void) throws {
        var settings = Configuration()
        settings.busyMode = .timeout(1)
        let queue = try DatabaseQueue(path: path, configuration: settings)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction(body)
    }
}

extension ChangeLog {
    /// Puts the content of streams into the columns that name it.
    func returnStreams() throws {
        guard try database.tableExists("_odata_streams") else { return }
        let schema = try DatabaseSchemaReader(database).read()
        for table in schema.tables where !table.isView {
            for column in table.columns
            where StreamColumn.Kind(declaredType: column.declaredType) != nil {
                let (name, of) = (SQLName.quoted(column.name), SQLName.quoted(table.name))
                let numbers = try Int64.fetchAll(
                    database,
                    sql: "SELECT DISTINCT \(name) FROM \(of) WHERE typeof(\(name)) = 'integer'")
                for number in numbers {
                    guard let facts = try StreamTable(database).facts(number) else { continue }
                    var bytes = Data()
                    var position: Int64 = 0
                    while Int64(bytes.count) < facts.length,
                        let part = try StreamTable(database).chunks.part(position, of: number)
                    {
                        bytes.append(contentsOf: part)
                        position += 1
                    }
                    try database.execute(
                        sql:
                            "UPDATE \(of) SET \(name) = ? WHERE \(name) = ? AND typeof(\(name)) = 'integer'",
                        arguments: [bytes, number])
                }
            }
        }
    }
}

extension ODataService {
    /// Takes everything of ours out of a database that no service has open.
    ///
    /// - Throws: `storage` when the file is no database of a service or in use; nothing is changed then.
    package static func untrack(_ path: String) throws { try ServiceDatabase.untrack(path) }

    /// Takes the triggers of one table out of a database that no service has open, until the next one opens it.
    ///
    /// - Throws: `notFound` for a table that is not tracked, `storage` where the file is in use or cannot be written.
    package static func untrack(table: String, in path: String) throws {
        try ServiceDatabase.untrack(table: table, in: path)
    }
}
