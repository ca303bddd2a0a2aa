import GRDBSQLite
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// A compiled query with the layouts of its rows; used again for the same query.
package final class PreparedQuery: Sendable {
    package let plan: QueryPlan
    let layout: RowLayout
    let expands: [PreparedExpand]
    let rowsID = StatementID()
    let countID = StatementID()
    /// True when running it takes one statement, which is a snapshot of its own.
    package let isOneStatement: Bool
    /// True when there are statements for expanded rows.
    let readsExpands: Bool
    /// True when the first row is all there is.
    let isSingle: Bool
    let columnCount: Int

    package init(_ plan: QueryPlan, mapping: SchemaMapping) {
        self.plan = plan
        layout = RowLayout(shape: plan.shape, mapping: mapping)
        expands = plan.expands.map { PreparedExpand($0, of: plan.shape, mapping: mapping) }
        readsExpands = expands.contains { !$0.isJoined || !$0.children.isEmpty }
        isOneStatement =
            !readsExpands && (plan.countStatement == nil || plan.statement == nil)
        switch plan.result {
        case .entity, .property, .media, .references(isCollection: false): isSingle = true
        default: isSingle = false
        }
        columnCount = plan.columnCount
    }
}

/// A compiled query with the values to run it with.
package struct BoundQuery: Sendable {
    package let query: PreparedQuery
    /// Values of the row statement; nil for those it was compiled with.
    var arguments: [SQLArgument]?
    /// Values of the statement that counts; nil for those it was compiled with.
    var countArguments: [SQLArgument]?
    /// Where the row statement takes the first value that it was not compiled with.
    var keyPlaces: [Int32] = []

    package init(_ query: PreparedQuery) { self.query = query }

    package var plan: QueryPlan { query.plan }
}

/// One level of expanded rows with its layout.
final class PreparedExpand: Sendable {
    let plan: ExpandPlan
    /// The slot of a navigation property of the entity itself; -1 for one of a complex property, and where `nest` named it.
    let slot: Int
    let isCollection: Bool
    /// True when the parents' statement reads the rows.
    let isJoined: Bool
    let layout: RowLayout
    let children: [PreparedExpand]
    let rowsID = StatementID()
    let countID = StatementID()
    let columnRowsID = StatementID()
    let columnCountID = StatementID()
    /// The column of the parents' result with the values that the rows are found by; nil where that is not read.
    let parentColumn: Int?

    init(_ plan: ExpandPlan, of parent: ResultShape, mapping: SchemaMapping) {
        self.plan = plan
        let slots = plan.alias == nil ? plan.navigation.slots : []
        slot = slots.count == 1 ? slots[0] : -1
        isCollection = plan.navigation.isCollection
        isJoined = plan.joined != nil
        let shape = plan.joined ?? plan.shape
        layout = RowLayout(shape: shape, mapping: mapping)
        children = plan.children.map { PreparedExpand($0, of: shape, mapping: mapping) }
        parentColumn =
            plan.parentIndex
            ?? plan.byColumn.flatMap { byColumn in
                guard let column = byColumn.column else { return parent.id }
                return parent.columns.first { $0.mapping == column }?.index
            }
    }
}

/// Runs queries on a connection: one statement for the rows, and one for each expanded navigation property and level
/// of every ``rowsPerChunk`` parent rows.
package struct QueryReader: Sendable {
    package let mapping: SchemaMapping
    package let compiler: QueryCompiler

    package init(mapping: SchemaMapping, options: CompilerOptions = CompilerOptions()) {
        self.mapping = mapping
        compiler = QueryCompiler(mapping: mapping, options: options)
    }

    /// Compiles a query that is to run more than once.
    package func prepare(_ query: Query) throws -> PreparedQuery {
        PreparedQuery(try compiler.compile(query), mapping: mapping)
    }

    /// Compiles and runs a query.
    package func run(_ query: Query, in connection: some StatementSource) throws -> ResultPage {
        try run(try prepare(query), in: connection)
    }

    /// Runs a compiled query with the values it was compiled with.
    package func run(
        _ query: PreparedQuery, in connection: some StatementSource
    ) throws -> ResultPage {
        try Execution.run(BoundQuery(query), in: connection)
    }

    /// Runs a compiled query; nothing of it is open when this returns.
    package func run(_ bound: BoundQuery, in connection: some StatementSource) throws -> ResultPage
    {
        try Execution.run(bound, in: connection)
    }

    package static let rowsPerChunk = 1_024
}

extension BoundQuery {
    /// Runs the query; nothing of it is open when this returns.
    package func run(in connection: ReadConnection) throws -> ResultPage {
        try Execution.run(self, in: connection)
    }
}

