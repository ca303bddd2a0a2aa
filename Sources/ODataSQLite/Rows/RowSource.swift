import ODataSQL

/// A database of another product that runs compiled queries, and that its caller has to itself meanwhile.
package protocol RowSource {
    /// Calls `take` with the values of each row of a statement, in the storage classes of SQLite.
    func eachRow(_ statement: SQLStatement, _ take: ([SQLArgument]) throws -> Void) throws
}

extension QueryReader {
    /// Runs a compiled query on another database than SQLite, for whose dialect it was compiled.
    package func run(_ bound: BoundQuery, from source: some RowSource) throws -> ResultPage {
        let query = bound.query
        var count: Int64?
        if var statement = query.plan.countStatement {
            statement.arguments = bound.countArguments ?? statement.arguments
            count = 0
            try source.eachRow(statement) { row in
                if case .integer(let number)? = row.first { count = number }
            }
        }
        guard var statement = query.plan.statement else {
            return ResultPage(query: query, chunks: [], count: count)
        }
        statement.arguments = bound.arguments ?? statement.arguments
        let reading = SourceReading(source)
        let parts = try reading.parts(
            statement, columns: query.columnCount,
            limit: query.isSingle ? 1 : QueryReader.rowsPerChunk)
        let chunks = try (query.isSingle ? Array(parts.prefix(1)) : parts).map {
            try reading.chunk($0, query.layout, query.expands)
        }
        return ResultPage(query: query, chunks: chunks, count: count)
    }
}

/// What a ``RowSource`` gives, as the rows of a result.
private struct SourceReading<Source: RowSource> {
    private let source: Source

    init(_ source: Source) { self.source = source }

    func parts(_ statement: SQLStatement, columns: Int, limit: Int) throws -> [PackedRows] {
        var parts: [PackedRows] = []
        let budget = RowBudget.current
        var counted = 0
        try source.eachRow(statement) { row in
            if parts.last.map({ $0.rowCount >= limit }) ?? true {
                if let budget, let last = parts.last { budget.take(last.size) }
                parts.append(PackedRows(columnCount: columns, rows: 16))
                counted = 0
            }
            guard let last = parts.last else { return }
            last.append(row)
            counted += 1
            if let budget, last.size > budget.rest { throw budget.failure }
        }
        if let budget, let last = parts.last { budget.take(last.size) }
        return parts
    }

    func chunk(
        _ rows: PackedRows, _ layout: RowLayout, _ expands: [PreparedExpand]
    ) throws -> SQLiteRowChunk {
        if expands.isEmpty || rows.rowCount == 0 {
            return SQLiteRowChunk(rows: rows, layout: layout, expanded: [])
        }
        var parents = ParentRows(rows, layout)
        let expanded = try expands.map { try expand($0, &parents) }
        return SQLiteRowChunk(rows: rows, layout: layout, expanded: expanded)
    }

    private func expand(
        _ expand: PreparedExpand, _ parents: inout ParentRows
    ) throws -> SQLiteRowChunk.Expanded {
        let given =
            try expand.parentColumn.flatMap { parents.values(of: $0) }
            ?? parents.identities()
        var counts: [Int64] = []
        if let statement = expand.plan.countStatement {
            counts = Array(repeating: 0, count: parents.count)
            try source.eachRow(bound(statement, given)) { row in
                guard case .integer(let parent)? = row.first, counts.indices.contains(Int(parent)),
                    case .integer(let count)? = row.dropFirst().first
                else { return }
                counts[Int(parent)] = count
            }
        }
        guard let statement = expand.plan.statement else {
            return SQLiteRowChunk.Expanded(
                prepared: expand, rows: nil, places: .ranges([]), counts: counts)
        }
        let columns = expand.plan.shape.count
        let rows =
            try parts(bound(statement, given), columns: columns, limit: .max).first
            ?? PackedRows(columnCount: columns)
        return SQLiteRowChunk.Expanded(
            prepared: expand, rows: try chunk(rows, expand.layout, expand.children),
            places: .ranges(
                ParentRows.ranges(
                    rows, column: expand.plan.shape.parentRow, parents: parents.count)),
            counts: counts)
    }

    private func bound(_ statement: SQLStatement, _ given: String) -> SQLStatement {
        SQLStatement(
            text: statement.text, arguments: statement.arguments(parentRows: given),
            tables: statement.tables)
    }
}
