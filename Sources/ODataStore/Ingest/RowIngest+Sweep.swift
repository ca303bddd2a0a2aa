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
        var last = Int64.min
        while true {
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: pageOfRows), arguments: [last])
            for row in rows {
                let id: Int64 = row[0]
                let sources: Int64 = row[2]
                last = id
                let isOwn = plan.ownsRowsWithoutSource && sources == 0
                guard !seen.contains(id),
                    plan.sourceBit == 0 || isOwn || sources & plan.sourceBit == plan.sourceBit
                else { continue }
                try takeAway(
                    FoundRow(
                        id: id, state: EntityState(rawValue: row[1]), sources: sources,
                        isOnlyBase: false), because: .changed)
            }
            if rows.count < Self.sweepPage { return }
        }
    }

    private static let sweepPage = 2_000

    private var pageOfRows: String {
        let system = plan.table.system
        let id = SQLName.quoted(system.id ?? "_odata_id")
        let columns = [system.state, system.sources].map { $0.map(SQLName.quoted) ?? "0" }
        return "SELECT \(id), \(columns.joined(separator: ", ")) FROM "
            + "\(SQLName.quoted(plan.table.name)) WHERE \(id) > ? ORDER BY \(id)"
            + " LIMIT \(Self.sweepPage)"
    }
}
