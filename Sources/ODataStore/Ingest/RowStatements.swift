import GRDB
import ODataSQL

/// The prepared statements for rows that bring the same columns, made when first needed.
final class RowStatements {
    /// More patterns than a service has; beyond it, statements are prepared again.
    static let limit = 128

    let pattern: RowPattern
    let own: [IngestSQL.Own]
    let steps: [BindingStep]
    /// The parameter behind those of the row.
    let nextParameter: Int32
    private var upsertStatement: BoundStatement?
    private var insertStatement: BoundStatement?
    private var updateStatement: BoundStatement?
    private var narrowStatement: BoundStatement?
    private var comparisonStatement: BoundStatement?
    private var baseStatement: BoundStatement?
    /// By the number of rows that they insert.
    private var batchStatements: [Int: BoundStatement] = [:]

    init(pattern: RowPattern, sql: IngestSQL, plan: IngestPlan) {
        self.pattern = pattern
        own = sql.ownColumns(pattern).map(\.own)
        var next = Int32(own.count) + 1
        var steps: [BindingStep] = []
        for slot in plan.columns.indices
        where pattern.slots[slot >> 6] & (1 << UInt64(slot & 63)) != 0 {
            steps.append(
                BindingStep(slot: slot, parameter: next, binding: plan.bindings[slot]))
            next += plan.bindings[slot].parameterCount
        }
        self.steps = steps
        nextParameter = next
    }

    @inline(__always)
    func upsert(
        _ database: Database, _ sql: IngestSQL, _ state: EntityState
    ) throws -> BoundStatement {
        if let upsertStatement { return upsertStatement }
        let made = try BoundStatement(database, sql: sql.upsert(pattern, state: state))
        upsertStatement = made
        return made
    }

    /// Inserts a row, whose id is bound last in tables where rows have keys.
    func insert(
        _ database: Database, _ sql: IngestSQL, _ state: EntityState
    ) throws -> BoundStatement {
        if let insertStatement { return insertStatement }
        let isNumbered = !sql.plan.table.keyColumns.isEmpty
        let made = try BoundStatement(
            database, sql: sql.insert(pattern, state: state, isNumbered: isNumbered))
        insertStatement = made
        return made
    }

    /// Inserts several rows; the parameters of each follow those of the one before.
    func insert(
        _ count: Int, _ database: Database, _ sql: IngestSQL, _ state: EntityState
    ) throws -> BoundStatement {
        if let made = batchStatements[count] { return made }
        let made = try BoundStatement(
            database, sql: sql.insert(pattern, count: count, state: state))
        batchStatements[count] = made
        return made
    }

    func update(
        _ database: Database, _ sql: IngestSQL, _ state: EntityState
    ) throws -> BoundStatement {
        if let updateStatement { return updateStatement }
        let made = try BoundStatement(database, sql: sql.update(pattern, state: state))
        updateStatement = made
        return made
    }

    /// As ``update(_:_:_:)`` for a row that differs, but in no column of `indexed`; nil where no other is left.
    func narrowUpdate(
        _ database: Database, _ sql: IngestSQL, _ state: EntityState, _ indexed: Set<String>
    ) throws -> BoundStatement? {
        if let narrowStatement { return narrowStatement }
        guard let text = sql.narrowUpdate(pattern, state: state, indexed: indexed) else {
            return nil
        }
        let made = try BoundStatement(database, sql: text)
        narrowStatement = made
        return made
    }

    /// Tells which row one is that comes, and how it differs; nil where its key is not among what it brings.
    func comparison(
        _ database: Database, _ sql: IngestSQL, _ indexed: Set<String>
    ) throws -> BoundStatement? {
        if let comparisonStatement { return comparisonStatement }
        guard let text = sql.comparison(pattern, indexed: indexed) else { return nil }
        let made = try BoundStatement(database, sql: text)
        comparisonStatement = made
        return made
    }

    func writeBase(_ database: Database, _ sql: IngestSQL) throws -> BoundStatement {
        if let baseStatement { return baseStatement }
        let made = try BoundStatement(database, sql: sql.writeBase(pattern))
        baseStatement = made
        return made
    }
}
