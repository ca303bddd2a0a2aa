import GRDB
import ODataModel
import ODataSQL
import ODataText

/// The full-text indexes of a database that was made from a document: one over the texts of each entity set, kept in step
/// by triggers, so that `$search` finds what every program writes.
struct SearchTables {
    let database: Database

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
            let index = SearchIndex(of: table.name, columns: columns)
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
        let statements =
            index.dropTriggers + (isNew ? [] : [index.dropTable])
            + [index.createTable(of: table.name, id: id)]
            + index.createTriggers(of: table.name, id: id) + [index.rebuild]
        for statement in statements { try database.execute(sql: statement) }
    }
}
