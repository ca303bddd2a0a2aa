import GRDB
import ODataSQL
import ODataSyncPlan

/// The rows that one source holds of a table: notes that it brings rows, and lets rows go, many at once.
///
/// ``RowHolds`` decides what becomes of each. A row with changes carries the same sources as its base image.
struct HeldRows {
    /// What became of rows that were let go.
    struct Outcome {
        /// Rows that the source has no more.
        var count = 0
        /// Rows that stay under their changes, whose base images tell what the service last said.
        var buried: [Int64] = []
        /// Rows that went or changed.
        var hasChanged = false

        static func += (left: inout Outcome, right: Outcome) {
            left.count += right.count
            left.buried += right.buried
            left.hasChanged = left.hasChanged || right.hasChanged
        }
    }

    let table: TableMapping
    let mapping: SchemaMapping
    let database: Database
    /// Nil where the table has one source, whose rows need no bits.
    let hold: RowHold?
    /// The other sources that read the same set.
    var heirs: [RowHold] = []

    private var id: String { SQLName.quoted(table.system.id ?? "_odata_id") }
    private var sql: HoldSQL? { hold.map { HoldSQL(hold: $0, table: table) } }
    private var removals: RowRemovals {
        RowRemovals(table: table, mapping: mapping, database: database)
    }

    /// - Parameters:
    ///   - leavesAccepted: rows that were made here and accepted stay: the service may not have known of them yet.
    func letGo(
        _ ids: [Int64], because reason: RowHolds.Reason, leavesAccepted: Bool = false
    ) throws -> Outcome {
        var outcome = Outcome()
        for start in stride(from: 0, to: ids.count, by: RowRemovals.batch) {
            let part = Array(ids[start..<min(start + RowRemovals.batch, ids.count)])
            outcome += try letGoPart(part, reason, leavesAccepted)
        }
        return outcome
    }

    private func letGoPart(
        _ ids: [Int64], _ reason: RowHolds.Reason, _ leavesAccepted: Bool
    ) throws -> Outcome {
        var groups: [RowHolds.Departure: [Int64]] = [:]
        for fact in try facts(of: ids) {
            guard !leavesAccepted || !fact.state.contains(.created) else { continue }
            let departure = RowHolds.departure(
                from: hold, sources: fact.sources, isHeldAside: fact.isHeldAside,
                state: fact.state, isUnsent: fact.isUnsent, hasChanges: fact.hasChanges,
                hasChangesBelow: fact.hasChangesBelow, because: reason,
                hasHeirs: !heirs.isEmpty)
            groups[departure, default: []].append(fact.id)
        }
        groups[RowHolds.Departure.none] = nil
        var outcome = Outcome()
        outcome.count = groups.values.reduce(0) { $0 + $1.count }
        outcome.hasChanged = outcome.count > 0
        if let rows = groups[.remove] { try remove(rows) }
        if let rows = groups[.stay] { try leave(rows) }
        if let rows = groups[.wait] { try wait(rows) }
        if let rows = groups[.inherit] {
            // Who leaves is nobody's any more.
            for heir in heirs { try note(rows, heldBy: RowHold(place: heir.place)) }
        }
        if let rows = groups[.bury] {
            for row in rows { try removals.buryBase(id: row) }
            // What the whole set has lost and gets back by a change of ours is its own again.
            if reason != .deleted, let hold, hold.place != 0 { try wait(rows) }
            outcome.buried = rows
        }
        return outcome
    }

    /// Notes that a source holds rows.
    func note(_ ids: [Int64], heldBy hold: RowHold) throws {
        let sql = HoldSQL(hold: hold, table: table)
        guard let column = sql.column else { return }
        try update(ids, "\(column) = \(sql.taken(column))")
        guard hold.isAside else { return }
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO _odata_row_source (\"table\", \"row\", place)"
                + " SELECT ?2, value, ?3 FROM json_each(?1)"
        ).execute(arguments: [RowList(ids: ids).argument, table.path, hold.place])
    }

    // MARK: Facts

    private struct Fact {
        var id: Int64
        var state: EntityState
        var sources: Int64
        var isHeldAside: Bool
        var isUnsent: Bool
        var hasChanges: Bool
        var hasChangesBelow: Bool
    }

