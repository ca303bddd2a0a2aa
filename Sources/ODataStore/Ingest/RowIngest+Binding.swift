import GRDB
import ODataSQL
import ODataText
import ODataWire

extension RowIngest {
    /// The statements for the columns that this row brings.
    @inline(__always)
    mutating func statements(for row: IncomingRow) throws -> RowStatements {
        let hasETag = row.etag.isString && plan.keepsETags
        let hasControl = plan.table.system.control != nil && ControlText.isNeeded(row)
        var isSame =
            current != nil && hasETag == pattern.hasETag && hasControl == pattern.hasControl
        for word in present.indices {
            var bits: UInt64 = 0
            let first = word << 6
            for slot in first..<min(first + 64, plan.columns.count)
            where !row.fields[slot].isMissing {
                bits |= 1 << UInt64(slot & 63)
            }
            isSame = isSame && bits == pattern.slots[word]
            present[word] = bits
        }
        if isSame, let current { return current }
        return try changePattern(
            row, RowPattern(slots: present, hasETag: hasETag, hasControl: hasControl))
    }

    mutating func changePattern(
        _ row: IncomingRow, _ pattern: RowPattern
    ) throws -> RowStatements {
        if identified == nil {
            for slot in plan.keySlots where row.fields[slot].isMissing { throw missingKey(slot) }
        }
        return statements(of: pattern)
    }

    /// The statements of a pattern, which are the current ones from now on.
    mutating func statements(of pattern: RowPattern) -> RowStatements {
        self.pattern = pattern
        let found = statements[pattern] ?? RowStatements(pattern: pattern, sql: sql, plan: plan)
        if statements.count >= RowStatements.limit { statements = [:] }
        statements[pattern] = found
        current = found
        return found
    }

    /// As ``bind(_:to:)``, for a statement that no other row is bound to: what was bound before is not there any more.
    @discardableResult
    @inline(__always)
    mutating func bindAlone(_ row: IncomingRow, to statement: BoundStatement) throws -> Int32 {
        scratch.reset(row.raw.count)
        return try bind(row, to: statement)
    }

    /// Binds our own columns and the row's; returns the index of the next parameter.
    @discardableResult
    @inline(__always)
    mutating func bind(_ row: IncomingRow, to statement: BoundStatement) throws -> Int32 {
        guard let current else { return 1 }
        var next: Int32 = 1
        for own in current.own {
            try bind(own, of: row, to: statement, next)
            next += 1
        }
        for step in current.steps
        where !step.bind(row.fields[step.slot], of: row, to: statement, &scratch) {
            try plan.bindings[step.slot].bindGeneral(
                row.fields[step.slot], of: row, to: statement, step.parameter)
        }
        for slot in plan.keySlots {
            if case .null = row.fields[slot].kind { throw missingKey(slot) }
        }
        return current.nextParameter
    }

    mutating func bind(
        _ own: IngestSQL.Own, of row: IncomingRow, to statement: BoundStatement, _ index: Int32
    ) throws {
        var text: String?
        switch own {
        case .etag:
            statement.bind(text: scratch.text(row.etag.span, of: row), index)
            return
        case .parent:
            var next = index
            bindParent(statement, &next)
            return
        case .type: text = ControlText.derivedType(row, of: plan.table, in: plan.graph)
        case .dynamic: text = ControlText.dynamic(row)
        case .control: text = ControlText.control(row)
        }
        if let text { statement.bind(copy: text, index) } else { statement.bindNull(index) }
    }
}
