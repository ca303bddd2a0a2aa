import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan
import ODataText

/// Links that no column carries: pairs of ids in link tables, and what the service last said about the pairs that
/// are changed here (`_odata_base_link`).
struct LinkRows {
    let database: Database
    let mapping: SchemaMapping

    /// The link table that stores `link`; nil when its navigation property is stored otherwise.
    func table(of link: LinkReference) -> LinkTableMapping? {
        table(source: link.source.table, navigation: link.navigation)
    }

    func table(source: String, navigation: String) -> LinkTableMapping? {
        guard
            case .linkTable(let index, let isReversed)? = mapping.table(path: source)?
                .navigation(path: navigation)?.storage, !isReversed
        else { return nil }
        return mapping.linkTables[index]
    }

    /// The links in view that leave the row through the navigation property.
    func links(source: RowReference, navigation: String) throws -> [LinkReference] {
        guard let table = table(source: source.table, navigation: navigation) else { return [] }
        let targetPath = mapping[table.target].path
        let targets = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT target FROM \(SQLName.quoted(table.name)) WHERE source = ?"),
            arguments: [source.id])
        return targets.map {
            LinkReference(
                source: source, navigation: navigation,
                target: RowReference(table: targetPath, id: $0))
        }
    }

    /// The ids of the sources linked to a target.
    func sources(of target: Int64, in table: LinkTableMapping) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT source FROM \(SQLName.quoted(table.name)) WHERE target = ?"),
            arguments: [target])
    }

    func isPresent(_ link: LinkReference) throws -> Bool {
        guard let table = table(of: link) else { return false }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name))"
                    + " WHERE source = ? AND target = ?"),
            arguments: [link.source.id, link.target.id]) != nil
    }

    func add(_ link: LinkReference) throws {
        guard let table = table(of: link) else { return }
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(SQLName.quoted(table.name)) (source, target)"
                + " VALUES (?, ?)", arguments: [link.source.id, link.target.id])
    }

    func remove(_ link: LinkReference) throws {
        guard let table = table(of: link) else { return }
        try database.execute(
            sql: "DELETE FROM \(SQLName.quoted(table.name)) WHERE source = ? AND target = ?",
            arguments: [link.source.id, link.target.id])
    }

    // MARK: Base

    /// Keeps what the service last said about the pair, unless it is already kept.
    func keepBase(_ link: LinkReference, request: Int64?) throws {
        guard let table = table(of: link) else { return }
        try database.execute(
            sql: "INSERT OR IGNORE INTO _odata_base_link VALUES (?, ?, ?, ?, ?)",
            arguments: [
                table.name, link.source.id, link.target.id, try isPresent(link), request,
            ])
    }

    /// What the service last said; nil when the pair is not changed here.
    func base(_ link: LinkReference) throws -> Bool? {
        guard let table = table(of: link) else { return nil }
        return try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT is_present FROM _odata_base_link"
                    + " WHERE link_table = ? AND source = ? AND target = ?"),
            arguments: [table.name, link.source.id, link.target.id])
    }

    func setBase(_ link: LinkReference, isPresent: Bool) throws {
        guard let table = table(of: link) else { return }
        try database.execute(
            sql: "UPDATE _odata_base_link SET is_present = ?"
                + " WHERE link_table = ? AND source = ? AND target = ?",
            arguments: [isPresent, table.name, link.source.id, link.target.id])
    }

    func dropBase(_ link: LinkReference) throws {
        guard let table = table(of: link) else { return }
        try database.execute(
            sql: "DELETE FROM _odata_base_link WHERE link_table = ? AND source = ? AND target = ?",
            arguments: [table.name, link.source.id, link.target.id])
    }

    /// Removes every link from and to a row that is gone for good.
    func removeAll(of row: RowReference) throws {
        guard let owner = mapping.table(path: row.table) else { return }
        for table in mapping.linkTables {
            let columns =
                [table.source == owner.id ? "source" : nil]
                + [table.target == owner.id ? "target" : nil]
            for column in columns.compactMap({ $0 }) {
                try database.execute(
                    sql: "DELETE FROM \(SQLName.quoted(table.name)) WHERE \(column) = ?",
                    arguments: [row.id])
                try database.execute(
                    sql: "DELETE FROM _odata_base_link WHERE link_table = ? AND \(column) = ?",
                    arguments: [table.name, row.id])
            }
        }
    }

    /// Moves every link from one row to another, which takes its place.
    func move(_ row: RowReference, to id: Int64) throws {
        guard let owner = mapping.table(path: row.table) else { return }
        for table in mapping.linkTables {
            let columns =
                [table.source == owner.id ? "source" : nil]
                + [table.target == owner.id ? "target" : nil]
            for column in columns.compactMap({ $0 }) {
                try database.execute(
                    sql: "UPDATE OR REPLACE \(SQLName.quoted(table.name)) SET \(column) = ?"
                        + " WHERE \(column) = ?", arguments: [id, row.id])
                try database.execute(
                    sql: "UPDATE OR REPLACE _odata_base_link SET \(column) = ?"
                        + " WHERE link_table = ? AND \(column) = ?",
                    arguments: [id, table.name, row.id])
            }
        }
    }
}