/// Runs the statements of compiled queries.
enum Execution {
    static func run(_ bound: BoundQuery, in connection: some StatementSource) throws -> ResultPage {
        let query = bound.query
        if query.isSingle, let arguments = bound.arguments, query.isOneStatement,
            let known = try connection.kept(query.rowsID, arguments)
        {
            return try row(known, query, in: connection)
        }
        var count: Int64?
        if let statement = query.plan.countStatement {
            let raw = try connection.statement(
                statement, bound.countArguments ?? statement.arguments, query.countID)
            count = try raw.step() ? sqlite3_column_int64(raw.handle, 0) : 0
        }
        guard let statement = query.plan.statement else {
            return ResultPage(query: query, chunks: [], count: count)
        }
        let arguments = bound.arguments ?? statement.arguments
        var chunks: [SQLiteRowChunk] = []
        if !query.readsExpands {
            let raw = try connection.statement(statement, arguments, query.rowsID)
            try eachPart(raw, query) {
                chunks.append(try chunk($0, query.layout, query.expands, in: connection))
            }
        } else {
            for part in try parts(statement, arguments, query, in: connection) {
                chunks.append(try chunk(part, query.layout, query.expands, in: connection))
            }
        }
        return ResultPage(query: query, chunks: chunks, count: count)
    }

    /// The one row that there is at most.
    private static func row(
        _ raw: consuming RawStatement, _ query: PreparedQuery,
        in connection: some StatementSource
    ) throws -> ResultPage {
        guard try raw.step() else { return ResultPage(query: query, chunks: [], count: nil) }
        let row = PackedRows(columnCount: query.columnCount)
        row.append(raw.handle)
        let chunk = try chunk(row, query.layout, query.expands, in: connection)
        return ResultPage(query: query, chunks: [chunk], count: nil)
    }

    /// All rows, and the statement done with.
    private static func parts(
        _ statement: SQLStatement, _ arguments: [SQLArgument], _ query: PreparedQuery,
        in connection: some StatementSource
    ) throws -> [PackedRows] {
        let raw = try connection.statement(statement, arguments, query.rowsID)
        var parts: [PackedRows] = []
        try eachPart(raw, query) { parts.append($0) }
        return parts
    }

    @inline(__always)
    private static func eachPart(
        _ raw: borrowing RawStatement, _ query: PreparedQuery, _ take: (PackedRows) throws -> Void
    ) throws {
        let limit = query.isSingle ? 1 : QueryReader.rowsPerChunk
        let expected = query.plan.top ?? usualRows
        while try raw.step() {
            let rows = try packed(
                raw, columns: query.columnCount, limit: limit, expected: expected)
            try take(rows)
            if query.isSingle || rows.rowCount < limit { return }
        }
    }

    /// The row that the statement stands on, and the next ones.
    static func packed(
        _ raw: borrowing RawStatement, columns: Int, limit: Int, expected: Int
    ) throws -> PackedRows {
        let rows = PackedRows(columnCount: columns, rows: min(expected, mostExpectedRows))
        let budget = RowBudget.current
        let rest = budget?.rest ?? .max
        rows.append(raw.handle)
        while rows.rowCount < limit, rows.size <= rest, try raw.step() { rows.append(raw.handle) }
        if let budget {
            guard rows.size <= rest else { throw budget.failure }
            budget.take(rows.size)
        }
        return rows
    }

    /// Room that is made at first where the query does not say how many rows there are.
    private static let usualRows = 16
    private static let mostExpectedRows = 128

    static func chunk(
        _ rows: PackedRows, _ layout: RowLayout, _ expands: [PreparedExpand],
        in connection: some StatementSource
    ) throws -> SQLiteRowChunk {
        if expands.isEmpty || rows.rowCount == 0 {
            return SQLiteRowChunk(rows: rows, layout: layout, expanded: [])
        }
        var parents = ParentRows(rows, layout)
        let expanded = try expands.map { try expand($0, &parents, in: connection) }
        return SQLiteRowChunk(rows: rows, layout: layout, expanded: expanded)
    }

    private static func expand(
        _ expand: PreparedExpand, _ parents: inout ParentRows,
        in connection: some StatementSource
    ) throws -> SQLiteRowChunk.Expanded {
        if expand.isJoined {
            return SQLiteRowChunk.Expanded(
                prepared: expand,
                rows: try chunk(parents.rows, expand.layout, expand.children, in: connection),
                places: .besideParents, counts: [])
        }
        let values = expand.parentColumn.flatMap { parents.values(of: $0) }
        let given = try values ?? parents.identities()
        let byColumn = values == nil ? nil : expand.plan.byColumn
        let counts = try counts(expand, byColumn, parents.count, given, in: connection)
        guard
            let rows = try children(expand, byColumn, parents.count, given, in: connection)
        else {
            return SQLiteRowChunk.Expanded(
                prepared: expand, rows: nil, places: .ranges([]), counts: counts)
        }
        return SQLiteRowChunk.Expanded(
            prepared: expand,
            rows: try chunk(rows, expand.layout, expand.children, in: connection),
            places: .ranges(
                ParentRows.ranges(
                    rows, column: expand.plan.shape.parentRow, parents: parents.count)),
            counts: counts)
    }

