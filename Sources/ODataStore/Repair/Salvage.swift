import GRDB
import ODataSQL
import ODataSQLite
import ODataText

/// Copies what is readable of a damaged file into a new one: definitions, rows, and the keys of rows that are lost.
struct Salvage {
    private(set) var tree: PageTree
    let schema: SalvagedSchema
    private(set) var report: RepairReport
    /// Columns of the key, then values, of rows that only the key index knows any more, by table and row.
    private(set) var lostKeys: [String: [Int64: [String: DatabaseValue]]] = [:]
    /// Tables that are there no more, or lost pages or rows.
    private(set) var damaged: Set<String> = []

    init(_ pages: DatabasePages, _ report: RepairReport) {
        var tree = PageTree(pages)
        schema = SalvagedSchema(&tree)
        self.tree = tree
        self.report = report
    }

    /// Fills a new file.
    ///
    /// - Parameter format: What `PRAGMA user_version` says, when the old file does not.
    mutating func run(into database: Database, format: Int64) throws {
        try database.execute(sql: "PRAGMA user_version = \(format)")
        try database.execute(sql: "PRAGMA application_id = \(BookkeepingSchema.applicationID)")
        for entry in schema.tables {
            try database.execute(sql: entry.sql)
            for index in schema.indexes where index.table == entry.name && Self.isUnique(index) {
                try database.execute(sql: index.sql)
            }
            try copy(entry, database)
        }
        try makeBookkeeping(database)
        try copyOrphans(database)
        try copySequences(database)
        for index in schema.indexes where !Self.isUnique(index) {
            guard try Self.exists(index.table, database) else { continue }
            try Self.ignoringExisting { try database.execute(sql: index.sql) }
        }
        for entry in schema.virtualTables {
            let data = entry.name.dropFirst(SearchIndex.prefix.count)
            guard entry.name.hasPrefix(SearchIndex.prefix),
                try Self.exists(String(data), database)
            else { continue }
            try database.execute(sql: entry.sql)
            let name = SQLName.quoted(entry.name)
            try database.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
        }
        // Views refer to tables that may be gone; they are made again with the tables.
        for entry in schema.entries where entry.kind == "trigger" {
            guard try Self.exists(entry.table, database) else { continue }
            try database.execute(sql: entry.sql)
        }
    }

    private static func isUnique(_ entry: SalvagedSchema.Entry) -> Bool {
        entry.sql.hasPrefix("CREATE UNIQUE")
    }

