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
}
