import GRDB
import ODataSQL

/// The internal ids of a table's rows, none of which is given twice: a queued change, or an entity in the app's hands, may
/// still speak of a row that has gone, and must never be taken for one about another row.
///
/// SQLite gives the highest id that is there plus one. So the highest that has gone is kept, in `_odata_meta`.
struct RowNumbers {
    let table: TableMapping
    let database: Database

    private var name: String { "lastRow:" + table.path }
    private var id: String { SQLName.quoted(table.system.id ?? "_odata_id") }
    private var rows: String { SQLName.quoted(table.name) }

    /// A row is about to go.
    func leaves(_ row: Int64) throws {
        // What was made here has ids below zero, which are counted for themselves.
        guard row > 0 else { return }
        try database.cachedStatement(
            sql: "INSERT INTO _odata_meta (name, value) SELECT ?1, ?2"
                + " WHERE NOT EXISTS (SELECT 1 FROM \(rows) WHERE \(id) > ?2)"
                + " ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)"
        ).execute(arguments: [name, row])
    }

    /// Many rows are about to go.
    func leave() throws {
        guard let last = try Int64.fetchOne(database, sql: "SELECT max(\(id)) FROM \(rows)") else {
            return
        }
        try leaves(last)
    }

    /// Asks for the id of the next row where SQLite would give one that a row has had; no answer where it gives a new one.
    func next() throws -> Statement {
        try database.cachedStatement(
            sql: "SELECT value + 1 FROM _odata_meta WHERE name = \(SQLName.constant(name))"
                + " AND value >= coalesce((SELECT max(\(id)) FROM \(rows)), 0)")
    }
}