    private static func exists(_ table: String, _ database: Database) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
            arguments: [table]) != nil
    }

    private static func ignoringExisting(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            guard error.message?.contains("already exists") == true else { throw error }
        }
    }

    // MARK: Tables

    private mutating func copy(_ entry: SalvagedSchema.Entry, _ database: Database) throws {
        let columns = try Row.fetchAll(
            database, sql: "SELECT name, type, pk FROM pragma_table_info(?)",
            arguments: [entry.name])
        let names = columns.map { SQLName.quoted($0["name"] as String) }
        let hasRowid = !entry.sql.hasSuffix("WITHOUT ROWID")
        let id = columns.firstIndex { $0["pk"] as Int == 1 && $0["type"] as String == "INTEGER" }
        let table = SQLName.quoted(entry.name)
        var kept = 0
        let outcome = try tree.walk(root: entry.root, isTable: hasRowid) { rowid, payload in
            guard var values = StoredRecord.values(payload), values.count <= names.count else {
                return false
            }
            // What was added to the table later has its default.
            var list = names.prefix(values.count).joined(separator: ", ")
            if hasRowid {
                if let id, id < values.count {
                    values[id] = rowid.databaseValue
                } else {
                    list += list.isEmpty ? "rowid" : ", rowid"
                    values.append(rowid.databaseValue)
                }
            }
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            try database.run(
                "INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(marks))",
                values.map { SQLArgument($0) })
            guard database.changesCount == 1 else { return false }
            kept += 1
            return true
        }
        guard !outcome.isWhole else { return }
        damaged.insert(entry.name)
        var loss = RepairReport.Table(
            name: entry.name, kept: kept, lost: outcome.damagedRows,
            damagedPages: outcome.damagedPages)
        if let known = try collectLostKeys(entry, database) { loss.lost = known }
        report.tables.append(loss)
    }

    /// What the unique key index knows and the table no longer has; nil when there is no such index.
    private mutating func collectLostKeys(
        _ entry: SalvagedSchema.Entry, _ database: Database
    ) throws -> Int? {
        guard let index = schema.entry("index", "_odata_key_" + entry.name) else { return nil }
        let columns = try String.fetchAll(
            database, sql: "SELECT name FROM pragma_index_info(?)", arguments: [index.name])
        let find = try database.makeStatement(
            sql: "SELECT 1 FROM \(SQLName.quoted(entry.name)) WHERE rowid = ?")
        var found: [Int64: [String: DatabaseValue]] = [:]
        _ = try tree.walk(root: index.root, isTable: false) { _, payload in
            guard let values = StoredRecord.values(payload), values.count == columns.count + 1,
                let row = values.last.flatMap(Int64.fromDatabaseValue)
            else { return false }
            if try Int.fetchOne(find, arguments: [row]) == nil {
                found[row] = Dictionary(zip(columns, values)) { first, _ in first }
            }
            return true
        }
        lostKeys[entry.name] = found
        return found.count
    }

    // MARK: Bookkeeping

    private mutating func makeBookkeeping(_ database: Database) throws {
        for statement in BookkeepingSchema.statements {
            try Self.ignoringExisting {
                try database.execute(sql: statement)
                if statement.hasPrefix("CREATE TABLE ") {
                    let name = statement.dropFirst(13).prefix { $0 != " " }
                    damaged.insert(String(name))
                    report.tables.append(
                        .init(name: String(name), kept: 0, lost: 0, damagedPages: 1))
                }
            }
        }
    }

    /// Requests and attempts on pages that nothing leads to any more.
    private mutating func copyOrphans(_ database: Database) throws {
        guard damaged.contains("_odata_request") || damaged.contains("_odata_attempt") else {
            return
        }
        let isDoubtful = tree.pages.free == nil
        let columns = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM pragma_table_info('_odata_request')")
        var doubtful: [Int64] = []
        try tree.orphans { id, payload in
            guard var values = StoredRecord.values(payload) else { return }
            let table: String
            if QueueOrphans.isRequest(values) {
                table = "_odata_request"
                // What was added to the table later has none.
                while values.count < columns ?? 0 { values.append(.null) }
                if isDoubtful { values[21] = "unknown".databaseValue }
            } else if QueueOrphans.isAttempt(values) {
                table = "_odata_attempt"
            } else {
                return
            }
            values[0] = id.databaseValue
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            try database.run(
                "INSERT OR IGNORE INTO \(table) VALUES (\(marks))", values.map { SQLArgument($0) })
            if isDoubtful, table == "_odata_request", database.changesCount == 1 {
                doubtful.append(id)
            }
        }
        report.doubtfulRequests = doubtful
    }

    /// Numbers that were given once are not given again.
    private mutating func copySequences(_ database: Database) throws {
        guard let entry = schema.entry("table", "sqlite_sequence") else { return }
        var last: [String: Int64] = [:]
        _ = tree.walk(root: entry.root, isTable: true) { _, payload in
            guard let values = StoredRecord.values(payload), values.count == 2,
                let name = String.fromDatabaseValue(values[0]),
                let number = Int64.fromDatabaseValue(values[1])
            else { return false }
            last[name] = max(number, last[name] ?? 0)
            return true
        }
        for (name, number) in last {
            try database.execute(
                sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
                arguments: [number, name])
            guard database.changesCount == 0 else { continue }
            try database.execute(
                sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                arguments: [name, number])
        }
    }
}
