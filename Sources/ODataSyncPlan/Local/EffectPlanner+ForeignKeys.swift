import ODataModel
import ODataSQL
import ODataText

/// The columns by which rows refer to others.
extension EffectPlanner {
    /// Writes the principal's key into the foreign key of `row`. `columns`: foreign key and key, as they compare.
    mutating func follow(
        principal: RowReference, from row: RowReference, _ columns: [(String, String)]
    ) throws {
        principals.insert(principal)
        guard let values = try values(of: principal) else {
            throw ODataError(
                .notFound, "Expected an entity to relate to, found none.",
                at: .path(principal.table))
        }
        let table = try state.mapping.existingTable(path: row.table)
        let principalTable = try state.mapping.existingTable(path: principal.table)
        var change = StructureValue(type: try type(of: row, table), in: graph)
        var isEmpty = true
        for (own, other) in columns {
            guard let target = table.columns.first(where: { $0.comparedColumn == own }),
                let source = principalTable.columns.first(where: { $0.comparedColumn == other })
            else { continue }
            change.set(
                values.value(at: source.slots) ?? .null, at: target.slots, in: graph)
            isEmpty = false
        }
        if !isEmpty {
            effects.append(.values(row: row, values: change, principal: principal))
        }
    }

    mutating func clear(_ row: RowReference, _ columns: [String]) throws {
        let table = try state.mapping.existingTable(path: row.table)
        var change = StructureValue(type: try type(of: row, table), in: graph)
        for name in columns {
            guard let column = table.columns.first(where: { $0.comparedColumn == name }) else {
                continue
            }
            guard column.type.isNullable, !table.keys.contains(column) else {
                throw ODataError(
                    .conflict, "Expected an optional relation to remove, found a required one.",
                    at: .path("\(row.table)/\(column.path)"))
            }
            change.set(.null, at: column.slots, in: graph)
        }
        effects.append(.values(row: row, values: change, principal: nil))
    }

    /// Foreign keys that the app set by value: rows created here are followed, so that their key can change.
    package mutating func followForeignKeys(
        of row: RowReference, in change: StructureValue, table: TableMapping
    ) throws {
        for navigation in table.navigations {
            guard case .columns(let pairs) = navigation.storage, !navigation.isCollection else {
                continue
            }
            let own = pairs.compactMap { pair in
                table.columns.first { $0.comparedColumn == pair.source }
            }
            // Most changes set no foreign key, which is known before anything else is asked.
            guard own.count == pairs.count,
                own.allSatisfy({ change.value(at: $0.slots).map { !$0.isNull } ?? false }),
                keys.isDependent(navigation, in: table), graph.isA(change.type, navigation.owner)
            else { continue }
            let target = state.mapping[navigation.target]
            let encoder = RowEncoder(table: table, graph: graph)
            let arguments = try own.map { try encoder.comparedArgument($0, change) }
            let found = try state.rows(
                in: target, where: pairs.map(\.target), equal: arguments)
            for principal in found.prefix(1) where principal != row {
                principals.insert(principal)
                if principal.id < 0 {
                    try follow(
                        principal: principal, from: row, pairs.map { ($0.source, $0.target) })
                }
            }
        }
    }

    func values(of row: RowReference) throws -> StructureValue? {
        if let values = created[row] { return values }
        return try state.visibleRow(row)?.values
    }

    private func type(of row: RowReference, _ table: TableMapping) throws -> StructureID {
        try values(of: row)?.type ?? table.structure
    }
}
