import GRDB
import ODataModel
import ODataSQL
import ODataText

/// Turns a Decimal column of fixed scale into one that holds any Decimal, after a service sent a value beyond the
/// facets it declares: nothing is rounded (DESIGN section 8).
struct ColumnWidening {
    let database: Database
    let old: TableMapping
    let new: TableMapping
    let path: String

    private static let oldName = SQLName.quoted("_odata_narrow")
    private static let batch = 1_000

    /// Converts the column of the table and of its base images; indexes over the table are made again.
    func run() throws {
        guard let narrow = old.column(path: path), let wide = new.column(path: path),
            case .scaledDecimal(let scale) = narrow.encoding, wide.encoding == .orderedDecimal
        else {
            throw ODataError(
                .storage, "Expected a Decimal column of fixed scale to widen.", at: .path(path))
        }
        try database.execute(
            sql: "DROP VIEW IF EXISTS \(SQLName.quoted("_odata_view_\(old.name)"))")
        for name in [old.name, old.baseName] {
            try convert(name, from: narrow, scale: scale, to: wide)
        }
    }

    private func convert(
        _ name: String, from narrow: ODataSQL.ColumnMapping, scale: Int,
        to wide: ODataSQL.ColumnMapping
    ) throws {
        let indexes = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?"
                + " AND sql IS NOT NULL", arguments: [name])
        for index in indexes {
            try database.execute(sql: "DROP INDEX \(SQLName.quoted(index))")
        }
        let table = SQLName.quoted(name)
        let column = SQLName.quoted(wide.name)
        let order = SQLName.quoted(wide.orderColumn ?? wide.name)
        try database.execute(
            sql: """
                ALTER TABLE \(table) RENAME COLUMN \(SQLName.quoted(narrow.name)) TO \(Self.oldName);
                ALTER TABLE \(table) ADD COLUMN \(column) TEXT;
                ALTER TABLE \(table) ADD COLUMN \(order) BLOB;
                """)
        try copy(table, scale: scale, column, order)
        try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN \(Self.oldName)")
        if name == new.name {
            let links = indexes.contains { $0.hasPrefix("_odata_index_") }
            if let key = new.createKeyIndex { try database.execute(sql: key) }
            if links { try new.createDeferredIndexes(database) }
        } else if new.createBaseTable.count > 1 {
            try database.execute(sql: new.createBaseTable[1])
        }
    }

    private func copy(_ table: String, scale: Int, _ column: String, _ order: String) throws {
        let id = SQLName.quoted(old.system.id ?? "_odata_id")
        let read = try database.cachedStatement(
            sql: "SELECT \(id), \(Self.oldName) FROM \(table)"
                + " WHERE \(id) > ? AND \(Self.oldName) IS NOT NULL ORDER BY \(id) LIMIT ?")
        let write = try database.cachedStatement(
            sql: "UPDATE \(table) SET \(column) = ?, \(order) = ? WHERE \(id) = ?")
        var last = Int64.min
        while true {
            let rows = try Row.fetchAll(read, arguments: [last, Self.batch])
            for row in rows {
                last = row[0]
                let value = DecimalNumber(coefficient: row[1], scale: scale)
                let arguments: [SQLArgument] = [
                    .text(value.description), .blob(value.orderKey), .integer(last),
                ]
                try write.execute(arguments: StatementArguments(arguments))
            }
            if rows.count < Self.batch { return }
        }
    }
}

extension LocalStore {
    /// Widens the Decimal column that a ``ODataError/Code/valueBeyondColumn`` error names by its location
    /// (`table path|property path`). What holds tables or encodings from before must be made again.
    ///
    /// - Throws: `storage` when there is no such column of fixed scale; nothing is changed then.
    package func widenColumn(_ key: String) throws {
        let parts = key.split(separator: "|", maxSplits: 1).map(String.init)
        let old = try mapping()
        guard parts.count == 2, let oldTable = old.table(path: parts[0]) else {
            throw ODataError(.storage, "Expected a column of the store.", at: .path(key))
        }
        let graph = old.graph
        let widened = try write(.full) { database in
            let schema = StoreSchema(database: database)
            var record = try schema.loadRecord()
            record.widened.insert(key)
            let mapping = SchemaMapping.local(for: graph, record: record)
            guard let newTable = mapping.table(path: parts[0]) else {
                throw ODataError(.storage, "Expected a column of the store.", at: .path(key))
            }
            try ColumnWidening(
                database: database, old: oldTable, new: newTable, path: parts[1]
            ).run()
            _ = try schema.adopt(mapping)
            try schema.saveRecord(mapping.record)
            return mapping
        }
        adoptMapping(widened)
    }
}
