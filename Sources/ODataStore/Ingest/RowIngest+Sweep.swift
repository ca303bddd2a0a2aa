import ODataSyncPlan
import GRDB
import ODataSQL
import ODataWire

extension RowIngest {
    /// Ends a sweep: takes away the rows of this query that were not met, as if the service had said that they left
    /// the result. Rows that another query brings lose only this query's bit.
    ///
    /// Takes time linear in the rows of the table; call it in the transaction that stores the end of the sweep.
    package mutating func removeUnseen() throws {
        guard let seen else { return }
        try takeGoneAway()
        var last = Int64.min
        while true {
            let rows = try Int64.fetchAll(
                database.cachedStatement(sql: pageOfRows), arguments: [last])
            try takeAway(rows.filter { !seen.contains($0) }, because: .left)
            guard rows.count == Self.sweepPage, let end = rows.last else { return }
            last = end
        }
    }

    private static let sweepPage = 2_000

    private var pageOfRows: String {
        let id = SQLName.quoted(plan.table.system.id ?? "_odata_id")
        let held = plan.isHeld("t").map { " AND \($0)" } ?? ""
        return "SELECT t.\(id) FROM \(SQLName.quoted(plan.table.name)) t"
            + " WHERE t.\(id) > ?\(held) ORDER BY t.\(id) LIMIT \(Self.sweepPage)"
    }
}

extension IngestPlan {
    /// The rows of `alias` that a whole read of the query has to meet; nil for all.
    func isHeld(_ alias: String) -> String? {
        guard let hold else { return nil }
        let sql = HoldSQL(hold: hold, table: table)
        guard let column = sql.column else { return nil }
        let held = sql.isHeld(alias)
        guard ownsRowsWithoutSource, hold.implicit == 0 else { return held }
        // Nobody else is noted for them, so they were made here.
        return "(\(held) OR \(alias).\(column) = 0)"
    }
}
