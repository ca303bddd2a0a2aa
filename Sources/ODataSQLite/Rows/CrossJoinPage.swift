import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL

/// What a cross join gave: for each instance an entity of each set.
package struct CrossJoinPage: Sendable {
    /// The entities of each set, in the order of the instances.
    package let parts: [[StructureValue]]
    package let rowCount: Int
    /// The values that order the last instance; nil where there is none.
    package let lastKeys: [SQLArgument]?
}

extension QueryReader {
    /// The rows of a compiled cross join but for those behind the first `limit`, and whether there were such.
    ///
    /// - Throws: What reading throws, and the failure of the ``RowBudget``.
    package func rows(
        of plan: CrossJoinPlan, limit: Int, in connection: some StatementSource
    ) throws -> (page: CrossJoinPage, hasMore: Bool) {
        let read = try Self.packed(plan, in: connection)
        let layouts = plan.parts.map { RowLayout(shape: $0.shape, mapping: mapping) }
        let expands = plan.parts.map { part in
            part.expands.map { PreparedExpand($0, of: part.shape, mapping: mapping) }
        }
        var parts = Array(repeating: [StructureValue](), count: plan.parts.count)
        var (rest, last) = (limit, [SQLArgument]?.none)
        for rows in read where rest > 0 {
            let count = min(rest, rows.rowCount)
            for index in parts.indices {
                let chunk = try Execution.chunk(
                    rows, layouts[index], expands[index], in: connection)
                parts[index] += (0..<count).map { chunk.structureValue(row: $0) }
            }
            last = plan.order.map { rows.argument(count - 1, $0) }
            rest -= count
        }
        let total = read.reduce(0) { $0 + $1.rowCount }
        let page = CrossJoinPage(
            parts: parts, rowCount: min(limit, total), lastKeys: last)
        return (page, total > limit)
    }

    /// How many instances there are before paging.
    package func count(
        of plan: CrossJoinPlan, in connection: some StatementSource
    ) throws -> Int64 {
        let statement = plan.countStatement
        let raw = try connection.statement(statement, statement.arguments, nil)
        return try raw.step() ? sqlite3_column_int64(raw.handle, 0) : 0
    }

    /// All rows, and the statement done with before what is expanded is read.
    private static func packed(
        _ plan: CrossJoinPlan, in connection: some StatementSource
    ) throws -> [PackedRows] {
        let raw = try connection.statement(plan.statement, plan.statement.arguments, nil)
        var parts: [PackedRows] = []
        while try raw.step() {
            let rows = try Execution.packed(
                raw, columns: plan.columnCount, limit: rowsPerChunk, expected: plan.top ?? 0)
            parts.append(rows)
            if rows.rowCount < rowsPerChunk { break }
        }
        return parts
    }
}
