import GRDB
import ODataModel
import ODataSQL
import ODataSyncPlan

/// Lets rows go that the expansions of a source brought and that none of them leads to any more: those that their relation
/// no longer names, and those whose links or referring rows have gone. A row that another source holds stays.
///
/// Runs in the transaction of the read that found out. Rows with unsent changes stay, over a base image that says that the
/// service has removed them. Rows that refer to each other in a circle keep each other.
package struct ExpandedRemovals {
    /// What a source leads to, and how it holds the rows.
    package struct Source: Sendable {
        package var expansions: SourceExpansions
        /// Of its own rows; nil where every row of the table is.
        package var own: RowHold?
        /// Of the rows of its expansions.
        package var holds: [TableID: RowHold]

        package init(
            expansions: SourceExpansions = SourceExpansions(), own: RowHold? = nil,
            holds: [TableID: RowHold] = [:]
        ) {
            self.expansions = expansions
            self.own = own
            self.holds = holds
        }
    }

    let source: Source
    let mapping: SchemaMapping
    let database: Database
    let handler: any ShadowedRowHandler

    /// Rows that are changed here, or were and did not come back yet: no link to them need be known.
    private static let spared = IngestSQL.shadowed.union(IngestSQL.received).subtracting(.untagged)
    private static let maximumRounds = 16

    /// Lets the rows go that their relation dropped and nothing else of the source brings.
    ///
    /// - Returns: the number of rows that the source has no more.
    func remove(_ dropped: DroppedRows) throws -> Int {
        var count = 0
        for (id, rows) in dropped.rows where isTold(id) {
            let table = mapping[id]
            let gone = try rows.sorted { $0.key < $1.key }.filter {
                try isUnreferenced($0.key, of: table, but: $0.value)
            }
            count += try letGo(gone.map(\.key), of: table)
        }
        return count
    }

    /// Lets the rows go that nothing of the source refers to. Time is linear in the rows of such tables.
    func sweep() throws -> Int {
        var count = 0
        for _ in 0..<Self.maximumRounds {
            let before = count
            for id in source.expansions.targets.sorted(by: { mapping[$0].path < mapping[$1].path })
            where isTold(id) {
                count += try sweep(mapping[id])
            }
            guard count > before else { break }
        }
        return count
    }

    private func isTold(_ table: TableID) -> Bool {
        source.holds[table] != nil && !source.expansions.untold.contains(table)
            && source.expansions.references[table] != nil
    }

    private func sweep(_ table: TableMapping) throws -> Int {
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        var conditions = ["t.\(id) > ?"] + held(table, "t")
        if let state = table.system.state {
            conditions.append("(t.\(SQLName.quoted(state)) & \(Self.spared.rawValue)) = 0")
        }
        conditions.append(
            "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(table.baseName)) b WHERE b.\(id) = t.\(id))"
        )
        for reference in source.expansions.references[table.id] ?? [] {
            conditions += try absence(of: reference, to: table)
        }
        let statement = try database.makeStatement(
            sql: "SELECT t.\(id) FROM \(SQLName.quoted(table.name)) t WHERE "
                + conditions.joined(separator: " AND ")
                + " ORDER BY t.\(id) LIMIT \(RowRemovals.batch)")
        var count = 0
        var last = Int64.min
        while true {
            let rows = try Int64.fetchAll(statement, arguments: [last])
            count += try letGo(rows, of: table)
            guard rows.count == RowRemovals.batch, let end = rows.last else { return count }
            last = end
        }
    }

    private func letGo(_ rows: [Int64], of table: TableMapping) throws -> Int {
        guard !rows.isEmpty else { return 0 }
        let outcome = try HeldRows(
            table: table, mapping: mapping, database: database, hold: source.holds[table.id]
        ).letGo(rows, because: .left)
        if !outcome.buried.isEmpty {
            try handler.baseImagesChanged(outcome.buried, in: table, database: database)
        }
        if outcome.hasChanged { try database.notifyChanges(in: Table(table.name)) }
        return outcome.count
    }

    /// The rows of a table that the expansions of the source hold.
    private func held(_ table: TableMapping, _ alias: String) -> [String] {
        source.holds[table.id].map { [HoldSQL(hold: $0, table: table).isHeld(alias)] } ?? []
    }

    private func isUnreferenced(
        _ row: Int64, of table: TableMapping, but relation: DroppedRows.Relation
    ) throws -> Bool {
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        var conditions = ["t.\(id) = ?"] + held(table, "t")
        for reference in source.expansions.references[table.id] ?? []
        where reference.source != relation.source || reference.navigation.path != relation.path {
            conditions += try absence(of: reference, to: table)
        }
        return try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM \(SQLName.quoted(table.name)) t WHERE "
                    + conditions.joined(separator: " AND ")), arguments: [row]) != nil
    }

    // MARK: References

    /// What holds for `t` when no row refers to it this way, in the local view or in what the service last said.
    private func absence(
        of reference: SourceExpansions.Reference, to table: TableMapping
    ) throws -> [String] {
        let source = mapping[reference.source]
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let brought = brought(reference, source).map { " AND \($0)" } ?? ""
        switch reference.navigation.storage {
        case .linkTable(let index, let isReversed):
            let link = mapping.linkTables[index]
            let (near, far) =
                isReversed
                ? (link.targetColumn, link.sourceColumn) : (link.sourceColumn, link.targetColumn)
            let of =
                brought.isEmpty
                ? ""
                : " AND EXISTS (SELECT 1 FROM \(SQLName.quoted(source.name)) s WHERE s."
                    + "\(SQLName.quoted(source.system.id ?? "_odata_id")) = l.\(near)\(brought))"
            var absences = [
                "NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(link.name)) l WHERE l.\(far) = t.\(id)"
                    + of + ")"
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

    /// The rows `s` that lead on: those of the source, not all that are there. Contained ones are where what contains them is.
    private func brought(
        _ reference: SourceExpansions.Reference, _ table: TableMapping
    ) -> String? {
        guard table.parent == nil else { return nil }
        let hold = reference.isOwn ? source.own : source.holds[table.id]
        return hold.map { HoldSQL(hold: $0, table: table).isHeld("s") }
    }

    private func isEmpty(_ table: String) throws -> Bool {
        try Int64.fetchOne(database, sql: "SELECT 1 FROM \(SQLName.quoted(table)) LIMIT 1") == nil
    }
}
