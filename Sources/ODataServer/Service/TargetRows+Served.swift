import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText

/// Rows of a database of another product than SQLite: read by queries, whose values come in forms of their own, and
/// changed by what the database makes of a ``RowChange``.
extension TargetRows {
    /// As ``values(_:of:)``.
    func read(_ columns: [ODataSQL.ColumnMapping], of target: RowTarget) throws -> [Scalar]? {
        guard let row = try entity(columns, of: target) else { return nil }
        return columns.map { column in
            guard let slot = column.slots.first, row.slots.indices.contains(slot) else {
                return .null
            }
            return row.slots[slot]?.scalar ?? .null
        }
    }

    /// The entity tag of the target's first row; nil where there is none.
    func tag(of target: RowTarget) throws -> String? {
        try entity(target.table.keys, of: target)?.control.etag
    }

    private func entity(
        _ columns: [ODataSQL.ColumnMapping], of target: RowTarget
    ) throws -> StructureValue? {
        // Nothing equals null in SQL, and OData says that null does.
        guard !target.conditions.contains(where: { $0.value == .null }) else { return nil }
        var wanted = Query(entitySet: target.table.path)
        wanted.select = columns.map { SelectTerm(ExpressionPath($0.path)) }
        let query = CollectionPlan(target: target, original: wanted, position: nil).query(limit: 1)
        return try ResultReader(exchange).run(query).value(row: 0)
    }

    /// Keeps the target's rows as they are for others until the transaction ends, and gives the tag of the first; nil where
    /// there is no row.
    func lock(_ target: RowTarget, in rows: any ServedRows) throws -> String? {
        var change = RowChange(.lock, of: target.table.name)
        change.conditions = try Self.conditions(target)
        change.returning = target.table.system.etag.map { [$0] } ?? []
        guard case .text(let tag)? = try rows.change(change).rows.first?.first else { return nil }
        return tag
    }

    func insert(
        into table: TableMapping, _ assignments: [EntityChanges.Assignment],
        in rows: any ServedRows
    ) throws -> [Scalar] {
        var change = RowChange(.insert, of: table.name)
        change.values = try Self.values(assignments.filter(\.column.isWritable))
        change.returning = table.keys.map(\.name)
        guard let made = try run(change, of: table, in: rows).rows.first else {
            throw Self.ignored()
        }
        let key = try zip(table.keys, made).map { try $0.encoding.scalar(from: $1) }
        let conditions = zip(table.keys, key).map { (column: $0, value: $1) }
        guard try exists(RowTarget(table: table, conditions: conditions, isSingle: true)) else {
            throw Self.moved()
        }
        return key
    }

    /// - Parameter defaults: columns that get what they have in new rows.
    func update(
        _ target: RowTarget, _ assignments: [EntityChanges.Assignment],
        _ defaults: [ODataSQL.ColumnMapping], in rows: any ServedRows
    ) throws -> Int {
        var change = RowChange(.update, of: target.table.name)
        change.values =
            try Self.values(assignments) + defaults.map { RowChange.Value($0.name, nil) }
        change.conditions = try Self.conditions(target)
        let count = try run(change, of: target.table, in: rows).count
        guard count == 0, try exists(target) else { return count }
        // A trigger may leave out what changes nothing.
        guard defaults.isEmpty, try holds(assignments, target) else { throw Self.ignored() }
        return 1
    }

    private func holds(
        _ assignments: [EntityChanges.Assignment], _ target: RowTarget
    ) throws -> Bool {
        let nulls = assignments.filter { $0.value == .null }.map(\.column.name)
        var same = target
        same.conditions += assignments.filter { $0.value != .null }
        return try values(nulls, of: same)?.allSatisfy { $0 == .null } ?? false
    }

    func delete(_ target: RowTarget, in rows: any ServedRows) throws -> Int {
        var change = RowChange(.delete, of: target.table.name)
        change.conditions = try Self.conditions(target)
        let count = try run(change, of: target.table, in: rows).count
        guard try count > 0 || !exists(target) else { throw Self.ignored() }
        return count
    }

    /// Runs a change; what it violates is told by the names of properties.
    private func run(
        _ change: RowChange, of table: TableMapping, in rows: any ServedRows
    ) throws -> ChangedRows {
        do {
            return try rows.change(change)
        } catch var violated as ViolatedConstraint {
            violated.column = violated.column.flatMap { name in
                table.columns.first { $0.name == name }?.path
            }
            throw violated.answer
        }
    }

    private static func conditions(_ target: RowTarget) throws -> [RowChange.Value] {
        // Without any, every row would be meant.
        guard target.memberships.isEmpty, target.path == nil, !target.conditions.isEmpty else {
            throw DatabaseAccess.needsSQLite
        }
        return try target.conditions.map { column, value in
            RowChange.Value(column.name, try arguments(value, for: column)[0])
        }
    }

    private static func values(
        _ assignments: [EntityChanges.Assignment]
    ) throws -> [RowChange.Value] {
        try assignments.map { column, value in
            guard !exceedsPrecision(value, of: column) else {
                throw ODataError(
                    .invalidValue,
                    "Expected no more decimal places of seconds than the Precision of the property.",
                    at: .path(column.path), status: 400)
            }
            return RowChange.Value(column.name, try arguments(value, for: column)[0])
        }
    }

    /// True for a time with more decimal places than the type has, which the database would round.
    private static func exceedsPrecision(
        _ value: Scalar, of column: ODataSQL.ColumnMapping
    ) -> Bool {
        let picoseconds: Int64
        switch value {
        case .dateTimeOffset(let time): picoseconds = time.picoseconds
        case .timeOfDay(let time): picoseconds = time.picoseconds
        case .duration(let duration): picoseconds = duration.picoseconds
        default: return false
        }
        guard let precision = column.type.facets.precision, precision < 12 else { return false }
        let step = (0..<(12 - max(0, precision))).reduce(Int64(1)) { unit, _ in unit * 10 }
        return !picoseconds.isMultiple(of: step)
    }
}
