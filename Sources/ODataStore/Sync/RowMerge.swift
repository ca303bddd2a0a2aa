import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// Two rows turned out to be one entity: a row created here, and one that a download brought meanwhile.
struct RowMerge {
    let transaction: StoreTransaction

    /// Gives what hangs on `other` to `row` and takes `other` away; requests are rewritten by who asks for it.
    func merge(_ other: RowReference, into row: RowReference) throws {
        let images = try transaction.images(other.table)
        try transaction.links.move(other, to: row.id)
        try StreamRows(database: transaction.database).move(other, to: row.id)
        try transaction.database.execute(
            sql:
                "UPDATE OR IGNORE _odata_alias SET \"row\" = ? WHERE \"table\" = ? AND \"row\" = ?",
            arguments: [row.id, other.table, other.id])
        try takeSources(of: other, row)
        for child in transaction.mapping.tables {
            guard child.parent == (try transaction.table(other.table)).id,
                let parent = child.system.parent
            else { continue }
            try transaction.database.execute(
                sql: "UPDATE \(SQLName.quoted(child.name)) SET \(SQLName.quoted(parent)) = ?"
                    + " WHERE \(SQLName.quoted(parent)) = ?", arguments: [row.id, other.id])
        }
        try images.drop(id: other.id)
        try images.rows.delete(id: other.id)
    }

    /// Whoever held one of the rows holds the one that is left.
    private func takeSources(of other: RowReference, _ row: RowReference) throws {
        let database = transaction.database
        let (table, images) = (
            try transaction.table(row.table), try transaction.images(row.table)
        )
        guard let column = table.system.sources.map(SQLName.quoted),
            let id = table.system.id.map(SQLName.quoted)
        else { return }
        let (kept, left) = (
            try images.rows.row(id: row.id)?.sources ?? 0,
            try images.rows.row(id: other.id)?.sources ?? 0
        )
        let sources = RowHolds.joined(
            kept, left, implicit: try SourceHolds(database: database).implicit(in: row.table))
        for name in [table.name, table.baseName] {
            try database.execute(
                sql: "UPDATE \(SQLName.quoted(name)) SET \(column) = ? WHERE \(id) = ?",
                arguments: [sources, row.id])
        }
        try database.execute(
            sql: "UPDATE OR IGNORE _odata_row_source SET \"row\" = ?1"
                + " WHERE \"table\" = ?2 AND \"row\" = ?3",
            arguments: [row.id, row.table, other.id])
        try database.execute(
            sql: "DELETE FROM _odata_row_source WHERE \"table\" = ? AND \"row\" = ?",
            arguments: [row.table, other.id])
    }
}
