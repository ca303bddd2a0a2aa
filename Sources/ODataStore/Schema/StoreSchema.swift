import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Makes the tables of a store, and adds to them when the metadata grew (docs/design.md, decision 5).
struct StoreSchema {
    let database: Database
    var format = StoreFormat.current

    /// True for a store of this library and of this format, which needs no preparation.
    var isCurrent: Bool {
        get throws {
            let version = try Int64.fetchOne(database, sql: "PRAGMA user_version")
            let application = try Int64.fetchOne(database, sql: "PRAGMA application_id")
            return version == format.version && application == BookkeepingSchema.applicationID
        }
    }

    /// - Throws: `storage` for a file that is not what ``isCurrent`` says.
    func checkCurrent() throws {
        guard try !isCurrent else { return }
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        throw ODataError(
            .storage,
            "Expected a store of format \(format.version), found format \(version): it is prepared by its owner's"
                + " next opening.")
    }

    /// The bookkeeping tables of a new file; a file of an older format is brought to the present one. Run it in one
    /// transaction: an upgrade happens wholly or not at all.
    ///
    /// - Throws: `storage` when the file is another program's database, or of a later format.
    func prepareBookkeeping() throws {
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        if version == 0, application == 0 {
            guard
                try Int64.fetchOne(database, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
            else {
                throw ODataError(
                    .storage, "Expected a store of this library or no file, found another database."
                )
            }
            for statement in BookkeepingSchema.statements { try database.execute(sql: statement) }
            try database.execute(sql: "PRAGMA user_version = \(format.version)")
            try database.execute(sql: "PRAGMA application_id = \(BookkeepingSchema.applicationID)")
            return
        }
        guard application == BookkeepingSchema.applicationID else {
            throw ODataError(.storage, "Expected a store of this library, found another database.")
        }
        guard version <= format.version else {
            throw ODataError(
                .storage,
                "Expected a store of format \(format.version) or older, found format \(version): a newer"
                    + " version of this library made it.")
        }
        try upgrade(from: version)
    }

    private func upgrade(from version: Int64) throws {
        guard version < format.version else { return }
        for step in version..<format.version {
            guard let statements = format.upgrades[step] else {
                throw ODataError(
                    .storage,
                    "Expected a store that can be upgraded to format \(format.version), found format"
                        + " \(version).")
            }
            for statement in statements { try database.execute(sql: statement) }
            if step == OwnershipUpgrade.format { try OwnershipUpgrade(database: database).begin() }
        }
        try database.execute(sql: "PRAGMA user_version = \(format.version)")
    }

    /// Brings tables, shadow tables, link tables and views to the mapping.
    ///
    /// - Parameters:
    ///   - incomplete: tables of which more is known to be missing.
    ///   - hasLostRows: links and contained rows are to follow rows that were given up.
    /// - Returns: sets whose rows lack what the metadata says now; none when the store gets its first metadata.
    func adopt(
        _ mapping: SchemaMapping, incomplete: Set<TableID> = [], hasLostRows: Bool = false
    ) throws -> [String] {
        let isFirst = try StoreSettings(database: database).text(.metadata) == nil
        var incomplete = incomplete
        for table in mapping.tables where try create(table) || extend(table) {
            incomplete.insert(table.id)
        }
        for link in mapping.linkTables where try make(link) { incomplete.insert(link.source) }
        if hasLostRows {
            incomplete.formUnion(try DanglingRows(mapping: mapping, database: database).drop())
        }
        try dropViews(except: mapping)
        for table in mapping.tables {
            let view = SQLName.quoted("_odata_view_\(table.name)")
            try database.execute(sql: "DROP VIEW IF EXISTS \(view)")
            try database.execute(sql: table.createView(graph: mapping.graph))
        }
        guard !isFirst else { return [] }
        // What no download can bring does not wait for one.
        let graph = mapping.graph
        let others = graph.clientOnlySets.union(ServiceCapabilities(graph).unreadable.keys)
        return Set(incomplete.map { graph[mapping[$0].entitySet].name }).subtracting(others)
            .sorted()
    }

    /// The tables of sets that the metadata has again after it had them no more.
    func returned(_ migration: ColumnMigration.Result) throws -> Set<TableID> {
        guard let old = migration.old else { return [] }
        return Set(
            try migration.mapping.tables.filter {
                try old.table(path: $0.path) == nil && database.tableExists($0.name)
            }.map(\.id))
    }

    /// Sets that the metadata no longer has keep their rows, but are out of view.
    private func dropViews(except mapping: SchemaMapping) throws {
        let kept = Set(mapping.tables.map { "_odata_view_\($0.name)" })
        let views = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'view'"
                + " AND substr(name, 1, 12) = '_odata_view_'")
        for view in views where !kept.contains(view) {
            try database.execute(sql: "DROP VIEW \(SQLName.quoted(view))")
        }
    }

