import GRDB
import ODataSQL

/// The indexes that a first load does without: those of links, and those that an app asked for.
///
/// An index that is made of all rows at once takes less of the file, and much less time, than one that grows with them.
/// What an app asked for is there from the opening on; a load of an empty table leaves it out and notes it in
/// `_odata_meta`, so that whatever ends the load makes it again.
struct DeferredIndexes {
    let table: TableMapping
    let database: Database

    /// Drops the indexes of a table without rows; of any other, nothing is changed.
    func leaveOut() throws {
        let name = SQLName.quoted(table.name)
        guard try Row.fetchOne(database, sql: "SELECT 1 FROM \(name) LIMIT 1") == nil else {
            return
        }
        let found = try Row.fetchAll(
            database,
            sql: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?"
                + " AND substr(name, 1, 13) = '_odata_index_' AND sql IS NOT NULL",
            arguments: [table.name])
        for row in found {
            let index: String = row["name"]
            try database.execute(sql: "DROP INDEX \(SQLName.quoted(index))")
        }
        let all = try noted()
        try note(all + found.compactMap { $0["sql"] as String? }.filter { !all.contains($0) })
    }

    /// The statements that make the indexes; those that are there already stay.
    func statements() throws -> [String] {
        (table.createLinkIndexes + (try noted().filter(isOfTable))).map {
            $0.replacing(
                "CREATE INDEX ", with: "CREATE INDEX IF NOT EXISTS ", maxReplacements: 1)
        }
    }

    /// The indexes are there again; those that are not are made.
    func settle() throws {
        let all = try noted()
        guard all.contains(where: isOfTable) else { return }
        for statement in try statements() { try database.makeIndex(statement) }
        try note(all.filter { !isOfTable($0) })
    }

    private func isOfTable(_ statement: String) -> Bool {
        statement.contains(" ON \(SQLName.quoted(table.name)) (")
    }

    // One statement a line: names are identifiers, which have no line breaks.

    private func noted() throws -> [String] {
        let text = try StoreSettings(database: database).text(.deferredIndexes) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func note(_ statements: [String]) throws {
        guard try noted() != statements else { return }
        try StoreSettings(database: database).set(
            .deferredIndexes, statements.isEmpty ? nil : statements.joined(separator: "\n"))
    }
}
