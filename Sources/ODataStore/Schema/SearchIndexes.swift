import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWorld

/// The full-text indexes of a store: FTS5 tables that triggers keep in step with the data tables (see
/// `docs/store-format.md`).
struct SearchIndexes {
    let database: Database

    static let prefix = "_odata_search_"

    /// The indexes there are, by data table.
    func all() throws -> [String: SearchIndex] {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'"
                + " AND substr(name, 1, \(Self.prefix.count)) = ?", arguments: [Self.prefix])
        var indexes: [String: SearchIndex] = [:]
        for name in names {
            let columns = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
            indexes[String(name.dropFirst(Self.prefix.count))] = SearchIndex(
                name: name, columns: columns)
        }
        return indexes
    }

    /// Makes the index of a table over these columns, in place of one over others, and fills it.
    func make(_ table: TableMapping, columns: [String]) throws {
        let index = SearchIndex(name: Self.prefix + table.name, columns: columns)
        if let known = try all()[table.name] {
            guard known != index else { return }
            try drop(known, of: table.name)
        }
        guard let id = table.system.id else { return }
        let (name, data) = (SQLName.quoted(index.name), SQLName.quoted(table.name))
        let list = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
        try database.execute(
            sql: "CREATE VIRTUAL TABLE \(name) USING fts5(\(list), content=\(data),"
                + " content_rowid=\(SQLName.quoted(id)))")
        try makeTriggers(index, table, id: id)
        try database.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }

    /// Lets the columns of a table go until ``remake(_:)``.
    func release(_ table: TableMapping) throws {
        if let known = try all()[table.name] { try dropTriggers(known) }
    }

    /// Makes triggers and contents again for a table whose columns were changed.
    func remake(_ table: TableMapping) throws {
        guard let known = try all()[table.name], let id = table.system.id else { return }
        try dropTriggers(known)
        try makeTriggers(known, table, id: id)
        let name = SQLName.quoted(known.name)
        try database.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('rebuild')")
    }

    private func makeTriggers(_ index: SearchIndex, _ table: TableMapping, id: String) throws {
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
            ("update", "AFTER UPDATE OF \(id), \(list) ON \(data)", remove + " " + add),
        ]
        for (kind, event, body) in events {
            let trigger = SQLName.quoted(index.name + "_" + kind)
            try database.execute(sql: "CREATE TRIGGER \(trigger) \(event) BEGIN \(body) END")
        }
    }

    private func dropTriggers(_ index: SearchIndex) throws {
        for kind in ["insert", "delete", "update"] {
            let trigger = SQLName.quoted(index.name + "_" + kind)
            try database.execute(sql: "DROP TRIGGER IF EXISTS \(trigger)")
        }
    }

    private func drop(_ index: SearchIndex, of table: String) throws {
        try dropTriggers(index)
        try database.execute(sql: "DROP TABLE \(SQLName.quoted(index.name))")
    }
}

extension LocalStore {
    /// Makes the full-text index of a set over these properties, unless it is there; `$search` needs one.
    ///
    /// - Parameter paths: Text properties; none stands for all there are.
    /// - Throws: `unknownName` for a set or path that the metadata does not have, `invalidQuery` for a path that is no
    ///   text.
    package func createSearchIndex(on set: String, paths: [String]) throws {
        let table = try mapping().existingTable(path: set)
        let texts = table.columns.filter { $0.encoding == .string }
        let columns =
            try paths.isEmpty
            ? texts.map(\.name)
            : paths.map { path in
                guard let column = table.column(path: path) else {
                    throw ODataError(
                        .unknownName, "Expected a property to search, found none of this name.",
                        at: .path("\(set)/\(path)"))
                }
                return column.name
            }
        guard !columns.isEmpty, columns.allSatisfy({ name in texts.contains { $0.name == name } })
        else {
            throw ODataError(
                .invalidQuery, "Expected text properties to search, found others.", at: .path(set))
        }
        world.checkpoint("index.search")
        try write(.normal) { try SearchIndexes(database: $0).make(table, columns: columns) }
        try reloadSearchIndexes()
    }
}