    /// True when the table was not there, or was one for other numbers of related rows: links that it has no room for any
    /// more go.
    private func make(_ link: LinkTableMapping) throws -> Bool {
        let present = try String.fetchSet(
            database,
            sql: "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index')"
                + " AND tbl_name = ? AND sql IS NOT NULL", arguments: [link.name])
        let wanted = link.createStatements
        guard present != Set(wanted) else { return false }
        let (name, old) = (SQLName.quoted(link.name), SQLName.quoted("_odata_former_links"))
        if !present.isEmpty {
            try database.execute(
                sql: "DROP INDEX IF EXISTS \(SQLName.quoted(link.name + "_target"))")
            try database.execute(sql: "ALTER TABLE \(name) RENAME TO \(old)")
        }
        for statement in wanted { try database.execute(sql: statement) }
        if !present.isEmpty {
            try database.execute(
                sql: "INSERT OR IGNORE INTO \(name) SELECT source, target FROM \(old)")
            try database.execute(sql: "DROP TABLE \(old)")
        }
        return true
    }

    /// True when the table was not there and is made.
    private func create(_ table: TableMapping) throws -> Bool {
        guard try !exists("table", table.name) else { return false }
        try database.execute(sql: table.createTable)
        if let index = table.createKeyIndex { try database.execute(sql: index) }
        for statement in table.createBaseTable { try database.execute(sql: statement) }
        return true
    }

    /// Adds columns that are new; true when there were any.
    func extend(_ table: TableMapping) throws -> Bool {
        var wanted: [(String, String)] = []
        for column in table.columns {
            wanted.append((column.name, column.encoding.declaredType))
            if let name = column.orderColumn { wanted.append((name, "BLOB")) }
            if let name = column.offsetColumn { wanted.append((name, "INTEGER")) }
        }
        if let name = table.system.type { wanted.append((name, "TEXT")) }
        if let name = table.system.dynamic { wanted.append((name, "TEXT")) }
        var grew = false
        let existing = try columns(of: table.name)
        for (name, type) in wanted {
            if let old = existing[name] {
                guard old == type else {
                    throw IncompatibleMetadata.error(at: "\(table.path)/\(name)")
                }
                continue
            }
            for target in [table.name, table.baseName] {
                try database.execute(
                    sql: "ALTER TABLE \(SQLName.quoted(target))"
                        + " ADD COLUMN \(SQLName.quoted(name)) \(type)")
            }
            grew = true
        }
        return grew
    }

    private func columns(of table: String) throws -> [String: String] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table])
        return Dictionary(rows.map { ($0["name"] as String, $0["type"] as String) }) { $1 }
    }

    /// Whether there is a table, index, trigger or view of a name; GRDB's own question reads the whole schema first.
    func exists(_ kind: String, _ name: String) throws -> Bool {
        try Int64.fetchOne(
            database, sql: "SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?",
            arguments: [kind, name]) != nil
    }

    // MARK: The record of the mapping

    func saveRecord(_ record: MappingRecord) throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("names")
        writer.beginObject()
        for (key, name) in record.names.sorted(by: { $0.key < $1.key }) {
            writer.name(key)
            writer.string(name)
        }
        writer.endObject()
        writer.name("widened")
        writer.beginArray()
        for key in record.widened.sorted() { writer.string(key) }
        writer.endArray()
        writer.endObject()
        try StoreSettings(database: database).set(.mapping, writer.text)
    }

    func loadRecord() throws -> MappingRecord {
        guard let text = try StoreSettings(database: database).text(.mapping) else {
            return MappingRecord()
        }
        let json = try JSONValue(parsing: text)
        var record = MappingRecord()
        for member in json["names"]?.object?.members ?? [] {
            record.names[member.name] = member.value.string
        }
        record.widened = Set((json["widened"]?.array ?? []).compactMap(\.string))
        return record
    }
}
