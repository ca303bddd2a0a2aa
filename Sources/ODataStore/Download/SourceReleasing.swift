import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataSyncPlan

/// Takes its rows from a source that has no right to them any more: what nobody else holds goes, what waits for changes of
/// its own goes with them. Runs inside a transaction.
struct SourceReleasing {
    let store: LocalStore
    let transaction: StoreTransaction

    private var database: Database { transaction.database }
    private var holds: SourceHolds { SourceHolds(database: database) }

    /// Rows that are taken in the transaction which ends the read of who comes in their place.
    static let rowsAtOnce = 50_000

    /// Lets rows go that come behind an id.
    ///
    /// - Returns: the last row; nil when the source has none any more, and is gone.
    func releasePart(_ entry: SourceHolds.Entry, behind last: Int64) throws -> Int64? {
        // Rows of a set that the metadata has no more are out of view, and would be another's with its place.
        guard let table = transaction.mapping.table(path: entry.table) else { return nil }
        let hold = try holds.hold(of: entry)
        let heirs = entry.kind == .leaving ? try holds.readers(of: entry.table) : []
        let ids = try rows(of: entry, hold, table, isLast: heirs.isEmpty, behind: last)
        let held = HeldRows(
            table: table, mapping: transaction.mapping, database: database, hold: hold,
            heirs: heirs)
        if try hold.isImplicit && !heirs.isEmpty && hasMadeRows(table, ids) {
            // Only all rows of theirs tell whether what was made here is among them.
            for query in try LocalStore.downloadQueries(of: entry.table, in: database) {
                let bookkeeping = DownloadBookkeeping(database)
                try bookkeeping.begin(comparing: query.key)
                try bookkeeping.readWhole(query.key)
            }
        }
        let outcome = try held.letGo(ids, because: .released)
        if outcome.hasChanged { try database.notifyChanges(in: Table(table.name)) }
        guard ids.count == RowRemovals.batch, let end = ids.last else {
            try holds.remove(entry)
            try clear(entry, table)
            return nil
        }
        return end
    }

