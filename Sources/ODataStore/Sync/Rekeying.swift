import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// Rewrites what waits after the service gave rows their keys: foreign keys that follow them, in effects and in
/// bodies (offline reference, section 10).
struct Rekeying {
    let transaction: StoreTransaction

    /// - Returns: the rows whose foreign keys changed.
    func apply(_ keyed: [RowReference: StructureValue]) throws -> Set<RowReference> {
        var changed: Set<RowReference> = []
        for var request in try transaction.requests.all() where !request.isSealed {
            var isChanged = false
            for place in request.effects.indices {
                guard
                    case .values(let row, let old, let principal?) = request.effects[place],
                    let values = keyed[principal],
                    let new = try following(row, principal, old, values)
                else { continue }
                request.effects[place] = .values(row: row, values: new, principal: principal)
                rewrite(&request, row, old, new)
                changed.insert(row)
                isChanged = true
            }
            if isChanged { try transaction.requests.update(request) }
        }
        return changed
    }

    /// The foreign key anew: each column of the old one from the principal's column it equals.
    private func following(
        _ row: RowReference, _ principal: RowReference, _ old: StructureValue,
        _ values: StructureValue
    ) throws -> StructureValue? {
        let table = try transaction.table(row.table)
        let principalTable = try transaction.table(principal.table)
        for (own, other) in pairs(table, principalTable) {
            var new = StructureValue(type: old.type, in: transaction.graph)
            var isComplete = !own.isEmpty
            for (target, source) in zip(own, other) {
                guard old.value(at: target.slots) != nil,
                    let value = values.value(at: source.slots)
                else {
                    isComplete = false
                    break
                }
                new.set(value, at: target.slots, in: transaction.graph)
            }
            if isComplete { return new }
        }
        return nil
    }

    /// Every way in which rows of `table` can refer to rows of `principal` by columns.
    private func pairs(
        _ table: TableMapping, _ principal: TableMapping
    ) -> [([ODataSQL.ColumnMapping], [ODataSQL.ColumnMapping])] {
        let planner = EffectPlanner(transaction: transaction)
        var found: [([ODataSQL.ColumnMapping], [ODataSQL.ColumnMapping])] = []
        func add(_ pairs: [(own: String, other: String)]) {
            let own = pairs.compactMap { pair in
                table.columns.first { $0.comparedColumn == pair.own }
            }
            let other = pairs.compactMap { pair in
                principal.columns.first { $0.comparedColumn == pair.other }
            }
            if own.count == pairs.count, other.count == pairs.count { found.append((own, other)) }
        }
        for navigation in table.navigations where navigation.target == principal.id {
            guard case .columns(let columns) = navigation.storage,
                planner.isDependent(navigation, in: table)
            else { continue }
            add(columns.map { ($0.source, $0.target) })
        }
        for navigation in principal.navigations where navigation.target == table.id {
            guard case .columns(let columns) = navigation.storage,
                !planner.isDependent(navigation, in: principal)
            else { continue }
            add(columns.map { ($0.target, $0.source) })
        }
        return found
    }

    /// The same values where the app wrote them into a body.
    private func rewrite(
        _ request: inout QueuedRequest, _ row: RowReference, _ old: StructureValue,
        _ new: StructureValue
    ) {
        func change(_ body: inout RequestBody) {
            for slot in old.slots.indices {
                guard let before = old.slots[slot], body.values.slots.indices.contains(slot),
                    body.values.slots[slot] == before
                else { continue }
                body.values.slots[slot] = new.slots[slot]
            }
        }
        guard var body = request.body else { return }
        if request.target == row { change(&body) } else { body.change(row, change) }
        request.body = body
    }
}

/// Two rows turned out to be one entity: a row created here, and one that a download brought meanwhile.
struct RowMerge {
    let transaction: StoreTransaction

    /// Gives everything of `other` to `row` and takes `other` away.
    ///
    /// - Returns: `other` as it was.
    func merge(_ other: RowReference, into row: RowReference) throws -> StoredRow? {
        let images = try transaction.images(other.table)
        let stored = try images.image(id: other.id)?.row ?? images.rows.row(id: other.id)
        try transaction.links.move(other, to: row.id)
        try StreamRows(database: transaction.database).move(other, to: row.id)
        let requests = try transaction.requests.all()
        for request in requests where !request.isSealed {
            let moved = request.replacing(other, by: row)
            if moved != request { try transaction.requests.update(moved) }
        }
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
        return stored
    }
}
