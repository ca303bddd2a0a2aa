import GRDB
import ODataSQL

extension RowRemovals {
    /// Rows that one statement works on at most.
    static let batch = 2_000

    /// Takes many rows away, with what hangs on them: as many statements as one row takes.
    func delete(_ ids: [Int64]) throws {
        for start in stride(from: 0, to: ids.count, by: Self.batch) {
            let part = Array(ids[start..<min(start + Self.batch, ids.count)])
            try delete(part, from: table, depth: 0)
        }
    }

    private func delete(_ ids: [Int64], from table: TableMapping, depth: Int) throws {
        guard let last = ids.max() else { return }
        let list = RowList(ids: ids).argument
        let (id, name) = (
            SQLName.quoted(table.system.id ?? "_odata_id"), SQLName.quoted(table.name)
        )
        for link in mapping.linkTables {
            let ends = [(link.source, link.sourceColumn), (link.target, link.targetColumn)]
            for (end, column) in ends where end == table.id {
                try database.cachedStatement(
                    sql: "DELETE FROM \(SQLName.quoted(link.name)) WHERE "
                        + RowList.condition(column)
                ).execute(arguments: [list])
            }
        }
        if depth < Self.maximumDepth {
            for child in mapping.tables where child.parent == table.id {
                guard let parent = child.system.parent, let column = child.system.id else {
                    continue
                }
                let children = try Int64.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT \(SQLName.quoted(column)) FROM \(SQLName.quoted(child.name))"
                            + " WHERE " + RowList.condition(SQLName.quoted(parent))),
                    arguments: [list])
                try delete(children, from: child, depth: depth + 1)
            }
        }
        // The highest number counts, whichever rows go with it.
        try RowNumbers(table: table, database: database).leaves(last)
        try database.cachedStatement(
            sql: "DELETE FROM \(name) WHERE " + RowList.condition(id)
        ).execute(arguments: [list])
    }

    /// True for rows of `alias` on which contained rows with changes hang, at any depth.
    func hasChangedChildren(_ alias: String) -> String? {
        hasChangedChildren(of: table, alias, depth: 0)
    }

    private func hasChangedChildren(
        of table: TableMapping, _ alias: String, depth: Int
    ) -> String? {
        guard depth < Self.maximumDepth else { return nil }
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let conditions = mapping.tables.compactMap { child -> String? in
            guard child.parent == table.id, let parent = child.system.parent,
                let state = child.system.state
            else { return nil }
            let name = "c\(depth)"
            let own =
                "(\(name).\(SQLName.quoted(state)) & \(IngestSQL.shadowed.rawValue)) <> 0"
            let below = hasChangedChildren(of: child, name, depth: depth + 1)
            return "EXISTS (SELECT 1 FROM \(SQLName.quoted(child.name)) \(name)"
                + " WHERE \(name).\(SQLName.quoted(parent)) = \(alias).\(id)"
                + " AND (\(([own] + [below].compactMap { $0 }).joined(separator: " OR "))))"
        }
        return conditions.isEmpty ? nil : "(\(conditions.joined(separator: " OR ")))"
    }
}
