import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// How rows and the links that name them find each other.
extension StoreTransaction {
    /// The row in view that a link names by its set and its key, in parentheses or as segments, or as a singleton.
    func row(canonicalLink link: String) throws -> RowReference? {
        guard let named = EntityIdentity(link, in: graph),
            let table = mapping.table(path: graph[named.set].name)
        else { return nil }
        let row: RowReference
        if named.key.isEmpty {
            row = reference(table, 1)
        } else {
            guard let id = try access(table).id(key: named.key) else { return nil }
            row = reference(table, id)
        }
        return try visibleRow(row) == nil ? nil : row
    }

    /// The canonical link that a row created here got later; nil before its upload.
    func aliasLink(of row: RowReference) throws -> String? {
        try String.fetchOne(
            database,
            sql: "SELECT read_link FROM _odata_alias WHERE \"table\" = ? AND \"row\" = ?",
            arguments: [row.table, row.id])
    }

    /// Whether the service has never accepted the creation of a row: one that it has, whatever waits for it since, has a base
    /// image.
    func isUnsentCreation(_ stored: StoredRow, _ row: RowReference) throws -> Bool {
        guard stored.isUnsentCreation else { return false }
        return try images(row.table).image(id: row.id) == nil
    }

    /// A row as the service has it.
    ///
    /// - Throws: `conflict` for a row whose creation was not accepted yet.
    func knownRow(_ row: RowReference) throws -> StoredRow {
        let image = try images(row.table).image(id: row.id)?.row
        let current = try access(row.table).row(id: row.id)
        guard let stored = image ?? current,
            image != nil || !stored.isUnsentCreation
        else {
            throw ODataError(
                .conflict, "Expected an entity that the service knows.", at: .path(row.table))
        }
        return stored
    }

    /// The key of a row as the service has it, in key order; empty for a singleton.
    func key(of stored: StoredRow, in table: TableMapping) -> [Scalar] {
        table.keyColumns.isEmpty ? [] : access(table).key(of: stored.values) ?? []
    }

    /// The URL of a row relative to the service root, by the key that the service knows.
    ///
    /// - Throws: `conflict` for a row whose creation was not accepted yet.
    func address(of row: RowReference) throws -> String {
        let stored = try knownRow(row)
        let table = try self.table(row.table)
        let urls = EntityURL(graph: graph, dialect: Dialect.of(graph.version), keys: keys)
        let key = key(of: stored, in: table)
        guard let parentID = table.parent, let parent = stored.parent else {
            return try urls.text(set: table.path, key: key)
        }
        let parentRow = reference(mapping[parentID], parent)
        let name = String(table.path.split(separator: "/").last ?? "")
        let type = mapping[parentID].structure
        guard let slot = graph[type].slot(named: name) else {
            throw ODataError(
                .notImplemented, "Expected containment directly in an entity type.",
                at: .path(table.path))
        }
        return try urls.text(
            parent: try address(of: parentRow), navigation: graph[type].properties[slot], key: key)
    }

    func isLoaded(table: String, navigation: String) throws -> Bool {
        try LoadedLinks.areLoaded(table: table, navigation: navigation, in: database)
    }
}
