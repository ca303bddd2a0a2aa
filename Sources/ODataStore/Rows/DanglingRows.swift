import GRDB
import ODataSQL
import ODataSyncPlan

/// Links and contained rows whose rows are gone.
struct DanglingRows {
    let mapping: SchemaMapping
    let database: Database

    /// Takes them away; contained rows with unsent changes stay.
    ///
    /// - Returns: the tables that lost links or rows.
    func drop() throws -> Set<TableID> {
        var touched: Set<TableID> = []
        for link in mapping.linkTables {
            var lost = 0
            for (end, table) in [
                ("source", mapping[link.source]), ("target", mapping[link.target]),
            ] {
                guard let id = table.system.id else { continue }
                try database.execute(
                    sql: "DELETE FROM \(SQLName.quoted(link.name)) WHERE \(end) NOT IN"
                        + " (SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(table.name)))")
                lost += database.changesCount
            }
            if lost > 0 { touched.insert(link.source) }
        }
        for table in mapping.tables {
            guard let parent = table.parent.map({ mapping[$0] }), let id = parent.system.id,
                let column = table.system.parent, let state = table.system.state
            else { continue }
            try RowNumbers(table: table, database: database).leave()
            try database.execute(
                sql: "DELETE FROM \(SQLName.quoted(table.name)) WHERE \(SQLName.quoted(column))"
                    + " NOT IN (SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(parent.name)))"
                    + " AND \(SQLName.quoted(state)) & \(EntityState.pending.rawValue) = 0")
            if database.changesCount > 0 { touched.insert(table.id) }
        }
        return touched
    }
}
