import ODataSQL

extension ResultPage {
    /// The values that order a row of all chunks; nil where there is no such row.
    package func orderKeys(row: Int) -> [SQLArgument]? {
        var rest = row
        for chunk in chunks {
            if rest < chunk.count { return rest < 0 ? nil : chunk.orderKeys(row: rest) }
            rest -= chunk.count
        }
        return nil
    }
}

/// What live queries and pages find rows by.
extension SQLiteRowChunk {
    /// The values that order a row, as the query says them; see `CompilerOptions.exposesOrder`.
    package func orderKeys(row: Int) -> [SQLArgument] {
        let shape = layout.shape
        return ((shape.count - shape.order.count)..<shape.count).map { rows.argument(row, $0) }
    }

    /// Differs between rows whose values differ, but for chance; expanded rows count.
    package func fingerprint(row: Int) -> Int {
        var hasher = Hasher()
        combine(row, into: &hasher)
        return hasher.finalize()
    }

    private func combine(_ row: Int, into hasher: inout Hasher) {
        for column in 0..<layout.shape.count { hasher.combine(rows.argument(row, column)) }
        for expansion in expanded {
            hasher.combine(expansion.unknown.contains(row))
            if expansion.counts.indices.contains(row) { hasher.combine(expansion.counts[row]) }
            let range = expansion.range(ofParent: row)
            hasher.combine(range.count)
            for child in range { expansion.rows?.combineChild(child, into: &hasher) }
        }
    }

    /// A child without the position of its parent, which says nothing about the child.
    private func combineChild(_ row: Int, into hasher: inout Hasher) {
        let parent = layout.shape.parentRow
        for column in layout.shape.start..<layout.shape.count where column != parent {
            hasher.combine(rows.argument(row, column))
        }
        for expansion in expanded {
            for child in expansion.range(ofParent: row) {
                expansion.rows?.combineChild(child, into: &hasher)
            }
        }
    }
}
