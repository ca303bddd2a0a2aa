import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

extension RowIngest {
    /// Writes an entity; returns its internal id where it is known.
    mutating func write(_ row: IncomingRow) throws -> Int64? {
        let statements = try statements(for: row)
        if mode == .first, let batching {
            if let batch, batch.isFull || batch.statements !== statements { try writeBatch() }
            if batch == nil { batch = RowBatch(statements, batching) }
            batch?.add(row)
            return nil
        }
        if mode == .first {
            let upsert = try statements.upsert(database, sql, state)
            try bindAlone(row, to: upsert)
            try upsert.run()
            counts.written += upsert.changes
            return nil
        }
        return try merge(row, statements)
    }

    /// Inserts the rows that wait by one statement; when one of them is there already, one by one.
    mutating func writeBatch() throws {
        guard let waiting = batch, let batching else { return }
        batch = nil
        let after = current
        current = waiting.statements
        defer { current = after }
        let rows = waiting.rows
        let isInserted = try rows.count > 1 && insert(rows, waiting.statements)
        guard !isInserted else { return }
        if rows.count > 1 { batching.foundDuplicate(plan.table.path, rows.count) }
        let upsert = try waiting.statements.upsert(database, sql, state)
        for retained in rows {
            try bindAlone(retained.row, to: upsert)
            try upsert.run()
            counts.written += upsert.changes
        }
    }

    /// - Returns: false when nothing was inserted, because one of the rows is there already.
    mutating func insert(
        _ rows: [RetainedRow], _ statements: RowStatements
    ) throws -> Bool {
        scratch.reset(rows.reduce(0) { $0 + $1.row.raw.count })
        let insert = try statements.insert(rows.count, database, sql, state)
        defer { insert.offset = 0 }
        for (number, retained) in rows.enumerated() {
            insert.offset = Int32(number) * (statements.nextParameter - 1)
            try bind(retained.row, to: insert)
        }
        do {
            try insert.run()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return false
        }
        counts.written += rows.count
        return true
    }

    mutating func merge(_ row: IncomingRow, _ statements: RowStatements) throws -> Int64 {
        if let id = try mergeCompared(row, statements) { return id }
        let found: FoundRow? = if let identified { identified } else { try find(row) }
        if let found, let id = try met(found, statements) { return id }
        if let found, !found.state.isDisjoint(with: IngestSQL.shadowed) || found.isOnlyBase {
            return try writeBase(row, id: found.id, statements)
        }
        guard let found else { return try insertAlone(row, statements) }
        let update = try statements.update(database, sql, state)
        return try updated(update, id: found.id, try bindAlone(row, to: update))
    }

    mutating func insertAlone(_ row: IncomingRow, _ statements: RowStatements) throws -> Int64 {
        let insert = try statements.insert(database, sql, state)
        return try inserted(insert, try bindAlone(row, to: insert))
    }

    /// The id of a row that is here already, where the payload says no more of it than that it is there, or may be older.
    mutating func met(_ found: FoundRow, _ statements: RowStatements) throws -> Int64? {
        guard try isNewer(found) || plan.hold == nil && plan.isReference(statements.pattern)
        else { return nil }
        seen?.insert(found.id)
        return found.id
    }

    /// Runs an insertion whose row is bound, but for its id, the parameter `next`.
    mutating func inserted(_ insert: BoundStatement, _ next: Int32) throws -> Int64 {
        if !plan.table.keyColumns.isEmpty {
            if let id = try Int64.fetchOne(nextID) {
                insert.bind(id, next)
            } else {
                insert.bindNull(next)
            }
        }
        try insert.run()
        counts.written += 1
        let id = insert.lastInsertedID
        noteAside(id)
        if !state.isEmpty { upsertedRows.append(id) }
        seen?.insert(id)
        return id
    }

    /// Runs an update whose row is bound, but for its id, the parameter `next`.
    mutating func updated(_ update: BoundStatement, id: Int64, _ next: Int32) throws -> Int64 {
        seen?.insert(id)
        noteAside(id)
        update.bind(id, next)
        try update.run()
        counts.written += update.changes
        if update.changes > 0, !state.isEmpty { upsertedRows.append(id) }
        if update.changes > 0, notesRewritten { rewrittenRows.append(id) }
        return id
    }

