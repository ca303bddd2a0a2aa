import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataText

/// The file of a service that offers another one's data: its tables, and what is known of when they were filled.
///
/// - `_odata_mirror`: the statements that made each table, to see what new metadata changes, and the origin's URL.
/// - `_odata_mirrored`: when each entity set was last read as a whole.
/// - `_odata_written`: rows that hold what clients have written since (``WrittenThrough``).
/// - `_odata_passed`: requests on their way to the other service (``PassedRequests``).
enum MirrorDatabase {
    private static let schema = """
        CREATE TABLE IF NOT EXISTS _odata_mirror (name TEXT PRIMARY KEY, sql TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS _odata_mirrored (entity_set TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

        """

    /// Makes the file where there is none.
    ///
    /// - Throws: `storage` for a file that holds anything else, or another service's data.
    static func prepare(_ path: String, origin: String) throws {
        // What another service gave to this one is for its owner alone.
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        do {
            let queue = try DatabaseQueue(path: path)
            defer { try? queue.close() }
            try queue.write { database in
                let isEmpty =
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
                guard try isEmpty || database.tableExists("_odata_mirror") else {
                    throw ODataError(
                        .storage,
                        "Expected a file of a delta proxy or a new one, found another database.",
                        at: .path(path))
                }
                try database.execute(
                    sql: schema + WrittenThrough.schema + PassedRequests.schema)
                let known = try String.fetchOne(
                    database, sql: "SELECT sql FROM _odata_mirror WHERE name = ''")
                guard known == nil || known == origin else {
                    throw ODataError(
                        .storage, "Expected the data of \(origin), found that of \(known ?? "").",
                        at: .path(path))
                }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO _odata_mirror (name, sql) VALUES ('', ?)",
                    arguments: [origin])
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a file for the data of the proxy, could not open it.",
                at: .path(path), underlying: error)
        }
    }

    /// Makes the tables of a model. Those that are made as before keep their rows and their log.
    static func install(_ mapping: SchemaMapping, in database: Database) throws {
        var wanted: [(name: String, statements: [String], set: String)] = []
        for table in mapping.tables {
            wanted.append(
                (
                    table.name,
                    [table.createTable, table.createKeyIndex].compactMap { $0 }
                        + table.createLinkIndexes, mapping.graph[table.entitySet].name
                ))
        }
        for link in mapping.linkTables {
            let set = mapping.graph[mapping[link.source].entitySet].name
            wanted.append((link.name, link.createStatements, set))
        }
        var present: [String: String] = [:]
        let rows = try Row.fetchAll(
            database, sql: "SELECT name, sql FROM _odata_mirror WHERE name <> ''")
        for row in rows {
            if let name = row.text("name") { present[name] = row.text("sql") }
        }
        for table in wanted {
            let sql = table.statements.joined(separator: ";\n")
            guard present.removeValue(forKey: table.name) != sql else { continue }
            try database.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quoted(table.name))")
            try database.execute(sql: sql)
            try database.execute(
                sql: "INSERT OR REPLACE INTO _odata_mirror (name, sql) VALUES (?, ?)",
                arguments: [table.name, sql])
            try database.execute(
                sql: "DELETE FROM _odata_mirrored WHERE entity_set = ?", arguments: [table.set])
            try database.execute(
                sql: "DELETE FROM _odata_written WHERE table_name = ?", arguments: [table.name])
        }
        for name in present.keys.sorted() {
            try database.execute(sql: "DROP TABLE IF EXISTS \(SQLName.quoted(name))")
            try database.execute(
                sql: "DELETE FROM _odata_mirror WHERE name = ?", arguments: [name])
        }
    }

    /// When each entity set was last read as a whole, in seconds since 1970.
    static func times(_ database: Database) throws -> [String: Int64] {
        var times: [String: Int64] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT entity_set, at FROM _odata_mirrored") {
            if let set = row.text("entity_set") { times[set] = row.integer("at") }
        }
        return times
    }
}

extension TableMapping {
    /// Every column that holds something of the entity, companions and the row's type among them.
    var contentColumns: [String] {
        columns.flatMap(\.storedColumns) + [system.type, system.dynamic].compactMap { $0 }
    }
}
