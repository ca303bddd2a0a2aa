import ODataModel
import ODataSQL
import ODataText

/// Rows of a query, packed as SQLite gave them and decoded when a value is looked at.
///
/// Everything is immutable once the query has run.
package final class SQLiteRowChunk: RowChunk {
    /// The rows of an expanded navigation property below the rows of a chunk.
    package struct Expanded: Sendable {
        package let plan: ExpandPlan
        /// Nil when only counts were read.
        package let rows: SQLiteRowChunk?
        /// The child rows of each parent row.
        let ranges: [Range<Int>]
        /// How many children each parent has before skip and top; empty when not asked for.
        package let counts: [Int64]

        /// The children of a parent row: positions in ``rows``.
        package func range(ofParent row: Int) -> Range<Int> {
            ranges.indices.contains(row) ? ranges[row] : 0..<0
        }
    }

    package let layout: RowLayout
    package let expanded: [Expanded]
    let rows: PackedRows

    init(rows: PackedRows, layout: RowLayout, expanded: [Expanded]) {
        self.rows = rows
        self.layout = layout
        self.expanded = expanded
    }

    package var count: Int { rows.rowCount }

    /// The rows as values for the API.
    package var storages: [StructureStorage] {
        (0..<count).map { .chunk(self, row: $0) }
    }

    package func type(row: Int) -> StructureID {
        guard let column = layout.shape.type, let name = rows.text(row, column) else {
            return layout.table.structure
        }
        return layout.types[name] ?? layout.table.structure
    }

    package func localID(row: Int) -> Int64? {
        layout.shape.id.flatMap { rows.integer(row, $0) }
    }

    package func state(row: Int) -> EntityState {
        let bits = layout.shape.state.flatMap { rows.integer(row, $0) }
        return EntityState(rawValue: bits ?? 0)
    }

    package func etag(row: Int) -> String? {
        layout.shape.etag.flatMap { rows.text(row, $0) }
    }

    package func isSet(row: Int, slot: Int) -> Bool {
        if navigation(slot: slot) != nil { return true }
        let sources = layout.sources(of: type(row: row))
        guard sources.indices.contains(slot) else { return false }
        switch sources[slot] {
        case .absent: return false
        case .column(let column, let isNullable):
            return isNullable || !rows.isNull(row, column.index)
        case .complex: return true
        }
    }

    package func value(row: Int, slot: Int) -> ODataValue? {
        if let navigation = navigation(slot: slot) { return related(navigation, row: row) }
        let sources = layout.sources(of: type(row: row))
        guard sources.indices.contains(slot) else { return nil }
        return value(sources[slot], row: row, slots: [slot])
    }

    package func structureValue(row: Int) -> StructureValue {
        let type = type(row: row)
        let sources = layout.sources(of: type)
        var value = StructureValue(type: type, slots: [])
        value.slots.reserveCapacity(sources.count)
        for (slot, source) in sources.enumerated() {
            value.slots.append(self.value(source, row: row, slots: [slot]))
        }
        for expansion in expanded {
            guard expansion.plan.navigation.slots.count == 1,
                let slot = expansion.plan.navigation.slots.first,
                value.slots.indices.contains(slot),
                expansion.rows != nil
            else { continue }
            value.slots[slot] = related(expansion, row: row)
        }
        value.control = control(row: row)
        if let dynamic = layout.shape.dynamic, let text = rows.text(row, dynamic) {
            value.dynamicValues = (try? layout.json.dynamicValues(text)) ?? [:]
        }
        return value
    }

    package func control(row: Int) -> ControlInformation {
        var control = ControlInformation()
        control.etag = etag(row: row)
        if let column = layout.shape.control, let text = rows.text(row, column) {
            control.takeStored(text)
        }
        for expansion in expanded where expansion.counts.indices.contains(row) {
            control.counts[expansion.plan.navigation.path] = expansion.counts[row]
        }
        return control
    }

    // MARK: Decoding

    private func value(_ source: RowLayout.Source, row: Int, slots: [Int]) -> ODataValue? {
        switch source {
        case .absent: return nil
        case .column(let column, let isNullable):
            let cell = rows.cell(row, column.index)
            if cell.kind == .null { return isNullable ? .null : nil }
            return decoded(column, cell, row: row)
        case .complex(let type, let presence, let members):
            if let presence, rows.isNull(row, presence) { return .null }
            var value = StructureValue(type: type, slots: [])
            value.slots.reserveCapacity(members.count)
            for (slot, member) in members.enumerated() {
                value.slots.append(self.value(member, row: row, slots: slots + [slot]))
            }
            for expansion in expanded where expansion.rows != nil {
                let path = expansion.plan.navigation.slots
                guard path.count == slots.count + 1, Array(path.dropLast()) == slots,
                    let slot = path.last, value.slots.indices.contains(slot)
                else { continue }
                value.slots[slot] = related(expansion, row: row)
            }
            return .structure(value)
        }
    }

    /// A value that is not null; nil when the column holds what its encoding never writes.
    private func decoded(
        _ column: RowShape.Column, _ cell: PackedRows.Cell, row: Int
    ) -> ODataValue? {
        switch (column.mapping.encoding, cell.kind) {
        case (.string, .text): return .scalar(.string(rows.text(cell)))
        case (.integer, .integer), (.enumeration, .integer): return .scalar(.integer(cell.bits))
        case (.boolean, .integer): return .scalar(.boolean(cell.bits != 0))
        case (.real, .real): return .scalar(.double(rows.real(cell)))
        case (.scaledDecimal(let scale), .integer):
            return .scalar(.decimal(DecimalNumber(coefficient: cell.bits, scale: scale)))
        case (.json, .text):
            return try? layout.json.value(rows.text(cell), type: column.mapping.type)
        default:
            let offset = column.offsetIndex.map { rows.argument(row, $0) } ?? .null
            let scalar = try? column.mapping.encoding.scalar(
                from: rows.argument(row, column.index), offset: offset)
            return scalar.map { .scalar($0) }
        }
    }

    // MARK: Related rows

    /// The expansion of a navigation property of the entity itself; nil when it was not expanded.
    package func navigation(slot: Int) -> Expanded? {
        guard !expanded.isEmpty else { return nil }
        return expanded.first {
            $0.rows != nil && $0.plan.navigation.slots.count == 1
                && $0.plan.navigation.slots[0] == slot
        }
    }

    private func related(_ expansion: Expanded, row: Int) -> ODataValue? {
        guard let chunk = expansion.rows else { return nil }
        let range = expansion.range(ofParent: row)
        guard expansion.plan.navigation.isCollection else {
            guard let first = range.first else { return .null }
            return .structure(chunk.structureValue(row: first))
        }
        return .list(range.map { .structure(chunk.structureValue(row: $0)) })
    }
}

extension ControlInformation {
    /// Takes over the facts of a `_odata_control` column.
    package mutating func takeStored(_ text: String) {
        guard let object = try? JSONValue(parsing: text, duplicates: .keepLast) else { return }
        id = object["id"]?.string
        editLink = object["editLink"]?.string
        readLink = object["readLink"]?.string
        mediaReadLink = object["mediaReadLink"]?.string
        mediaEditLink = object["mediaEditLink"]?.string
        mediaContentType = object["mediaContentType"]?.string
        mediaETag = object["mediaEtag"]?.string
    }
}