    mutating func writeBase(
        _ row: IncomingRow, id: Int64, _ statements: RowStatements
    ) throws -> Int64 {
        let base = try statements.writeBase(database, sql)
        return try wroteBase(base, id: id, try bindAlone(row, to: base))
    }

    /// Runs the writing of a base image that is bound, but for its id, the parameter `next`.
    mutating func wroteBase(_ base: BoundStatement, id: Int64, _ next: Int32) throws -> Int64 {
        base.bind(id, next)
        let before = try handler.untaggedImage(of: id, in: plan.table, database: database)
        let content = notesRewritten ? try contentOfBase(id) : nil
        try base.run()
        // What a mere reading says again is no other state; without an image nobody knows what there was.
        if notesRewritten, try content == nil || contentOfBase(id) != content {
            rewrittenRows.append(id)
        }
        noteAside(id)
        if let hold = sql.holdRow {
            try database.cachedStatement(sql: hold).execute(arguments: [id])
        }
        if let before { try handler.wroteOver(before, in: plan.table, database: database) }
        shadowedRows.append(id)
        counts.shadowed += 1
        seen?.insert(id)
        return id
    }

    private func contentOfBase(_ id: Int64) throws -> [DatabaseValue]? {
        let row = try Row.fetchOne(
            database.cachedStatement(sql: sql.baseContent), arguments: [id])
        return row.map { Array($0.databaseValues) }
    }

    mutating func remove(_ row: IncomingRow) throws {
        let removal = try row.removal()
        try remove(try identify(row, removal), because: removal.reason)
    }

    /// Removes a row that was told to be gone from the result or its relation; none when it is not here.
    mutating func remove(_ found: FoundRow?, because reason: RowRemoval.Reason) throws {
        guard let found else { return }
        touched?.unlinked.append(found.id)
        if touched != nil, reason == .changed, plan.table.parent == nil { return }
        let departure: RowHolds.Reason = reason == .deleted ? .deleted : .left
        if departure != goneReason || goneRows.count >= RowRemovals.batch { try takeGoneAway() }
        goneReason = departure
        goneRows.append(found.id)
    }

    /// Takes the rows away that were told to be gone since the last time: by as many statements as one row takes.
    mutating func takeGoneAway() throws {
        guard !goneRows.isEmpty else { return }
        let rows = goneRows
        goneRows = []
        try takeAway(rows, because: goneReason)
    }

    /// Whether what is here may be newer than what comes: the row, or its base image where the queue has changes of it.
    private func isNewer(_ found: FoundRow) throws -> Bool {
        guard leavesAccepted else { return false }
        let isShadowed = !found.isOnlyBase && !found.state.isDisjoint(with: IngestSQL.shadowed)
        let state = isShadowed ? try stateOfBase(found.id) : found.state
        return !state.isDisjoint(with: [.created, .updated])
    }

    private func stateOfBase(_ id: Int64) throws -> EntityState {
        let state = try Int64.fetchOne(
            database.cachedStatement(sql: sql.baseState), arguments: [id])
        return EntityState(rawValue: state ?? 0)
    }

    /// Takes rows away from what the query holds.
    mutating func takeAway(_ ids: [Int64], because reason: RowHolds.Reason) throws {
        guard !ids.isEmpty else { return }
        let outcome = try held.letGo(ids, because: reason, leavesAccepted: leavesAccepted)
        shadowedRows += outcome.buried
        if notesRewritten { rewrittenRows += outcome.buried }
        counts.shadowed += outcome.buried.count
        counts.removed += outcome.count - outcome.buried.count
    }

    /// The row came from a source whose rows are listed beside the table: which ones is written by the thousand.
    mutating func noteAside(_ id: Int64) {
        if plan.hold?.isAside == true { asideRows.append(id) }
    }

    /// The same for what expansions brought, too; before anything else writes the tables.
    mutating func endPage() throws {
        try takeGoneAway()
        for nested in nested { try nested.ingest.endPage() }
    }

    /// Removes contained rows that their relation no longer names.
    mutating func removeContained(_ ids: [Int64]) throws {
        try takeGoneAway()
        try takeAway(ids, because: .deleted)
    }
}
