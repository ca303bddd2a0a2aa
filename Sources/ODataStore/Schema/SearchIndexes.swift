import GRDB
import ODataModel
import ODataSQL
import ODataText
import ODataWorld

/// The full-text indexes of a store: FTS5 tables that triggers keep in step with the data tables (see
/// `docs/store-format.md`).
struct SearchIndexes {
    let database: Database

    /// The indexes there are, by data table.
    func all() throws -> [String: SearchIndex] {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%USING fts5%'"
                + " AND substr(name, 1, \(SearchIndex.prefix.count)) = ?",
            arguments: [SearchIndex.prefix])
        var indexes: [String: SearchIndex] = [:]
        for name in names {
            let columns = try String.fetchAll(
                database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
            indexes[String(name.dropFirst(SearchIndex.prefix.count))] = SearchIndex(
                name: name, columns: columns)
        }
        return indexes
    }

    /// Makes the index of a table over these columns, in place of one over others, and fills it.
    func make(_ table: TableMapping, columns: [String]) throws {
        let index = SearchIndex(of: table.name, columns: columns)
        if let known = try all()[table.name] {
            guard known != index else { return }
            try run(known.dropTriggers + [known.dropTable])
        }
        guard let id = table.system.id else { return }
        try run(
            [index.createTable(of: table.name, id: id)]
                + index.createTriggers(of: table.name, id: id) + [index.rebuild])
    }

    /// Lets the columns of a table go until ``remake(_:)``.
    func release(_ table: TableMapping) throws {
        if let known = try all()[table.name] { try run(known.dropTriggers) }
    }

    /// Makes triggers and contents again for a table whose columns were changed.
    func remake(_ table: TableMapping) throws {
        guard let known = try all()[table.name], let id = table.system.id else { return }
        try run(
            known.dropTriggers + known.createTriggers(of: table.name, id: id) + [known.rebuild])
    }

    private func run(_ statements: [String]) throws {
        for statement in statements { try database.execute(sql: statement) }
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
