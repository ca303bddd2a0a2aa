import ODataModel
import ODataSQL
import ODataText

/// What goes with a row.
extension EffectPlanner {
    /// Hides what goes with a deleted row: contained rows, and dependents under `OnDelete` (CSDL 4.01, 8.6).
    ///
    /// - Parameter known: The row as it stands, where the caller has read it.
    package mutating func cascade(from row: RowReference, known: StoredRow? = nil) throws {
        var open = [row]
        var seen: Set<RowReference> = [row]
        while let parent = open.popLast() {
            let table = try state.mapping.existingTable(path: parent.table)
            let actions = table.navigations.map(onDelete)
            guard actions.contains(where: { $0 == .cascade || $0 == .setNull }) else { continue }
            let present = parent == row ? known : nil
            guard let stored = try present ?? state.row(parent) else { continue }
            for (navigation, action) in zip(table.navigations, actions)
            where action == .cascade || action == .setNull {
                for child in try related(stored, table, navigation)
                where seen.insert(child).inserted {
                    guard seen.count <= maximumVictims else {
                        throw ODataError(
                            .limitExceeded,
                            "Expected a delete to reach at most \(maximumVictims) rows.")
                    }
                    if action == .cascade {
                        effects.append(.hide(child))
                        open.append(child)
                    } else {
                        try unlink(parent, navigation, child)
                    }
                }
            }
        }
    }

    private func onDelete(_ navigation: NavigationMapping) -> NavigationDefinition.OnDelete {
        if navigation.containsTarget { return .cascade }
        guard navigation.slots.count == 1 else { return .none }
        let property = graph[navigation.owner].properties[navigation.slots[0]]
        return property.navigation?.onDelete ?? .none
    }

    /// The rows that a navigation property leads to now.
    package func related(
        _ row: StoredRow, _ table: TableMapping, _ navigation: NavigationMapping
    ) throws -> [RowReference] {
        let target = state.mapping[navigation.target]
        switch navigation.storage {
        case .columns(let pairs):
            let encoder = RowEncoder(table: table, graph: graph)
            let arguments = try pairs.map { pair -> SQLArgument in
                if pair.source == table.system.id { return .integer(row.id) }
                guard let column = table.columns.first(where: { $0.comparedColumn == pair.source })
                else { return .null }
                return try encoder.comparedArgument(column, row.values)
            }
            return try state.rows(in: target, where: pairs.map(\.target), equal: arguments)
        case .linkTable(let index, let isReversed):
            let storage = state.mapping.linkTables[index]
            let source = RowReference(table: table.path, id: row.id)
            guard let forward = forwardPath(of: index, storage) else { return [] }
            let ids =
                isReversed
                ? try state.sources(of: row.id, in: storage)
                : try state.links(of: source, through: forward).map(\.target.id)
            return ids.map { RowReference(table: target.path, id: $0) }
        }
    }
}
