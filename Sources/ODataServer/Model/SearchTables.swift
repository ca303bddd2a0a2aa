import GRDB
import ODataModel
import ODataSQL
import ODataText

/// The full-text indexes of a database that was made from a document: one over the texts of each entity set, kept in step
/// by triggers, so that `$search` finds what every program writes.
struct SearchTables {
    let database: Database

    private static let prefix = "_odata_search_"

    /// Makes the indexes that are missing, and those of tables that have more texts now.
    ///
    /// - Returns: the indexes of the sets that the document lets search.
    func install(_ mapping: SchemaMapping) throws -> [TableID: SearchIndex] {
        var result: [TableID: SearchIndex] = [:]
        for table in mapping.tables {
            let columns = table.columns.filter { $0.encoding == .string }.map(\.name)
            guard table.parent == nil, let id = table.system.id, !columns.isEmpty,
                !mapping.graph[table.entitySet].isSingleton,
                isSearchable(mapping.graph[table.entitySet])
            else { continue }
            let index = SearchIndex(name: Self.prefix + table.name, columns: columns)
            let known = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [index.name])
            if known != columns { try make(index, of: table, id: id, isNew: known.isEmpty) }
            result[table.id] = index
        }
        return result
    }

    private func isSearchable(_ set: EntitySetDefinition) -> Bool {
        let term = Terms.capabilities + "SearchRestrictions"
        guard case .record(_, let properties)? = set.annotations.first(term: term)?.value else {
            return true
        }
        return properties.flag("Searchable") ?? true
    }

    private func make(
        _ index: SearchIndex, of table: TableMapping, id: String, isNew: Bool
    ) throws {
        let (name, data, id) = (
            SQLName.quoted(index.name), SQLName.quoted(table.name), SQLName.quoted(id)
        )
        let columns = index.columns.map { SQLName.quoted($0) }
        let list = columns.joined(separator: ", ")
        func values(_ row: String) -> String {
            columns.map { "\(row).\($0)" }.joined(separator: ", ")
        }
        let add = "INSERT INTO \(name)(rowid, \(list)) VALUES (new.\(id), \(values("new")));"
        let remove =
            "INSERT INTO \(name)(\(name), rowid, \(list))"
            + " VALUES ('delete', old.\(id), \(values("old")));"
        let events = [
            ("insert", "AFTER INSERT ON \(data)", add),
            ("delete", "AFTER DELETE ON \(data)", remove),
            ("update", "AFTER UPDATE OF \(list) ON \(data)", remove + " " + add),
        ]
        for (kind, _, _) in events {
            let trigger = SQLName.quoted("\(index.name)_\(kind)")
            try database.execute(sql: "DROP TRIGGER IF EXISTS \(trigger)")
        }
        if !isNew { try database.execute(sql: "DROP TABLE \(name)") }
        try database.execute(
            sql: "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), content=\(data),"
                + " content_rowid=\(id))")
        for (kind, event, body) in events {
            let trigger = SQLName.quoted("\(index.name)_\(kind)")
            try database.execute(sql: "CREATE TRIGGER \(trigger) \(event) BEGIN \(body) END")
        }
        try database.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }
}
