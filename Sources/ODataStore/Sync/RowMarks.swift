import GRDB
import ODataSQL
import ODataSyncPlan

/// Which rows were there when a creation was first sent: the highest row id of its table at that moment, in
/// `_odata_row_mark`. A row with a higher one came later, so that it can be what the creation made.
///
/// A row from before may still be it where the service gives keys again: another client deletes the row, the creation gets its
/// key, and a download brings the new values in the place of the old. `_odata_rewritten` lists the rows from before a mark
/// that came with other values since; nobody can tell these two apart, nor from a mere change.
///
/// SQLite gives the id of the last row again when that row has gone; a trigger on the table lowers the marks then.
struct RowMarks {
    let database: Database

    static let table = """
        CREATE TABLE _odata_row_mark (
            request INTEGER PRIMARY KEY,
            "table" TEXT NOT NULL,
            identity TEXT NOT NULL,
            highest INTEGER NOT NULL
        )
        """
    static let rewritten = """
        CREATE TABLE _odata_rewritten (
            "table" TEXT NOT NULL,
            "row" INTEGER NOT NULL,
            PRIMARY KEY ("table", "row")
        ) WITHOUT ROWID
        """
    static let index =
        "CREATE INDEX _odata_row_mark_of_table ON _odata_row_mark (\"table\", highest)"

    /// Keeps the marks of the creations among requests that are about to be sent; one that was sent before under this identity
    /// keeps its own.
    func keep(
        _ requests: [QueuedRequest], table: (String) throws -> TableMapping
    ) throws {
        let creations = requests.filter { $0.operation == .create }
        for (path, creations) in Dictionary(grouping: creations, by: \.target.table) {
            let table = try table(path)
            guard let id = table.system.id else { continue }
            try watch(table, id)
            // What was noted for creations that are settled by now.
            try database.cachedStatement(
                sql: """
                    DELETE FROM _odata_rewritten WHERE "table" = ?1
                        AND NOT EXISTS (SELECT 1 FROM _odata_row_mark WHERE "table" = ?1)
                    """
            ).execute(arguments: [table.path])
            for creation in creations { try keep(creation, in: table, id) }
        }
    }

    private func keep(_ request: QueuedRequest, in table: TableMapping, _ id: String) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO _odata_row_mark
                    VALUES (?, ?, ?, coalesce((SELECT max(\(SQLName.quoted(id)))
                        FROM \(SQLName.quoted(table.name))), 0))
                ON CONFLICT (request) DO UPDATE SET identity = excluded.identity,
                    highest = excluded.highest WHERE identity <> excluded.identity
                """
        ).execute(arguments: [request.id, table.path, request.identity.id])
    }

    /// The highest row ids by request, of creations of one table.
    func highest(in table: TableMapping) throws -> [Int64: (identity: String, row: Int64)] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT request, identity, highest FROM _odata_row_mark WHERE \"table\" = ?"),
            arguments: [table.path])
        return Dictionary(
            rows.map {
                ($0["request"] as Int64, ($0["identity"] as String, $0["highest"] as Int64))
            },
            uniquingKeysWith: { $1 })
    }

    /// The highest row id of the table of one creation.
    func mark(of request: Int64) throws -> (identity: String, row: Int64)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT identity, highest FROM _odata_row_mark WHERE request = ?"),
            arguments: [request])
        return row.map { ($0["identity"], $0["highest"]) }
    }

    /// Whether a creation of the table was sent, and is not settled.
    func arePresent(in table: TableMapping) throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_row_mark WHERE \"table\" = ? LIMIT 1"),
            arguments: [table.path]) != nil
    }

    /// Notes rows that came with other values than they had, as far as a creation of their table was sent before.
    func note(rewritten rows: [Int64], in table: TableMapping) throws {
        let highest = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT max(highest) FROM _odata_row_mark WHERE \"table\" = ?"),
            arguments: [table.path])
        guard let highest else { return }
        let statement = try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO _odata_rewritten (\"table\", \"row\") VALUES (?, ?)")
        for row in rows where row <= highest {
            try statement.execute(arguments: [table.path, row])
        }
    }

    /// The rows of a table that came with other values since the first of its creations was sent.
    func rewritten(in table: TableMapping) throws -> Set<Int64> {
        try Int64.fetchSet(
            database.cachedStatement(
                sql: "SELECT \"row\" FROM _odata_rewritten WHERE \"table\" = ?"),
            arguments: [table.path])
    }

    /// Whether the row is one of them.
    func isRewritten(_ row: Int64, in table: TableMapping) throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_rewritten WHERE \"table\" = ? AND \"row\" = ?"),
            arguments: [table.path, row]) != nil
    }

    /// The tables of such creations.
    func tables() throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT DISTINCT \"table\" FROM _odata_row_mark ORDER BY \"table\""))
    }

    private func watch(_ table: TableMapping, _ id: String) throws {
        // Asked first: to read the trigger's text again takes twenty times as long.
        let isWatched = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?"),
            arguments: ["_odata_row_mark_of_" + table.name])
        guard isWatched == nil else { return }
        let (name, id) = (SQLName.quoted(table.name), SQLName.quoted(id))
        let last = "(SELECT coalesce(max(\(id)), 0) FROM \(name))"
        let path = SQLName.constant(table.path)
        try database.execute(
            sql: """
                CREATE TRIGGER IF NOT EXISTS \(SQLName.quoted("_odata_row_mark_of_" + table.name))
                AFTER DELETE ON \(name)
                WHEN EXISTS (SELECT 1 FROM _odata_row_mark
                    WHERE "table" = \(path) AND highest >= OLD.\(id))
                BEGIN
                    UPDATE _odata_row_mark SET highest = \(last)
                        WHERE "table" = \(path) AND highest > \(last);
                END
                """)
    }
}
