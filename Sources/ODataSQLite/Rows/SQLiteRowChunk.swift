import ODataModel
import ODataSQL
import ODataText

/// Rows of a query, packed as SQLite gave them and decoded when a value is looked at.
///
/// Everything is immutable once the query has run.
package final class SQLiteRowChunk: RowChunk {
    /// The rows of an expanded navigation property below the rows of a chunk.
    package struct Expanded: Sendable {
        let prepared: PreparedExpand
        /// Nil when only counts were read.
        package let rows: SQLiteRowChunk?
        let places: Places
        /// How many children each parent has before skip and top; empty when not asked for.
        package let counts: [Int64]
        /// The parent rows of which nobody knows what this leads to: their property is not set.
        var unknown: Set<Int> = []

        package var plan: ExpandPlan { prepared.plan }

        /// The children of a parent row: positions in ``rows``.
        package func range(ofParent row: Int) -> Range<Int> {
            switch places {
            case .ranges(let ranges): ranges.indices.contains(row) ? ranges[row] : 0..<0
            case .besideParents: rows?.isThere(row) ?? false ? row..<row + 1 : 0..<0
            }
        }
    }

    /// Where the child rows of a parent row are.
    enum Places: Sendable {
        /// By parent row.
        case ranges([Range<Int>])
        /// The one there may be has the position of its parent.
        case besideParents
    }

    package let layout: RowLayout
    package let expanded: [Expanded]
    let rows: PackedRows
    /// How to decode the slots of the type that most rows have, and of all rows where there is no other.
    private let codes: [SlotCode]
    /// The position of each row's type in ``RowLayout/types``; empty where all rows have the first.
    private let ordinals: [Int32]
    /// By position in ``expanded``: the slot of the navigation property; -1 where its rows were not read or where it
    /// belongs to a complex property.
    private let navigationSlots: [Int]

    init(rows: PackedRows, layout: RowLayout, expanded: [Expanded]) {
        self.rows = rows
        self.layout = layout
        self.expanded = expanded
        codes = layout.codes[0]
        ordinals = Self.ordinals(rows, layout)
        navigationSlots = expanded.map { $0.rows == nil ? -1 : $0.prepared.slot }
    }

    private static func ordinals(_ rows: PackedRows, _ layout: RowLayout) -> [Int32] {
        guard let column = layout.shape.type else { return [] }
        var last: (name: String, ordinal: Int32) = ("", 0)
        return (0..<rows.rowCount).map { row in
            guard let name = rows.text(row, column) else { return 0 }
            if name != last.name {
                last = (name, Int32(truncatingIfNeeded: layout.ordinal(named: name)))
            }
            return last.ordinal
        }
    }

    package var count: Int { rows.rowCount }

    /// False for a related row that was looked for and not found.
    fileprivate func isThere(_ row: Int) -> Bool {
        layout.shape.id.map { !rows.isNull(row, $0) } ?? true
    }

    /// The rows as values for the API.
    package var storages: [StructureStorage] {
        (0..<count).map { .chunk(self, row: $0) }
    }

    package func type(row: Int) -> StructureID { layout.types[ordinal(row: row)] }

    /// The position of the row's type in ``RowLayout/types``.
    @inline(__always)
    private func ordinal(row: Int) -> Int { ordinals.isEmpty ? 0 : Int(ordinals[row]) }

    package func localID(row: Int) -> Int64? {
        layout.shape.id.flatMap { rows.integer(row, $0) }
    }

    package func state(row: Int) -> EntityState {
        let bits = layout.shape.state.flatMap { rows.integer(row, $0) }
        return EntityState(rawValue: bits ?? 0)
    }

    /// Calls `body` for the rows whose state has one of these bits, which few rows have.
    package func forEachState(in mask: EntityState, _ body: (Int, EntityState) -> Void) {
        guard let column = layout.shape.state else { return }
        for row in 0..<rows.rowCount {
            let cell = rows.cell(row, column)
            guard cell.kind == .integer, cell.bits & mask.rawValue != 0 else { continue }
            body(row, EntityState(rawValue: cell.bits))
        }
    }

    package func etag(row: Int) -> String? {
        layout.shape.etag.flatMap { rows.text(row, $0) }
    }

    package func isSet(row: Int, slot: Int) -> Bool {
        let ordinal = ordinal(row: row)
        guard layout.codes[ordinal].indices.contains(slot) else { return false }
        let code = layout.codes[ordinal][slot]
        switch code.form {
        case .absent: return isKnown(navigation(slot: slot), row: row)
        case .general:
            guard case .column(let column, let isNullable) = layout.sources[ordinal][slot] else {
                return true
            }
            return isNullable || !rows.isNull(row, column.index)
        default: return code.isNullable || !rows.isNull(row, Int(code.column))
        }
    }

    package func value(row: Int, slot: Int) -> ODataValue? {
        let ordinal = ordinal(row: row)
        guard layout.codes[ordinal].indices.contains(slot) else { return nil }
        // No column holds a navigation property.
        if layout.codes[ordinal][slot].form == .absent {
            return navigation(slot: slot).flatMap { related(expanded[$0], row: row) }
        }
        return value(row: row, slot: slot, ordinal: ordinal)
    }

    private func value(row: Int, slot: Int, ordinal: Int) -> ODataValue? {
        let code = layout.codes[ordinal][slot]
        switch code.form {
        case .absent: return nil
        case .general: break
        default:
            let cell = rows.cell(row, Int(code.column))
            if cell.kind == .null { return code.isNullable ? .null : nil }
            if let scalar = scalar(code, cell, row: row) { return .scalar(scalar) }
        }
        return value(layout.sources[ordinal][slot], row: row, slots: [slot])
    }

    /// The usual forms; nil leaves the value to the general way.
    private func scalar(_ code: SlotCode, _ cell: PackedRows.Cell, row: Int) -> Scalar? {
        switch (code.form, cell.kind) {
        case (.string, .text): return .string(rows.text(cell))
        case (.integer, .integer): return .integer(cell.bits)
        case (.boolean, .integer): return .boolean(cell.bits != 0)
        case (.real, .real): return .double(rows.real(cell))
        case (.scaled, .integer):
            return .decimal(DecimalNumber(coefficient: cell.bits, scale: Int(code.scale)))
        case (.date, .text):
            guard cell.count == 10, let date = TimeBytes.date(rows.bytes(cell)) else { return nil }
            return .date(date)
        case (.instant, .text):
            let offset = code.offset < 0 ? nil : rows.integer(row, Int(code.offset))
            return TimeBytes.instant(rows.bytes(cell), offsetMinutes: Int(clamping: offset ?? 0))
                .map { .dateTimeOffset($0) }
        default: return nil
        }
    }

    // MARK: Plain values

    @inline(__always)
    private func code(_ row: Int, _ slot: Int) -> SlotCode {
        if ordinals.isEmpty { return slot < codes.count ? codes[slot] : SlotCode(.absent) }
        let codes = layout.codes[ordinal(row: row)]
        return slot < codes.count ? codes[slot] : SlotCode(.absent)
    }

    /// What a cell is that does not hold what its column is for.
    @inline(__always)
    private func other<Value>(_ cell: PackedRows.Cell, _ code: SlotCode) -> PlainReading<Value> {
        cell.kind == .null && code.isNullable ? .null : .general
    }

    package func integer(row: Int, slot: Int) -> PlainReading<Int64> {
        let code = code(row, slot)
        guard code.form == .integer else { return .general }
        let cell = rows.cell(row, Int(code.column))
        return cell.kind == .integer ? .value(cell.bits) : other(cell, code)
    }

    package func boolean(row: Int, slot: Int) -> PlainReading<Bool> {
        let code = code(row, slot)
        guard code.form == .boolean else { return .general }
        let cell = rows.cell(row, Int(code.column))
        return cell.kind == .integer ? .value(cell.bits != 0) : other(cell, code)
    }

    package func real(row: Int, slot: Int) -> PlainReading<Double> {
        let code = code(row, slot)
        guard code.form == .real else { return .general }
        let cell = rows.cell(row, Int(code.column))
        return cell.kind == .real ? .value(rows.real(cell)) : other(cell, code)
    }

    package func decimal(row: Int, slot: Int) -> PlainReading<DecimalNumber> {
        let code = code(row, slot)
        guard code.form == .scaled else { return .general }
        let cell = rows.cell(row, Int(code.column))
        return cell.kind == .integer
            ? .value(DecimalNumber(coefficient: cell.bits, scale: Int(code.scale)))
            : other(cell, code)
    }

    package func text(row: Int, slot: Int) -> PlainReading<String> {
        let code = code(row, slot)
        guard code.form == .string else { return .general }
        let cell = rows.cell(row, Int(code.column))
        return cell.kind == .text ? .value(rows.text(cell)) : other(cell, code)
    }

    package func scalar(row: Int, slot: Int) -> PlainReading<Scalar> {
        let code = code(row, slot)
        guard code.form != .absent, code.form != .general else { return .general }
        let cell = rows.cell(row, Int(code.column))
        guard cell.kind != .null else { return code.isNullable ? .null : .general }
        guard let scalar = scalar(code, cell, row: row) else { return .general }
        return .value(scalar)
    }

    package func structureValue(row: Int) -> StructureValue {
        let ordinal = ordinal(row: row)
        var value = StructureValue(type: layout.types[ordinal], slots: [])
        let count = layout.codes[ordinal].count
        value.slots.reserveCapacity(count)
        for slot in 0..<count {
            value.slots.append(self.value(row: row, slot: slot, ordinal: ordinal))
        }
        for expansion in expanded {
            if let alias = expansion.plan.alias {
                value.dynamicValues[alias] = related(expansion, row: row)
                continue
            }
            let slot = expansion.prepared.slot
            guard value.slots.indices.contains(slot), expansion.rows != nil else { continue }
            value.slots[slot] = related(expansion, row: row)
        }
        value.control = control(row: row)
        if let dynamic = layout.shape.dynamic, let text = rows.text(row, dynamic) {
            var found = (try? layout.json.dynamicValues(text)) ?? [:]
            if let names = layout.shape.openNames {
                found = found.filter { names.contains($0.key) }
            }
            value.dynamicValues.merge(found) { made, _ in made }
        }
        for computed in layout.shape.computed { place(computed, row: row, in: &value) }
        return value
    }

    /// Puts a value that is no column of the table into the property of its name, or beside the declared ones.
    private func place(
        _ computed: ResultShape.Computed, row: Int, in value: inout StructureValue
    ) {
        let found = self.value(computed, row: row)
        if let type = computed.structure, let alias = computed.path.first {
            return Self.place(found, computed.path, alias, type, in: &value, layout.graph)
        }
        Self.place(found, computed.path[...], in: &value, layout.graph)
    }

    /// A value of an entity that has a name of its own; null until one of its values is there.
    private static func place(
        _ found: ODataValue, _ path: [String], _ alias: String, _ type: StructureID,
        in value: inout StructureValue, _ graph: MetadataGraph
    ) {
        guard
            var inner = value.dynamicValues[alias]?.structure
                ?? (found == .null
                    ? nil
                    : StructureValue(
                        type: type,
                        slots: Array(repeating: nil, count: graph[type].properties.count)))
        else {
            value.dynamicValues[alias] = .null
            return
        }
        place(found, path.dropFirst(), in: &inner, graph)
        value.dynamicValues[alias] = .structure(inner)
    }

    private static func place(
        _ found: ODataValue, _ path: ArraySlice<String>, in value: inout StructureValue,
        _ graph: MetadataGraph
    ) {
        guard let name = path.first else { return }
        guard let slot = graph[value.type].slot(named: name) else {
            value.dynamicValues[name] = found
            return
        }
        guard path.count > 1 else {
            value.slots[slot] = found
            return
        }
        guard let type = graph[value.type].properties[slot].type.structure else { return }
        var inner =
            value.slots[slot]?.structure
            ?? StructureValue(
                type: type, slots: Array(repeating: nil, count: graph[type].properties.count))
        place(found, path.dropFirst(), in: &inner, graph)
        value.slots[slot] = .structure(inner)
    }

    private func value(_ computed: ResultShape.Computed, row: Int) -> ODataValue {
        let argument = rows.argument(row, computed.index)
        if argument.isNull { return .null }
        if computed.encoding == .json, case .text(let text) = argument, let type = computed.type {
            if type == .open { return (try? layout.json.value(boxed: text)) ?? .null }
            return (try? layout.json.value(text, type: type)) ?? .null
        }
        let offset = computed.offsetIndex.map { rows.argument(row, $0) } ?? .null
        guard let scalar = try? computed.encoding.scalar(from: argument, offset: offset) else {
            return .null
        }
        // The sum of integers may have been made as decimals.
        if case .decimal(let value) = scalar, computed.type?.primitive == .int64,
            let whole = value.int64Value
        {
            return .scalar(.integer(whole))
        }
        return .scalar(scalar)
    }

    package func control(row: Int) -> ControlInformation {
        var control = ControlInformation()
        control.etag = etag(row: row)
        if let column = layout.shape.control, let text = rows.text(row, column) {
            control.takeStored(text)
        }
        for expansion in expanded
        where expansion.plan.alias == nil && expansion.counts.indices.contains(row)
            && !expansion.unknown.contains(row)
        {
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
            for expansion in expanded where expansion.rows != nil && expansion.plan.alias == nil {
                let path = expansion.plan.navigation.slots
                guard path.count == slots.count + 1, Array(path.dropLast()) == slots,
                    let slot = path.last, value.slots.indices.contains(slot)
                else { continue }
                value.slots[slot] = related(expansion, row: row)
            }
            return .structure(value)
        }
    }

    /// A value that is not null in its column; null when the column holds what its encoding never writes.
    private func decoded(
        _ column: ResultShape.Column, _ cell: PackedRows.Cell, row: Int
    ) -> ODataValue? {
        switch (column.mapping.encoding, cell.kind) {
        case (.json, .text):
            return try? layout.json.value(rows.text(cell), type: column.mapping.type)
        default:
            let offset = column.offsetIndex.map { rows.argument(row, $0) } ?? .null
            let scalar = try? column.mapping.encoding.scalar(
                from: rows.argument(row, column.index), offset: offset)
            if let range = column.mapping.range, case .integer(let value) = scalar,
                !range.contains(value)
            {
                return .scalar(.null)
            }
            return .scalar(scalar ?? .null)
        }
    }

    // MARK: Related rows

    /// The position in ``expanded`` of a navigation property of the entity itself; nil when it was not expanded.
    private func navigation(slot: Int) -> Int? { navigationSlots.firstIndex(of: slot) }

    private func isKnown(_ index: Int?, row: Int) -> Bool {
        index.map { !expanded[$0].unknown.contains(row) } ?? false
    }

    package func related(row: Int, slot: Int) -> RelatedRows? {
        guard let index = navigation(slot: slot), let chunk = expanded[index].rows,
            isKnown(index, row: row)
        else { return nil }
        let counts = expanded[index].counts
        let range = expanded[index].range(ofParent: row)
        return RelatedRows(
            chunk: chunk, rows: expanded[index].prepared.isCollection ? range : range.prefix(1),
            count: counts.indices.contains(row) ? counts[row] : nil)
    }

    private func related(_ expansion: Expanded, row: Int) -> ODataValue? {
        guard let chunk = expansion.rows, !expansion.unknown.contains(row) else { return nil }
        let range = expansion.range(ofParent: row)
        guard expansion.prepared.isCollection else {
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
