import GRDB
import ODataModel
import ODataSQL

/// The rows that hold what clients have written to the service that is mirrored, until a reading that began behind that has
/// come to its end: one that began before may bring what was there before.
struct WrittenThrough {
    let database: Database

    static let schema = """
        CREATE TABLE IF NOT EXISTS _odata_written (
            number INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, key TEXT NOT NULL,
            UNIQUE (table_name, key));
        """

    func note(_ key: RowKey, of table: TableMapping) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO _odata_written (table_name, key) VALUES (?, ?)",
            arguments: [table.name, key.description])
    }

    /// What was written so far has numbers up to this one.
    func last() throws -> Int64 {
        try database.integer("SELECT max(number) FROM _odata_written") ?? 0
    }

    /// Rows of these tables that were written up to a number may be as the reading has them.
    func release(_ tables: [TableMapping], through number: Int64) throws {
        for table in tables {
            try database.execute(
                sql: "DELETE FROM _odata_written WHERE table_name = ? AND number <= ?",
                arguments: [table.name, number])
        }
    }

    /// The names of tables that have such rows.
    func tables() throws -> Set<String> {
        try Set(String.fetchAll(database, sql: "SELECT DISTINCT table_name FROM _odata_written"))
    }

    /// The key of a row as it is noted, in SQL.
    static func key(of row: String, in table: TableMapping) -> String {
        table.keys.map { "quote(\(row).\(SQLName.quoted($0.name)))" }.joined(
            separator: " || ',' || ")
    }
}
