import GRDB
import ODataSQL
import ODataSyncPlan

/// What the last download has inserted or changed: the rows by id, and tables as a whole (row 0) whose first load it
/// was. `_odata_state` of the single rows says so, too, and is found again by this list.
struct UpsertedRows {
    let database: Database

    func add(_ rows: [Int64], in table: TableMapping) throws {
        let statement = try BoundStatement(
            database,
            sql: "INSERT OR IGNORE INTO _odata_upserted (\"table\", \"row\") VALUES (?, ?)")
        statement.bind(copy: table.path, 1)
        for id in rows {
            statement.bind(id, 2)
            try statement.run()
        }
    }

    /// Every row of the table is new, unless another query had brought rows of it before.
    func add(_ plan: IngestPlan, loadedBy source: DownloadSource) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO _odata_upserted ("table", "row") SELECT ?1, 0
                WHERE NOT EXISTS (SELECT 1 FROM _odata_delta
                    WHERE query = 'set:' || ?1 AND query <> ?2
                        AND \(DownloadBookkeeping.isComplete))
                AND NOT EXISTS (SELECT 1 FROM _odata_delta d JOIN _odata_download_query q
                    ON d.query = 'query:' || q.name WHERE q."table" = ?1 AND d.query <> ?2
                        AND d.\(DownloadBookkeeping.isComplete))
                """, arguments: [plan.table.path, source.key])
        for expansion in plan.expansions { try add(expansion.plan, loadedBy: source) }
    }

    func removeAll(_ mapping: SchemaMapping) throws {
        let paths = try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT DISTINCT \"table\" FROM _odata_upserted WHERE \"row\" <> 0"))
        for path in paths {
            guard let table = mapping.table(path: path), let state = table.system.state,
                let id = table.system.id
            else { continue }
            for name in [table.name, table.baseName] {
                try database.execute(
                    sql: "UPDATE \(SQLName.quoted(name)) SET \(SQLName.quoted(state))"
                        + " = \(SQLName.quoted(state)) & ~\(EntityState.upserted.rawValue)"
                        + " WHERE \(SQLName.quoted(id)) IN"
                        + " (SELECT \"row\" FROM _odata_upserted WHERE \"table\" = ?)",
                    arguments: [path])
            }
        }
        try database.execute(sql: "DELETE FROM _odata_upserted")
    }
}

/// One download as a whole: with its first write, what the one before has brought is new no more.
///
/// Used by one thread.
package final class DownloadMark {
    private let mapping: SchemaMapping
    private var isBegun = false

    package init(_ mapping: SchemaMapping) { self.mapping = mapping }

    package func begin(_ database: Database) throws {
        guard !isBegun else { return }
        try UpsertedRows(database: database).removeAll(mapping)
        isBegun = true
    }
}
