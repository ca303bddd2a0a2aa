import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText

/// Keeps local changes over new base images while a download writes (docs/design.md, decision 6).
package struct QueueShadow: ShadowedRowHandler {
    private let store: LocalStore

    package init(_ store: LocalStore) {
        self.store = store
    }

    package func hasLocalChanges(in table: TableMapping, database: Database) throws -> Bool {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM _odata_request_row WHERE \"table\" = ? LIMIT 1"),
            arguments: [table.path]) != nil
    }

    package func baseImagesChanged(
        _ rows: [Int64], in table: TableMapping, database: Database
    ) throws {
        let transaction = try store.transaction(in: database)
        if let state = table.system.state {
            // Received back: what was accepted earlier is local no more. A change without a tag that the row did not
            // match is still not to go over it.
            let statement = try database.cachedStatement(
                sql: "UPDATE \(SQLName.quoted(table.baseName)) SET \(SQLName.quoted(state)) ="
                    + " \(SQLName.quoted(state)) & \(EntityState.untagged.rawValue)"
                    + " WHERE \(SQLName.quoted(table.system.id ?? "_odata_id")) = ?")
            for id in rows { try statement.execute(arguments: [id]) }
        }
        try RowRefresh(transaction: transaction).refresh(
            Set(rows.map { RowReference(table: table.path, id: $0) }))
    }
}

extension QueueShadow {
    package func untaggedImage(
        of row: Int64, in table: TableMapping, database: Database
    ) throws -> StoredRow? {
        try store.transaction(in: database)
            .untaggedImage(RowReference(table: table.path, id: row))
    }

    package func wroteOver(
        _ before: StoredRow, in table: TableMapping, database: Database
    ) throws {
        let row = RowReference(table: table.path, id: before.id)
        let transaction = try store.transaction(in: database)
        try transaction.rebase(row, before: before)
    }

    package func upserted(_ rows: [Int64], in table: TableMapping, database: Database) throws {
        try UpsertedRows(database: database).add(rows, in: table)
    }

    package func notesRewritten(in table: TableMapping, database: Database) throws -> Bool {
        try RowMarks(database: database).arePresent(in: table)
    }

    package func rewrote(_ rows: [Int64], in table: TableMapping, database: Database) throws {
        try RowMarks(database: database).note(rewritten: rows, in: table)
    }
}

/// The download queries of the store.
extension LocalStore {
    package func downloadQueries(of table: String? = nil) throws -> [DownloadSource] {
        try read { try Self.downloadQueries(of: table, in: $0) }
    }

    static func downloadQueries(
        of table: String?, in database: Database
    ) throws -> [DownloadSource] {
        // Asked for with each set of a download, many times over each connection.
        try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT * FROM _odata_download_query WHERE ?1 IS NULL OR \"table\" = ?1"
                    + " ORDER BY created_at, name"), arguments: [table]
        ).map { row in
            DownloadSource(
                name: row["name"], entitySet: row["table"], url: row["url"],
                bit: row["source_bit"], streams: row["streams"])
        }
    }

    package func downloadQuery(_ name: String) throws -> DownloadSource? {
        try downloadQueries().first { $0.name == name }
    }

    /// Keeps a query under a name that no other has; gives it the lowest place that is free in its table.
    package func addDownloadQuery(
        _ name: String, table: String, url: String, streams: Bool
    ) throws -> DownloadSource {
        try writing { transaction in
            _ = try transaction.table(table)
            let database = transaction.database
            guard !name.isEmpty,
                try Int64.fetchOne(
                    database, sql: "SELECT 1 FROM _odata_download_query WHERE name = ?",
                    arguments: [name]) == nil
            else {
                throw ODataError(
                    .conflict, "Expected a new name for a download query.", at: .path(name))
            }
            let bit = try SourceHolds(database: database).freePlace(in: table)
            try database.execute(
                sql: "INSERT INTO _odata_download_query"
                    + " (name, \"table\", url, streams, source_bit, created_at)"
                    + " VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [name, table, url, streams, bit, try Self.nextOrder(transaction)])
            return DownloadSource(
                name: name, entitySet: table, url: url, bit: bit, streams: streams)
        }
    }

    /// Milliseconds since 1970, later than those of every other query, because they tell the order.
    private static func nextOrder(_ transaction: StoreTransaction) throws -> Int64 {
        let last = try Int64.fetchOne(
            transaction.database, sql: "SELECT max(created_at) FROM _odata_download_query")
        return max(transaction.now, (last ?? 0) + 1)
    }

    /// The app adds a query again that is there: where its place in the order is not known, it is the last one now.
    package func confirmDownloadQuery(_ name: String) throws {
        try writing { transaction in
            try transaction.database.execute(
                sql: "UPDATE _odata_download_query SET created_at = ?"
                    + " WHERE name = ? AND created_at = 0",
                arguments: [try Self.nextOrder(transaction), name])
        }
    }

    /// The tables whose rows come through expansions of these sources only.
    package func expandedTables(of sources: [DownloadSource]) throws -> ExpandedTables {
        let mapping = try mapping()
        let loaded = try read { try DownloadBookkeeping($0).loadedSets() }
        return ExpandedTables(sources, loaded: loaded, mapping: mapping)
    }
}