    private func facts(of ids: [Int64]) throws -> [Fact] {
        let sources = table.system.sources.map { "t.\(SQLName.quoted($0))" } ?? "0"
        let state = table.system.state.map { "t.\(SQLName.quoted($0))" } ?? "0"
        // Without a source that has no bit there is nothing beside the table.
        let aside =
            hold == nil
            ? "0"
            : "CASE WHEN (\(sources) & \(RowHolds.aside)) = 0 THEN 0 ELSE EXISTS (SELECT 1"
                + " FROM _odata_row_source h WHERE h.\"table\" = \(SQLName.constant(table.path))"
                + " AND h.\"row\" = t.\(id) AND h.place <> \(hold?.place ?? 0)) END"
        let children = removals.hasChangedChildren("t") ?? "0"
        // The service knows a creation that it has accepted, whatever waits for it since: then there is a base image.
        let unsent = EntityState([.created, .pending]).rawValue
        let isUnsent =
            "CASE WHEN (\(state) & \(unsent)) <> \(unsent) THEN 0 ELSE NOT EXISTS (SELECT 1 FROM"
            + " \(SQLName.quoted(table.baseName)) b WHERE b.\(id) = t.\(id)) END"
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT t.\(id), \(state), \(sources), \(aside), \(children), \(isUnsent)"
                    + " FROM \(SQLName.quoted(table.name)) t WHERE " + RowList.condition("t.\(id)")
                    + " ORDER BY t.\(id)"), arguments: [RowList(ids: ids).argument])
        return rows.map { row in
            let state = EntityState(rawValue: row[1] as Int64? ?? 0)
            return Fact(
                id: row[0], state: state, sources: row[2] as Int64? ?? 0,
                isHeldAside: row[3] as Int64? == 1, isUnsent: row[5] as Int64? == 1,
                hasChanges: !state.isDisjoint(with: IngestSQL.shadowed),
                hasChangesBelow: row[4] as Int64? == 1)
        }
    }

    // MARK: Writing

    private func remove(_ ids: [Int64]) throws {
        if hold != nil, let column = table.system.sources.map(SQLName.quoted) {
            try database.cachedStatement(
                sql: "DELETE FROM _odata_row_source WHERE \"table\" = ?2 AND \"row\" IN (SELECT"
                    + " \(id) FROM \(SQLName.quoted(table.name)) WHERE " + RowList.condition(id)
                    + " AND (\(column) & \(RowHolds.aside)) <> 0)"
            ).execute(arguments: [RowList(ids: ids).argument, table.path])
        }
        try removals.delete(ids)
    }

    /// Others hold them still.
    private func leave(_ ids: [Int64]) throws {
        guard let hold, let sql, let column = sql.column else { return }
        guard hold.isAside else { return try update(ids, "\(column) = \(sql.left(column))") }
        try forgetPlace(ids, hold)
        let isListed =
            "EXISTS (SELECT 1 FROM _odata_row_source h WHERE h.\"table\" ="
            + " \(SQLName.constant(table.path)) AND h.\"row\" = \(id))"
        try update(
            ids,
            "\(column) = CASE WHEN \(isListed) THEN \(sql.leftAside(column))"
                + " ELSE \(sql.left(column)) END")
    }

    /// Nobody holds them; they go when their changes are settled.
    private func wait(_ ids: [Int64]) throws {
        guard let column = table.system.sources.map(SQLName.quoted) else { return }
        if let hold, hold.isAside { try forgetPlace(ids, hold) }
        try update(ids, "\(column) = \(RowHolds.nobody)")
        try StoreSettings(database: database).set(.waiting, of: table.path, 1)
    }

    private func forgetPlace(_ ids: [Int64], _ hold: RowHold) throws {
        try database.cachedStatement(
            sql: "DELETE FROM _odata_row_source WHERE \"table\" = ?2 AND place = ?3 AND "
                + RowList.condition("\"row\"")
        ).execute(arguments: [RowList(ids: ids).argument, table.path, hold.place])
    }

    /// Rows and their base images alike.
    private func update(_ ids: [Int64], _ assignment: String) throws {
        let list = RowList(ids: ids).argument
        for name in [table.name, table.baseName] {
            try database.cachedStatement(
                sql: "UPDATE \(SQLName.quoted(name)) SET \(assignment) WHERE "
                    + RowList.condition(id)
            ).execute(arguments: [list])
        }
    }
}
