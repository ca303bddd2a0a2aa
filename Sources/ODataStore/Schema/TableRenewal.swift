import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Brings the tables of sets to types that what they hold does not fit: columns are emptied, and where that or another key
/// leaves rows that nothing tells apart, rows go. The next download reads these sets in full; all others stay as they are.
///
/// Rows with unsent changes stay out of view when they lose their key, so that their requests can be read and taken back.
struct TableRenewal {
    let database: Database
    let mapping: SchemaMapping

    /// What had to be given up.
    struct Losses {
        /// Tables that lack values or rows.
        var tables: Set<TableID> = []
        /// `Orders/Title` for a column, `Orders` for rows.
        var places: [String] = []
        /// Rows that stand for requests and have no key any more.
        var keyless: Set<RowReference> = []
        var hasLostRows = false
    }

    /// - Throws: `conflict` for a client-only set: nothing would bring its data again.
    func run(_ migration: ColumnMigration.Result) throws -> Losses {
        var losses = Losses()
        guard let old = migration.old else { return losses }
        for table in mapping.tables where try database.tableExists(table.name) {
            let emptied = migration.emptied[table.id] ?? []
            let before = old.table(path: table.path)
            let isOtherKey = before.map { $0.uniqueColumns != table.uniqueColumns } ?? false
            guard !emptied.isEmpty || isOtherKey else { continue }
            guard !mapping.graph.isClientOnly(table.entitySet) else {
                throw IncompatibleMetadata.error(
                    at: ([table.path] + emptied.sorted().prefix(1)).joined(separator: "/"))
            }
            losses.tables.insert(table.id)
            let indexes = try dropIndexes(of: table)
            for path in emptied.sorted() {
                losses.places.append("\(table.path)/\(path)")
                if let column = table.column(path: path) { try empty(column, of: table, before) }
            }
            let lacksKey = table.keys.contains { emptied.contains($0.path) }
            if lacksKey || isOtherKey {
                let isKept = try !lacksKey && fitsKey(of: table)
                if !isKept {
                    losses.places.append(table.path)
                    losses.hasLostRows = true
                    losses.keyless.formUnion(try giveUpRows(of: table))
                }
            }
            try makeIndexes(of: table, again: indexes)
        }
        return losses
    }

    // MARK: Columns

    /// Puts an empty column of the new type in the place of one.
    private func empty(
        _ column: ODataSQL.ColumnMapping, of table: TableMapping, _ before: TableMapping?
    ) throws {
        let old = before?.column(path: column.path)?.storedColumns ?? []
        for name in [table.name, table.baseName] {
            let present = try Set(database.columns(in: name).map(\.name))
            for stored in Set(old + column.storedColumns) where present.contains(stored) {
                try database.execute(
                    sql: "ALTER TABLE \(SQLName.quoted(name)) DROP COLUMN"
                        + " \(SQLName.quoted(stored))")
            }
        }
    }

    // MARK: Indexes

    /// What hangs on columns of the table; views and full-text triggers are made again with the schema.
    ///
    /// - Returns: the statements of the indexes for links and of those that the app asked for.
    private func dropIndexes(of table: TableMapping) throws -> [String] {
        var statements: [String] = []
        try database.execute(
            sql: "DROP VIEW IF EXISTS \(SQLName.quoted("_odata_view_" + table.name))")
        try SearchIndexes(database: database).release(table)
        for name in [table.name, table.baseName] {
            let indexes = try Row.fetchAll(
                database,
                sql: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?"
                    + " AND sql IS NOT NULL", arguments: [name])
            for index in indexes {
                let (label, statement) = (index["name"] as String, index["sql"] as String)
                if label.hasPrefix("_odata_index_") { statements.append(statement) }
                try database.execute(sql: "DROP INDEX \(SQLName.quoted(label))")
            }
        }
        return statements
    }

    /// Whether the rows are told apart by the new key.
    private func fitsKey(of table: TableMapping) throws -> Bool {
        guard let index = table.createKeyIndex else { return true }
        let present = try Set(database.columns(in: table.name).map(\.name))
        guard table.uniqueColumns.allSatisfy(present.contains) else { return false }
        let missing = table.keys.map { SQLName.quoted($0.comparedColumn) + " IS NULL" }
        guard
            try Int64.fetchOne(
                database,
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE "
                    + missing.joined(separator: " OR ") + " LIMIT 1") == nil
        else { return false }
        var isUnique = true
        try database.inSavepoint {
            do {
                try database.execute(sql: index)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                isUnique = false
            }
            // Made with the others.
            return .rollback
        }
        return isUnique
    }

    private func makeIndexes(of table: TableMapping, again statements: [String]) throws {
        _ = try StoreSchema(database: database).extend(table)
        if let key = table.createKeyIndex { try database.execute(sql: key) }
        for statement in table.createBaseTable.dropFirst() {
            try database.execute(sql: statement)
        }
        // One over a column that is no more is made by nobody; the next opening says what the app still wants.
        for statement in statements {
            do {
                try database.execute(sql: statement)
            } catch {
                // Without its transaction, which a full disk ends, the rest would be written by itself.
                guard database.isInsideTransaction else { throw error }
            }
        }
    }

    // MARK: Rows

    /// Takes every row away that no request stands for, and the keys of the others.
    ///
    /// - Returns: rows that stay without a key.
    private func giveUpRows(of table: TableMapping) throws -> Set<RowReference> {
        _ = try StoreSchema(database: database).extend(table)
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let name = SQLName.quoted(table.name)
        let base = SQLName.quoted(table.baseName)
        try RowNumbers(table: table, database: database).leave()
        try database.execute(
            sql: "DELETE FROM \(name) WHERE \(id) NOT IN"
                + " (SELECT \"row\" FROM _odata_request_row WHERE \"table\" = ?)",
            arguments: [table.path])
        // Once their requests are gone, these rows go, too.
        try database.execute(sql: "UPDATE \(base) SET _odata_base_kind = 1")
        let empty = table.keys.flatMap(\.storedColumns).map { SQLName.quoted($0) + " = NULL" }
        if !empty.isEmpty {
            for target in [name, base] {
                try database.execute(
                    sql: "UPDATE \(target) SET " + empty.joined(separator: ", "))
            }
        }
        let rows = try Int64.fetchAll(database, sql: "SELECT \(id) FROM \(name)")
        return Set(rows.map { RowReference(table: table.path, id: $0) })
    }
}
