import ODataModel
import ODataSQL

/// What a query gave: rows in chunks, and the count where it was asked for.
package struct ResultPage: Sendable {
    let query: PreparedQuery
    /// Of at most ``QueryReader/rowsPerChunk`` rows each.
    package let chunks: [SQLiteRowChunk]
    /// Rows before skip and top.
    package let count: Int64?

    package var plan: QueryPlan { query.plan }

    // Hot: LocalReads
    // Parts of the plan: another module that asks the plan itself is given a copy of the whole, with the count of references of
    // each of its texts and lists.
    package var result: QueryPlan.Result { query.plan.result }
    package var structure: StructureID { query.plan.structure }
    package var isDerived: Bool { query.plan.isDerived }
    package var isExpanded: Bool { !query.plan.expands.isEmpty }
    /// The path of the table that the rows are of.
    package var tablePath: String { query.layout.table.path }

    package var rowCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// The rows as values for the API, undecoded.
    package var storages: [StructureStorage] { chunks.flatMap(\.storages) }

    /// The rows decoded.
    package var values: [StructureValue] {
        chunks.flatMap { chunk in (0..<chunk.count).map { chunk.structureValue(row: $0) } }
    }

    /// A row decoded; nil when there is none.
    package func value(row: Int) -> StructureValue? {
        var row = row
        for chunk in chunks where row >= 0 {
            if row < chunk.count { return chunk.structureValue(row: row) }
            row -= chunk.count
        }
        return nil
    }

    /// The first row; nil when there is none.
    package var first: StructureStorage? {
        guard let chunk = chunks.first, chunk.count > 0 else { return nil }
        return .chunk(chunk, row: 0)
    }

    /// The value of a query for one property: nil when the entity is not there.
    package var propertyValue: ODataValue? {
        guard case .property(let slots, _, _) = plan.result, let first, let slot = slots.first
        else { return nil }
        var value = first.value(slot: slot) ?? .null
        for slot in slots.dropFirst() {
            guard let structure = value.structure, structure.slots.indices.contains(slot) else {
                return .null
            }
            value = structure.slots[slot] ?? .null
        }
        return value
    }
}
