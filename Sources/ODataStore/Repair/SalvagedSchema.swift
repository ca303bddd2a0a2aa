import GRDB
import ODataSQLite
import ODataText

/// The definitions of a damaged file, as far as they can be read.
struct SalvagedSchema {
    struct Entry: Hashable {
        var kind: String
        var name: String
        var table: String
        var root: Int
        var sql: String
    }

    private(set) var entries: [Entry] = []
    /// Some definitions may be missing.
    private(set) var isWhole = true

    init(_ tree: inout PageTree) {
        var found: [Entry] = []
        let outcome = tree.walk(root: 1, isTable: true) { _, payload in
            guard let values = StoredRecord.values(payload) else { return false }
            if let entry = Self.entry(values) { found.append(entry) }
            return true
        }
        isWhole = outcome.isWhole && !found.isEmpty
        if !isWhole {
            tree.orphans { _, payload in
                if let values = StoredRecord.values(payload), let entry = Self.entry(values) {
                    found.append(entry)
                }
            }
        }
        var names: Set<String> = []
        entries = found.filter { names.insert($0.kind + " " + $0.name).inserted }
    }

    private static func entry(_ values: [DatabaseValue]) -> Entry? {
        guard values.count == 5, let kind = String.fromDatabaseValue(values[0]),
            ["table", "index", "view", "trigger"].contains(kind),
            let name = String.fromDatabaseValue(values[1]),
            let table = String.fromDatabaseValue(values[2]),
            let sql = String.fromDatabaseValue(values[4]), sql.hasPrefix("CREATE ")
        else { return nil }
        return Entry(
            kind: kind, name: name, table: table, root: Int.fromDatabaseValue(values[3]) ?? 0,
            sql: sql)
    }

    /// Tables with rows of their own, not those of full-text indexes.
    var tables: [Entry] {
        let virtual = virtualTables.map { $0.name + "_" }
        return entries.filter { entry in
            entry.kind == "table" && entry.root > 0 && !entry.name.hasPrefix("sqlite_")
                && !virtual.contains { entry.name.hasPrefix($0) }
        }
    }

    var virtualTables: [Entry] {
        entries.filter { $0.kind == "table" && $0.sql.hasPrefix("CREATE VIRTUAL TABLE") }
    }

    var indexes: [Entry] { entries.filter { $0.kind == "index" } }

    func entry(_ kind: String, _ name: String) -> Entry? {
        entries.first { $0.kind == kind && $0.name == name }
    }
}
