import ODataModel

/// The entities of one answer as rows that entity values share until their first write. Immutable.
package final class PageRows: RowChunk {
    private let rows: [StructureValue]

    package init(_ rows: [StructureValue]) { self.rows = rows }

    package var count: Int { rows.count }

    // MARK: RowChunk

    package func type(row: Int) -> StructureID { rows[row].type }

    package func value(row: Int, slot: Int) -> ODataValue? {
        rows[row].slots.indices.contains(slot) ? rows[row].slots[slot] : nil
    }

    package func isSet(row: Int, slot: Int) -> Bool { value(row: row, slot: slot) != nil }

    package func control(row: Int) -> ControlInformation { rows[row].control }

    package func structureValue(row: Int) -> StructureValue { rows[row] }

    /// Nil: what a service answers is not kept here.
    package func localID(row: Int) -> Int64? { nil }
}
