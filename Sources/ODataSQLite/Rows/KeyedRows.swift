import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL

/// Rows that were read by their keys.
package struct KeyedRows: Sendable {
    /// In the order of the keys; a key without a row has none.
    package let page: ResultPage
    /// For each row the position of its key.
    package let positions: [Int]
}

extension PreparedQueries {
    // Hot: ServerFigures
    /// The rows of a set with these keys, by one statement that stays prepared and runs for each of them: a list of hundreds of
    /// keys took longer to compile and to prepare than all of its rows to be read.
    ///
    /// - Parameter query: reads the row with a key.
    /// - Returns: nil where the key goes into the statement in another way than as it is.
    /// - Throws: what compiling and reading throw, and the failure of the ``RowBudget``.
    package func rows(
        of set: String, keys: [Int64], in connection: some StatementSource,
        _ query: (Scalar) -> Query
    ) throws -> [KeyedRows]? {
        var found: [KeyedRows] = []
        var start = 0
        while start < keys.count {
            let first = Scalar.integer(keys[start])
            // Values of one kind have one compiled form.
            let kind = SharedKind(first)
            var end = start + 1
            while end < keys.count, end - start < QueryReader.rowsPerChunk,
                SharedKind(.integer(keys[end])) == kind
            {
                end += 1
            }
            let bound = try prepared(entityOf: set, key: first, { query(first) }, check: { $0 })
            guard let rows = try Self.rows(bound, keys, start..<end, in: connection) else {
                return nil
            }
            found.append(rows)
            start = end
        }
        return found
    }

    private static func rows(
        _ bound: BoundQuery, _ keys: [Int64], _ range: Range<Int>,
        in connection: some StatementSource
    ) throws -> KeyedRows? {
        let query = bound.query
        guard let statement = query.plan.statement, query.plan.countStatement == nil,
            query.expands.isEmpty, let arguments = bound.arguments, !bound.keyPlaces.isEmpty
        else { return nil }
        let rows = PackedRows(columnCount: query.columnCount, rows: range.count)
        var positions: [Int] = []
        positions.reserveCapacity(range.count)
        let budget = RowBudget.current
        let rest = budget?.rest ?? .max
        let raw = try connection.statement(statement, arguments, query.rowsID)
        for position in range {
            sqlite3_reset(raw.handle)
            for place in bound.keyPlaces { sqlite3_bind_int64(raw.handle, place, keys[position]) }
            guard try raw.step() else { continue }
            rows.append(raw.handle)
            positions.append(position)
            if let budget, rows.size > rest { throw budget.failure }
        }
        budget?.take(rows.size)
        let chunk = SQLiteRowChunk(rows: rows, layout: query.layout, expanded: [])
        return KeyedRows(
            page: ResultPage(query: query, chunks: [chunk], count: nil), positions: positions)
    }
}
