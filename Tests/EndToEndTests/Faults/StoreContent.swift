import GRDB

/// Everything that is in a store's tables, to compare two states of it.
struct StoreContent: Equatable {
    let format: Int
    /// Rows by table, each as SQLite writes it.
    let rows: [String: [String]]
    /// The definitions, in order.
    let schema: [String]

    init(_ store: KilledStore) throws { self = try store.read { try StoreContent($0) } }

    init(_ database: Database) throws {
        format = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        schema = try String.fetchAll(
            database,
            sql: "SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
                + " AND name NOT GLOB '_odata_row_mark_of_*' OR type = 'index' ORDER BY 1")
        var rows: [String: [String]] = [:]
        for table in schema where table.hasPrefix("table ") {
            let name = String(table.dropFirst(6))
            let columns = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
            rows[name] = try String.fetchAll(
                database, sql: "SELECT \(values) FROM \"\(name)\" ORDER BY 1")
        }
        self.rows = rows
    }

    /// The first table that differs, in words; nil where nothing does.
    func difference(from other: StoreContent, but ignored: Set<String> = []) -> String? {
        for name in Set(rows.keys).union(other.rows.keys).subtracting(ignored).sorted() {
            guard rows[name] != other.rows[name] else { continue }
            let (mine, others) = (Set(rows[name] ?? []), Set(other.rows[name] ?? []))
            let only = mine.subtracting(others).first ?? "-"
            let missing = others.subtracting(mine).first ?? "-"
            return "\(name) has \(rows[name]?.count ?? -1) rows, \(other.rows[name]?.count ?? -1)"
                + " expected: \(only.prefix(150)) | \(missing.prefix(150))"
        }
        return nil
    }
}
