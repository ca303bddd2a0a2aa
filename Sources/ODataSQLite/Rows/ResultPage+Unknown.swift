import ODataQuery
import ODataSQL

extension ResultPage {
    /// The page with expansions of which nobody knows what they lead to not set in their rows.
    ///
    /// - Parameter unknownRows: the rows of a table whose expansion is not known, by position. Rows whose expansion leads to an
    ///   entity of which the key alone is known need not be among them.
    package func leavingOut(
        _ unknownRows: (ExpandPlan, TableID, SQLiteRowChunk) throws -> Set<Int>
    ) rethrows -> ResultPage {
        guard !plan.expands.isEmpty else { return self }
        return ResultPage(
            query: query,
            chunks: try chunks.map { try $0.leavingOut(plan.table, unknownRows) ?? $0 },
            count: count)
    }
}

extension SQLiteRowChunk {
    /// Nil where everything is known.
    fileprivate func leavingOut(
        _ table: TableID, _ unknownRows: (ExpandPlan, TableID, SQLiteRowChunk) throws -> Set<Int>
    ) rethrows -> SQLiteRowChunk? {
        var isWhole = true
        let kept = try expanded.map { expansion in
            let below = try expansion.rows?.leavingOut(expansion.plan.table, unknownRows)
            let unknown = try unknownRows(expansion.plan, table, self)
                .union(expansion.parentsOfKeyOnlyRows(count))
            guard below != nil || !unknown.isEmpty else { return expansion }
            isWhole = false
            return Expanded(
                prepared: expansion.prepared, rows: below ?? expansion.rows,
                places: expansion.places, counts: expansion.counts, unknown: unknown)
        }
        return isWhole ? nil : SQLiteRowChunk(rows: rows, layout: layout, expanded: kept)
    }
}

extension SQLiteRowChunk.Expanded {
    /// The parents of entities of which nothing but the key is known. References say no more than keys.
    fileprivate func parentsOfKeyOnlyRows(_ parents: Int) -> Set<Int> {
        guard plan.kind == .entities, !plan.isDerived, let rows else { return [] }
        var found: Set<Int> = []
        rows.forEachState(in: .keyOnly) { row, _ in found.insert(row) }
        guard !found.isEmpty else { return [] }
        return Set((0..<parents).filter { range(ofParent: $0).contains(where: found.contains) })
    }
}