    private static func counts(
        _ expand: PreparedExpand, _ byColumn: ExpandPlan.ByColumn?, _ parents: Int,
        _ given: String, in connection: some StatementSource
    ) throws -> [Int64] {
        guard let statement = byColumn?.countStatement ?? expand.plan.countStatement else {
            return []
        }
        var counts: [Int64] = Array(repeating: 0, count: parents)
        let raw = try connection.statement(
            statement, statement.arguments(parentRows: given),
            byColumn == nil ? expand.countID : expand.columnCountID)
        while try raw.step() {
            let parent = Int(sqlite3_column_int64(raw.handle, 0))
            guard counts.indices.contains(parent) else { continue }
            counts[parent] = sqlite3_column_int64(raw.handle, 1)
        }
        return counts
    }

    private static func children(
        _ expand: PreparedExpand, _ byColumn: ExpandPlan.ByColumn?, _ parents: Int,
        _ given: String, in connection: some StatementSource
    ) throws -> PackedRows? {
        guard let statement = byColumn?.statement ?? expand.plan.statement else { return nil }
        let raw = try connection.statement(
            statement, statement.arguments(parentRows: given),
            byColumn == nil ? expand.rowsID : expand.columnRowsID)
        let columns = expand.plan.shape.count
        guard try raw.step() else { return PackedRows(columnCount: columns) }
        return try packed(raw, columns: columns, limit: .max, expected: parents)
    }
}

/// Parent rows on their way into an expand and back.
struct ParentRows {
    let rows: PackedRows
    private let layout: RowLayout
    private var known: String?

    init(_ rows: PackedRows, _ layout: RowLayout) {
        (self.rows, self.layout) = (rows, layout)
    }

    var count: Int { rows.rowCount }

    /// The identities as a JSON array: internal ids, or arrays of key values.
    mutating func identities() throws -> String {
        if let known { return known }
        let made = try Self.json(rows, layout)
        known = made
        return made
    }

    /// The values of a column as a JSON array; nil where one would not come out of it as it is.
    func values(of column: Int) -> String? {
        var writer = JSONWriter(reservingBytes: rows.rowCount * 8)
        writer.beginArray()
        for row in 0..<rows.rowCount {
            let cell = rows.cell(row, column)
            switch cell.kind {
            case .null: writer.null()
            case .integer: writer.integer(cell.bits)
            case .text:
                guard !rows.bytes(cell).contains(0) else { return nil }
                writer.string(rows.text(cell))
            case .real, .blob: return nil
            }
        }
        writer.endArray()
        return writer.text
    }

    private static func json(_ rows: PackedRows, _ layout: RowLayout) throws -> String {
        var writer = JSONWriter(reservingBytes: rows.rowCount * 8)
        writer.beginArray()
        if let id = layout.shape.id {
            for row in 0..<rows.rowCount { writer.integer(rows.integer(row, id) ?? 0) }
        } else {
            guard let keys = layout.shape.keyColumns(of: layout.table) else {
                throw ODataError(
                    .notImplemented, "Expected a table with a key to expand from.",
                    at: .path(layout.table.path), status: 501)
            }
            for row in 0..<rows.rowCount {
                writer.beginArray()
                for key in keys { write(rows.argument(row, key.index), to: &writer) }
                writer.endArray()
            }
        }
        writer.endArray()
        return writer.text
    }

    private static func write(_ value: SQLArgument, to writer: inout JSONWriter) {
        switch value {
        case .integer(let value): writer.integer(value)
        case .real(let value) where value.isFinite: writer.number("\(value)")
        case .text(let text): writer.string(text)
        default: writer.null()
        }
    }

    /// The child rows of each parent; children come in the order of their parents.
    static func ranges(
        _ rows: PackedRows, column: Int?, parents: Int
    ) -> [Range<Int>] {
        var ranges = Array(repeating: 0..<0, count: parents)
        guard let column else { return ranges }
        var start = 0
        while start < rows.rowCount {
            let parent = rows.integer(start, column)
            var end = start + 1
            while end < rows.rowCount, rows.integer(end, column) == parent { end += 1 }
            if let parent, ranges.indices.contains(Int(parent)) {
                ranges[Int(parent)] = start..<end
            }
            start = end
        }
        return ranges
    }
}
