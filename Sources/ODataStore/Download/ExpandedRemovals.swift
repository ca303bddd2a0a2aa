import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// Takes away rows that came through `$expand` only and that no expansion leads to any more: those that their relation no
/// longer names, and those whose links or referring rows have gone.
///
/// Runs in the transaction of the read that found out. Rows with unsent changes stay, over a base image that says that the
/// service has removed them. Rows that refer to each other in a circle keep each other.
struct ExpandedRemovals {
    let tables: ExpandedTables
    let mapping: SchemaMapping
    let database: Database
    let handler: any ShadowedRowHandler

    /// Rows that are changed here, or were and did not come back yet: no link to them need be known.
    private static let spared = IngestSQL.shadowed.union(IngestSQL.received).subtracting(.untagged)
    private static let maximumRounds = 16
    private static let batch = 2_000

    /// Takes the rows away that their relation dropped and no other brings.
    ///
    /// - Returns: the number of rows that went.
    func remove(_ dropped: DroppedRows) throws -> Int {
        var count = 0
        for (id, rows) in dropped.rows where tables.contains(id) {
            let table = mapping[id]
            var shadowed: [Int64] = []
            for (row, relation) in rows.sorted(by: { $0.key < $1.key })
            where try isUnreferenced(row, of: table, but: relation) {
                if try remove(row, from: table) { shadowed.append(row) }
                count += 1
            }
            if !shadowed.isEmpty {
                try handler.baseImagesChanged(shadowed, in: table, database: database)
            }
        }
        return count
    }

    /// Takes the rows away that nothing refers to. Time is linear in the rows of such tables.
    func sweep() throws -> Int {
        var count = 0
        for _ in 0..<Self.maximumRounds {
            let before = count
            for id in tables.references.keys.sorted(by: { mapping[$0].path < mapping[$1].path }) {
                count += try sweep(mapping[id])
            }
            guard count > before else { break }
        }
        return count
    }

    private func sweep(_ table: TableMapping) throws -> Int {
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        var conditions = ["t.\(id) > ?"] + owned(table)
        if let state = table.system.state {
            conditions.append("(t.\(SQLName.quoted(state)) & \(Self.spared.rawValue)) = 0")
        }
        conditions.append(
            "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.baseName)) b WHERE b.\(id) = t.\(id))"
        )
        for reference in tables.references[table.id] ?? [] {
            conditions += try absence(of: reference, to: table)
        }
        let statement = try database.makeStatement(
            sql: "SELECT t.\(id) FROM \(SQLName.quoted(table.name)) t WHERE "
                + conditions.joined(separator: " AND ") + " ORDER BY t.\(id) LIMIT \(Self.batch)")
        let removals = RowRemovals(table: table, mapping: mapping, database: database)
        var count = 0
        var last = Int64.min
        while true {
            let rows = try Int64.fetchAll(statement, arguments: [last])
            for row in rows { try removals.delete(id: row) }
            count += rows.count
            guard rows.count == Self.batch, let end = rows.last else { break }
            last = end
        }
        if count > 0 { try database.notifyChanges(in: Table(table.name)) }
        return count
    }

    /// Rows that a query of their own brings say so.
    private func owned(_ table: TableMapping) -> [String] {
        table.system.sources.map { ["t.\(SQLName.quoted($0)) = 0"] } ?? []
    }

    private func isUnreferenced(
        _ row: Int64, of table: TableMapping, but relation: DroppedRows.Relation
    ) throws -> Bool {
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        var conditions = ["t.\(id) = ?"] + owned(table)
        for reference in tables.references[table.id] ?? []
        where reference.source != relation.source || reference.navigation.path != relation.path {
            conditions += try absence(of: reference, to: table)
        }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) t WHERE "
                    + conditions.joined(separator: " AND ")), arguments: [row]) != nil
    }

    /// True when the row stays under changes of its own.
    private func remove(_ row: Int64, from table: TableMapping) throws -> Bool {
        let removals = RowRemovals(table: table, mapping: mapping, database: database)
        guard try removals.state(id: row).isDisjoint(with: IngestSQL.shadowed) else {
            try removals.buryBase(id: row)
            return true
        }
        try removals.delete(id: row)
        return false
    }

    // MARK: References

    /// What holds for `t` when no row refers to it this way, in the local view or in what the service last said.
    private func absence(
        of reference: ExpandedTables.Reference, to table: TableMapping
    ) throws -> [String] {
        let source = mapping[reference.source]
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        switch reference.navigation.storage {
        case .linkTable(let index, let isReversed):
            let link = mapping.linkTables[index]
            let (near, far) =
                isReversed
                ? (link.targetColumn, link.sourceColumn) : (link.sourceColumn, link.targetColumn)
            let brought = bit(reference, source).map { bit in
                " AND EXISTS (SELECT 1 FROM \(SQLName.quoted(source.name)) s WHERE s."
                    + "\(SQLName.quoted(source.system.id ?? "_odata_id")) = l.\(near) AND \(bit))"
            }
            var absences = [
                "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(link.name)) l WHERE l.\(far) = t.\(id)"
                    + (brought ?? "") + ")"
            ]
            if try !isEmpty("_odata_base_link") {
                absences.append(
                    "NOT EXISTS (SELECT 1 FROM _odata_base_link l WHERE l.link_table ="
                        + " \(SQLName.constant(link.name)) AND l.\(far) = t.\(id)"
                        + " AND l.is_present <> 0)")
            }
            return absences
        case .columns(let pairs):
            let on = pairs.map {
                "s.\(SQLName.quoted($0.source)) = t.\(SQLName.quoted($0.target))"
            }.joined(separator: " AND ")
            let brought = bit(reference, source).map { " AND \($0)" } ?? ""
            var absences = [
                "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(source.name)) s WHERE \(on)\(brought))"
            ]
            if try !isEmpty(source.baseName) {
                absences.append(
                    "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(source.baseName)) s WHERE \(on)"
                        + " AND s._odata_base_kind = 0)")
            }
            return absences
        }
    }

    private func bit(_ reference: ExpandedTables.Reference, _ source: TableMapping) -> String? {
        guard reference.sourceBit != 0, let sources = source.system.sources else { return nil }
        return "(s.\(SQLName.quoted(sources)) & \(reference.sourceBit)) <> 0"
    }

    private func isEmpty(_ table: String) throws -> Bool {
        try Int64.fetchOne(database, sql: "SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1") == nil
    }
}
