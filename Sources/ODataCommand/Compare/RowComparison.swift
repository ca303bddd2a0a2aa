import GRDB
import ODataSQL
import ODataSQLite

/// Compares every row of a service's database with the rows that a store shows, by SQL on both files.
package struct RowComparison: Sendable {
    /// Tables that were compared, in order.
    package private(set) var tables: [String] = []
    /// Rows of the service that were looked for in the store, and rows that only the store has.
    package private(set) var rowsCompared = 0
    /// What differs, at most ``maximumListed`` of them in words.
    package private(set) var differences: [String] = []
    package private(set) var differenceCount = 0
    private static let maximumListed = 20

    private struct Table {
        var name: String
        var columns: [(name: String, type: String, keyPosition: Int)]

        var keys: [Int] {
            columns.indices.filter { columns[$0].keyPosition > 0 }
                .sorted { columns[$0].keyPosition < columns[$1].keyPosition }
        }
    }

    /// Reads both files; `only` restricts the tables.
    ///
    /// - Throws: `DatabaseError` when a file cannot be read.
    package init(
        service: String, store: String, key: String? = nil, only: [String]? = nil
    ) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let serviceQueue = try DatabaseQueue(path: service, configuration: configuration)
        let file = try StoreFile(path: store, key: try key.map { try StoreKey($0) })
        let storeQueue = try file.queue(readonly: true)
        let found = try serviceQueue.read(Self.userTables)
        for table in found where only?.contains(table.name) ?? true {
            let left = try serviceQueue.read { try Self.rows($0, of: table, from: table.name) }
            let right = try storeQueue.read {
                try Self.rows($0, of: table, from: "_odata_view_" + table.name)
            }
            compare(table, left, right)
        }
        try serviceQueue.close()
        try storeQueue.close()
    }

    private static func userTables(_ database: Database) throws -> [Table] {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table'"
                + " AND substr(name, 1, 7) NOT IN ('_odata_', 'sqlite_') ORDER BY name")
        return try names.map { name in
            let columns = try Row.fetchAll(
                database, sql: "SELECT name, type, pk FROM pragma_table_info(?)", arguments: [name])
            return Table(
                name: name, columns: columns.map { ($0["name"], $0["type"], $0["pk"]) })
        }
    }

    /// The rows by key, each a list of plain texts.
    private static func rows(
        _ database: Database, of table: Table, from source: String
    ) throws -> [[String?]: [String?]] {
        let columns = table.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let cursor = try Row.fetchCursor(
            database, sql: "SELECT \(columns) FROM \(SQLName.quoted(source))")
        var result: [[String?]: [String?]] = [:]
        let keys = table.keys
        while let row = try cursor.next() {
            let values = table.columns.indices.map { index in
                PlainValue.text(row[index], declaredType: table.columns[index].type)
            }
            result[keys.isEmpty ? values : keys.map { values[$0] }] = values
        }
        return result
    }

    private mutating func compare(
        _ table: Table, _ service: [[String?]: [String?]], _ store: [[String?]: [String?]]
    ) {
        tables.append(table.name)
        for (key, values) in service {
            rowsCompared += 1
            guard let other = store[key] else {
                note(table, key, "is missing in the store")
                continue
            }
            for (index, column) in table.columns.enumerated() where values[index] != other[index] {
                note(
                    table, key,
                    "\(column.name) is \(shown(values[index])) at the service,"
                        + " \(shown(other[index])) in the store")
            }
        }
        for key in store.keys where service[key] == nil {
            rowsCompared += 1
            note(table, key, "is only in the store")
        }
    }

    private func shown(_ value: String?) -> String {
        value.map { $0.count > 40 ? $0.prefix(39) + "…" : $0 } ?? "null"
    }

    private mutating func note(_ table: Table, _ key: [String?], _ what: String) {
        differenceCount += 1
        guard differences.count < Self.maximumListed else { return }
        let name = key.map { shown($0) }.joined(separator: ",")
        differences.append("\(table.name)(\(name)) \(what)")
    }
}