    /// The rows that a source holds; with the last one that reads a set go those that were made here and belong to it.
    private func rows(
        of entry: SourceHolds.Entry, _ hold: RowHold, _ table: TableMapping, isLast: Bool,
        behind last: Int64
    ) throws -> [Int64] {
        let sql = HoldSQL(hold: hold, table: table)
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        var condition = sql.isHeld("t")
        if isLast, entry.kind == .leaving, hold.implicit == 0, let column = sql.column,
            let state = table.system.state.map(SQLName.quoted)
        {
            condition +=
                " OR (t.\(column) = 0 AND (t.\(state) & \(EntityState.created.rawValue)) <> 0)"
        }
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT t.\(id) FROM \(SQLName.quoted(table.name)) t WHERE (\(condition))"
                    + " AND t.\(id) > ? ORDER BY t.\(id) LIMIT \(RowRemovals.batch)"),
            arguments: [last])
    }

    private func hasMadeRows(_ table: TableMapping, _ ids: [Int64]) throws -> Bool {
        guard let state = table.system.state.map(SQLName.quoted),
            let sources = table.system.sources.map(SQLName.quoted)
        else { return false }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE "
                    + RowList.condition(SQLName.quoted(table.system.id ?? "_odata_id"))
                    + " AND \(sources) = 0 AND (\(state) & \(EntityState.created.rawValue)) <> 0"
                    + " LIMIT 1"), arguments: [RowList(ids: ids).argument]) != nil
    }

    /// Takes away at once what others of the source's name had brought, where it is not too much; in the transaction that ends
    /// its read.
    func release(inPlaceOf source: DownloadSource) throws {
        var rest = Self.rowsAtOnce
        for entry in try holds.entries() where entry.isLeaving && entry.awaits == source.key {
            guard try holds.areNoted(in: entry.table), try count(entry) <= rest else { continue }
            var last: Int64? = Int64.min
            while let behind = last {
                last = try releasePart(entry, behind: behind)
                rest -= RowRemovals.batch
            }
        }
    }

    private func count(_ entry: SourceHolds.Entry) throws -> Int {
        guard let table = transaction.mapping.table(path: entry.table) else { return 0 }
        let held = HoldSQL(hold: try holds.hold(of: entry), table: table).isHeld("t")
        return try Int.fetchOne(
            database, sql: "SELECT count(*) FROM \(SQLName.quoted(table.name)) t WHERE \(held)")
            ?? 0
    }

    // MARK: What waits

    /// Takes rows away that nobody holds and whose changes are settled.
    ///
    /// - Returns: false when there may be more.
    func releaseWaiting(in path: String) throws -> Bool {
        let settings = transaction.settings
        guard let table = transaction.mapping.table(path: path),
            let sources = table.system.sources.map(SQLName.quoted),
            let state = table.system.state.map(SQLName.quoted)
        else {
            try settings.set(.waiting, of: path, nil)
            return true
        }
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let removals = RowRemovals(
            table: table, mapping: transaction.mapping, database: database)
        let waits = "t.\(sources) = \(RowHolds.nobody)"
        let changes =
            ["(t.\(state) & \(IngestSQL.shadowed.rawValue)) <> 0"]
            + [removals.hasChangedChildren("t")].compactMap { $0 }
        let ids = try Int64.fetchAll(
            database,
            sql: "SELECT t.\(id) FROM \(SQLName.quoted(table.name)) t WHERE \(waits)"
                + " AND NOT (\(changes.joined(separator: " OR "))) LIMIT \(RowRemovals.batch)")
        try removals.delete(ids)
        if !ids.isEmpty { try database.notifyChanges(in: Table(table.name)) }
        let isLeft = try Int64.fetchOne(
            database, sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) t WHERE \(waits) LIMIT 1")
        if isLeft == nil { try settings.set(.waiting, of: path, nil) }
        return ids.count < RowRemovals.batch
    }

    // MARK: Values

    /// Values that a query selects no more which has taken the place of another, of rows that only it brings: nobody would
    /// keep them up to date.
    private func clear(_ entry: SourceHolds.Entry, _ table: TableMapping) throws {
        let queries = try LocalStore.downloadQueries(of: nil, in: database)
        // An expansion of another query may have brought them.
        guard entry.kind == .leaving, let key = entry.awaits,
            let source = queries.first(where: { $0.key == key && $0.entitySet == entry.table }),
            let column = table.system.sources, let id = table.system.id,
            let selected = Self.selection(source, transaction.mapping),
            !queries.contains(where: { $0 != source && $0.url.contains("expand") })
        else { return }
        let unselected = table.columns.indices.filter { position in
            let path = table.columns[position].path
            return !table.keyColumns.contains(position)
                && !selected.contains { path == $0 || path.hasPrefix($0 + "/") }
        }.flatMap { table.columns[$0].storedColumns }
        let hold = RowHold(place: source.bit)
        guard !unselected.isEmpty, !hold.isAside else { return }
        let only = "\(SQLName.quoted(column)) = \(hold.mask)"
        let shadowed = try Int64.fetchAll(
            database,
            sql: "SELECT \(SQLName.quoted(id)) FROM \(SQLName.quoted(table.baseName)) WHERE \(only)"
        )
        let empty = unselected.map { SQLName.quoted($0) + " = NULL" }.joined(separator: ", ")
        for target in [table.name, table.baseName] {
            try database.execute(sql: "UPDATE \(SQLName.quoted(target)) SET \(empty) WHERE \(only)")
        }
        try QueueShadow(store).baseImagesChanged(shadowed, in: table, database: database)
    }

    /// The paths that a query selects; nil for all, and where nobody can tell.
    private static func selection(
        _ source: DownloadSource, _ mapping: SchemaMapping
    ) -> Set<String>? {
        let query = try? URLParser.parse(
            source.url, graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        guard let query, !query.select.isEmpty, !query.selectsAll else { return nil }
        return Set(query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
    }
}
