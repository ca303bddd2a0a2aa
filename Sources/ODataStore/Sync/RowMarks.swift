import GRDB
import ODataSQL
import ODataSyncPlan

/// Which rows were there when a creation was first sent: the highest row id of its table at that moment, in
/// `_odata_row_mark`. A row with a higher one came later, so that it can be what the creation made.
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
    static let index =
        "CREATE INDEX _odata_row_mark_of_table ON _odata_row_mark (\"table\", highest)"

    /// Keeps the mark of a creation that is about to be sent; one that was sent before under this identity keeps its own.
    func keep(_ request: QueuedRequest, in table: TableMapping) throws {
        guard request.operation == .create, let id = table.system.id else { return }
        try watch(table, id)
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

    /// The tables of such creations.
    func tables() throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT DISTINCT \"table\" FROM _odata_row_mark ORDER BY \"table\""))
    }

    private func watch(_ table: TableMapping, _ id: String) throws {
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
