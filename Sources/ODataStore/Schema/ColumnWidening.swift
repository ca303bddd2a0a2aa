import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataText

/// Turns a column into one of a wider encoding, each value as it is: after a service sent a value beyond the facets it
/// declares, and when metadata gives the property a wider type. Nothing is rounded (docs/store-format.md).
struct ColumnWidening {
    let database: Database
    let old: TableMapping
    let new: TableMapping
    let path: String

    private static let oldName = SQLName.quoted("_odata_narrow")
    private static let batch = 1_000

    /// Converts the column of the table and of its base images; indexes over the table are made again.
    ///
    /// - Throws: `conflict` when the column cannot hold what it has; nothing is changed once the transaction is undone.
    func run() throws {
        guard let narrow = old.column(path: path), let wide = new.column(path: path) else {
            throw ODataError(.storage, "Expected a column to widen.", at: .path(path))
        }
        switch ScalarWidening.step(from: narrow.encoding, to: wide.encoding) {
        case .keep: return
        case .refuse:
            throw IncompatibleMetadata.error(at: "\(old.path)/\(path)")
        case .rewrite: break
        }
        try database.execute(
            sql: "DROP VIEW IF EXISTS \(SQLName.quoted("_odata_view_\(old.name)"))")
        for name in [old.name, old.baseName] { try convert(name, from: narrow, to: wide) }
    }

    private func convert(
        _ name: String, from narrow: ODataSQL.ColumnMapping, to wide: ODataSQL.ColumnMapping
    ) throws {
        let indexes = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ?"
                + " AND sql IS NOT NULL", arguments: [name])
        for index in indexes {
            try database.execute(sql: "DROP INDEX \(SQLName.quoted(index))")
        }
        let table = SQLName.quoted(name)
        try database.execute(
            sql:
                "ALTER TABLE \(table) RENAME COLUMN \(SQLName.quoted(narrow.name)) TO \(Self.oldName)"
        )
        try add(wide.name, wide.encoding.declaredType, to: table)
        if let order = wide.orderColumn { try add(order, "BLOB", to: table) }
        if let offset = wide.offsetColumn { try add(offset, "INTEGER", to: table) }
        try copy(table, from: narrow, to: wide)
        for left in [Self.oldName]
            + [narrow.orderColumn, narrow.offsetColumn].compactMap({ $0 })
            .map({ SQLName.quoted($0) })
        {
            try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN \(left)")
        }
        if name == new.name {
            let links = indexes.contains { $0.hasPrefix("_odata_index_") }
            if let key = new.createKeyIndex { try database.execute(sql: key) }
            if links { try new.createDeferredIndexes(database) }
        } else if new.createBaseTable.count > 1 {
            try database.execute(sql: new.createBaseTable[1])
        }
    }

    private func add(_ column: String, _ type: String, to table: String) throws {
        try database.execute(
            sql: "ALTER TABLE \(table) ADD COLUMN \(SQLName.quoted(column)) \(type)")
    }

    private func copy(
        _ table: String, from narrow: ODataSQL.ColumnMapping, to wide: ODataSQL.ColumnMapping
    ) throws {
        guard let type = wide.type.primitive else { throw damaged() }
        let id = SQLName.quoted(old.system.id ?? "_odata_id")
        let offset = narrow.offsetColumn.map { SQLName.quoted($0) } ?? "NULL"
        let read = try database.cachedStatement(
            sql: "SELECT \(id), \(Self.oldName), \(offset) FROM \(table)"
                + " WHERE \(id) > ? AND \(Self.oldName) IS NOT NULL ORDER BY \(id) LIMIT ?")
        let targets = wide.storedColumns.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: ", ")
        let write = "UPDATE \(table) SET \(targets) WHERE \(id) = ?"
        var last = Int64.min
        while true {
            let rows = try Row.fetchAll(read, arguments: [last, Self.batch])
            for row in rows {
                last = row[0]
                let scalar = try narrow.encoding.scalar(
                    from: Self.argument(row[1]), offset: Self.argument(row[2]))
                guard let value = ScalarWidening.scalar(scalar, as: type) else { throw damaged() }
                let arguments = try wide.encoding.arguments(for: value) + [.integer(last)]
                try database.run(write, arguments)
            }
            if rows.count < Self.batch { return }
        }
    }

    private func damaged() -> ODataError {
        ODataError(
            .conflict, "Expected values that the property's new type can hold, found another.",
            at: .path("\(old.path)/\(path)"), underlying: IncompatibleMetadata())
    }

    private static func argument(_ value: DatabaseValue) -> SQLArgument {
        switch value.storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let text): .text(text)
        case .blob(let data): .blob([UInt8](data))
        }
    }
}

extension LocalStore {
    /// Widens the Decimal column that a ``ODataError/Code/valueBeyondColumn`` error names by its location
    /// (`Orders/Price`: the path of its table and its own). What holds tables or encodings from before must be made again.
    ///
    /// - Throws: `storage` when there is no such column of fixed scale; nothing is changed then.
    package func widenColumn(_ path: String) throws {
        let old = try mapping()
        guard let (oldTable, column) = old.column(at: path), case .scaledDecimal = column.encoding
        else {
            throw ODataError(
                .storage, "Expected a Decimal column of fixed scale to widen.", at: .path(path))
        }
        let graph = old.graph
        let widened = try write(.full) { database in
            let schema = StoreSchema(database: database)
            var record = try schema.loadRecord()
            record.widened.insert("\(oldTable.path)|\(column.path)")
            let mapping = SchemaMapping.local(for: graph, record: record)
            guard let newTable = mapping.table(path: oldTable.path) else {
                throw ODataError(.storage, "Expected a column of the store.", at: .path(path))
            }
            try ColumnWidening(
                database: database, old: oldTable, new: newTable, path: column.path
            ).run()
            _ = try schema.adopt(mapping)
            try schema.saveRecord(mapping.record)
            return mapping
        }
        adoptMapping(widened)
    }
}

extension SchemaMapping {
    /// The column of a path in which both the table's and the column's own part may have several segments.
    fileprivate func column(at path: String) -> (
        table: TableMapping, column: ODataSQL.ColumnMapping
    )? {
        for slash in path.indices where path[slash] == "/" {
            let table = table(path: String(path[..<slash]))
            let column = table?.column(path: String(path[path.index(after: slash)...]))
            if let table, let column { return (table, column) }
        }
        return nil
    }
}
