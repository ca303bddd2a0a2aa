import GRDB
import ODataSQL
import ODataText
import ODataWire

extension RowIngest {
    /// The row with the key of an incoming row; nil when there is none.
    mutating func find(_ row: IncomingRow) throws -> FoundRow? {
        try find(row, nil)
    }

    /// The row with a key given as column values.
    mutating func find(key: [SQLArgument]?) throws -> FoundRow? {
        guard let key, key.count == plan.keySlots.count else { return nil }
        return try find(nil, key)
    }

    mutating func find(_ row: IncomingRow?, _ key: [SQLArgument]?) throws -> FoundRow? {
        let lookup = try self.lookup ?? BoundStatement(database, sql: sql.lookup)
        self.lookup = lookup
        try bindLookup(lookup, row, key)
        if let found = try lookup.first({ Self.found($0, isOnlyBase: false) }) { return found }
        guard hasLocalChanges else { return nil }
        let lookupBase = try self.lookupBase ?? BoundStatement(database, sql: sql.lookupBase)
        self.lookupBase = lookupBase
        try bindLookup(lookupBase, row, key)
        return try lookupBase.first { Self.found($0, isOnlyBase: true) }
    }

    mutating func bindLookup(
        _ statement: BoundStatement, _ row: IncomingRow?, _ key: [SQLArgument]?
    ) throws {
        var next: Int32 = 1
        if plan.table.keyColumns.isEmpty {
            statement.bind(1, next)
            next += 1
        }
        if plan.table.system.parent != nil { bindParent(statement, &next) }
        for argument in key ?? [] {
            statement.bind(copy: argument, next)
            next += 1
        }
        if let row {
            scratch.reset(row.raw.count)
            for slot in plan.keySlots {
                try bindKey(row, slot: slot, to: statement, next)
                next += 1
            }
        }
    }

    static func found(_ columns: borrowing ColumnReader, isOnlyBase: Bool) -> FoundRow {
        FoundRow(
            id: columns.int64(0), state: EntityState(rawValue: columns.int64(1)),
            sources: columns.int64(2), isOnlyBase: isOnlyBase)
    }

    func bindParent(_ statement: BoundStatement, _ next: inout Int32) {
        if let parent { statement.bind(parent, next) } else { statement.bindNull(next) }
        next += 1
    }

    /// Binds a key property as it compares.
    mutating func bindKey(
        _ row: IncomingRow, slot: Int, to statement: BoundStatement, _ index: Int32
    ) throws {
        let field = row.fields[slot]
        guard field.kind != .missing, field.kind != .null else { throw missingKey(slot) }
        let binding = plan.bindings[slot]
        if binding.encoding.hasOrderCompanion {
            statement.bind(copy: try binding.arguments(field, of: row)[1], index)
        } else if binding.encoding.hasOffsetCompanion {
            statement.bind(copy: try binding.arguments(field, of: row)[0], index)
        } else {
            let step = BindingStep(slot: slot, parameter: index, binding: binding)
            if !step.bind(field, of: row, to: statement, &scratch) {
                try binding.bindGeneral(field, of: row, to: statement, index)
            }
        }
    }

    func missingKey(_ slot: Int) -> ODataError {
        ODataError(
            .invalidPayload, "Expected each row to bring its key, found one without.",
            at: .path("\(plan.table.path)/\(plan.shape.columns[slot])"))
    }
}
